"""Rate limits per address, so that one address can't flood the server."""

from __future__ import annotations

import time
from collections.abc import Callable

HOUR, DAY = 3600.0, 86400.0
MOST = 10_000
"""Maximum addresses remembered."""


class RateLimit:
    """A rate limit: at most `each` times in `seconds` per address."""

    def __init__(self, each: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._each = each
        self._seconds = seconds
        self._now = now
        self._taken: dict[str, list[float]] = {}

    def closed(self, address: str) -> bool:
        """Whether an address has reached the limit."""
        return len(self._lately(address)) >= self._each

    def _lately(self, address: str) -> list[float]:
        return [at for at in self._taken.get(address, ()) if self._now() - at < self._seconds]

    def take(self, address: str) -> bool:
        """Count one use by an address; return False if it has reached the limit."""
        lately = self._lately(address)
        if len(lately) >= self._each:
            return False
        self._taken.pop(address, None)
        self._taken[address] = [*lately, self._now()]
        while len(self._taken) > MOST:
            del self._taken[next(iter(self._taken))]
        return True
