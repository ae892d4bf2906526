"""Limits on what people at one address ask for, whatever node they are at."""

from __future__ import annotations

from collections.abc import Callable

from lilygames.chat.observers import LimitUsed, Quota
from lilygames.chat.rate_limit import DAY, HOUR, RateLimit

PER_HOUR: dict[Quota, int] = {"forgot": 5, "report": 5, "feedback": 5, "export": 3}
"""Requests of each kind per address and hour."""


class Quotas:
    """Counts the requests of each address, and publishes each one, so that the other nodes count it too."""

    def __init__(self, publish: Callable[[LimitUsed], object], *, names_per_day: int) -> None:
        self._publish = publish
        self._limits: dict[str, RateLimit] = {quota: RateLimit(each, HOUR) for quota, each in PER_HOUR.items()}
        self._limits["signup"] = RateLimit(names_per_day, DAY)

    def closed(self, quota: Quota, address: str) -> bool:
        """Return whether an address has reached a limit."""
        return self._limits[quota].closed(address)

    def take(self, quota: Quota, address: str) -> bool:
        """Count a request of an address; return False if it has reached the limit."""
        if not self._limits[quota].take(address):
            return False
        self._publish(LimitUsed(quota, address))
        return True

    def count(self, quota: str, address: str) -> None:
        """Count a request at another node, unless it is of a kind that only a later release knows."""
        if limit := self._limits.get(quota):
            limit.take(address)
