"""GMCP (telnet option 201): packets under the names that MUD clients know, for modules the client supports.

`lilygames/edge/gmcp.schema.json` describes their form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lilygames.edge.screens.machine import as_json
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
    "turn": "Lily.Turn",
    "view": "Lily.View",
    "event": "Lily.Event",
    "resume": "Lily.Resume",
    "seal": "Lily.Seal",
    "sealing": "Lily.Sealing",
    "voided": "Lily.Voided",
}
"""The GMCP package of each packet."""

ASKED: Mapping[str, str] = {PACKAGES[name].casefold(): name for name in ("channels", "players", "commands")}
"""The packets that a client may request, by the request's name."""

GOODBYE = f"Core.Goodbye {as_json('The server has closed the connection. You can connect again.')}"
"""Sent before the server closes a connection. After a disconnect without it, clients may resume at once."""

STATUS = {"table": "Table", "game": "Game", "state": "State", "turn": "To move"}
"""Status variables that a client may display, with their captions."""

_MOST = 64
"""Maximum modules per client."""
_LONGEST = 40


class Gmcp:
    """The modules a client supports; none until it reports them."""

    def __init__(self, supports: Iterable[str] = ()) -> None:
        self.supports = frozenset(supports)

    def hear(self, message: bytes) -> str:
        """Handle a message from the client, and return the answer, if any; raises `ValueError`."""
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

    def has(self, name: str) -> bool:
        """Whether the client supports the packet of this name."""
        return bool(self.supports) and name in PACKAGES and self._supported(PACKAGES[name])

    def messages(self, packet: Packet) -> Iterator[str]:
        """Yield the messages for a packet, as far as the client supports them."""
        for package, value in _values(packet) if packet.name in PACKAGES else ():
            if self._supported(package):
                yield f"{package} {as_json(value)}"

    def _supported(self, package: str) -> bool:
        parts = package.casefold().split(".")
        return any(".".join(parts[:length]) in self.supports for length in range(1, len(parts) + 1))


def asked(message: bytes) -> Sequence[str]:
    """Return the names of the packets that a client's message asks for.

    A client that reports its modules gets the packets it missed on arrival.
    """
    name, _ = _parts(message)
    if name in ("core.supports.set", "core.supports.add"):
        return ("channels", "commands")
    return [ASKED[name]] if name in ASKED else ()


def _parts(message: bytes) -> tuple[str, str]:
    name, _, body = message.decode("utf-8", "replace").strip().partition(" ")
    return name.casefold(), body


def _values(packet: Packet) -> Iterator[tuple[str, Any]]:
    """Yield the packages of a packet; names and table status are also sent in the form other MUDs use."""
    yield PACKAGES[packet.name], packet.value
    if packet.name == "name":
        yield "Char.StatusVars", STATUS
    elif packet.name == "table":
        yield "Char.Status", _status(packet.value)


def _status(table: Mapping[str, Any]) -> Mapping[str, str]:
    to_move = listing(table["names"][seat] for seat in table["turn"])
    return {"table": table["table"], "game": table["game"], "state": table["state"], "turn": to_move}


def _modules(body: str) -> frozenset[str]:
    """Return the modules in a list like `["Char 1", "Lily 1"]`, without versions; raises `ValueError`."""
    try:
        named = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    modules = named[:_MOST] if isinstance(named, list) else ()
    words = [module.partition(" ")[0].casefold() for module in modules if isinstance(module, str)]
    return frozenset(word for word in words if 0 < len(word) <= _LONGEST)
