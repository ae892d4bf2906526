"""GMCP (telnet option 201): packets under the names that MUD clients know, for those who said which they support.

`gmcp.schema.json` beside this file says which shapes there are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lilygames.edge.machine import as_json
from lilygames.text import Packet, listing

PACKAGES: Mapping[str, str] = {
    "name": "Char.Name",
    "talk": "Comm.Channel.Text",
    "channels": "Comm.Channel.List",
    "players": "Comm.Channel.Players",
    "commands": "Lily.Commands",
    "table": "Lily.Table",
    "hand": "Lily.Hand",
    "moves": "Lily.Moves",
    "view": "Lily.View",
    "event": "Lily.Event",
    "resume": "Lily.Resume",
}
"""What each packet is called there."""

ASKED: Mapping[str, str] = {PACKAGES[name].casefold(): name for name in ("channels", "players", "commands")}
"""The packets that a client may ask for, by a message of their name."""

GOODBYE = f"Core.Goodbye {as_json('The line is closed by the place; connect again when you like.')}"
"""What is said before the place closes a line: one that drops without it may be taken up again at once."""

STATUS = {"table": "Table", "game": "Game", "state": "State", "turn": "To move"}
"""What a client may keep on its screen, with the captions."""

_MOST = 64
"""Modules that one client may name."""
_LONGEST = 40


class Gmcp:
    """What one client supports, as it has said: nothing until then."""

    def __init__(self, supports: Iterable[str] = ()) -> None:
        self.supports = frozenset(supports)

    def hear(self, message: bytes) -> str:
        """Take a message of the client, and return the answer to it, if there is one; raises `ValueError`."""
        name, body = _parts(message)
        match name:
            case "core.ping":
                return "Core.Ping"
            case "core.supports.set":
                self.supports = _modules(body)
            case "core.supports.add":
                self.supports |= _modules(body) if len(self.supports) < _MOST else frozenset()
            case "core.supports.remove":
                self.supports -= _modules(body)
        return ""

    def takes(self, name: str) -> bool:
        """Whether the client supports the packet of that name."""
        return self._supported(PACKAGES[name])

    def messages(self, packet: Packet) -> Iterator[str]:
        """Yield the messages that a packet is, of those that the client supports."""
        for package, value in _values(packet):
            if self._supported(package):
                yield f"{package} {as_json(value)}"

    def _supported(self, package: str) -> bool:
        parts = package.casefold().split(".")
        return any(".".join(parts[:length]) in self.supports for length in range(1, len(parts) + 1))


def asked(message: bytes) -> Sequence[str]:
    """Return the names of the packets that a message of the client asks for.

    Who says what they support is sent what had been sent when they came.
    """
    name, _ = _parts(message)
    if name in ("core.supports.set", "core.supports.add"):
        return ("channels", "commands")
    return [ASKED[name]] if name in ASKED else ()


def _parts(message: bytes) -> tuple[str, str]:
    name, _, body = message.decode("utf-8", "replace").strip().partition(" ")
    return name.casefold(), body


def _values(packet: Packet) -> Iterator[tuple[str, Any]]:
    """Yield the packages of a packet; who one is and how one's table stands also in the words of other places."""
    yield PACKAGES[packet.name], packet.value
    if packet.name == "name":
        yield "Char.StatusVars", STATUS
    elif packet.name == "table":
        yield "Char.Status", _status(packet.value)


def _status(table: Mapping[str, Any]) -> Mapping[str, str]:
    to_move = listing(table["names"][seat] for seat in table["turn"])
    return {"table": table["table"], "game": table["game"], "state": table["state"], "turn": to_move}


def _modules(body: str) -> frozenset[str]:
    """Return the modules of a list like `["Char 1", "Lily 1"]`, without their versions; raises `ValueError`."""
    try:
        named = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    modules = named[:_MOST] if isinstance(named, list) else ()
    words = [module.partition(" ")[0].casefold() for module in modules if isinstance(module, str)]
    return frozenset(word for word in words if 0 < len(word) <= _LONGEST)
