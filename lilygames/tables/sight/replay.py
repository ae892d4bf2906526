"""Replay a table's log, as someone with limited knowledge may see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.game import Game
from lilygames.store import Entry
from lilygames.tables.log.acts import Header
from lilygames.tables.sight import narrate
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames.text import Line, Voice
from lilygames_rules.kit import Event


@attrs.frozen
class Step:
    """One replayed log entry: its time, its events, and the table after it."""

    at: float
    events: tuple[Event, ...]
    table: Table

    @property
    def is_shown(self) -> bool:
        """Whether a replay stops here: something of the game has happened."""
        return self.table.started and bool(self.events or self.table.undone)


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
    """Yield the lines of a log that a person may see: those of their seat, or all once the game is open.

    The lines come step by step, each with its time in seconds since 1970. Nothing is yielded until the whole log has
    been read. Names with the same `key` belong to the same person.
    """
    steps, table = [], Table(header, game, secret)
    for step in replayed(table, entries):
        steps.append(step)
        table = step.table
        yield ()
    seat = next((n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(name)), None)
    reader = narrate.reader(table, seat, voice)
    for step in steps:
        if back := narrate.taken_back(step.table):
            yield [(step.at, narrate.line(header.tag, back))]
        known = visible.told(header, step.events, seat, over=table.closed)
        yield [(step.at, line) for line in narrate.told(header.tag, game, known, reader)]
    ending = narrate.ending(table, reader)
    yield [(step.at, narrate.line(header.tag, text)) for step in steps[-1:] for text in ending]


def replayed(table: Table, entries: Iterable[Entry]) -> Iterator[Step]:
    """Yield a step for each entry of a new table; raises `Diverged`."""
    for entry in entries:
        table, events = table.read(entry)
        yield Step(entry.at, events, table)
