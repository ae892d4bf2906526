"""Recompute the moves of bots in a finished game: each follows from the bot's view and its own luck alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.log import Body, Moved
from lilygames.tables.table import Table
from rules.kit import Seat


@attrs.frozen
class BotMove:
    """A move that a bot made: its entry, and whether the strategy installed here chooses it too."""

    seq: int
    again: bool


def bot_moves(table: Table, entries: Iterable[Entry]) -> Iterator[BotMove]:
    """Replay a log from its new table, and yield each bot's move; raises `Diverged`. Strong bots take long."""
    for entry in entries:
        act = codec.from_text(entry.body, Body).act
        if isinstance(act, Moved) and entry.by == table.seats[act.seat].writer and table.seats[act.seat].house:
            yield BotMove(entry.seq, _chosen(table, act.seat) == act.move)
        table, _ = table.read(entry)


def _chosen(table: Table, seat: Seat) -> codec.Json:
    """Return the move that the bot in a seat chooses, or the default move if it fails."""
    moves = table.moves(seat)
    try:
        move = table.game.players[table.seats[seat].level](table.view(seat), moves, table.luck.of_bot(seat))
        return codec.dump(moves[moves.index(move)])
    except Exception:  # noqa: BLE001 - a strategy may raise anything, and a table then makes the default move
        return codec.dump(table.game.rules.default(table.state, seat))


def told(checked: Iterable[BotMove]) -> str:
    """Return a sentence about recomputed moves."""
    moves = [*checked]
    others = [move.seq for move in moves if not move.again]
    if not moves:
        return "No bot has made a move."
    if not others:
        return f"All {len(moves)} moves of bots are those that their strategies choose."
    fit = f"{len(moves) - len(others)} of {len(moves)} moves of bots are those that their strategies choose."
    return f"{fit} Entry {others[0]} is the first other one: not checked if the bot had an older strategy."
