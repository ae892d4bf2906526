"""Output buffers: one write per reader at the end of an event loop turn, never waiting for a slow reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from time import monotonic, thread_time
from typing import Protocol
from weakref import WeakKeyDictionary

from lilygames import log_events
from lilygames.edge.wire.output_gate import OutputGate
from lilygames.edge.wire.render import Rows
from lilygames.limits.addresses import network
from lilygames.text import Kind

SOFT = 64 * 1024
"""Buffered bytes beyond which talk is skipped."""

HARD = 1024 * 1024
"""Buffered bytes beyond which the connection is cut."""

ANY = 1
"""Buffered bytes above which a transport says that it has to wait: any. So no flush has to ask it."""

PATIENCE = 60.0
"""Seconds without progress after which the connection is cut too."""

REMEMBERED = 24
"""Recent writes of rows that are remembered: at least a full screen."""
MOST_REMEMBERED = 2 * REMEMBERED
"""Writes of rows after which all but these are forgotten at once."""

_CHATTER: tuple[Kind, ...] = ("talk", "notice")


MOMENT = 0.05
"""Seconds that news may wait, so that a thousand arrivals at once need only a few writes."""
NEWS, LONGEST_MOMENT = 20, 0.5
"""News waits this many times as long as the last news took to send, up to this many seconds.

With this, news to everyone takes at most a twentieth of the time.
"""

BUSY = 0.001
"""Seconds of processor time spent on sending, after which those readers rest."""
FEW = 24
"""Readers that are written to in less time than that. To read the clock would take as long as to write to one."""
CALM = 0.002
"""Seconds without input after which the next is answered at once: hardly anything more comes in the same turn."""
REST, LONGEST_REST = 3, 0.025
"""Readers rest this many times as long as their sending took, up to this many seconds.

