"""Wrong passwords: each makes the next one slower, for the address it came from and for the name it was for."""

from __future__ import annotations

import time
from collections.abc import Callable

FREE = 3
"""Wrong words for a name that cost nothing: fingers slip."""
TRIES = 2 * FREE
"""Wrong words from an address that cost nothing, unless the sysop sets another number."""
SLOWEST = 10.0
"""Seconds that one more guess at a name takes at most: its owner is never shut out."""
LONGEST = 300.0
"""Seconds after which an address may try again at the latest."""
FORGET = 3600.0
MOST = 10_000
"""Names and addresses that are remembered at once."""


class LoginThrottle:
    """How often a word was wrong of late, by address and by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic, tries: int = TRIES) -> None:
        self._now = now
        self._tries = tries
        self._wrong: dict[str, tuple[int, float]] = {}

    def _count(self, key: str) -> int:
        number, last = self._wrong.get(key, (0, 0.0))
        return number if self._now() - last < FORGET else 0

    def closed(self, address: str) -> float:
        """Return for how many seconds no guess from this address is heard."""
        number = self._count(f"from {address}") - self._tries
        if number <= 0:
            return 0.0
        _, last = self._wrong[f"from {address}"]
        return max(0.0, last + min(LONGEST, 2.0 ** min(number, 10)) - self._now())

    def delay(self, name: str) -> float:
        """Return the seconds that a guess at this name takes longer, right or wrong."""
        return min(SLOWEST, max(0, self._count(f"at {name}") - FREE) * 0.5)

    def wrong(self, address: str, name: str) -> None:
        """Remember a word that is wrong, or that has yet to prove right: many at once are no quicker than in turn."""
        for key in (f"from {address}", f"at {name}"):
            number = self._count(key) + 1
            self._wrong.pop(key, None)
            self._wrong[key] = (number, self._now())
        while len(self._wrong) > MOST:
            del self._wrong[next(iter(self._wrong))]

    def right(self, address: str, name: str) -> None:
        """Forget the wrong words for a name whose owner has come, and that this one was thought wrong."""
        self._wrong.pop(f"at {name}", None)
        number, last = self._wrong.pop(f"from {address}", (0, 0.0))
        if number > 1:
            self._wrong[f"from {address}"] = (number - 1, last)
