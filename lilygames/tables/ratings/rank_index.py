"""The order of rated players in the store, so that the best are read without a look at everyone.

Each player has an entry in every list where they may be shown: an empty record whose key says how good they are. The
best ones sort first, so a page of them is one query on the store's own index. Entries are written in the same
transaction as the ratings after a game. A list is made of the players' own records. An entry that doesn't fit its
player's is passed over.

The bounds of idle players sink every day, and different ones sink differently. An entry has the bound on the day of the
last game, so nobody is better than their entry says. A list is read until nobody below can be better. Once a day, those
at the top who have been idle long enough are moved down in the background, by small steps.
"""

from __future__ import annotations

import struct
from bisect import bisect_right, insort
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from uuid import uuid4

import attrs

from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.store import Effect, Store
from lilygames.tables.ratings.known_ratings import PlayerRating
from lilygames.tables.ratings.past_rankings import KEPT, SPANS, Latest
from lilygames.tables.ratings.rankings import DAYS, Calendar, has_played_enough, missing
from lilygames.tables.ratings.rating_model import GROWTH, Period, Rating
from lilygames.tables.ratings.rating_records import RatingRecords

KIND = "ranked"
"""The kind of the records that are the entries. A key is that of a list, a place and the player's key."""
EVERYONE, ALL_TIME, LATEST = "standings", "all", "latest"
"""The lists that aren't those of a week or month: by the bound now, those who have played enough, by the last game."""
_STEP, _LEVELS = 0.07, 105
IDLE = tuple(round(((1 + _STEP * level) ** 2 - 1) / GROWTH) for level in range(_LEVELS))
"""Days without a game, for each level, after which a player's entries are moved down to where their bound is then.

By the next level, a bound sinks by 0.2 more if the uncertainty was 1 or above. After the last, it stays as it is.
"""
_DAY = 86400
_PAGE = 30
"""Entries that are read at once: more than a list shows."""
_SIGN, _ALL_BITS = 1 << 63, (1 << 64) - 1


# entries. Pure.


def descending(number: float) -> str:
    """Return a text of 16 digits that sorts before that of any smaller number."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number))
    return f"{bits if bits & _SIGN else bits ^ _SIGN ^ _ALL_BITS:016x}"


def number_in(text: str) -> float:
    """Return the number for which `descending` returned a text."""
    bits = int(text[:16], 16)
    (number,) = struct.unpack(">d", struct.pack(">Q", bits if bits & _SIGN else bits ^ _SIGN ^ _ALL_BITS))
    return float(number)


def entries(one: PlayerRating, level: int = 0) -> Iterator[str]:
    """Yield the keys of a player's entries once they have been idle for as many days as a level takes."""
    yield from _by_bound(one, level)
    yield from _lasting(one)


def _by_bound(one: PlayerRating, level: int) -> Iterator[str]:
    """Yield the keys of the entries that are moved down."""
    bound = _bound(one.rating, level)
    yield f"{one.kind}/{EVERYONE}/{bound}/{one.key}"
    if IDLE[level] < DAYS and has_played_enough(one.rating) and not one.with_house:
        yield f"{one.kind}/{ALL_TIME}/{bound}/{one.key}"


def _lasting(one: PlayerRating) -> Iterator[str]:
    """Yield the keys of the entries that stay until the player's next game."""
    if one.with_house:
        return
    rating, end = one.rating, f"/{one.key}"
    yield f"{one.kind}/{LATEST}/{descending(rating.at)}{end}"
    calendar = Calendar(rating.at, rating.week.name, rating.month.name)
    for span in SPANS:
        if not missing(rating, span, calendar):
            period = calendar.period(rating, span)
            yield f"{one.kind}/{period.name}/{_by_share(period)}{end}"


def _bound(rating: Rating, level: int) -> str:
    return descending(rating.sure_at(rating.at + (IDLE[level] + 0.5) * _DAY))  # a half, lest rounding changes the day


def _by_share(period: Period) -> str:
    return descending(period.share) + descending(period.games)


def level_at(rating: Rating, now: float) -> int:
    """Return the level of a player at a time: how often their entries have been moved by then."""
    return max(0, bisect_right(IDLE, (now - rating.at) / _DAY - 0.5) - 1)


def entries_until(one: PlayerRating, now: float) -> set[str]:
    """Return the keys of the entries that a player may have at a time: they may have been moved down or not."""
    moved = (key for level in range(level_at(one.rating, now) + 1) for key in _by_bound(one, level))
    return {*moved, *_lasting(one)}


def _fits(entry: str, one: PlayerRating, now: float) -> bool:
    """Return whether an entry is one of a player's at any time until now, or soon."""
    _, listed, place, _ = entry.split("/", 3)
    if listed not in (EVERYONE, ALL_TIME):
        return entry in _lasting(one)
    latest = min(level_at(one.rating, now) + 1, _LEVELS - 1)  # by the clock of another node
    return any(place == _bound(one.rating, level) for level in range(latest, -1, -1))


