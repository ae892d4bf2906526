"""All that can go wrong with what somebody asks for: whose fault it is, and what is said and logged then.

- `UserError`: theirs. They read its text, one sentence that says what can be done instead; nothing is logged.
  `NotFound` (no such name) and `NeedsRepair` (cannot be read before the sysop repairs it) are told apart in places.
- `UsageError` (`lilygames.commands`): theirs. They read how the command is typed, or which commands look like it.
- `RuleError`: theirs, against the rules of a game: a code and facts (`Refused` in `rules.kit`). The game words it, and
  the table says it as a `UserError`.
- `StoreUnavailable`: the store's. They read that nothing was done; the log says why. While it is `Replaced`, it is not
  the one that was opened, and a watch has logged so already.
- Whatever else is raised: ours, a bug. They read a case number, under which the log has all of it.

Nothing depends on the words of an error, only on its type.
"""

from __future__ import annotations

import secrets

import structlog

from lilygames.commands import Misread, Several, Unknown
from lilygames.store import Replaced, StoreUnavailable
from lilygames.text import listing

log = structlog.get_logger()
NOTHING_SAVED = "the server can't save anything right now, so nothing was done. The sysop has been told."
"""What somebody is told while the store is not the one that was opened."""


class UserError(Exception):
    """Something a person asked for cannot be done; its text is the sentence that says what can be done instead."""


class NotFound(UserError):
    """Nothing here has the name that was typed."""


class NeedsRepair(UserError):
    """What is kept of somebody or something cannot be read, until the sysop has repaired it."""


def answer(problem: Exception, name: str) -> str:
    """Return the one sentence that somebody of that name reads about an error; log what is no fault of theirs."""
    match problem:
        case UserError():
            return f"Refused: {problem}"
        case Misread():
            return f"Usage: {problem}"
        case Several() | Unknown():
            return f"Refused: {_no_one_command(problem)}"
        case Replaced():
            return f"Refused: {NOTHING_SAVED}"
        case StoreUnavailable():
            log.warning("a line could not be done", why=str(problem))
            return "Refused: nothing can be kept just now, so nothing was done; try again in a moment."
    case = secrets.token_hex(3)
    log.error("a line could not be done", case=case, name=name, exc_info=problem)
    return f"(Something broke: case {case}. The sysop knows; /feedback TEXT tells more.)"


def _no_one_command(problem: Several | Unknown) -> str:
    if isinstance(problem, Several):
        names = [f"/{name}" for name in problem.names[:8]]
        return f"“{problem.word}” could be {listing(names, 'or')}; type more of it."
    if not problem.near:
        return f"there is no command /{problem.word[:20]}; /help lists them all."
    names = [f"/{name}" for name in problem.near]
    return f"there is no command /{problem.word[:20]}. Did you mean {listing(names, 'or')}?"
