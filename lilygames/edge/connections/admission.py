"""Admission: how many connections are accepted, from which addresses, and who is dropped when it's full."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import attrs

from lilygames import log_events
from lilygames.edge.wire.limits import Limits, Share
from lilygames.limits import quota
from lilygames.limits.addresses import Networks, is_in, subnet_of
from lilygames.limits.quota import Quotas, Scope, Who

REMEMBERED = 10_000
"""Maximum addresses remembered."""

TOLD_AGAIN = 60.0
"""Seconds before another refusal or cut connection of the same address is logged."""

_FULL = "the server is full. Please try again later."


@attrs.define(eq=False)
class Entry:
    """One connection: its start, how to cut it, and whether its person has logged in."""

    address: str
    at: float
    around: str
    cut: Callable[[], object] = lambda: None
    logged_in: Callable[[], bool] = lambda: False

    def held_by(self, cut: Callable[[], object], logged_in: Callable[[], bool] = lambda: False) -> None:
        """Set how the connection is cut, and how to know whether its person has logged in."""
        self.cut, self.logged_in = cut, logged_in


@attrs.define
class _Address:
    share: Share
    entries: set[Entry] = attrs.field(factory=set)
    told: float = float("-inf")
    """When a refusal or cut connection of this address was last logged."""

    def is_news(self, now: float) -> bool:
        """Return whether to log a refusal or a cut connection now, and record it as logged."""
        news = now - self.told >= TOLD_AGAIN
        self.told = now if news else self.told
        return news


class Admission:
    """Counts the connections of all listeners, by address. `uses` are the rates of all quotas, by the same clock.

    Connections that haven't logged in may only fill some of the places. When these are full, the subnet with the most
    such connections loses one: the oldest of its busiest address. So whoever floods the server loses their own
    connections, and others get in.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        now: Callable[[], float] = time.monotonic,
        uses: Quotas | None = None,
        exempt: Networks = (),
    ) -> None:
        self.limits = limits or Limits()
        self._now, self._exempt = now, exempt
        self._uses = uses or Quotas()
        self._rate = quota.connects(self.limits.connects_per_minute)
        self._amount = quota.connections(self.limits.connections_per_address)
        self._addresses: dict[str, _Address] = {}
        self._unknown: set[Entry] = set()
        self._count = 0
        self.refused = 0
        """Connections refused so far."""

    def refusal(self, address: str) -> str:
        """Return the message for a refused connection, and log it; empty if it is accepted."""
        now, who = self._now(), Who(address=address, exempt=is_in(address, self._exempt))
        known = self._addresses.get(address) or self._learn(address)
        asked = (self._uses.refusal(one, who, now, held=self) for one in (self._rate, self._amount))
        if used_up := next(filter(None, asked), None):
            self._uses.refuse(used_up)
            self._refuse(used_up.quota.name, address, known)
            return used_up.sentence()
        if not self._has_room():
            self._refuse("connections", address, known)
            return _FULL
        self._uses.count(self._rate, who, now)
        return ""

    def _refuse(self, limit: str, address: str, known: _Address) -> None:
        self.refused += 1
        if known.is_news(self._now()):
            log_events.limit(limit, address=address)

    def _learn(self, address: str) -> _Address:
        if len(self._addresses) >= REMEMBERED:
            gone = next((one for one, known in self._addresses.items() if not known.entries), None)
            self._addresses.pop(gone or "", None)
        known = self._addresses[address] = _Address(Share(self.limits))
        return known

    def number(self, quota: str, scope: Scope, key: str) -> int:  # noqa: ARG002 - only connections count here
        """Return how many connections an address has."""
        known = self._addresses.get(key)
        return len(known.entries) if known else 0

    def _has_room(self) -> bool:
        """Whether there is room for one more, if necessary by cutting one that hasn't logged in."""
        full = self._count >= self.limits.connections
        if not full and len(self._unknown) < self.limits.logins_at_once:
            return True
        self._unknown = {entry for entry in self._unknown if not entry.logged_in()}
        if self._unknown and (full or len(self._unknown) >= self.limits.logins_at_once):
            self._cut(self._of_the_most())
        return self._count < self.limits.connections

    def _cut(self, one: Entry) -> None:
        """Cut a connection, and log it unless its address was in the log in the last minute: a flood has thousands."""
        if self._addresses[one.address].is_news(self._now()):
            log_events.limit("logins_at_once", address=one.address)
        self.leave(one)
        one.cut()

    def _of_the_most(self) -> Entry:
        around = Counter(entry.around for entry in self._unknown)
        here = Counter(entry.address for entry in self._unknown)
        return max(self._unknown, key=lambda entry: (around[entry.around], here[entry.address], -entry.at))

    def enter(self, address: str) -> Entry:
        """Count a new connection; `leave` removes it."""
        entry = Entry(address, self._now(), subnet_of(address))
        (self._addresses.get(address) or self._learn(address)).entries.add(entry)
        self._unknown.add(entry)
        self._count += 1
        return entry

    def share(self, address: str) -> Share:
        """Return the shared limits of all connections from an address."""
        return (self._addresses.get(address) or self._learn(address)).share

    def leave(self, entry: Entry) -> None:
        """Stop counting a connection; calling it twice is harmless."""
        known = self._addresses.get(entry.address)
        if known and entry in known.entries:
            known.entries.remove(entry)
            self._unknown.discard(entry)
            self._count -= 1
