"""Login attempts: each wrong password delays the next one, by address and by name.

How many are free, and how long the others wait, is in `lilygames.limits.quota`. Here are the attempts in progress,
which count as wrong until they prove right, so that parallel ones aren't faster.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lilygames.limits.addresses import Networks, is_in
from lilygames.limits.quota import WRONG_FOR_NAME, Limit, Quotas, Refusal, Scope, Who, wrong_passwords

TRIES = 6
"""Wrong passwords per address before it is blocked, unless the sysop sets another number."""
Place = tuple[Scope, str]


class LoginAttempts:
    """Recent wrong passwords by name, address and subnet, and the attempts in progress."""

    def __init__(
        self, uses: Quotas, now: Callable[[], float] = time.time, tries: int = TRIES, exempt: Networks = ()
    ) -> None:
        self._uses, self._now, self._exempt = uses, now, exempt
        self.quota = wrong_passwords(tries)
        self._trying = Counter[Place]()
        """Attempts in progress by address and subnet."""
        self._settled: dict[Place, asyncio.Event] = {}
        """Set when the next attempt from an address or subnet has been checked."""

    def _limits(self, address: str) -> list[tuple[Limit, Place]]:
        who = self._at(address)
        return [(limit, (limit.scope, key)) for limit in self.quota.limits if (key := who.key(limit.scope))]

    def _at(self, address: str) -> Who:
        return Who(address=address, exempt=is_in(address, self._exempt))

    def refusal(self, address: str) -> Refusal | None:
        """Return why nothing is checked for an address now, or None if it isn't blocked."""
        waits = [
            Refusal(self.quota, limit.scope, limit.most, wait)
            for limit, place in self._limits(address)
            if (wait := self._uses.wait(self.quota, limit, place[1], self._now(), self._trying[place]))
        ]
        return max(waits, key=lambda refused: refused.wait, default=None)

    async def turn(self, address: str) -> None:
        """Return when one more attempt from an address may be checked.

        Many people may log in from one address at the same moment, such as after a restart. If their attempts could
        block the address, they wait for each other.
        """
        while place := self._full(address):
            await self._settled.setdefault(place, asyncio.Event()).wait()

    def _full(self, address: str) -> Place | None:
        """Return the address or subnet whose attempts in progress would block it if they were wrong."""
        for limit, place in self._limits(address):
            settled = self.number(*place) - self._trying[place]
            if self._trying[place] >= max(1, limit.most - settled):
                return place
        return None

    @contextmanager
    def attempt(self, address: str, name: str) -> Iterator[None]:
        """Count an attempt as wrong while it is checked, and afterwards, unless it proves right."""
        self.wrong(address, name)
        places = [place for _, place in self._limits(address)]
        self._trying.update(places)
        try:
            yield
        finally:
            self._trying -= Counter(places)
            for place in places:
                if settled := self._settled.pop(place, None):
                    settled.set()

    def delay(self, name: str) -> float:
        """Return the delay in seconds of the next attempt at this name, right or wrong."""
        (limit,) = WRONG_FOR_NAME.limits
        return limit.wait_after(self._uses.mistakes(WRONG_FOR_NAME, "person", name, self._now()))

    def number(self, scope: Scope, key: str) -> int:
        """Return the wrong passwords of an address or subnet that are remembered, with those in progress."""
        return self._uses.mistakes(self.quota, scope, key, self._now())

    def wrong(self, address: str, name: str) -> None:
        """Count an attempt as wrong."""
        self._uses.count(self.quota, self._at(address), self._now())
        self._uses.count(WRONG_FOR_NAME, Who(name), self._now())

    def proved(self, name: str) -> None:
        """Clear the wrong attempts for a name after a login at any node."""
        self._uses.free(WRONG_FOR_NAME, "person", name)

    def right(self, address: str, name: str) -> None:
        """Clear the wrong attempts for a name after a login, and this attempt for the address."""
        self.proved(name)
        self._uses.forgive(self.quota, self._at(address), self._now())
