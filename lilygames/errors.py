"""Error types, and the sentence and log entry for each.

- `UserError`: the person's mistake. Its text says what they can do instead; nothing is logged. `NotFound` (no such
  name) and `NeedsRepair` (unreadable until the sysop repairs it) are handled separately in places.
- `UsageError` (`lilygames.commands`): the person's mistake. They see the command's usage, or similar commands.
- `Refused` (`lilygames_rules.kit`): a move against a game's rules, a code and facts. The game words it, and the table
  shows it as a `UserError`.
- `StoreUnavailable`: the store can't save. The person reads that nothing was done, and the log says why. While the
  store is `Replaced`, a watch has logged it already.
- Any other error is a bug. The person gets a case number, and the log has the traceback under that number.

Code depends only on the type of an error, never on its words. Programs get a code for each type (`code_of`), which
stays the same when the words change.
"""

from __future__ import annotations

import secrets
from typing import ClassVar

import structlog

from lilygames.commands import Misread, Several, Unknown
from lilygames.store import Replaced, StoreUnavailable
from lilygames.text import Line, Problem, listing, shortened

log = structlog.get_logger()
NOTHING_SAVED = "the server can't save anything right now, so nothing was done. The sysop has been told."
"""The answer to a command while the store is replaced."""


class UserError(Exception):
    """A request can't be done. Its text is a sentence that says what to do instead."""

    code: ClassVar[str] = "refused"
    """The code for programs. It never changes: `machine.schema.json` lists it."""


class NotFound(UserError):
    """There is nothing with the name that was typed."""

    code = "not-found"


class DealShut(UserError):
    """A finished game can't be shown yet, because others can still play its cards."""


class NeedsRepair(UserError):
    """A saved record can't be read until the sysop repairs it."""

    code = "unreadable"


class AgainstRules(UserError):
    """The rules of a game refuse something; `rule` is their own code for it (`lilygames_rules.kit.Refused`)."""

    code = "against-rules"

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__(sentence)
        self.rule = rule


def code_of(problem: Exception) -> str:
    """Return the code of an error for programs."""
    match problem:
        case UserError():
            return problem.code
        case Misread():
            return "usage"
        case Several():
            return "ambiguous"
        case Unknown():
            return "unknown-command"
        case StoreUnavailable():
            return "not-saved"
    return "bug"


def refusal(problem: Exception, name: str) -> Line:
    """Return the line about an error for the person called `name`. Log errors that aren't theirs."""
    rule = problem.rule if isinstance(problem, AgainstRules) else ""
    return Line(answer(problem, name), problem=Problem(code_of(problem), rule))


def answer(problem: Exception, name: str) -> str:
    """Return the sentence that the person called `name` reads about an error. Log errors that aren't theirs."""
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
            log.warning("cannot do a command", why=str(problem))
            return "Refused: nothing can be saved right now, so nothing was done. Try again in a moment."
    case = secrets.token_hex(3)
    log.error("cannot do a command", case=case, name=name, exc_info=problem)
    return f"(That's a bug: case {case}. The sysop knows; /feedback TEXT adds details.)"


def _no_one_command(problem: Several | Unknown) -> str:
    if isinstance(problem, Several):
        names = [f"/{name}" for name in problem.names[:8]]
        return f"“{problem.word}” could be {listing(names, 'or')}; type more of it."
    if not problem.near:
        return f"there is no command /{shortened(problem.word, 20)}; /help lists them all."
    names = [f"/{name}" for name in problem.near]
    return f"there is no command /{shortened(problem.word, 20)}. Did you mean {listing(names, 'or')}?"
