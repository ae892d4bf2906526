"""How much one connection, one address and all of them together may ask of the place, and how the rest is held back.

Lines and bytes are granted by token buckets. What is granted is done a little in each turn of the event loop, so that
nobody waits for a crowd: without that every connection could have its own small part of one turn, and a crowd of them
made that turn long.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Literal
from weakref import WeakKeyDictionary

import attrs

LONGEST = 4096
"""Bytes of a line, where nothing else is said; a longer one is dropped whole."""

TOGETHER = 0.2
"""The part of their lines and bytes that all connections of one address may have at the same time."""
AT_ONCE = 4
"""Seconds' worth of lines, and of what an address has together, that may come at once: a paste, or a list of moves."""

SLOWED = 30
"""Seconds' worth of lines taken slowly, while more are waiting, before lines are refused; as many again are refused."""

BYTES_AT_ONCE = 2
"""Seconds' worth of bytes that may come at once on one connection."""

PIECE = 1024
"""Bytes read at a time. So many are read as they come, however much others send: nobody types more in one go."""
LEAST = 64
"""Bytes read at a time of who sends what takes long to read, as telnet options do, or keys in a long line."""
LONG, BRIEF = 0.001, 0.0002
"""Seconds: if reading a piece takes longer, the next one is half as long; if it is brief, twice."""

SLICE = 0.001
"""Seconds that what connections ask takes in one turn of the event loop, before the rest waits.

The seconds of the processor would cost a call of the system each time, at which it likes to give the processor away.
"""
LATELY = 0.5
"""Seconds in which who has had a turn stands behind those who have not: who types now and then waits for no flood."""

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

    def _level(self, now: float) -> float:
        """Return how many are left now; less than none where some are owed."""
        return min(self._most, self._left + (now - self._at) * self._rate)

    def take(self, now: float, number: float = 1) -> None:
        """Take so many, whether they are there or not."""
        self._left = min(self._most, self._left + (now - self._at) * self._rate) - number
        self._at = now
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
        return self._level(now) < 1

    def has(self, now: float, number: int) -> bool:
        """Whether so many are left, here and where it is shared, and nothing is owed."""
        return (
            self._level(now) >= number
            and self.free_at <= now
            and not (self._shared and not self._shared.has(now, number))
        )


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
        return max(0.0, self._allowance.free_at - now)

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


