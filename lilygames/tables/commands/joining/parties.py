"""The `/party` command: a private table for people in one room, who join by a code and look at a television."""

from __future__ import annotations

import attrs

from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.tables.commands.joining.seats import check
from lilygames.tables.log import options
from lilygames.tables.open import game_names
from lilygames.tables.open.opening import Plan
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seeks import party_codes
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line


@command("party", group="start", syntax="[GAME] [OPTION=VALUE...]", rare=True)
async def party(at: TableContext, *words: str) -> list[str | Line]:
    """Play with people around you: /party liarsdice opens a private table with a code, such as PEAR42.

    Everyone with the code can join: at /j/PEAR42 on the page, or with /sit PEAR42.
    A television at /tv/PEAR42 shows the table to all. Type /start to begin.
    Latecomers get a bot's seat when a round begins. /party alone shows the code
    again. See /help party.
    """
    if not words:
        return _rows(at, _own(at))
    game, words = game_names.split(at.tables.games, words)
    typed = options.settings(words)
    frame, words = options.frame(game, words)
    chosen, names = options.read(game, words)
    if names:
        raise UserError(f"/party invites nobody by name. Type /party {game.name}, and tell people the code.")
    if frame.rated and "rated" in typed:
        raise UserError("a party can't be rated. Leave out rated=on.")
    chosen = await at.tables.texts.filled(game, chosen)
    check(game, chosen)
    code = party_codes.drawn(at.tables.parties)
    frame = attrs.evolve(frame, private=True, rated=False, open_seats=True)
    return _rows(at, await at.opened(Plan(game, chosen, frame, party=code)))


def _own(at: TableContext) -> TableBot:
    """Return the party where the person has a seat; raises `UserError` if there is none."""
    seats = [bot for bot in at.tables.seating(at.person.name) if bot.table.header.party]
    here = [bot for bot in seats if bot.room is at.person.room]
    if not seats:
        raise UserError("type /party and a game to open a party, such as /party liarsdice. See /help party.")
    return (here or seats)[0]


def _rows(at: TableContext, bot: TableBot) -> list[str | Line]:
    """Return how people join a party."""
    code, address = bot.table.header.party, at.tables.host.web_address
    where = address or "this server's page, with"
    at_start = "" if bot.table.started else " Type /start to begin."
    return [
        f"(party {code}: anyone with the code can join.{at_start})",
        Line(f"Phones: {where}{'' if address else ' '}/j/{code} (telnet: /sit {code})", margin=None),
        Line(f"Television: {where}{'' if address else ' '}/tv/{code}", margin=None),
    ]
