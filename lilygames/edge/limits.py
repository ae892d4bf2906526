"""How much one connection, one address and all of them together may ask of the place."""

from __future__ import annotations

import ipaddress
from typing import Literal

import attrs

LONGEST = 4096
"""Bytes of a line, where nothing else is said; a longer one is dropped whole."""

TOGETHER = 0.2
"""The part of their lines and bytes that all connections of one address may have at the same time."""
AT_ONCE = 4
"""Seconds' worth of lines, and of what an address has together, that may come at once: a paste, or a list of moves."""

SLOWED = 30
"""Seconds' worth of lines taken slowly, while more are waiting, before lines are refused; as many again are refused."""

Word = Literal["heard", "refused", "cut"]


@attrs.frozen
class Limits:
    """What is granted; the settings of the same names say the same in a sentence each."""

    connections: int = 2000
    connections_per_address: int = 20
    connects_per_minute: int = 60
    logins_at_once: int = 200
    lines_per_second: float = 10
    bytes_per_second: int = 4 * 1024
    line_bytes: int = LONGEST
    option_bytes: int = 16 * 1024


class Allowance:
    """A token bucket: `most` at once, and `rate` a second ever after. What is taken beyond it is owed.

    What is taken is taken from a `shared` one as well, and what that owes then is waited for.
    """

    __slots__ = ("_at", "_left", "_most", "_rate", "_shared", "free_at")

    def __init__(self, rate: float, most: float, shared: Allowance | None = None) -> None:
        self._rate = rate
        self._shared = shared
        self._most = self._left = most
        self._at = 0.0
        self.free_at = 0.0
        """From when on nothing is owed."""

    def _fill(self, now: float) -> None:
        if now != self._at:
            self._left = min(self._most, self._left + (now - self._at) * self._rate)
            self._at = now

    def take(self, now: float, number: float = 1) -> None:
        """Take so many, whether they are there or not."""
        self._fill(now)
        self._left -= number
        if self._left < 0:
            self.free_at = now - self._left / self._rate
        if self._shared:
            self._shared.take(now, number)
            self.free_at = max(self.free_at, self._shared.free_at)

    def grant(self, now: float) -> bool:
        """Take one and return True if there is one."""
        if granted := self.has(now, 1):
            self.take(now)
        return granted

    def owed(self, now: float) -> float:
        """Return the seconds until nothing is owed any more; 0 where nothing is."""
        return self.free_at - now if self.free_at > now else 0.0

    def spent(self, now: float) -> bool:
        """Whether not a whole one is left."""
        self._fill(now)
        return self._left < 1

    def has(self, now: float, number: int) -> bool:
        """Whether so many are left, here and where it is shared, and nothing is owed."""
        self._fill(now)
        return self._left >= number and self.free_at <= now and not (self._shared and not self._shared.has(now, number))


class Share:
    """What all connections of one address may have together: part of what so many could ask for one by one."""

    __slots__ = ("bytes", "lines")

    def __init__(self, limits: Limits) -> None:
        worth = max(1, limits.connections_per_address * TOGETHER)
        self.lines = Allowance(limits.lines_per_second * worth, limits.lines_per_second * worth * AT_ONCE)
        self.bytes = Allowance(limits.bytes_per_second * worth, limits.bytes_per_second * worth * AT_ONCE)


class LineRate:
    """The pace of one connection, and of the lines that its address shares.

    Who waits for answers is at most slowed, however many lines that makes.
    """

    __slots__ = ("_allowance", "_patience", "_pressed")

    def __init__(self, lines_per_second: float, shared: Allowance | None = None) -> None:
        self._allowance = Allowance(lines_per_second, lines_per_second * AT_ONCE, shared)
        self._patience = lines_per_second * SLOWED
        self._pressed = 0

    def wait(self, now: float) -> float:
        """Return the seconds to wait before another line is taken."""
        return self._allowance.owed(now)

    def take(self, now: float, *, more: bool) -> Word:
        """Return what becomes of the line that is taken now; `more` says that others are waiting behind it."""
        pressing = more and self._allowance.spent(now)
        self._allowance.take(now)
        if not more:
            self._pressed = 0
        self._pressed += pressing
        if self._pressed <= self._patience:
            return "heard"
        return "refused" if self._pressed <= 2 * self._patience else "cut"


def network(address: str) -> str:
    """Return what is counted as one address: an IPv4 address, or the /64 that an IPv6 subscriber has to himself."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    if read.ipv4_mapped:
        return str(read.ipv4_mapped)
    return str(read) if read.is_loopback else str(ipaddress.ip_network((read, 64), strict=False))


def neighbourhood(address: str) -> str:
    """Return where an address lies: its /24, or the /48 that an IPv6 site has (RFC 6177); so a flood is one crowd."""
    read = address.partition("/")[0]
    try:
        wide = 24 if isinstance(ipaddress.ip_address(read), ipaddress.IPv4Address) else 48
    except ValueError:
        return address
    return str(ipaddress.ip_network((read, wide), strict=False))
