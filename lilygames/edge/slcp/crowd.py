"""Clients of lily that are told the same events: each row of talk is encoded once, and the bytes are shared.

`scripts/bench --only lily200` measures a room of 200 people in which a tenth use such clients. To remove this, let
`Crowd.tell` call `tell` of each terminal.
"""

from __future__ import annotations

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import PLAINLY, Hears
from lilygames.chat.people.terminal import Terminal
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.wire.outbox import Outbox
from lilygames.edge.wire.outboxes import Outboxes


class SlcpCrowd:
    """Clients of people without rules of their own."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._outboxes = Outboxes()
        self.clients: dict[Terminal, Outbox | None] = {}
        self._apart: dict[Terminal, None] = {}
        """Clients without a shared outbox."""
        self._known: set[frozenset[int]] = set()
        """Handles in talk that has reached everyone here: all clients know these people and rooms."""

    def add(self, terminal: Terminal, outbox: Outbox | None) -> None:
        """Add a client; without an outbox, it is told each event by itself."""
        self.clients[terminal] = outbox
        self._known.clear()
        if outbox:
            self._outboxes.add(outbox)
        else:
            self._apart[terminal] = None

    def drop(self, terminal: Terminal) -> None:
        """Remove a client, if it is there."""
        if outbox := self.clients.pop(terminal, None):
            self._outboxes.drop(outbox)
        self._apart.pop(terminal, None)

    def tell(self, event: ChatEvent, hears: Hears, but: Terminal | None) -> None:
        """Tell all clients except `but` about an event that they hear so."""
        notice = self._notices.of(event)
        shared = hears is PLAINLY and notice.said in self._known
        for terminal in [*self._apart] if shared else [*self.clients]:
            if terminal is not but:
                terminal.tell(event, hears)
        if shared:
            own = self.clients.get(but) if but else None
            self._outboxes.put(notice.row(hears), {own: b""} if own else {})
        elif notice.said:
            self._known.add(notice.said)
