"""The facts of a finished game for its public page: a record by its number, written as the game is booked.

People are ids in it. Their names are beside the log, so that they can change or be deleted. A game of an earlier
release gets its record when someone first asks for its page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Entry, Store
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.log import options
from lilygames.tables.log.acts import Body, Expired, Moved
from lilygames.tables.results.results import substituted
from lilygames.tables.results.statistics import take_back
from lilygames.tables.sight.replay import Step, replayed
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Event, Seat

KIND = "recap"


@attrs.frozen
class RecapSeat:
    """A seat of a finished game: its player from the start, as an id or the name of a bot, and how they did."""

    who: str
    level: str
    """The level of a bot that played from the start; empty for a person."""
    score: int
    place: int
    left: bool = False


@attrs.frozen
class RecapRound:
    """A round: the step of the replay at which it was over, and what each seat scored."""

    step: int
    scores: tuple[int, ...]


@attrs.frozen
class Recap:
    """A finished game, as far as everyone may know it."""

    game: str
    at: float
    """When it ended, in seconds since 1970."""
    seconds: float
    options: dict[str, str]
    """Those that differ from the usual, or all, in words."""
    seats: tuple[RecapSeat, ...]
    winners: tuple[Seat, ...]
    steps: int
    """The steps of its replay; 0 if its seal stays closed, so that only the result is public."""
    counted: bool = True
    rounds: tuple[RecapRound, ...] = ()
    moments: tuple[tuple[Seat, str], ...] = ()
    """The achievements of players, by name."""


def recap_of(table: Table, entries: Sequence[Entry]) -> Recap | None:
    """Return the recap of a finished table by replaying it; None if it has no result."""
    outcome = table.outcome
    if outcome is None:
        return None
    steps = [*replayed(Table(table.header, table.game, table.secret), entries)]
    shown = [step for step in steps if step.is_shown]
    opened = visible.is_open(table.header, over=True)
    return Recap(
        game=table.game.name,
        at=entries[-1].at,
        seconds=entries[-1].at - shown[0].at if shown else 0.0,
        options=options.words(table.game, table.options),
        seats=tuple(_seats(table, entries)),
        winners=tuple(outcome.winners),
        steps=len(shown) if opened else 0,
        counted=table.counted,
        rounds=tuple(_rounds(table, shown)) if opened else (),
        moments=tuple(_moments(table, steps, entries)),
    )


def _seats(table: Table, entries: Sequence[Entry]) -> Iterator[RecapSeat]:
    """Yield each seat; those who left come last, whatever the bot in their seat scored."""
    first, scores = substituted(entries), table.outcome.scores if table.outcome else ()
    owners = [first.get(seat, who.name) for seat, who in enumerate(table.seats)]
    left = [seat in first and who.name != first[seat] for seat, who in enumerate(table.seats)]
    keys = [(gone, 0 if gone else -score) for gone, score in zip(left, scores, strict=True)]
    for seat, who in enumerate(table.seats):
        level = "" if seat in first else who.level
        name = owners[seat] if level else table.header.people.id_of(owners[seat])
        yield RecapSeat(name, level, scores[seat], 1 + sum(key < keys[seat] for key in keys), left[seat])


def _rounds(table: Table, shown: Sequence[Step]) -> Iterator[RecapRound]:
    """Yield the rounds of a game that has several; games whose deals depend on each other have none."""
    deals = table.game.deals
    if deals is None:
        return
    done = 0
    for number, step in enumerate(shown, 1):
        scored = deals(step.table.view(None)) if step.table.state is not None else ()
        for one in scored[done:]:
            yield RecapRound(number, tuple(one))
        done = len(scored)


def _moments(table: Table, steps: Sequence[Step], entries: Sequence[Entry]) -> Iterator[tuple[Seat, str]]:
    """Yield what players achieved, from what everyone may know."""
    if not table.game.achievements:
        return
    found: list[tuple[bool, tuple[Event, ...]]] = []
    for step, entry in zip(steps, entries, strict=True):
        take_back(found, step.table.undone)
        is_move = isinstance(codec.from_text(entry.body, Body).act, Moved | Expired)
        found.append((is_move, visible.told(table.header, step.events, None, over=True)))
    events = [event for _, some in found for event in some]
    for one in table.game.achievements:
        for seat in dict.fromkeys(one.seats(events, table.options)):
            yield seat, one.name


class Recaps:
    """The recaps of all finished games that may have a page, in the store."""

    def __init__(self, store: Store, finished_tables: FinishedTables, unreadable: UnreadableRows) -> None:
        self._store = store
        self._finished = finished_tables
        self._unreadable = unreadable

    async def finished(self, table: Table) -> None:
        """Write the recap of a finished table, unless it never has a page. Raises `StoreUnavailable`."""
        if table.outcome is not None and visible.is_public(table.header, set_opened=True):
            await self._write(table, await self._finished.archive.entries(table.header.number))

    async def find(self, number: int) -> Recap | None:
        """Return the recap of a finished game that may have a page; None if it has no result, or isn't over.

        Raises `StoreUnavailable`.
        """
        found = await self._read(number)
        if found or not (replay := await self._finished.replayed(number)):
            return found
        table, entries = replay
        return await self._write(table, entries) if table.closed else None

    async def find_each(self, numbers: Sequence[int]) -> dict[int, Recap]:
        """Return the recaps that are written already, by number. Raises `StoreUnavailable`."""
        bodies = await self._store.find_each(KIND, [str(number) for number in numbers])
        read = {int(key): self._parsed(key, body) for key, body in bodies.items()}
        return {number: one for number, one in read.items() if one}

    async def _read(self, number: int) -> Recap | None:
        body = await self._store.find(KIND, str(number))
        return self._parsed(str(number), body) if body else None

    def _parsed(self, key: str, body: str) -> Recap | None:
        try:
            recap: Recap = codec.from_text(body, Recap)
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return None
        return recap

    async def _write(self, table: Table, entries: Sequence[Entry]) -> Recap | None:
        recap = await asyncio.to_thread(recap_of, table, entries)  # replays the game
        if recap:
            await self._store.keep(KIND, str(table.header.number), codec.to_text(recap))
        return recap
