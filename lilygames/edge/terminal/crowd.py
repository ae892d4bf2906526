"""Screens that are shown the same lines: each line is encoded once per look, and the bytes are shared.

With eight of 200 people in a room talking all the time, this makes 7 times the deliveries per second of processor time
(`scripts/bench --only sat200`). To remove it, let the host gather screens in `lilygames.chat.people.audience.Each`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.tasks import current_request
from lilygames.edge.screens.machine import rows_of
from lilygames.edge.screens.requests import Ongoing
from lilygames.edge.slcp.crowd import SlcpCrowd
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.outbox import Outbox
from lilygames.edge.wire.outboxes import Outboxes
from lilygames.edge.wire.render import Look, is_lost, page
from lilygames.text import Line


class Crowd:
    """Terminals grouped by the look of their lines. To regroup one that changed, drop it and add it again."""

    def __init__(self, notices: Notices | None = None) -> None:
        """`notices` are the same for all clients of lily of a node."""
        self._groups: dict[Look, Outboxes] = {}
        self._where: dict[Terminal, tuple[Look, Outboxes, Outbox]] = {}
        self._apart: dict[Terminal, None] = {}
        self._lily = SlcpCrowd(notices or Notices())
        """Clients of lily, which are told events instead."""

    def add(self, terminal: Terminal) -> None:
        """Add a terminal."""
        shared = terminal.shared if isinstance(terminal, TelnetTerminal) else None
        if terminal.takes_events:
            self._lily.add(terminal, shared[1] if shared else None)
        elif shared:
            look, outbox = shared
            group = self._groups.get(look) or self._groups.setdefault(look, Outboxes())
            self._where[terminal] = look, group, outbox
            group.add(outbox)
        else:
            self._apart[terminal] = None

    def drop(self, terminal: Terminal) -> None:
        """Remove a terminal, if it is there."""
        if where := self._where.pop(terminal, None):
            look, group, outbox = where
            group.drop(outbox)
            if not group:
                del self._groups[look]
        self._apart.pop(terminal, None)
        self._lily.drop(terminal)

    def show(self, *lines: Line, but: Terminal | None = None, instead: Sequence[Line] = ()) -> bool:
        """Show lines on all screens except `but`, which is shown others instead; return whether it was.

        A program isn't: what it asked for is answered by its terminal.
        """
        apart = [*self._apart]  # a reader who falls behind at this line has already got it
        own_look, own_group, own = (but and self._where.get(but)) or (None, None, None)
        request = current_request.get()
        news = bool(lines) and lines[0].kind == "notice" and all(line.kind == "notice" for line in lines)
        for look, group in [*self._groups.items()]:
            rows = rows_of(lines) if look.program else page(lines, look)
            others = {own: b"" if look.program else page(instead, look)} if own and group is own_group else {}
            if isinstance(request, Ongoing) and (asker := request.outbox) and asker is not own and asker in group:
                others[asker] = b""
                request.show(*lines)  # its own request has caused this, and the program is told so
            group.put(rows, others, news=news)
            if look.charset == "ascii" and not look.program and any(is_lost(line.text) for line in lines):
                self._tell_of_letters(look, lines)
        for terminal in apart:
            terminal.show(*(instead if terminal is but else lines))
        return but in self._apart if own_look is None else not own_look.program

    def _tell_of_letters(self, look: Look, lines: Sequence[Line]) -> None:
        """Tell those who see a look how to see the letters that it lacks, once."""
        for terminal, (theirs, _, _) in [*self._where.items()]:
            if theirs is look and isinstance(terminal, TelnetTerminal):
                for line in lines:
                    terminal.tell_of_letters(line.text)

    def tell(self, event: ChatEvent, hears: Hears, but: Terminal | None = None) -> None:
        """Tell all clients of lily except `but` about an event that they hear so."""
        if self._lily.clients:
            self._lily.tell(event, hears, but)
