"""Rate limits per connection and address, and fair scheduling of the work that connections cause.

Token buckets limit lines and bytes. The allowed work is done in short slices of each event loop turn, so that nobody
waits for a crowd. Without slices, each connection's small share would add up to a long turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Literal
from weakref import WeakKeyDictionary

import attrs

LONGEST = 4096
"""Default maximum bytes of a line; a longer one is dropped."""

TOGETHER = 0.2
"""The share of their lines and bytes that all connections of an address may use at once."""
AT_ONCE = 4
"""Burst of lines, and of an address's share, in seconds' worth: room for a paste or a list of moves."""

KEPT_AT_ONCE = 1000
"""Lines of a paste that cost nothing while they wait for a yes; then as many per second as other lines."""

SLOWED = 30
"""Seconds' worth of waiting lines to slow down before lines are refused; as many again are refused."""

BYTES_AT_ONCE = 2
"""Burst of bytes on one connection, in seconds' worth."""

PIECE = 1024
"""Bytes read at a time. Up to this many are read on arrival, however much others send: nobody types more at once."""
LEAST = 64
"""Minimum bytes read at a time, for slow input such as telnet options or keys in a long line."""
LONG, BRIEF = 0.001, 0.0002
"""Seconds: if reading a piece takes longer than LONG, halve the next one; if less than BRIEF, double it."""

SLICE = 0.001
"""Seconds of connections' work in one event loop turn; the rest waits.

This is elapsed time. Processor time would cost a system call each, which tends to yield the processor.
"""
LATELY = 0.5
"""Seconds after a turn during which a connection queues behind others. Occasional typing never waits for a flood."""

Word = Literal["heard", "refused", "cut"]


@attrs.frozen
class Limits:
    """The limits; the settings of the same names describe them."""

    connections: int = 2000
    connections_per_address: int = 20
    connects_per_minute: int = 60
    logins_at_once: int = 200
    lines_per_second: float = 10
    bytes_per_second: int = 4 * 1024
    line_bytes: int = LONGEST
    option_bytes: int = 16 * 1024


class Allowance:
    """A token bucket: a burst of `most`, refilled at `rate` per second. It can go into debt.

    Tokens are also taken from a `shared` bucket, and its debt has to be waited for too.
    """

    __slots__ = ("_at", "_left", "_most", "_rate", "_shared", "free_at")

    def __init__(self, rate: float, most: float, shared: Allowance | None = None) -> None:
        self._rate = rate
        self._shared = shared
        self._most = self._left = most
        self._at = 0.0
        self.free_at = 0.0
        """When the debt is paid off."""

    def _level(self, now: float) -> float:
        """Return the tokens left; negative if in debt."""
        return min(self._most, self._left + (now - self._at) * self._rate)

    def take(self, now: float, number: float = 1) -> None:
        """Take tokens, going into debt if necessary."""
        self._left = min(self._most, self._left + (now - self._at) * self._rate) - number
        self._at = now
        if self._left < 0:
            self.free_at = now - self._left / self._rate
        if self._shared:
            self._shared.take(now, number)
            self.free_at = max(self.free_at, self._shared.free_at)

    def give_back(self, now: float) -> None:
        """Put back a token that was taken for nothing, here and in the shared bucket."""
        self._left, self._at = min(self._most, self._level(now) + 1), now
        self.free_at = now - min(0.0, self._left) / self._rate
        if self._shared:
            self._shared.give_back(now)
            self.free_at = max(self.free_at, self._shared.free_at)

    def grant(self, now: float) -> bool:
        """Take one token and return True if there is one."""
        if granted := self.has(now, 1):
            self.take(now)
        return granted

    def owed(self, now: float) -> float:
        """Return the seconds until the debt is paid off; 0 if there is none."""
        return self.free_at - now if self.free_at > now else 0.0

    def spent(self, now: float) -> bool:
        """Whether less than one token is left."""
        return self._level(now) < 1

    def has(self, now: float, number: int) -> bool:
        """Whether this many tokens are left here and in the shared bucket, without debt."""
        return (
            self._level(now) >= number
            and self.free_at <= now
            and not (self._shared and not self._shared.has(now, number))
        )


class Share:
    """The shared limits of an address's connections: a part of what they could use separately."""

    __slots__ = ("bytes", "lines")

    def __init__(self, limits: Limits) -> None:
        worth = max(1, limits.connections_per_address * TOGETHER)
        self.lines = Allowance(limits.lines_per_second * worth, limits.lines_per_second * worth * AT_ONCE)
        self.bytes = Allowance(limits.bytes_per_second * worth, limits.bytes_per_second * worth * AT_ONCE)


class LineRate:
    """The line rate of one connection, with the lines its address shares.

    People who wait for answers are only slowed down, however many lines they send.
    """

    __slots__ = ("_kept", "_patience", "_pressed", "allowance")

    def __init__(self, lines_per_second: float, shared: Allowance | None = None) -> None:
        self.allowance = Allowance(lines_per_second, lines_per_second * AT_ONCE, shared)
        """The lines that may be taken now: wait until it is free."""
        self._kept = Allowance(lines_per_second, KEPT_AT_ONCE)
        self._patience = lines_per_second * SLOWED
        self._pressed = 0

    def take(self, now: float, *, more: bool) -> Word:
        """Return what happens to the line taken now; `more` means that others are waiting behind it."""
        pressing = more and self.allowance.spent(now)
        self.allowance.take(now)
        if not more:
            self._pressed = 0
        self._pressed += pressing
        if self._pressed <= self._patience:
            return "heard"
        return "refused" if self._pressed <= 2 * self._patience else "cut"

    def give_back(self, now: float) -> None:
        """Charge nothing for the line taken last, which is only kept; over `KEPT_AT_ONCE` such lines cost again."""
        if self._kept.grant(now):
            self.allowance.give_back(now)


