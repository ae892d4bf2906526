"""What waits to go out: one write to each reader at the end of a turn of the event loop, and no wait for a slow one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from time import thread_time
from typing import Protocol
from weakref import WeakKeyDictionary

from lilygames.edge.render import Rows
from lilygames.text import Kind

SOFT = 64 * 1024
"""Bytes waiting beyond which talk is skipped."""

HARD = 1024 * 1024
"""Bytes waiting beyond which the connection is given up."""

PATIENCE = 60.0
"""Seconds without a byte taken after which it is given up as well."""

REMEMBERED = 24
"""How often rows were sent of late that can be read again: a screen full, or more."""

_CHATTER: tuple[Kind, ...] = ("talk", "notice")


MOMENT = 0.05
"""Seconds that news may wait for more: when a thousand come at once, all others read of it in a few writes."""
NEWS, LONGEST_MOMENT = 10, 0.5
"""It waits so many times as long as the last news took to send, and so many seconds at most: in a place of thousands
all of whom are told of each who comes, a tenth of the time goes into that."""

BUSY = 0.001
"""Seconds of processor time spent on sending after which those who were sent to wait for more."""
REST, LONGEST_REST = 3, 0.025
"""Who was sent to waits so many times as long as that took, and so many seconds at most: where many talk at once, a
quarter of the time goes into writes, and nobody feels it."""


class Flushable(Protocol):
    """What has something to send at the end of a turn."""

    def flush(self) -> None:
        """Send it."""


class Flusher:
    """Flushes those who have something to send, each once: when the turn of the event loop is over, or in a moment.

    In a room of 200 where eight people talk as fast as they can, that makes 12 times the deliveries per second of
    processor time, and the rest between two turns another 1.2 times (`scripts/bench --only sat200`). To remove it, let
    an `Outbox` write what it is given, and `lilygames.edge.crowd` call `flush` after each row.
    """

    def __init__(self) -> None:
        self._due: dict[Flushable, None] = {}
        self._waiting: dict[Flushable, None] = {}
        self.turns = 0
        """How many turns have ended."""
        self.moments = 0
        """How many moments have ended."""
        self._sent: dict[Flushable, None] = {}
        """Who was sent to when that took long; until `_rested` they gather more, and nobody else waits for that."""
        self._gathering: dict[Flushable, None] = {}
        self._rested = 0.0
        self._gathers = MOMENT
        self._tells_news = False

    def schedule(self, senders: Iterable[Flushable]) -> None:
        """Let all of these send at the end of the turn."""
        loop = asyncio.get_running_loop()
        ready = dict.fromkeys(senders)
        if loop.time() < self._rested and (gathering := dict.fromkeys(ready.keys() & self._sent.keys())):
            if not self._gathering:
                loop.call_at(self._rested, self.end)
            self._gathering |= gathering
            ready = dict.fromkeys(ready.keys() - gathering.keys())
        if ready and not self._due:
            loop.call_soon(self._end_turn)
        self._due |= ready

    def schedule_news(self, senders: Iterable[Flushable]) -> None:
        """Let all of these send in a moment."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(self._gathers, self._end_moment)
        self._waiting |= dict.fromkeys(senders)

    def _end_moment(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self.moments += 1
        self._tells_news = True
        self.schedule(waiting)

    def _end_turn(self) -> None:
        due, self._due = self._due, {}
        self._send(due)

    def end(self) -> None:
        """Let all send, at once."""
        due, self._due, self._gathering = self._due | self._gathering, {}, {}
        self._send(due)

    def _send(self, due: dict[Flushable, None]) -> None:
        """Let these send; where one fails, the rest have another turn."""
        self.turns += 1
        sent = due.copy()
        begun = thread_time()
        try:
            while due:
                due.popitem()[0].flush()
        finally:
            took = thread_time() - begun
            if took > BUSY:
                self._rested = asyncio.get_running_loop().time() + min(REST * took, LONGEST_REST)
                self._sent = sent
            if self._tells_news:
                self._tells_news, self._gathers = False, min(max(MOMENT, NEWS * took), LONGEST_MOMENT)
            if due:
                self.schedule(due)


_FLUSHERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Flusher] = WeakKeyDictionary()


def flusher() -> Flusher:
    """Return the flusher of the running event loop."""
    return _FLUSHERS.setdefault(asyncio.get_running_loop(), Flusher())


