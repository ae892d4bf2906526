"""The records of players' ratings, and the log that says the same as a damaged one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import attrs

from lilygames import codec
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged, Entry, Store
from lilygames.tables.ratings.known_ratings import RECORD, AfterGame, PlayerRating

LOG = "ratings/2"
"""The log of the ratings after each game, by the second model."""
_AT_ONCE = 500
"""Records that are read at once."""
_PAGE = 100
"""Entries of the log that are read at once to find what a damaged record said."""


@lru_cache(maxsize=256)
def parsed(body: str) -> PlayerRating | None:
    """Return the rating in a record; None if it is unreadable.

    Lists are asked for again and again: a look at the cache, which has 0.5 MB, takes a fortieth of the time. To remove
    it, drop the decorator.
    """
    try:
        one: PlayerRating = codec.from_text(body, PlayerRating)
    except ValueError:
        return None
    return _compact(one)


_same = lru_cache(maxsize=4096)(str)
"""Returns the text that was the first of all equal ones."""


def _compact(one: PlayerRating) -> PlayerRating:
    """Return a rating that shares its texts with others: most of its memory is names of the same opponents.

    That takes a third of the memory. To remove it, return the rating.
    """
    week, month = (
        attrs.evolve(period, name=_same(period.name), met=tuple(map(_same, period.met)))
        for period in (one.rating.week, one.rating.month)
    )
    rating = attrs.evolve(one.rating, met=tuple(map(_same, one.rating.met)), week=week, month=month)
    return attrs.evolve(one, key=_same(one.key), rating=rating)


class RatingRecords:
    """Reads ratings from a store. Those whose records are damaged are read from the log."""

    def __init__(self, store: Store, unreadable: UnreadableRows) -> None:
        self._store = store
        self._unreadable = unreadable

    async def read(self, keys: Collection[str]) -> Mapping[str, PlayerRating]:
        """Return the ratings with these keys of records; missing ones are left out. Raises `StoreUnavailable`."""
        found, these, unread = dict[str, PlayerRating](), [*keys], list[str]()
        for first in range(0, len(these), _AT_ONCE):
            bodies = await self._bodies(these[first : first + _AT_ONCE], unread)
            ratings = await run_in_slices(map(parsed, bodies.values()), "ratings")
            for key, one in zip(bodies, ratings, strict=True):
                if one:
                    found[key] = one
                else:
                    self._unreadable.report(RECORD, key, ValueError("not a rating"))
                    unread.append(key)
        return found | await self._in_log(unread) if unread else found

    async def _bodies(self, keys: Sequence[str], unread: list[str]) -> Mapping[str, str]:
        """Return records by their keys; the keys of those that are damaged are added to the unread ones."""
        try:
            return await self._store.find_each(RECORD, keys)
        except Damaged as problem:
            self._unreadable.report_damage(RECORD, problem)
            if len(keys) == 1:
                unread += keys
                return {}
        return {key: body for one in keys for key, body in (await self._bodies([one], unread)).items()}

    async def _in_log(self, keys: Collection[str]) -> dict[str, PlayerRating]:
        """Return what damaged records said. The log is read from its end until all are found."""
        found, last = dict[str, PlayerRating](), (await self._store.heads([LOG]))[LOG]
        while last > 0 and len(found) < len(keys):
            page = await self._store.read(LOG, max(0, last - _PAGE), min(_PAGE, last))
            for entry in reversed(page.entries):
                found = {one.record: one for one in self.in_entry(entry) if one.record in keys} | found
            last -= _PAGE
        return found

    def in_entry(self, entry: Entry) -> Sequence[PlayerRating]:
        """Return the ratings in an entry of the log; none if it is unreadable."""
        try:
            after: AfterGame = codec.from_text(entry.body, AfterGame)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{LOG} {entry.seq}", problem)
            return ()
        return [*map(_compact, after.now)]
