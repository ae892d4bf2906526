"""The screen for programs: each line, prompt and packet is one line of JSON, and input is lines of text.

`machine.schema.json` beside this file describes their form.
"""

from __future__ import annotations

import json
from typing import Any

from lilygames.edge.capabilities import Peer
from lilygames.edge.line import LineScreen
from lilygames.edge.render import Look, Rows
from lilygames.text import Kind, Line, Packet, Prompt, clean


def as_json(value: Any) -> str:
    """Return a value as one line of JSON in ASCII, which is safe in every charset and on telnet."""
    return json.dumps(value, separators=(",", ":"))


class MachineScreen(LineScreen):
    """Reads whole lines and prints JSON, unwrapped; nothing is hidden, marked or repeated."""

    def show(self, *lines: Line) -> None:
        """Print the lines that aren't empty."""
        for line in lines:
            if line.text:
                whose = {"by": line.by} if line.by else {}
                text = f"[{line.tag.room}] {line.text}" if line.tag else line.text
                data = _row({"line": clean(text), "kind": line.kind, **whose})
                self._wire.send(data if line.secret else Rows(data), line.kind)

    def ask(self, prompt: Prompt) -> None:
        """Print a prompt."""
        self.question = prompt
        self._put({"prompt": prompt.text.rstrip(), "secret": prompt.secret}, "turn")

    def packet(self, packet: Packet) -> None:
        """Print a packet under its name."""
        self._put({packet.name: packet.value}, "talk" if packet.name == "talk" else "game")

    def learned(self, peer: Peer, look: Look) -> None:
        """Use UTF-8, whatever the client reports."""
        self._known, self.look = peer, look
        self._splitter.read_in("utf-8")

    def _put(self, value: Any, kind: Kind) -> None:
        self._wire.send(_row(value), kind)


def _row(value: Any) -> bytes:
    return f"{as_json(value)}\r\n".encode("ascii")