class Outbox:
    """Gathers the bytes of a loop turn for `transport`; tells `skipped` how many lines a slow reader missed.

    `speed_changed` is told when the reader falls behind, and when it has caught up.
    Once a line is skipped all chatter is, until the reader has caught up: so the count stands where the gap is.
    What stands on the reader's last row (a question, a line half typed) is taken away and put back once a turn.
    """

    __slots__ = (
        "_again",
        "_away",
        "_closing",
        "_flusher",
        "_loop",
        "_missed",
        "_pending",
        "_recent",
        "_scheduled",
        "_settled",
        "_size",
        "_skipped",
        "_slow",
        "_speed_changed",
        "_taken",
        "_transport",
        "_watch",
        "_written",
        "append",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        skipped: Callable[[int], None],
        speed_changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._skipped = skipped
        self._speed_changed = speed_changed
        self._flusher = flusher()
        self._pending: list[bytes] = []
        self.append: Callable[[bytes], object] = self._pending.append
        """Queue rows, as `put_rows` does, for the price of a list's `append`; see `lilygames.edge.crowd`.

        The caller has made sure that the reader keeps up, and schedules the flush."""
        self._recent: deque[Rows] = deque(maxlen=REMEMBERED)
        self._scheduled = -1
        self._settled = 0
        self._away = self._again = b""
        self._size = 0
        self._missed = 0
        self._slow = False
        self._written = 0
        self._taken = 0
        self._closing = False
        self._watch: asyncio.TimerHandle | None = None
        transport.set_write_buffer_limits(high=SOFT)

    def put(self, data: bytes, kind: Kind = "answer") -> None:
        """Queue bytes for this turn's write, to go to wherever the cursor is."""
        if self._takes(kind):
            self._settle()
            self._queue(data)
            self._settled = len(self._pending)

    def put_rows(self, rows: bytes, kind: Kind) -> None:
        """Queue rows for this turn's write, to stand above the last one."""
        if self._takes(kind):
            self._queue(rows)

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Take note of what stands on the last row now: how it is taken away, and what brings it back."""
        self._settle()
        self._away, self._again = away, again

    def take_back(self) -> None:
        """Take away the rows that `append` has queued last."""
        self._pending.pop()

    @property
    def empty(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._pending

    def _settle(self) -> None:
        """Bring the last row back below the rows that have been queued."""
        if len(self._pending) > self._settled and self._again:
            self._pending.insert(self._settled, self._away)
            self._pending.append(self._again)
        self._settled = len(self._pending)

    def _queue(self, data: bytes) -> None:
        if self._scheduled != self._flusher.turns:
            self._scheduled = self._flusher.turns
            self._flusher.schedule((self,))
        self._pending.append(data)
        self._size += len(data)
        if self._size > SOFT:
            self.flush()

    def _takes(self, kind: Kind) -> bool:
        """Whether a line of that kind is sent; chatter is left out while the reader is behind."""
        if kind in _CHATTER and not self.keeps_up:
            self._missed += 1
            return False
        return not self._closing

    @property
    def keeps_up(self) -> bool:
        """Whether the reader misses nothing: what is said may be put to it with all others."""
        return not (self._missed or self._closing or self._transport.get_write_buffer_size() > SOFT)

    @property
    def recent(self) -> list[Rows]:
        """The last rows sent that people read: no questions, no packets, no keys shown."""
        return [*self._recent, *(sent for sent in self._pending if isinstance(sent, Rows))]

    def flush(self) -> None:
        """Write what is queued, in one piece; gives up a reader who has too much waiting."""
        if not self._pending:
            return
        self._settle()
        data = b"".join(self._pending)
        for sent in self._pending:
            if sent.__class__ is Rows:  # quicker than `isinstance`, once for every row that anybody is sent
                self._recent.append(sent)
        self._pending.clear()
        self._size = self._settled = 0
        if self._transport.is_closing():  # one with TLS cannot even say how much waits in it
            return
        self._transport.write(data)
        self._written += len(data)
        if waiting := self._transport.get_write_buffer_size():
            self._falls_behind(waiting)

    def _falls_behind(self, waiting: int) -> None:
        if waiting > SOFT and not self._slow:
            self._slow = True
            self._speed_changed()
        if waiting > HARD:
            self.abort()
        elif self._watch is None:
            self._watch_progress()

    def _watch_progress(self) -> None:
        """Give the reader up if it has taken nothing since the last look, or look again later."""
        waiting = self._transport.get_write_buffer_size()
        taken = self._written - waiting
        if self._watch is not None and waiting and taken == self._taken:
            self.abort()
            return
        self._taken = taken
        self._watch = self._loop.call_later(PATIENCE, self._watch_progress) if waiting else None

    def caught_up(self) -> None:
        """Take note that the reader has caught up, and say what it missed."""
        if self._slow:
            self._slow = False
            self._speed_changed()
        if missed := self._missed:
            self._missed = 0
            self._skipped(missed)

    def close(self) -> None:
        """Send what is queued, then close; nothing can be put any more."""
        if not self._closing:
            self.flush()
            self._closing = True
            self._transport.close()

    def abort(self) -> None:
        """Close at once and forget what was queued."""
        self._closing = True
        self._pending.clear()
        self._transport.abort()
        self.stop()

    def stop(self) -> None:
        """Let go of the clock and of the terminal: the connection is gone."""
        self._closing = True
        self._skipped = self._speed_changed = _nothing
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None


def _nothing(*_: object) -> None:
    """Tell nobody."""