class FairQueue:
    """Those who wait for a turn, in the order in which they came; each connection waits for one thing at a time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._first: deque[Callable[[], object]] = deque()
        self._rest: deque[Callable[[], object]] = deque()
        self._begun: float | None = None
        self._releases = False

    def free(self) -> bool:
        """Whether there is time left in this turn of the loop, and nobody waits for it."""
        if self._begun is None:
            self._begin()
            return True
        return not (self._first or self._rest) and perf_counter() - self._begun < SLICE

    def post(self, work: Callable[[], object], last: float = float("-inf")) -> None:
        """Have something done when it is its turn; `last` is when the one who asks had a turn before."""
        lately = self._loop.time() - last < LATELY
        (self._rest if lately else self._first).append(work)
        if self._begun is None:
            self._begin()

    async def turn(self, last: float) -> None:
        """Wait for a turn in which a task may go on."""
        turn: asyncio.Future[None] = self._loop.create_future()
        self.post(lambda: self._release(turn), last)
        await turn

    def _release(self, turn: asyncio.Future[None]) -> None:
        if not turn.done():
            turn.set_result(None)
            self._releases = True

    def _begin(self) -> None:
        self._begun = perf_counter()
        self._loop.call_soon(self._over)

    def _over(self) -> None:
        """Begin the next turn: do what waits for as long as that may take, up to one task that goes on by itself."""
        if not (self._first or self._rest):
            self._begun = None
            return
        self._begun, self._releases = perf_counter(), False
        try:
            while (queue := self._first or self._rest) and not self._releases and perf_counter() - self._begun < SLICE:
                queue.popleft()()
        finally:
            self._begin()  # behind the task that goes on


_QUEUES: WeakKeyDictionary[asyncio.AbstractEventLoop, FairQueue] = WeakKeyDictionary()


def fair_queue() -> FairQueue:
    """Return the queue of the running event loop."""
    return _QUEUES.setdefault(asyncio.get_running_loop(), FairQueue())


class ReadThrottle:
    """Feeds `read` in slices, unless `full` says that there is no room; stops `transport` while anything is held.

    Where `shared` is given, the bytes are those that an address shares as well.
    """

    __slots__ = (
        "_flow",
        "_full",
        "_last",
        "_loop",
        "_next",
        "_over",
        "_piece",
        "_queue",
        "_read",
        "_transport",
        "_waits",
        "held",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        bytes_per_second: float,
        read: Callable[[bytes], None],
        full: Callable[[], bool],
        shared: Allowance | None = None,
    ) -> None:
        self.held = bytearray()
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._flow = Allowance(bytes_per_second, bytes_per_second * BYTES_AT_ONCE, shared)
        self._read = read
        self._full = full
        self._queue = fair_queue()
        self._next: asyncio.Handle | None = None
        self._waits = False
        self._piece = PIECE
        self._last = float("-inf")
        self._over: Callable[[], None] | None = None

    def take(self, data: bytes = b"") -> None:
        """Take what has come, and go on with what was held back; what is little is read at once."""
        now = self._loop.time()
        if data and self._may_read_at_once(data, now):
            self._read_piece(data, now)
            if self._may_read(now):
                return
        else:
            self.held += data
        if self._next is None and not self._waits:
            if self._queue.free():
                self._work()
            else:
                self._go_on()

    def _may_read_at_once(self, data: bytes, now: float) -> bool:
        """Whether nothing waits here that comes first, and there is time for so much."""
        if self.held or self._waits or self._next is not None or not self._may_read(now):
            return False
        return len(data) <= self._piece

    def _may_read(self, now: float) -> bool:
        """Whether there is room, nothing is owed, and somebody is there."""
        return not (self._full() or self._flow.owed(now) or self._transport.is_closing())

    def end(self, over: Callable[[], None]) -> None:
        """Take note that nothing more comes; `over` is told once all that is held has been read."""
        self._over = over
        self.take()

    def stop(self) -> None:
        """Let go of the clock and of whoever reads: the connection is gone, and nothing more is read."""
        if self._next is not None:
            self._next.cancel()
        self._full, self._read, self._over = _no_room, _nothing, None

    def _work(self) -> None:
        """Read one slice, if it may be, and see to the next."""
        self._waits = False
        now = self._loop.time()
        if self.held and self._may_read(now):
            self._last = now
            piece = bytes(self.held[: self._piece])
            del self.held[: self._piece]
            self._read_piece(piece, now)
        self._go_on()

    def _read_piece(self, piece: bytes, now: float) -> None:
        """Read a piece, and choose the length of the next one by how long that took."""
        self._flow.take(now, len(piece))
        begun = perf_counter()
        self._read(piece)
        took = perf_counter() - begun
        if took > LONG:
            self._piece = max(LEAST, self._piece // 2)
        elif took < BRIEF and self._piece < PIECE:
            self._piece *= 2

    def _go_on(self) -> None:
        """Wait for the turn of what is held, or for what is owed; let more come once there is neither."""
        self._next = None
        if self._transport.is_closing():
            self.held.clear()
        elif self._full():
            self._transport.pause_reading()
        elif owed := self._flow.owed(self._loop.time()):
            self._transport.pause_reading()
            self._next = self._loop.call_later(owed, self._go_on)
        elif self.held:
            self._transport.pause_reading()
            self._waits = True
            self._queue.post(self._work, self._last)
        else:
            self._transport.resume_reading()
        if self._over and not self.held:
            over, self._over = self._over, None
            over()


def _no_room() -> bool:
    """Say that nothing more may be read."""
    return True


def _nothing(_: bytes) -> None:
    """Read no bytes."""


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
