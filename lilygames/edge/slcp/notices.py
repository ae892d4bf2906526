"""Chat events as SLCP notices: encoded once for all clients that hear them alike."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial

import attrs

from lilygames.chat.people.events import ChatEvent, Kind, acted, sentence
from lilygames.chat.people.hears import PLAINLY, Hears
from lilygames.edge.slcp.handles import Handles
from lilygames.edge.slcp.text import Shown, field, unmarked
from lilygames.text import Kind as LineKind

EVENTS: tuple[str, ...] = (
    *("connect", "disconnect", "attach", "detach", "here", "away", "unidle", "rename", "blurb", "info", "ignore"),
    *("unignore", "join", "quit", "create", "destroy", "drename", "retitle", "permit", "depermit", "appoint"),
    *("unappoint", "review", "public", "private", "emote", "pa", "sysmsg"),
)
"""The names of events that are sent. Clients know them all."""
_UPDATES: frozenset[Kind] = frozenset(
    ("blurb", "here", "away", "unidle", "rename", "create", "retitle", "destroy", "drename")
)
"""Events that change what clients store. They are sent to those who don't hear of them, too, but not shown there."""
_AGAIN: frozenset[Kind] = frozenset(("connect", "attach", "detach", "here", "away", "pronoun"))
"""Events with which a client is told about the sender again: login time, state, blurb or pronoun is different now."""
_TALK: frozenset[Kind] = frozenset(("private", "public", "emote"))
_MOVES: frozenset[Kind] = frozenset(("rename", "drename", "destroy"))
"""Events that change whose handle is which."""
_REMEMBERED = 16
"""Recent events whose rows are remembered: those for other nodes' people come in several parts."""
_ADDRESSES = 1000
"""Senders with their recipients whose handles are remembered."""


@attrs.define
class Notice:
    """The rows of one event, and who and what it mentions."""

    mentions: Mapping[int, str]
    """The people and rooms to introduce before: `~bob` or `-cafe` by handle."""
    again: bool
    """Whether to introduce the sender in any case, before."""
    gone: str
    """The person to mark as gone afterwards, because they have left: `~bob`; empty for nobody."""
    said: frozenset[int]
    """The handles of what a message mentions; empty for anything but talk."""
    _event: ChatEvent
    kind: LineKind
    """Whether a slow reader may miss it: only talk."""
    _row: Callable[[Hears], str]
    _rows: dict[Hears, bytes] = attrs.field(factory=dict, init=False)
    _plainly: bytes | None = attrs.field(default=None, init=False)

    def row(self, hears: Hears) -> bytes:
        """Return the row for everyone who hears the event so; empty if there's nothing to send.

        Most hear it plainly, and are spared the search.
        """
        if hears is PLAINLY and self._plainly is not None:
            return self._plainly
        if hears not in self._rows:
            row = self._row(hears).encode("ascii")
            self._rows[hears] = Shown(row, self._event) if hears.shown else row
        if hears is PLAINLY:
            self._plainly = self._rows[hears]
        return self._rows[hears]


