"""The curve of each player's rating: one point a day, written with the rating after each game.

The log of ratings has all games, but reading it for one player is too much. Ratings of release 0.2 have only the last
ten, so their points are added from the log, once and in the background.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.scheduling.foreground import Foreground
from lilygames.store import Effect, Store
from lilygames.tables.ratings.known_ratings import PlayerRating
from lilygames.tables.ratings.rating_records import LOG, RatingRecords

KIND = "curve"
"""Kind of the records, by the keys of the ratings: `ohell 3-4/KEY`."""
FILLED = "curves-filled"
"""Kind of the record that says how far the log was read for older games."""
DAYS = 400
"""Points of a curve that are kept, the latest ones."""
_PAGE = 50
"""Entries of the log that are read at once."""


@attrs.frozen
class Point:
    """The mean of a rating after the last game of a day, and the number of games until then."""

    day: int
    """The day, counted from 1 January of the year 1."""
    mu: float
    games: int


@attrs.frozen
class Curve:
    """A player's points, the earliest first."""

    points: tuple[Point, ...] = ()

    def with_points(self, points: Iterable[Point]) -> Curve:
        """Return the curve with more points. Of two of one day, that after more games stays, so the order is free."""
        by_day = {one.day: one for one in self.points}
        for one in points:
            had = by_day.get(one.day)
            if had is None or had.games <= one.games:
                by_day[one.day] = one
        return Curve(tuple(by_day[day] for day in sorted(by_day)[-DAYS:]))


def point_of(one: PlayerRating, at: float, zone: tzinfo) -> Point:
    """Return the point of a rating after a game that ended at a time."""
    day = datetime.fromtimestamp(at, zone).date().toordinal()
    return Point(day, round(one.rating.mu, 2), one.rating.games)


@attrs.frozen
class _Progress:
    """The last entry of the log that was read, and the last one that is older than the curves."""

    done: int
    until: int


class Curves:
    """The curves in a store."""

    def __init__(self, store: Store, records: RatingRecords, unreadable: UnreadableRows, zone: tzinfo) -> None:
        self._store = store
        self._records = records
        self._unreadable = unreadable
        self._zone = zone

    async def of(self, keys: Sequence[str]) -> Mapping[str, Curve]:
        """Return curves by the keys of the ratings; missing ones are left out. Raises `StoreUnavailable`."""
        bodies = await self._store.find_each(KIND, keys)
        read = {key: self._parsed(key, body) for key, body in bodies.items()}
        return {key: curve for key, curve in read.items() if curve.points}

    async def effects(self, after: Sequence[PlayerRating], at: float) -> Iterator[Effect]:
        """Return the records to write with the ratings after a game. Raises `StoreUnavailable`."""
        known = await self.of([one.record for one in after])
        points = {one.record: point_of(one, at, self._zone) for one in after}
        curves = {key: known.get(key, Curve()).with_points([point]) for key, point in points.items()}
        return (Effect(KIND, key, codec.to_text(curve)) for key, curve in curves.items())

    async def fill(self, foreground: Foreground) -> None:
        """Add the points of games that ended before there were curves, when nobody waits. Raises `StoreUnavailable`."""
        progress = await self._progress()
        while progress.done < progress.until:
            await foreground.quiet()
            progress = await self._filled(progress)

    async def _progress(self) -> _Progress:
        body = await self._store.find(FILLED, "")
        if body:
            found: _Progress = codec.from_text(body, _Progress)
            return found
        fresh = _Progress(0, (await self._store.heads([LOG]))[LOG])
        await self._store.swap(FILLED, "", None, codec.to_text(fresh))
        return fresh

    async def _filled(self, progress: _Progress) -> _Progress:
        """Add the points of one page of the log."""
        page = await self._store.read(LOG, progress.done, min(_PAGE, progress.until - progress.done))
        points: dict[str, list[Point]] = {}
        for entry in page.entries:
            for one in self._records.in_entry(entry):
                points.setdefault(one.record, []).append(point_of(one, entry.at, self._zone))
        for key, found in points.items():
            await self._add(key, found)
        done = page.entries[-1].seq if page.entries else progress.until
        after = attrs.evolve(progress, done=done)
        await self._store.keep(FILLED, "", codec.to_text(after))
        return after

    async def _add(self, key: str, points: Sequence[Point]) -> None:
        while True:
            body = await self._store.find(KIND, key)
            after = codec.to_text((self._parsed(key, body) if body else Curve()).with_points(points))
            if body == after or await self._store.swap(KIND, key, body, after):
                return

    def _parsed(self, key: str, body: str) -> Curve:
        """Return a stored curve; an empty one if it can't be read."""
        try:
            curve: Curve = codec.from_text(body, Curve)
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return Curve()
        return curve
