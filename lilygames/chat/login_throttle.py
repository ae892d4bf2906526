"""Login throttling: each wrong password delays the next one, by address and by name."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FREE = 3
"""Wrong passwords per name without a delay, for typing errors."""
TRIES = 2 * FREE
"""Wrong passwords per address before it is blocked, unless the sysop sets another number."""
SLOWEST = 10.0
"""Maximum delay in seconds of a login to one name. Its owner is never locked out."""
LONGEST = 300.0
"""Maximum seconds for which an address is blocked."""
FORGET = 3600.0
MOST = 10_000
"""Maximum names and addresses remembered."""


class LoginThrottle:
    """Counts recent wrong passwords by address and by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic, tries: int = TRIES) -> None:
        self._now = now
        self._tries = tries
        self._wrong: dict[str, tuple[int, float]] = {}
        self._trying = Counter[str]()
        """Attempts in progress by address. They are counted as wrong already."""
        self._settled: dict[str, asyncio.Event] = {}
        """Set when the next attempt from an address has been checked."""

    def _count(self, key: str) -> int:
        number, last = self._wrong.get(key, (0, 0.0))
        return number if self._now() - last < FORGET else 0

    def closed(self, address: str) -> float:
        """Return the seconds for which an address is still blocked; 0 if it isn't."""
        number = self._settled_wrong(address) - self._tries
        if number <= 0:
            return 0.0
        _, last = self._wrong[f"from {address}"]
        return max(0.0, last + min(LONGEST, 2.0 ** min(number, 10)) - self._now())

    def _settled_wrong(self, address: str) -> int:
        return self._count(f"from {address}") - self._trying[address]

    async def turn(self, address: str) -> None:
        """Return when one more attempt from an address may be checked.

        Many people may log in from one address at the same moment, such as after a restart. If their attempts could
        block the address, they wait for each other.
        """
        while self._trying[address] >= max(1, self._tries - self._settled_wrong(address)):
            await self._settled.setdefault(address, asyncio.Event()).wait()

    @contextmanager
    def attempt(self, address: str, name: str) -> Iterator[None]:
        """Count an attempt as wrong while it is checked, and afterwards, unless it proves right."""
        self.wrong(address, name)
        self._trying[address] += 1
        try:
            yield
        finally:
            self._trying -= Counter([address])
            if settled := self._settled.pop(address, None):
                settled.set()

    def delay(self, name: str) -> float:
        """Return the delay in seconds of the next attempt at this name, right or wrong."""
        return min(SLOWEST, max(0, self._count(f"at {name}") - FREE) * 0.5)

    def wrong(self, address: str, name: str) -> None:
        """Count an attempt as wrong. Attempts in progress count too, so that parallel ones aren't faster."""
        for key in (f"from {address}", f"at {name}"):
            number = self._count(key) + 1
            self._wrong.pop(key, None)
            self._wrong[key] = (number, self._now())
        while len(self._wrong) > MOST:
            del self._wrong[next(iter(self._wrong))]

    def proved(self, name: str) -> None:
        """Clear the wrong attempts for a name after a login at any node."""
        self._wrong.pop(f"at {name}", None)

    def right(self, address: str, name: str) -> None:
        """Clear the wrong attempts for a name after a login, and this attempt for the address."""
        self.proved(name)
        number, last = self._wrong.pop(f"from {address}", (0, 0.0))
        if number > 1:
            self._wrong[f"from {address}"] = (number - 1, last)
