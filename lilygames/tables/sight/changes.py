"""Changes at a table, for programs in brief machine mode: fields of their view instead of all of it each time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

import attrs

from lilygames import codec
from lilygames.chat.people.terminal import Terminal
from lilygames.game import Reader
from lilygames.tables.sight import packets
from lilygames.tables.state.table import Table
from lilygames.text import Line, Packet
from lilygames_rules.kit import Event

_VOLATILE = ("seq", "turn")
"""Fields of a table's packet that change with each entry; updates have them too."""


@attrs.frozen
class _Known:
    """The table as a program was last sent it."""

    table: codec.Json
    view: Mapping[str, codec.Json]
    moves: codec.Json


class Changes:
    """One table, as each program in brief mode knows it.

    A program gets the whole table once, and then updates. To apply one, it replaces the fields of its view.
    """

    def __init__(self, room: str) -> None:
        self._room = room
        self._known: WeakKeyDictionary[Terminal, _Known] = WeakKeyDictionary()

    def whole(self, table: Table, terminal: Terminal, reader: Reader) -> Iterator[Packet]:
        """Yield the whole table for a program that doesn't know it, or wants it again."""
        known = self._known[terminal] = self._now(table, reader)
        yield Packet("table", known.table)
        if known.view:
            yield Packet("view", packets.view(self._room, table, reader.seat, known.view))
        if known.moves is not None:
            yield Packet("moves", known.moves)

    def since(
        self, table: Table, terminal: Terminal, reader: Reader, events: Sequence[Event], lines: Iterable[Line]
    ) -> Iterator[Packet]:
        """Yield what an entry has changed for a program, with its events and the lines that word them."""
        before, now = self._known.get(terminal), self._now(table, reader)
        if before is None:
            yield from self.whole(table, terminal, reader)
            return
        self._known[terminal] = now
        update = {
            "number": table.header.number,
            "seq": table.seq,
            "turn": now.table["turn"],
            "events": [
                event.value["event"]
                for event in (
                    *packets.taken_back(self._room, table, reader.seat),
                    *packets.happened(self._room, table, events, reader.seat),
                )
            ],
            "text": [line.text for line in lines],
            "view": changed(before.view, now.view),
        }
        if now.moves != before.moves:
            update["moves"] = _listed(now.moves)
        yield Packet("update", update)
        if _lasting(now.table) != _lasting(before.table):
            yield Packet("table", now.table)

    def _now(self, table: Table, reader: Reader) -> _Known:
        known = {packet.name: packet.value for packet in packets.standing(self._room, table, reader)}
        brief = {name: value for name, value in known["table"].items() if name != "rows"}
        return _Known(brief, known["view"]["view"] if "view" in known else {}, known.get("moves"))


def changed(before: codec.Json, now: codec.Json) -> codec.Json:
    """Return what to replace in a dumped value: of the same class, only the fields that changed, and so on inside.

    Such a part has no `is`, so a program knows that the other fields stay. A list that has grown is `{"add": [...]}`.
    Everything else is replaced as a whole.
    """
    if isinstance(before, list) and isinstance(now, list) and 0 < len(before) < len(now):
        return {"add": now[len(before) :]} if now[: len(before)] == before else now
    if not (isinstance(before, dict) and isinstance(now, dict) and before.get("is") == now.get("is") is not None):
        return now
    if before.keys() != now.keys():
        return now
    return {name: changed(before[name], value) for name, value in now.items() if before[name] != value}


def _lasting(table: Mapping[str, codec.Json]) -> Mapping[str, codec.Json]:
    """Return what a table's packet says that updates don't."""
    return {name: value for name, value in table.items() if name not in _VOLATILE}


def _listed(moves: codec.Json) -> codec.Json:
    """Return moves for an update; None if it isn't the reader's turn."""
    return {"count": moves["count"], "moves": moves["moves"]} if moves and moves["turn"] else None
