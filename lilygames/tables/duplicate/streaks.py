"""The streak of each person: a record that is written with the day on which they play a daily deal.

A log for each person has the days themselves. It is read only for someone who played before there were such records.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Conflict, Draft, Effect, Store
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_rules import Streak

KIND = "streak"
"""The kind of the records, by account key."""


@attrs.frozen
class _Day:
    """A day on which someone played a daily deal, as stored."""

    day: str


@attrs.frozen
class _Stored:
    """A streak as stored."""

    days: int
    misses: int
    best: int
    last: str
    played: str
    """The days played of the last 105, as a hexadecimal number: its lowest bit is the last day."""


class Streaks:
    """Everyone's streaks in the store."""

    def __init__(self, store: Store, key_of: Callable[[str], str], unreadable: UnreadableRows) -> None:
        self._store = store
        self._key_of = key_of
        self._unreadable = unreadable

    async def of(self, name: str) -> Streak:
        """Return someone's streak; write the record of someone who has none yet. Raises `StoreUnavailable`."""
        key = self._key_of(name)
        body = await self._store.find(KIND, key)
        if (found := self._read(key, body)) is not None:
            return found
        if body is not None:
            await self._store.keep("unreadable", f"{KIND}/{key}", body)
        streak = await self._from_log(key)
        if streak.last:
            await self._store.swap(KIND, key, body, _text(streak))
        return streak

    async def played(self, name: str, day: date) -> None:
        """Record that someone has played on a day; doing so again changes nothing. Raises `StoreUnavailable`."""
        key = self._key_of(name)
        log, draft = f"daily/{key}", Draft(name, codec.to_text(_Day(day.isoformat())))
        while not (before := await self.of(name)).has(day):
            head = (await self._store.heads([log]))[log]
            effects = [Effect(KIND, key, _text(before.played(day)))]
            try:
                await self._store.append(log, head, [draft], cmd=f"daily {day.isoformat()}", effects=effects)
            except Conflict:
                continue
            return

    def _read(self, key: str, body: str | None) -> Streak | None:
        """Return the streak in a record; None if there is none, or it can't be read."""
        if body is None:
            return None
        try:
            one: _Stored = codec.from_text(body, _Stored)
            return Streak(one.days, one.misses, one.best, date.fromisoformat(one.last), int(one.played, 16))
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return None

    async def _from_log(self, key: str) -> Streak:
        """Return the streak of everything in someone's log."""
        days: list[date] = []
        after = 0
        while (page := await self._store.read(f"daily/{key}", after)).entries:
            days += [date.fromisoformat(json.loads(entry.body)["day"]) for entry in page.entries]
            after = page.entries[-1].seq
        return daily_rules.streak(days)


def _text(streak: Streak) -> str:
    last = streak.last.isoformat() if streak.last else ""
    return codec.to_text(_Stored(streak.days, streak.misses, streak.best, last, f"{streak.bits:x}"))
