"""The visit of a television: a page that shows a party's table to a whole room. It isn't a person, and has no name."""

from __future__ import annotations

import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.people.terminal import TELEVISION, Terminal
from lilygames.errors import UserError, refusal
from lilygames.store import StoreUnavailable
from lilygames.text import Line, Problem

log = structlog.get_logger()
WATCH = "/get:watch"
"""The word before the code of a party with which a page becomes a television, or asks for the whole table again."""
_LATER = Line("Refused: the server can't read that party now. Try again in a moment.", problem=Problem("not-saved"))


class TurnsOn(Exception):
    """A page that was expected to log in is a television, and shows a party from now on."""


async def turned_on(host: Host, terminal: Terminal, code: str) -> bool:
    """Show a party on a page; return False, and show why, if there is no such party."""
    try:
        await host.tables.show(code, terminal, host.quotas)
    except UserError as problem:
        terminal.show(refusal(problem, ""))
    except StoreUnavailable as problem:
        log.warning("can't read a party", why=str(problem))
        terminal.show(_LATER)
    else:
        return True
    return False


async def stay_on(host: Host, terminal: Terminal) -> None:
    """Show the party until the page is closed; raises `Gone`."""
    terminal.attach(TELEVISION)
    host.notices.unfollow(terminal)
    try:
        while True:
            word, _, code = (await terminal.read()).partition(" ")
            if word == WATCH:
                await turned_on(host, terminal, code)
    finally:
        host.tables.hide(terminal)
