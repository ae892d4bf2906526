"""Screens that are shown the same: a line becomes bytes once for all that look alike, and they share the bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lilygames.chat.terminal import Terminal
from lilygames.edge.front import Front
from lilygames.edge.outbox import SOFT, Outbox
from lilygames.edge.render import Look, rendered
from lilygames.edge.turn import this_turn
from lilygames.text import Line


class Crowd:
    """Terminals grouped by how lines look on them. It holds for as long as no look changes and nobody falls behind."""

    def __init__(self, terminals: Sequence[Terminal]) -> None:
        groups: dict[Look, dict[Terminal, Outbox]] = {}
        self._apart: list[Terminal] = []
        for terminal in terminals:
            if shared := terminal.shared if isinstance(terminal, Front) else None:
                look, outbox = shared
                groups.setdefault(look, {})[terminal] = outbox
            else:
                self._apart.append(terminal)
        self._groups = [_Group(look, outboxes) for look, outboxes in groups.items()]

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one."""
        for group in self._groups:
            group.show(lines, but)
        for terminal in self._apart:
            if terminal is not but:
                terminal.show(*lines)


class _Group:
    """Screens that look alike. In each turn of the loop they are named to it once, however much they are shown."""

    def __init__(self, look: Look, outboxes: Mapping[Terminal, Outbox]) -> None:
        self._look = look
        self._outboxes = outboxes
        self._puts = [outbox.pending.append for outbox in outboxes.values()]
        self._turn = this_turn()
        self._named = -1
        self._size = 0

    def show(self, lines: Sequence[Line], but: Terminal | None) -> None:
        """Put lines on all screens but one; where a turn has very many, they are sent at once."""
        rows = b"".join([rendered(line, self._look) for line in lines])
        if self._named != self._turn.number:
            self._named, self._size = self._turn.number, 0
            self._turn.add(self._outboxes.values())
        for put in self._puts:
            put(rows)
        if but and but in self._outboxes:
            self._outboxes[but].pending.pop()
        self._size += len(rows)
        if self._size > SOFT:
            self._turn.end()
