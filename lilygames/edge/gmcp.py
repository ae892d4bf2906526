"""GMCP (telnet option 201): packets under the names that MUD clients know, for those who said which they support."""

from __future__ import annotations

import json
from collections.abc import Mapping

from lilygames.edge.machine import as_json
from lilygames.text import Packet

PACKAGES: Mapping[str, str] = {
    "name": "Char.Name",
    "talk": "Comm.Channel.Text",
    "table": "Lily.Table",
    "hand": "Lily.Hand",
    "moves": "Lily.Moves",
    "view": "Lily.View",
    "event": "Lily.Event",
}
"""What each packet is called there."""

_MOST = 64
"""Modules that one client may name."""
_LONGEST = 40


class Gmcp:
    """What one client supports, as it has said: nothing until then."""

    def __init__(self) -> None:
        self.supports: frozenset[str] = frozenset()

    def hear(self, message: bytes) -> str:
        """Take a message of the client, and return the answer to it, if there is one; raises `ValueError`."""
        name, _, body = message.decode("utf-8", "replace").strip().partition(" ")
        match name.casefold():
            case "core.ping":
                return "Core.Ping"
            case "core.supports.set":
                self.supports = _modules(body)
            case "core.supports.add":
                self.supports |= _modules(body) if len(self.supports) < _MOST else frozenset()
            case "core.supports.remove":
                self.supports -= _modules(body)
        return ""

    def message(self, packet: Packet) -> str:
        """Return the message that a packet is, empty where the client does not support it."""
        package = PACKAGES.get(packet.name, "")
        parts = package.casefold().split(".")
        if not any(".".join(parts[:length]) in self.supports for length in range(1, len(parts) + 1)):
            return ""
        return f"{package} {as_json(packet.value)}"


def _modules(body: str) -> frozenset[str]:
    """Return the modules of a list like `["Char 1", "Lily 1"]`, without their versions; raises `ValueError`."""
    try:
        named = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    modules = named[:_MOST] if isinstance(named, list) else ()
    words = [module.partition(" ")[0].casefold() for module in modules if isinstance(module, str)]
    return frozenset(word for word in words if 0 < len(word) <= _LONGEST)