class FairQueue:
    """Waiting work in order of arrival; each connection waits for one thing at a time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._first: deque[Callable[[], object]] = deque()
        self._rest: deque[Callable[[], object]] = deque()
        self._begun: float | None = None
        self._releases = False

    def free(self) -> bool:
        """Whether this loop turn has time left and nobody is waiting."""
        if self._begun is None:
            self._begin()
            return True
        return not (self._first or self._rest) and perf_counter() - self._begun < SLICE

    def post(self, work: Callable[[], object], last: float = float("-inf")) -> None:
        """Queue work for a turn; `last` is when the caller last had one."""
        lately = self._loop.time() - last < LATELY
        (self._rest if lately else self._first).append(work)
        if self._begun is None:
            self._begin()

    async def turn(self, last: float) -> None:
        """Wait for a turn in which a task may continue."""
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
        """Start the next turn: run queued work for one slice, until a waiting task is resumed."""
        if not (self._first or self._rest):
            self._begun = None
            return
        self._begun, self._releases = perf_counter(), False
        try:
            while (queue := self._first or self._rest) and not self._releases and perf_counter() - self._begun < SLICE:
                queue.popleft()()
        finally:
            self._begin()  # behind the resumed task


_QUEUES: WeakKeyDictionary[asyncio.AbstractEventLoop, FairQueue] = WeakKeyDictionary()


def fair_queue() -> FairQueue:
    """Return the queue of the running event loop."""
    return _QUEUES.setdefault(asyncio.get_running_loop(), FairQueue())


class ReadThrottle:
    """Feeds `read` in slices unless `full` returns True; pauses `transport` while anything is held back.

    If `shared` is given, the bytes also count against the address's share.
    """

    __slots__ = (
        "_flow",
        "_full",
        "_last",
        "_loop",
        "_next",
        "_over",
        "_paused",
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
        self._paused = False

    def take(self, data: bytes = b"") -> None:
        """Add received bytes and continue with those held back; small input is read at once."""
        now = self._loop.time()
        held = self.held or self._waits or self._next is not None
        if held or not data or len(data) > self._piece or self._transport.is_closing():
            self.held += data
        else:  # there was room, and no debt, when this last stopped reading: otherwise the transport is paused
            self._read_piece(data, now)
            if self._flow.free_at <= now and not self._full():
                return
        if self._next is None and not self._waits:
            if self._queue.free():
                self._work()
            else:
                self._resume()

    def _may_read(self, now: float) -> bool:
        """Whether there is room, no debt, and someone connected."""
        return not (self._full() or self._flow.owed(now) or self._transport.is_closing())

    def end(self, over: Callable[[], None]) -> None:
        """Mark the end of the input; `over` is called when everything held back has been read."""
        self._over = over
        self.take()

    def taken(self) -> bytes:
        """Return the bytes held back, and keep none."""
        held = bytes(self.held)
        self.held.clear()
        return held

    def hold(self, data: bytes) -> None:
        """Read this before anything else, once `take` is called; until then take nothing from the transport."""
        self._transport.pause_reading()
        self.held += data

    def pause(self) -> None:
        """Take nothing more from the transport: another process reads on. Bytes held back are still read."""
        self._paused = True
        self._transport.pause_reading()

    def stop(self) -> None:
        """Stop the timer and drop the reader: the connection is closed."""
        if self._next is not None:
            self._next.cancel()
        self._full, self._read, self._over = _no_room, _nothing, None

    def _work(self) -> None:
        """Read one slice, if allowed, and schedule the next."""
        self._waits = False
        now = self._loop.time()
        if self.held and self._may_read(now):
            self._last = now
            piece = bytes(self.held[: self._piece])
            del self.held[: self._piece]
            self._read_piece(piece, now)
        self._resume()

    def _read_piece(self, piece: bytes, now: float) -> None:
        """Read a piece, and adjust the size of the next by the time it took."""
        self._flow.take(now, len(piece))
        begun = perf_counter()
        self._read(piece)
        took = perf_counter() - begun
        if took > LONG:
            self._piece = max(LEAST, self._piece // 2)
        elif took < BRIEF and self._piece < PIECE:
            self._piece *= 2

    def _resume(self) -> None:
        """Wait for a turn or for the debt to be paid off; resume the transport if nothing is left."""
        self._next = None
        if self._transport.is_closing():
            self.held.clear()
        elif self._full():
            self._transport.pause_reading()
        elif owed := self._flow.owed(self._loop.time()):
            self._transport.pause_reading()
            self._next = self._loop.call_later(owed, self._resume)
        elif self.held:
            self._transport.pause_reading()
            self._waits = True
            self._queue.post(self._work, self._last)
        elif not self._paused:
            self._transport.resume_reading()
        if self._over and not self.held:
            over, self._over = self._over, None
            over()


def _no_room() -> bool:
    """Refuse to read more."""
    return True


def _nothing(_: bytes) -> None:
    """Read no bytes."""