With this, writes take at most a quarter of the time in a busy room, and nobody notices the delay.
"""


class Flushable(Protocol):
    """Something to flush at the end of a turn."""

    def flush(self) -> None:
        """Send what is queued."""


class Group(Hashable, Iterable[Flushable], Protocol):
    """Senders that are scheduled together. A flush asks which they are, so they may change until then."""


class Flusher:
    """Flushes each group of senders once: at the end of the event loop turn, or a moment later for news.

    With eight of 200 people in a room talking all the time, this makes 12 times the deliveries per second of
    processor time. The rest between two turns makes another 1.2 times (`scripts/bench --only sat200`). To remove it,
    let an `Outbox` write what it is given, and `lilygames.edge.terminal.crowd` call `flush` after each row.
    """

    def __init__(self) -> None:
        self.gate = OutputGate()
        """Flushed output waits here until the messages in it are stored."""
        self._due: dict[Group, None] = {}
        self._waiting: dict[Group, None] = {}
        self.turns = 0
        """Number of turns that have ended."""
        self.moments = 0
        """Number of moments that have ended."""
        self._sent: dict[Group, None] = {}
        """Groups resting after a long flush: until `_rested` they gather more. Nobody else waits for them."""
        self._gathering: dict[Group, None] = {}
        self._rested = 0.0
        self._gathers = MOMENT
        self._tells_news = False
        self._read_at = 0.0
        self._holds = False
        """Whether what is scheduled now is flushed without waiting for the end of the turn."""

    @property
    def sends(self) -> bool:
        """Whether something is flushed at the end of this turn."""
        return bool(self._due)

    def schedule(self, group: Group) -> None:
        """Flush a group at the end of the turn."""
        if self._sent and self._rests(group):
            return
        if not (self._due or self._holds):
            asyncio.get_running_loop().call_soon(self._end_turn)
        self._due[group] = None

    def flush_after(self, read: Callable[[bytes], object], data: bytes) -> None:
        """Read received data. If nothing was read lately, flush what it leads to at once, not at the end of the turn.

        To remove this, call `read`.
        """
        now, before = monotonic(), self._read_at
        self._read_at = now
        if now - before < CALM or self._due:
            read(data)
            return
        self._holds = True
        try:
            read(data)
        finally:
            self._holds = False
            if due := self._due:
                self._due = {}
                self._send(due)

    def _rests(self, group: Group) -> bool:
        """Whether a group rests. Then it is flushed after that."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._rested:
            self._sent = {}
        if group not in self._sent:
            return False
        if not self._gathering:
            loop.call_at(self._rested, self.end)
        self._gathering[group] = None
        return True

    def schedule_news(self, group: Group) -> None:
        """Flush a group in a moment."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(self._gathers, self._end_moment)
        self._waiting[group] = None

    def _end_moment(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self.moments += 1
        self._tells_news = True
        for group in waiting:
            self.schedule(group)

    def _end_turn(self) -> None:
        due, self._due = self._due, {}
        self._send(due)

    def end(self) -> None:
        """Flush everything now."""
        due, self._due, self._gathering = self._due | self._gathering, {}, {}
        self._send(due)

    def _send(self, due: dict[Group, None]) -> None:
        """Flush these; if one sender fails, the rest are flushed in another turn."""
        self.turns += 1
        all_senders = [*chain.from_iterable(due)]
        begun = thread_time() if len(all_senders) > FEW else None
        senders = iter(all_senders)
        try:
            for sender in senders:
                sender.flush()
        finally:
            took = 0.0 if begun is None else thread_time() - begun
            if took > BUSY:
                self._rested = asyncio.get_running_loop().time() + min(REST * took, LONGEST_REST)
                self._sent = due
            if self._tells_news:
                self._tells_news, self._gathers = False, min(max(MOMENT, NEWS * took), LONGEST_MOMENT)
            if rest := tuple(senders):
                self.schedule(rest)


_FLUSHERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Flusher] = WeakKeyDictionary()


def flusher() -> Flusher:
    """Return the flusher of the running event loop."""
    return _FLUSHERS.setdefault(asyncio.get_running_loop(), Flusher())


class Outbox:
    """Collects the bytes of a loop turn for `transport`; tells `skipped` how many lines a slow reader missed.

    `speed_changed` is called when the reader falls behind and when they have caught up. Once a line is skipped, all
    talk is skipped until the reader has caught up, so the count appears where the gap is. The reader's last row (a
    prompt or an unfinished line) is cleared and restored once per turn.

    The transport's protocol calls `pause` and `caught_up`, and has the transport say when `ANY` bytes wait.
    """

    __slots__ = (
        "_again",
        "_away",
        "_behind",
        "_closing",
        "_delayed",
        "_gone",
        "_loop",
        "_missed",
        "_scheduled",
        "_sent",
        "_settled",
        "_size",
        "_skipped",
        "_slow",
        "_speed_changed",
        "_taken",
        "_transport",
        "_watch",
        "_written",
        "flusher",
        "rows",
        "total",
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
        self.flusher = flusher()
        self.rows: list[bytes] = []
        """The last rows sent, and from `_sent` on everything that waits to be written.

        Those who append rows here, instead of calling `put_rows`, check that the reader keeps up, and schedule the
        flush (`lilygames.edge.wire.outboxes`).
        """
        self.total = 0
        """Bytes that were put here so far, without shared rows."""
        self._sent = 0
        self._scheduled = -1
        self._settled = 0
        self._away = self._again = b""
        self._size = 0
        self._missed = 0
        self._slow = False
        self._written = 0
        """Bytes written while others wait: enough to see whether the reader takes any."""
        self._taken = 0
        self._closing = False
        self._gone = False
        """Whether nothing can be written any more."""
        self._delayed = 0
        """Pieces that wait to be written until the messages in them are stored."""
        self._behind = False
        """Whether bytes wait in the transport for the reader."""
        self._watch: asyncio.TimerHandle | None = None

    def put(self, data: bytes, kind: Kind = "answer") -> None:
        """Queue bytes for this turn's write, at the cursor."""
        if self._takes(kind):
            self.total += len(data)
            self._settle()
            self._queue(data)
            self._settled = len(self.rows)

    def put_rows(self, rows: bytes, kind: Kind) -> None:
        """Queue rows for this turn's write, above the last row."""
        if self._takes(kind):
            self.total += len(rows)
            self._queue(rows)

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Set the content of the last row: the bytes that clear it, and the bytes that restore it."""
        self._settle()
        self._away, self._again = away, again

    @property
    def empty(self) -> bool:
        """Whether nothing is waiting to be written."""
        return len(self.rows) == self._sent and not self._delayed

    def _settle(self) -> None:
        """Restore the last row below the queued rows."""
        if len(self.rows) > self._settled and self._again:
            self.rows.insert(self._settled, self._away)
            self.rows.append(self._again)
        self._settled = len(self.rows)

    def _queue(self, data: bytes) -> None:
        if self._scheduled != self.flusher.turns:
            self._scheduled = self.flusher.turns
            self.flusher.schedule((self,))
        self.rows.append(data)
        self._size += len(data)
        if self._size > SOFT:
            self.flush()

    def _takes(self, kind: Kind) -> bool:
        """Whether a line of this kind is sent; talk is skipped while the reader is behind."""
        if kind in _CHATTER and not self.keeps_up:
            self._missed += 1
            return False
        return not self._closing

    @property
    def keeps_up(self) -> bool:
        """Whether the reader isn't behind, so that shared lines can be queued."""
        return not (self._missed or self._closing or (self._behind and self._waiting > SOFT))

    @property
    def _waiting(self) -> int:
        """Bytes that wait in the transport. A TLS transport can't say that any more when it is closing."""
        return 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()

    @property
    def recent(self) -> list[Rows]:
        """The last rows sent for people to read: no prompts, packets or typed keys."""
        return [rows for rows in self.rows if isinstance(rows, Rows)]

    def flush(self) -> None:
        """Write what is queued in one piece; cut a reader with too much buffered."""
        rows, sent = self.rows, self._sent
        if len(rows) == sent:
            return
        if self._again:
            self._settle()
        if len(rows) == sent + 1 and type(rows[sent]) is Rows:  # the usual case while nobody talks much
            data = rows[sent]
        else:
            data = b"".join(rows[sent:])
            rows[sent:] = [one for one in rows[sent:] if type(one) is Rows]
        if len(rows) > MOST_REMEMBERED:
            del rows[:-REMEMBERED]
        self._sent = self._settled = len(rows)
        self._size = 0
        if self._closing:
            return
        if self.flusher.gate.write(self, data):
            self._delayed += 1
        else:
            self._write(data)

    def write(self, data: bytes) -> None:
        """Write what has waited until the messages in it were stored."""
        self._delayed -= 1
        self._write(data)

    def hang_up(self) -> None:
        """Close the connection."""
        if not self._gone:
            self._transport.close()

    def _write(self, data: bytes) -> None:
        if self._gone:
            return
        self._transport.write(data)
        if self._behind:
            self._written += len(data)
            if waiting := self._waiting:
                self._falls_behind(waiting)

    def pause(self) -> None:
        """Record that bytes wait in the transport until `caught_up` is called."""
        self._behind = True

    def _falls_behind(self, waiting: int) -> None:
        if waiting > SOFT and not self._slow:
            self._slow = True
            self._speed_changed()
        if waiting > HARD:
            self._cut_slow_reader()
        elif self._watch is None:
            self._watch_progress()

    def _watch_progress(self) -> None:
        """Cut a reader that made no progress since the last check, or check again later."""
        waiting = self._waiting
        taken = self._written - waiting
        if self._watch is not None and waiting and taken == self._taken:
            self._cut_slow_reader()
            return
        self._taken = taken
        self._watch = self._loop.call_later(PATIENCE, self._watch_progress) if waiting else None

    def _cut_slow_reader(self) -> None:
        peer = self._transport.get_extra_info("peername") or ("?",)
        log_events.limit("slow reader", address=network(str(peer[0])))
        self.abort()

    def caught_up(self) -> None:
        """Record that the reader has caught up: nothing waits any more. Tell them what they missed."""
        self._behind = False
        if self._slow:
            self._slow = False
            self._speed_changed()
        if missed := self._missed:
            self._missed = 0
            self._skipped(missed)

    def close(self) -> None:
        """Send what is queued, then close; nothing more can be queued."""
        if not self._closing:
            self.flush()
            self._closing = True
            if not self.flusher.gate.write(self, None):
                self._transport.close()

    def abort(self) -> None:
        """Close at once and drop what is queued."""
        self._closing = self._gone = True
        del self.rows[self._sent :]
        self._transport.abort()
        self.stop()

    def stop(self) -> None:
        """Stop the timer and drop the terminal: the connection is closed."""
        self._closing = self._gone = True
        self._skipped = self._speed_changed = _nothing
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None


def _nothing(*_: object) -> None:
    """Do nothing."""