def after_game(before: Mapping[str, Rating], after: Iterable[PlayerRating], now: float) -> list[Effect]:
    """Return what changes the entries of players after a game, given their ratings before it by key."""
    old, new = set[str](), set[str]()
    for one in after:
        if rating := before.get(one.key):
            old |= entries_until(attrs.evolve(one, rating=rating), now)
        new.update(entries(one))
    return _change(old, new)


def _change(old: set[str], new: set[str]) -> list[Effect]:
    gone = (Effect(KIND, key, None) for key in sorted(old - new))
    return [*gone, *(Effect(KIND, key, "{}") for key in sorted(new))]


# the lists


@attrs.frozen
class _Found:
    """An entry, and its player; None if it isn't theirs any more."""

    entry: str
    player: PlayerRating | None

    @property
    def bound(self) -> float:
        """The bound of the player's rating when the entry was written."""
        return number_in(self.entry.split("/", 3)[2])


class RankIndex:
    """The lists of rated players in a store."""

    def __init__(self, store: Store, records: RatingRecords, now: Callable[[], float]) -> None:
        self._store = store
        self._records = records
        self._now = now

    async def best(
        self, kind: str, listed: str, most: int, accept: Callable[[Rating], bool] = lambda _: True
    ) -> list[PlayerRating]:
        """Return the players of a list by their bounds now, the best first, at most so many that are accepted.

        Those with the same bound are in the order of their keys. Raises `StoreUnavailable`.
        """
        return (await self._looked_at(kind, listed, most, accept))[0]

    async def _looked_at(
        self, kind: str, listed: str, most: int, accept: Callable[[Rating], bool]
    ) -> tuple[list[PlayerRating], list[_Found]]:
        """Return the best players of a list, and the entries that were looked at to find them."""
        now = self._now()
        order = list[tuple[float, str, PlayerRating]]()
        looked_at = list[_Found]()
        async for found in self._entries(kind, listed):
            if len(order) >= most and -order[most - 1][0] > found.bound:
                break
            looked_at.append(found)
            one = found.player
            if one and accept(one.rating) and all(one.key != key for _, key, _ in order):
                insort(order, (-one.rating.sure_at(now), one.key, one), key=lambda row: row[:2])
        return [one for *_, one in order[:most]], looked_at

    async def of_period(self, kind: str, name: str, most: int) -> list[PlayerRating]:
        """Return the listed players of a week or month who haven't played in a later one, the best first.

        Those with the same share and as many games are in the order of their keys. Raises `StoreUnavailable`.
        """
        found = list[PlayerRating]()
        async for one in self._entries(kind, name):
            if len(found) == most:
                break
            found += [one.player] if one.player else []
        return found

    async def latest(self, kind: str) -> Latest:
        """Return the week and month of the latest game of a kind. Raises `StoreUnavailable`."""
        async for found in self._entries(kind, LATEST, 1):
            if found.player:
                return Latest().after(found.player.rating)
        return Latest()

    async def is_empty(self, kind: str) -> bool:
        """Return whether nobody is rated in a class. Raises `StoreUnavailable`."""
        async for found in self._entries(kind, EVERYONE, 1):
            if found.player:
                return False
        return True

    async def _entries(self, kind: str, listed: str, page: int = _PAGE) -> AsyncIterator[_Found]:
        """Yield the entries of a list in order, each with its player. Entries are read before records."""
        first = prefix = f"{kind}/{listed}/"
        while True:
            read = [*await self._store.every(KIND, first, page)]
            ours = [key for key in read if key.startswith(prefix)]
            records = {key: f"{kind}/{key.split('/', 3)[3]}" for key in ours}
            known = await self._records.read(records.values()) if ours else {}
            for found in await run_in_slices(self._each(records, known), "rankings"):
                yield found
            if len(ours) < page:
                return
            first = f"{ours[-1]}\0"

    def _each(self, records: Mapping[str, str], known: Mapping[str, PlayerRating]) -> Iterator[_Found]:
        """Yield each entry with its player, given the key of the record of each."""
        now = self._now()
        for entry, record in records.items():
            one = known.get(record)
            yield _Found(entry, one if one and _fits(entry, one, now) else None)

    # background

    async def refresh(self, kind: str) -> None:
        """Move the entries at the top that have sunk, and delete those that are nobody's. Raises `StoreUnavailable`."""
        for listed in (EVERYONE, ALL_TIME):
            outdated = True
            while outdated:
                _, looked_at = await self._looked_at(kind, listed, KEPT, lambda _: True)
                changes = await run_in_slices(self._outdated(looked_at), "rankings")
                outdated = any(changes)
                await self._write([effect for change in changes for effect in change])

    def _outdated(self, looked_at: Iterable[_Found]) -> Iterator[list[Effect]]:
        """Yield what moves each entry to where it belongs now; nothing if it is there."""
        now = self._now()
        for found in looked_at:
            one = found.player
            there = set(entries(one, level_at(one.rating, now))) if one else set[str]()
            if found.entry in there:
                yield []
            else:
                yield _change({found.entry, *(entries_until(one, now) if one else ())}, there)

    async def _write(self, effects: list[Effect]) -> None:
        if effects:
            await self._store.append(KIND, None, (), cmd=uuid4().hex, effects=effects)
