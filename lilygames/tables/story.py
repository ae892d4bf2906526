"""A table's log read again: what it told, to somebody who may know so much of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lilygames.chat.names import fold
from lilygames.game import Game, Reader
from lilygames.spoken import signed
from lilygames.store import Entry
from lilygames.tables.log import Header, called
from lilygames.tables.table import Table
from lilygames.text import Line, Voice


def told(
    header: Header,
    game: Game,
    entries: Iterable[Entry],
    secret: bytes,
    *,
    name: str,
    voice: Voice,
    key: Callable[[str], str] = fold,
) -> Iterator[tuple[float, Line]]:
    """Yield the lines of a log as somebody of that name may know them: by their seat while it is open, else all.

    Each comes with its time, in seconds since 1970. Two names of one `key` are one person's.
    """
    steps = []
    table = Table(header, game, secret)
    for entry in entries:
        table, events = table.read(entry)
        steps.append((entry.at, events))
    seat = next((n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(name)), None)
    reader = Reader(seat, called(table.seats, voice), voice)
    at = 0.0
    for at, events in steps:
        for event in events:
            seen = event if table.closed and not header.sealed else event.seen_by(seat)
            text = game.tell(seen, reader) if seen is not None else ""
            for row in filter(None, text.split("\n")):
                yield at, Line(f"[{header.room}] {row}", "game")
    for text in ending(table, reader):
        yield at, Line(f"[{header.room}] {text}", "game")


def ending(table: Table, reader: Reader) -> list[str]:
    """Return the last line of a game that has ended, for a reader: who wins, and all scores from the best down."""
    outcome = table.outcome
    if outcome is None:
        return []
    winners = outcome.winners
    verb = "share the win" if len(winners) > 1 else "win" if winners[0] == reader.seat else "wins"
    order = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    said = signed if reader.voice.spoken else str
    scores = ", ".join(f"{reader.who(seat)} {said(outcome.scores[seat])}" for seat in order)
    return [f"Game over: {reader.everyone(winners)} {verb}; {scores}."]
