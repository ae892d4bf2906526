"""Vacations: days on which slow games wait for a player, announced in advance and limited to thirty a year."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import attrs

from lilygames.chat.accounts.identity import Identity
from lilygames.chat.names.names import fold
from lilygames.errors import UserError
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

DAYS = 30
"""Vacation days per calendar year."""
_DAY, _HOUR = 86400.0, 3600.0


@attrs.frozen
class Vacation:
    """The end of a vacation (seconds since 1970), and the days taken in a year."""

    until: float = 0.0
    year: int = 0
    taken: int = 0


def _read(body: str) -> Vacation:
    """Return the vacation that a record describes; raises `ValueError` if it is invalid."""
    try:
        kept = Vacation(**json.loads(body))
        return Vacation(float(kept.until), int(kept.year), int(kept.taken))
    except TypeError as problem:
        raise ValueError("no vacation") from problem


class Vacations:
    """Everyone's vacations, in memory and in the store."""

    def __init__(
        self, store: Store, key: Callable[[str], str] = fold, unreadable: UnreadableRows | None = None
    ) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._key = key
        self._known: dict[str, Vacation] = {}

    async def load(self) -> None:
        """Load the vacations from the store; skip unreadable ones."""
        self._known = {}
        for key, body in (await readable(self._store, "vacation", self._unreadable)).items():
            self._learn(key, body)

    def _learn(self, key: str, body: str) -> None:
        try:
            self._known[key] = _read(body)
        except ValueError as problem:
            self._unreadable.report("vacation", key, problem)

    async def refresh(self, key: str) -> None:
        """Reload one vacation that another node has stored."""
        body = await self._store.find("vacation", key)
        if body:
            self._learn(key, body)

    def forget_person(self, who: Identity) -> None:
        """Drop the vacation of a deleted account."""
        self._known.pop(who.key, None)

    def ends(self, name: str) -> float:
        """Return the end of a person's vacation; a time long ago if there is none."""
        return self._known.get(self._key(name), Vacation()).until

    def left(self, name: str, now: float) -> int:
        """Return the number of vacation days left this year."""
        known = self._known.get(self._key(name), Vacation())
        return DAYS - (known.taken if known.year == time.gmtime(now).tm_year else 0)

    async def begin(self, name: str, days: int, now: float) -> Vacation:
        """Start a vacation of `days` days; raises `UserError` if fewer are left."""
        left = self.left(name, now)
        if not 1 <= days <= left:
            raise UserError(
                f"you have {left} of {DAYS} vacation days left this year. Type /vacation and a smaller number."
            )
        return await self._keep(name, Vacation(now + days * _DAY, time.gmtime(now).tm_year, DAYS - left + days))

    async def end(self, name: str, now: float) -> Vacation:
        """End a vacation, and give back the whole days not used."""
        known = self._known.get(self._key(name), Vacation())
        if known.until <= now:
            raise UserError("you aren't on vacation. Type /vacation DAYS to start one.")
        unused = int((known.until - now + _HOUR) // _DAY)
        return await self._keep(name, Vacation(now, known.year, known.taken - unused))

    async def _keep(self, name: str, vacation: Vacation) -> Vacation:
        await self._store.keep("vacation", self._key(name), json.dumps(attrs.asdict(vacation)))
        self._known[self._key(name)] = vacation
        return vacation
