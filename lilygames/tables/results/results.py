"""Results of finished games: a history row for each player, and ratings, each recorded exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import dropwhile

import attrs

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Draft, Entry, Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.log.acts import Body, Seated, Start
from lilygames.tables.ratings.known_ratings import WITH_HOUSE
from lilygames.tables.ratings.ratings import Ratings, size_of
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Seat

FEWEST = 2
"""Minimum number of people in a rated game."""


def counts(table: Table) -> bool:
    """Whether a table counts: it was finished, not private, and no moves were taken back at will."""
    return table.closed and table.outcome is not None and table.counted and not table.header.private


def has_account(accounts: Accounts, name: str) -> bool:
    """Return whether a name is that of an account."""
    return fold(accounts.now(name)) in accounts.names


@attrs.frozen
class Played:
    """A game in a player's history: which one, when, their place, the number of players, and whether they left."""

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
    """Whether the game counts in the player's history; it doesn't if they used an undo that stops the count."""


@attrs.frozen
class Part:
    """One player's part in a game; `name` is empty for bots, and `score` is what their seats scored.

    `left` means they didn't play to the end. `helped` means a bot played for them in between. `level` and `bot` are the
    level and name of a bot that played from the start.
    """

    name: str
    score: int
    left: bool = False
    helped: bool = False
    level: str = ""
    bot: str = ""


def substituted(entries: Iterable[Entry]) -> dict[Seat, str]:
    """Return the seats that a bot took over after the start, with their original players."""
    owners: dict[Seat, str] = {}
    acts = ((codec.from_text(entry.body, Body).act, entry.by) for entry in entries)
    for act, by in dropwhile(lambda one: not isinstance(one[0], Start), acts):
        if isinstance(act, Seated) and act.who and act.who.house:
            owners.setdefault(act.seat, act.who.stands_in or by)
    return owners


def taken_from_bots(entries: Iterable[Entry]) -> set[Seat]:
    """Return the seats that a person took over from a bot that had them from the start."""
    substitutes, taken = set[Seat](), set[Seat]()
    acts = (codec.from_text(entry.body, Body).act for entry in entries)
    for act in dropwhile(lambda one: not isinstance(one, Start), acts):
        if isinstance(act, Seated) and act.who and act.who.house:
            substitutes.add(act.seat)
        elif isinstance(act, Seated) and act.seat not in substitutes:
            taken.add(act.seat)
    return taken


def parts(table: Table, entries: Iterable[Entry], key: Callable[[str], str] = fold) -> list[Part]:
    """Return each player's part in a finished game, adding up the seats of players who sat down again.

    Leaving doesn't count as `left` in a game that lets people go. A player who takes over a seat has no part of their
    own, nor has the bot that had it.
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
    """Return the name under which a bot level is rated and stored; no person can have it."""
    return f"{level}{_LEVEL}"


def shown_name(name: str) -> str:
    """Return a rated name for display, with a star for a bot level."""
    return f"*{name.removesuffix(_LEVEL)}" if name.endswith(_LEVEL) else name


def places(all_parts: Sequence[Part]) -> list[int]:
    """Return each player's place, from 1; equal scores share a place, and leavers share the last one.

    A substitute's score in a leaver's seat says nothing about the leaver, so it is ignored.
    """
    keys = [(part.left, 0 if part.left else -part.score) for part in all_parts]
    return [1 + sum(other < key for other in keys) for key in keys]


class Results:
    """Everyone's game history, and the ratings that follow from it."""

    def __init__(
        self, store: Store, accounts: Accounts, ratings: Ratings, unreadable: UnreadableRows | None = None
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self.ratings = ratings

    def _log(self, name: str) -> str:
        return f"played/{self._accounts.key(name)}"

    async def finished(self, table: Table) -> None:
        """Record the result of a finished table for each player; calling it again changes nothing."""
        if table.outcome is None:
            return
        log = f"table/{table.header.number}"
        entries = await Archive(self._store).entries(table.header.number)
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
        """Whether a player is rated: a person with an account whose moves were all their own."""
        return fold(self._accounts.now(part.name)) in self._accounts.names and not part.helped

    async def _rate(self, table: Table, seats: int, people: Mapping[str, int]) -> frozenset[str]:
        if not (table.header.rated and table.counted) or len(people) < FEWEST:
            return frozenset()
        kind = f"{table.game.name} {size_of(seats)}"
        return await self.ratings.rate(kind, table.header.number, people)

    async def _rate_with_house(
        self, table: Table, seats: int, people: Mapping[str, int], house: Mapping[str, int]
    ) -> None:
        """Rate people and bot levels together, separately from the ratings among people.

        If several bots play at one level, only the first seat counts, so their number makes no difference.
        """
        if table.header.rated and table.counted and people and house:
            kind = f"{table.game.name} {size_of(seats)} {WITH_HOUSE}"
            await self.ratings.rate(kind, table.header.number, {**people, **house}, purpose=WITH_HOUSE)

    async def played(self, name: str, most: int = 1000) -> list[Played]:
        """Return a player's games, latest first; skip unreadable ones."""
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
