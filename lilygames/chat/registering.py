"""How many names with a password one address may have kept in a day, so that nobody fills the place with them."""

from __future__ import annotations

import time
from collections.abc import Callable

DAY = 86400.0
EACH = 20
"""Names from one address in a day, unless the sysop sets another number."""
MOST = 10_000
"""Addresses that are remembered at once."""


class Registering:
    """When each address had its last names kept."""

    def __init__(self, now: Callable[[], float] = time.monotonic, each: int = EACH) -> None:
        self._now = now
        self._each = each
        self._kept: dict[str, list[float]] = {}

    def closed(self, address: str) -> bool:
        """Whether no more names of this address are kept today."""
        return len(self._lately(address)) >= self._each

    def _lately(self, address: str) -> list[float]:
        return [at for at in self._kept.get(address, ()) if self._now() - at < DAY]

    def take(self, address: str) -> bool:
        """Return whether one more name of this address may be kept, and count it in."""
        lately = self._lately(address)
        if len(lately) >= self._each:
            return False
        self._kept.pop(address, None)
        self._kept[address] = [*lately, self._now()]
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
        return True
