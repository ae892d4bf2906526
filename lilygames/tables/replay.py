"""A table's log read again: what it told, to somebody who may know so much of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from lilygames.chat.names import fold
from lilygames.game import Game, Reader
from lilygames.spoken import signed
from lilygames.store import Entry
from lilygames.tables import visible
from lilygames.tables.log import Header, called
from lilygames.tables.table import Table
from lilygames.text import Line, Voice
from rules.kit import Event


@attrs.frozen
class Step:
    """What one entry of a log said: when, what happened, and the table after it."""

    at: float
    events: tuple[Event, ...]
    table: Table


def told(
    header: Header,
    game: Game,
    entries: Iterable[Entry],
    secret: bytes,
    *,
    name: str,
    voice: Voice,
    key: Callable[[str], str] = fold,
) -> Iterator[Sequence[tuple[float, Line]]]:
    """Yield the lines of a log as somebody of that name may know them: by their seat while it is open, else all.

    They come step by step, and none while the log is read to its end.

    Each comes with its time, in seconds since 1970. Two names of one `key` are one person's.
    """
    steps, table = [], Table(header, game, secret)
    for step in replayed(table, entries):
        steps.append(step)
        table = step.table
        yield ()
    seat = next((n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(name)), None)
    reader = Reader(seat, called(table.seats, voice), voice)
    for step in steps:
        back = taken_back(step.table)
        if back:
            yield [(step.at, _line(header, back))]
        known = visible.told(header, step.events, seat, over=table.closed)
        texts = (game.tell(event, reader) for event in known)
        yield [(step.at, _line(header, row)) for text in texts for row in text.split("\n") if row]
    yield [(step.at, _line(header, text)) for step in steps[-1:] for text in ending(table, reader)]


def _line(header: Header, text: str) -> Line:
    return Line(f"[{header.room}] {text}", "game")


def replayed(table: Table, entries: Iterable[Entry]) -> Iterator[Step]:
    """Yield each entry's step of a table that begins here; raises `Diverged`."""
    for entry in entries:
        table, events = table.read(entry)
        yield Step(entry.at, events, table)


def taken_back(table: Table) -> str:
    """Return the sentence about the moves that the last entry of a table took back; empty if it took none back."""
    if not table.undone:
        return ""
    moves = "The last move is" if table.undone == 1 else f"The last {table.undone} moves are"
    return f"{moves} taken back." if table.counted else f"{moves} taken back. This game no longer counts."


def ending(table: Table, reader: Reader) -> list[str]:
    """Return the last lines of a game that has ended, for a reader: who wins, and all scores from the best down.

    One that was broken off has neither. If it didn't count, that is said first.
    """
    outcome = table.outcome
    if outcome is None:
        return ["Game over: nobody who played is left, so nobody wins."] if table.closed else []
    winners = outcome.winners
    verb = "share the win" if len(winners) > 1 else "win" if winners[0] == reader.seat else "wins"
    order = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    said = signed if reader.voice.spoken else str
    scores = ", ".join(f"{reader.who(seat)} {said(outcome.scores[seat])}" for seat in order)
    uncounted = [] if table.counted else ["This game didn't count, since moves were taken back."]
    return [*uncounted, f"Game over: {reader.everyone(winners)} {verb}; {scores}."]
