"""Screens that are shown the same: a line becomes bytes once for all that look alike, and they share the bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lilygames.chat.terminal import Terminal
from lilygames.edge.flush import this_turn
from lilygames.edge.outbox import SOFT, Outbox
from lilygames.edge.render import Look, page
from lilygames.edge.terminal import Front
from lilygames.text import Line


class Crowd:
    """Terminals grouped by how lines look on them. One that changes has to be dropped and added again."""

    def __init__(self) -> None:
        self._groups: dict[Look, _Group] = {}
        self._where: dict[Terminal, tuple[_Group, Outbox] | None] = {}
        self._apart: dict[Terminal, None] = {}

    def add(self, terminal: Terminal) -> None:
        """Show it what the others are shown."""
        shared = terminal.shared if isinstance(terminal, Front) else None
        if shared is None:
            self._apart[terminal] = self._where[terminal] = None
            return
        look, outbox = shared
        group = self._groups.get(look) or self._groups.setdefault(look, _Group(look))
        group.add(outbox)
        self._where[terminal] = group, outbox

    def drop(self, terminal: Terminal) -> None:
        """Show it nothing more."""
        if where := self._where.pop(terminal, None):
            group, outbox = where
            group.drop(outbox)
            if not group:
                del self._groups[group.look]
        self._apart.pop(terminal, None)

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one."""
        apart = [*self._apart]  # who falls behind by this very line has had it
        group_of_one, outbox = (but and self._where.get(but)) or (None, None)
        for group in [*self._groups.values()]:
            group.show(lines, outbox if group is group_of_one else None)
        for terminal in apart:
            if terminal is not but:
                terminal.show(*lines)


class _Group:
    """Screens that look alike. In each turn of the loop they are named to it once, however much they are shown.

    News of others wait a moment; all else goes out with the turn, and takes along what waits.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self._puts: dict[Outbox, Callable[[bytes], None]] = {}
        self._turn = this_turn()
        self._turn_named = self._moment_named = -1
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._puts)

    def add(self, outbox: Outbox) -> None:
        """Put there what is put to the others; where these are named already, it alone has to be."""
        self._puts[outbox] = outbox.pending.append
        if self._turn_named == self._turn.number:
            self._turn.add((outbox,))
        if self._moment_named == self._turn.moment:
            self._turn.add_in_a_moment((outbox,))

    def drop(self, outbox: Outbox) -> None:
        """Put nothing more there."""
        del self._puts[outbox]

    def show(self, lines: Sequence[Line], but: Outbox | None) -> None:
        """Put lines on all screens but one; where a turn has very many, they are sent at once."""
        rows = page(lines, self.look)
        if self._turn_named != self._turn.number:
            self._name_in_time(lines)
        for put in self._puts.values():
            put(rows)
        if but:
            but.pending.pop()
        self._size += len(rows)
        if self._size > SOFT:
            self._name()
            self._size = 0
            self._turn.end()

    def _name_in_time(self, lines: Sequence[Line]) -> None:
        if all(line.kind == "notice" for line in lines):
            self._name_in_a_moment()
        else:
            self._name()

    def _name(self) -> None:
        if self._turn_named != self._turn.number:
            self._turn_named, self._size = self._turn.number, 0
            self._turn.add(self._puts)

    def _name_in_a_moment(self) -> None:
        if self._moment_named != self._turn.moment:
            self._moment_named = self._turn.moment
            self._turn.add_in_a_moment(self._puts)