class Notices:
    """The notices of this node, and the handles they use."""

    def __init__(self, handles: Mapping[str, int] | None = None) -> None:
        self.handles = Handles(handles)
        self._last: tuple[ChatEvent, Notice] | None = None
        self._recent: OrderedDict[ChatEvent, Notice] = OrderedDict()
        self._addresses: OrderedDict[
            tuple[Kind, str, tuple[str, ...], tuple[str, ...]], tuple[Mapping[int, str], frozenset[int], str, str]
        ] = OrderedDict()
        """The common parts of notices with the same sender and recipients."""

    def of(self, event: ChatEvent) -> Notice:
        """Return the notice of an event, the same for all who hear it."""
        if self._last and event is self._last[0]:
            return self._last[1]
        if event.said:
            notice = self._talk(event)
            self._last = event, notice
            return notice
        notice = self._recent.get(event) or self._made(event)
        self._recent[event] = notice
        self._recent.move_to_end(event)
        self._last = event, notice
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        return notice

    def _talk(self, event: ChatEvent) -> Notice:
        """Return the notice of a message. Most have the sender and recipients of an earlier one."""
        address = event.kind, event.by, event.to, event.rooms
        known = self._addresses.get(address)
        if known is None:
            mentions = self._mentions(event)
            start, end = self._fields(attrs.evolve(event, at=0)).split("TIME=0")
            known = self._addresses[address] = mentions, frozenset(mentions), f"{start}TIME=", end
            if len(self._addresses) > _ADDRESSES:
                self._addresses.popitem(last=False)
        mentions, said, start, end = known
        row = partial(_row, event, f"{start}{int(event.at)}{end}")
        return Notice(mentions, again=False, gone="", said=said, event=event, kind="talk", row=row)

    def _mentions(self, event: ChatEvent) -> Mapping[int, str]:
        people, rooms = [f"~{name}" for name in event.to], [f"-{name}" for name in event.rooms]
        return {self.handles.of(mark): mark for mark in (*([f"~{event.by}"] if event.by else []), *people, *rooms)}

    def _made(self, event: ChatEvent) -> Notice:
        sender = f"~{event.by}"
        notice = Notice(
            self._mentions(event),
            event.kind in _AGAIN,
            sender if event.kind == "disconnect" else "",
            frozenset(),
            event,
            "game",
            partial(_row, event, self._fields(event)),
        )
        if event.kind in _MOVES:
            self._addresses.clear()
        if event.kind == "rename":
            self.handles.move(sender, f"~{event.text}")
        elif event.kind == "drename":
            self.handles.share(f"-{event.rooms[0]}", f"-{event.text}")
        elif event.kind == "destroy":
            self.handles.forget(f"-{event.rooms[0]}")
        return notice

    def _fields(self, event: ChatEvent) -> str:
        """Return the start of a notice: sender, event, time and recipients."""
        source = f"#{self.handles.of(f'~{event.by}')}" if event.by else "#0"
        people, rooms = ([self.handles.of(f"{sign}{name}") for name in names] for sign, names in _named(event))
        kind = event.kind if event.kind in EVENTS else "sysmsg"
        fields = [f"%NOTIFY SOURCE={source} EVENT={kind} TIME={int(event.at)}"]
        if kind in ("permit", "depermit", "appoint", "unappoint"):
            fields += [f"TARGETS={_listed(people)}"] if people else []
            role = event.text if kind in ("appoint", "unappoint") else ""
            fields += [f"SUBEVT={unmarked(role).split(' ')[0]}"] if role else []
            people = []
        if kind not in ("sysmsg", "ignore", "unignore") and (people or rooms):
            fields.append(f"RECIPS={_listed([*people, *rooms])}")
        return " ".join(fields)


def _named(event: ChatEvent) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("~", event.to), ("-", event.rooms))


def _listed(handles: list[int]) -> str:
    return ",".join(f"#{handle}" for handle in handles)


def _row(event: ChatEvent, fields: str, hears: Hears) -> str:
    """Return a notice for everyone who hears an event so; empty if they needn't be told."""
    if not hears.shown and event.kind not in _UPDATES:
        return ""
    words = [fields]
    words += [word for word, on in (("NOTIFY", hears.shown), ("STAMP", hears.stamp), ("BELL", hears.bell)) if on]
    value = _value(event)
    if value:
        words.append(field("VALUE", value if event.kind in _TALK else unmarked(value)))
    elif event.kind == "blurb" or (event.kind == "info" and event.text):
        words.append("EMPTY")
    return f"{' '.join(words)}\r\n"


def _plainly(event: ChatEvent) -> str:
    return event.text.strip()


_VALUES: Mapping[str, Callable[[ChatEvent], str]] = {
    **dict.fromkeys(("private", "public", "pa", "blurb", "rename", "retitle", "drename", "detach"), _plainly),
    "emote": lambda event: acted(event.by, event.text).removeprefix(event.by),
    "disconnect": lambda event: _plainly(event).strip("()"),
    "away": lambda event: "idle" if event.text else "",
    "ignore": lambda event: f"{{{_plainly(event).strip('()')}}}",
    "sysmsg": lambda event: f"*** {sentence(event)} ***",
}
"""The text of a notice. The client words the rest, and events without a text here altogether."""


def _value(event: ChatEvent) -> str:
    kind = event.kind if event.kind in EVENTS else "sysmsg"
    return _VALUES[kind](event) if kind in _VALUES else ""
