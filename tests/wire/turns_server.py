"""A server that notes in which turn of its event loop it reads and sends what. A turn begins with a look for events.

Usage: turns_server.py FILE [words of `lilygames`]. The file gets a JSON list for each read and send: the turn, "read"
or "send", the socket and the text.
"""

import json
import selectors
import socket
import sys
from pathlib import Path

from lilygames.server.shell.cli import main

TURNS = Path(sys.argv[1]).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process


class Noted(socket.socket):
    """A socket of the server."""

    def recv(self, *args):
        data = super().recv(*args)
        note("read", self, data)
        return data

    def send(self, data, *args):
        sent = super().send(data, *args)
        note("send", self, data[:sent])
        return sent


class Counting(selectors.DefaultSelector):
    """A selector that counts the turns of its loop."""

    turn = 0

    def select(self, timeout=None):
        Counting.turn += 1
        return super().select(timeout)


def note(what, one, data):
    row = [Counting.turn, what, one.fileno(), bytes(data).decode("utf-8", "replace")]
    print(json.dumps(row), file=TURNS, flush=True)


def accept(self):
    """Accept a connection, as `socket.socket.accept` does, with a socket that notes."""
    number, address = self._accept()
    return Noted(self.family, self.type, self.proto, fileno=number), address


socket.socket.accept = accept
selectors.DefaultSelector = Counting
sys.argv = [sys.argv[0], *sys.argv[2:]]
main()
