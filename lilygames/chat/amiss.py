"""What somebody reads where a line of theirs could not be done: one sentence, whatever went wrong."""

from __future__ import annotations

import secrets

import structlog

from lilygames.chat.errors import NOTHING_SAVED, Sorry
from lilygames.commands import Misread, Several, Unknown
from lilygames.store import Replaced, Unavailable
from lilygames.text import listing

log = structlog.get_logger()


def sentence(problem: Exception, name: str) -> str:
    """Return the one sentence about a line of somebody of that name; the log hears of what is no fault of theirs."""
    match problem:
        case Misread():
            return f"Usage: {problem}"
        case Several() | Unknown():
            return f"Refused: {_no_one_command(problem)}"
        case Sorry():
            return f"Refused: {problem}"
        case Replaced():
            return f"Refused: {NOTHING_SAVED}"
        case Unavailable():
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
