"""What a finished game leaves behind: a row in the history of each who played, and ratings, each exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import dropwhile

import attrs

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.store import Draft, Entry, Store
from lilygames.tables.log import Body, Seated, Start
from lilygames.tables.ratings import Ratings, size_of
from lilygames.tables.table import Table
from lilygames.unreadable import UnreadableRows
from rules.kit import Seat

FEWEST = 2
"""People that a rated game needs."""
WITH_HOUSE = "house"
"""Ends the names of the classes in which people and house players are rated together."""


@attrs.frozen
class Played:
    """A game as one of its players remembers it: which, when, in which place of how many, and whether they left."""

    table: int
    game: str
    at: float
    place: int
    seats: int
    score: int
    left: bool = False
    rated: bool = False
    private: bool = False
    counted: bool = True
    """Whether it counts among the games somebody has played; not if moves were taken back at will."""


@attrs.frozen
class Part:
    """What one player had of a game: people by name, house players without; what their seats scored.

    `left` is who did not play to the end; `helped`, for whom a house player played in between. `level` is that of a
    house player who played from the start, `bot` its name.
    """

    name: str
    score: int
    left: bool = False
    helped: bool = False
    level: str = ""
    bot: str = ""


def substituted(entries: Iterable[Entry]) -> dict[Seat, str]:
    """Return the seats that a house player took over after the start, and who had them at first."""
    owners: dict[Seat, str] = {}
    acts = ((codec.from_text(entry.body, Body).act, entry.by) for entry in entries)
    for act, by in dropwhile(lambda one: not isinstance(one[0], Start), acts):
        if isinstance(act, Seated) and act.who and act.who.house:
            owners.setdefault(act.seat, act.who.stands_in or by)
    return owners


def taken_from_bots(entries: Iterable[Entry]) -> set[Seat]:
    """Return the seats that somebody has taken over from a bot that had them from the start."""
    substitutes, taken = set[Seat](), set[Seat]()
    acts = (codec.from_text(entry.body, Body).act for entry in entries)
    for act in dropwhile(lambda one: not isinstance(one, Start), acts):
        if isinstance(act, Seated) and act.who and act.who.house:
            substitutes.add(act.seat)
        elif isinstance(act, Seated) and act.seat not in substitutes:
            taken.add(act.seat)
    return taken


def parts(table: Table, entries: Iterable[Entry], key: Callable[[str], str] = fold) -> list[Part]:
    """Return what each had of a finished game. Somebody's seats count together, where they sat down anew.

    Who got up from a game that lets people go has left nobody alone. Who takes over a seat has no part of their own,
    nor has the bot whose seat it was.
    """
    entries = [*entries]
    first, taken = substituted(entries), taken_from_bots(entries)
    scores = table.outcome.scores if table.outcome else ()
    mine: dict[str, Part] = {}
    for seat, (who, score) in enumerate(zip(table.seats, scores, strict=True)):
        name = first.get(seat, "" if who.house or seat in taken else who.name)
        left = seat in first and key(who.name) != key(name)
        had = mine.get(key(name) if name else f"house {seat}", Part(name, 0))
        helped = had.helped or (seat in first and not left)
        level, bot = ("", "") if name or seat in taken else (who.level, who.name)
        mine[key(name) if name else f"house {seat}"] = Part(
            name, had.score + score, had.left or left, helped, level, bot
        )
    return [*mine.values()]


_LEVEL = " (house)"


def level_name(level: str) -> str:
    """Return the name under which a level of bots is rated and stored; no person can have it."""
    return f"{level}{_LEVEL}"


def shown_name(name: str) -> str:
    """Return a rated name as people read it: a level of bots has a star."""
    return f"*{name.removesuffix(_LEVEL)}" if name.endswith(_LEVEL) else name


def places(all_parts: Sequence[Part]) -> list[int]:
    """Return each one's place, 1 the best; equal scores share a place, and leavers share the last one.

    What a substitute scored in a leaver's seat says nothing about the leaver, so it makes no difference here.
    """
    keys = [(part.left, 0 if part.left else -part.score) for part in all_parts]
    return [1 + sum(other < key for other in keys) for key in keys]


class Results:
    """Everybody's games, and what they do to ratings."""

    def __init__(self, store: Store, accounts: Accounts, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._accounts = accounts
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self.ratings = Ratings(store, accounts, self._unreadable)

    def _log(self, name: str) -> str:
        return f"played/{self._accounts.key(name)}"

    async def finished(self, table: Table) -> None:
        """Take down how a game ended, for each who played it; however often it is asked, once."""
        if table.outcome is None:
            return
        log = f"table/{table.header.number}"
        entries: list[Entry] = []
        while (page := await self._store.read(log, len(entries))).entries:
            entries += page.entries
        everybody = parts(table, entries, self._accounts.key)
        placed = [*zip(everybody, places(everybody), strict=True)]
        counted = [(part, place) for part, place in placed if self._counts(part)]
        people = {part.name: place for part, place in counted}
        stayed = any(not part.left for part, _ in counted)
        house = {level_name(part.level): place for part, place in reversed(placed) if part.level}
        rated = await self._rate(table, len(everybody), people) if stayed else frozenset()
        await self._rate_with_house(table, len(everybody), people, house)
        for part, place in placed:
            if part.name:
                row = Played(
                    table=table.header.number,
                    game=table.game.name,
                    at=entries[-1].at,
                    place=place,
                    seats=len(everybody),
                    score=part.score,
                    left=part.left,
                    rated=part.name in rated,
                    private=table.header.private,
                    counted=table.counted,
                )
                await self._store.append(self._log(part.name), None, [Draft("table", codec.to_text(row))], cmd=log)

    def _counts(self, part: Part) -> bool:
        """Whether somebody is rated: a person with a name of their own, for whom no house player played."""
        return fold(self._accounts.now(part.name)) in self._accounts.names and not part.helped

    async def _rate(self, table: Table, seats: int, people: Mapping[str, int]) -> frozenset[str]:
        if not (table.header.rated and table.counted) or len(people) < FEWEST:
            return frozenset()
        kind = f"{table.game.name} {size_of(seats)}"
        return await self.ratings.rate(kind, table.header.number, people)

    async def _rate_with_house(
        self, table: Table, seats: int, people: Mapping[str, int], house: Mapping[str, int]
    ) -> None:
        """Rate people and levels of house players apart from what people are among themselves.

        Of several house players at one level the first to sit counts, so that their number makes no difference.
        """
        if table.header.rated and table.counted and people and house:
            kind = f"{table.game.name} {size_of(seats)} {WITH_HOUSE}"
            await self.ratings.rate(kind, table.header.number, {**people, **house}, purpose=WITH_HOUSE)

    async def played(self, name: str, most: int = 1000) -> list[Played]:
        """Return somebody's games, the latest first; one that cannot be read is left out."""
        log = self._log(name)
        head = (await self._store.heads([log]))[log]
        found: list[Played] = []
        after = max(0, head - most)
        while (page := await self._store.read(log, after)).entries:
            found += [row for entry in page.entries if (row := self._row(log, entry))]
            after = page.entries[-1].seq
        return found[::-1]

    def _row(self, log: str, entry: Entry) -> Played | None:
        try:
            row: Played = codec.from_text(entry.body, Played)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{log} {entry.seq}", problem)
            return None
        return row
