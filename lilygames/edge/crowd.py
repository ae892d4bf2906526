"""Screens that are shown the same lines: each line is encoded once per look, and the bytes are shared.

With eight of 200 people in a room talking all the time, this makes 7 times the deliveries per second of processor time
(`scripts/bench --only sat200`). To remove it, let the host gather screens in `lilygames.chat.audience.Each`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lilygames.chat import asking
from lilygames.chat.terminal import Terminal
from lilygames.edge.machine import rows_of
from lilygames.edge.outbox import SOFT, Outbox, flusher
from lilygames.edge.render import Look, page
from lilygames.edge.requests import Ongoing
from lilygames.edge.terminal import TelnetTerminal
from lilygames.text import Line


class Crowd:
    """Terminals grouped by the look of their lines. To regroup one that changed, drop it and add it again."""

    def __init__(self) -> None:
        self._groups: dict[Look, _Group] = {}
        self._where: dict[Terminal, tuple[_Group, Outbox] | None] = {}
        self._apart: dict[Terminal, None] = {}

    def add(self, terminal: Terminal) -> None:
        """Add a terminal."""
        shared = terminal.shared if isinstance(terminal, TelnetTerminal) else None
        if shared is None:
            self._apart[terminal] = self._where[terminal] = None
            return
        look, outbox = shared
        group = self._groups.get(look) or self._groups.setdefault(look, _Group(look))
        group.add(outbox)
        self._where[terminal] = group, outbox

    def drop(self, terminal: Terminal) -> None:
        """Remove a terminal, if it is there."""
        if where := self._where.pop(terminal, None):
            group, outbox = where
            group.drop(outbox)
            if not group:
                del self._groups[group.look]
        self._apart.pop(terminal, None)

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Show lines on all screens except `but`."""
        apart = [*self._apart]  # a reader who falls behind at this line has already got it
        group_of_one, outbox = (but and self._where.get(but)) or (None, None)
        request = asking.current()
        asker = request.outbox if isinstance(request, Ongoing) else None
        for group in [*self._groups.values()]:
            own = asker if asker and asker is not outbox and asker in group else None
            group.show(lines, [one for one in (outbox if group is group_of_one else None, own) if one])
            if own and isinstance(request, Ongoing):
                request.show(*lines)  # its own request has caused this, and the program is told so
        for terminal in apart:
            if terminal is not but:
                terminal.show(*lines)


class _Group:
    """Screens that look alike. Their flush is scheduled once per loop turn, however much they are shown.

    News about others waits a moment. Everything else is sent at the end of the turn, together with any waiting news.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self._puts: dict[Outbox, Callable[[bytes], object]] = {}
        self._flusher = flusher()
        self._scheduled = self._news_scheduled = -1
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._puts)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._puts

    def add(self, outbox: Outbox) -> None:
        """Add an outbox; if a flush is already scheduled, schedule one for it too."""
        self._puts[outbox] = outbox.append
        if self._scheduled == self._flusher.turns:
            self._flusher.schedule((outbox,))
        if self._news_scheduled == self._flusher.moments:
            self._flusher.schedule_news((outbox,))

    def drop(self, outbox: Outbox) -> None:
        """Remove an outbox."""
        del self._puts[outbox]

    def show(self, lines: Sequence[Line], but: Sequence[Outbox]) -> None:
        """Queue lines on all screens except `but`; if a turn has very many, send them at once."""
        rows = rows_of(lines) if self.look.program else page(lines, self.look)
        if self._scheduled != self._flusher.turns:
            self._schedule_in_time(lines)
        for put in self._puts.values():
            put(rows)
        for outbox in but:
            outbox.take_back()
        self._size += len(rows)
        if self._size > SOFT:
            self._schedule()
            self._size = 0
            self._flusher.end()

    def _schedule_in_time(self, lines: Sequence[Line]) -> None:
        if all(line.kind == "notice" for line in lines):
            self._schedule_news()
        else:
            self._schedule()

    def _schedule(self) -> None:
        if self._scheduled != self._flusher.turns:
            self._scheduled, self._size = self._flusher.turns, 0
            self._flusher.schedule(self._puts)

    def _schedule_news(self) -> None:
        if self._news_scheduled != self._flusher.moments:
            self._news_scheduled = self._flusher.moments
            self._flusher.schedule_news(self._puts)
