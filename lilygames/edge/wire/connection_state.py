"""The state of a connection that is handed over to the next process: socket, telnet options and typed text."""

from __future__ import annotations

import os
import socket
from typing import ClassVar

import attrs

from lilygames import codec
from lilygames.edge.wire.capabilities import Peer

Options = dict[str, bool]
"""Telnet options by their bytes in hexadecimal, on or off."""


@attrs.frozen
class LilyState:
    """The knowledge of a client of lily: handles of people and rooms, and the number of its next command."""

    introduced: tuple[int, ...] = ()
    next_leaf: int = 1
    leaf: int = 0
    """The number of the command that isn't finished; 0 for none."""


@attrs.frozen
class TerminalState:
    """A terminal's input that the host hasn't read yet, and its output settings."""

    STORED_AS: ClassVar = "HalfRead"

    lines: tuple[str, ...] = ()
    """Lines typed ahead."""
    begun: str = ""
    """The unfinished line."""
    before: tuple[str, ...] = ()
    """The editor's line history."""
    spoken: bool = False
    supports: tuple[str, ...] = ()
    """The GMCP modules the client supports."""
    lily: LilyState | None = None
    """The knowledge of a client of lily; None for any other client."""
    page: bool = False
    """Whether the client is a program that asked for what a page needs."""
    sent_as: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """The texts by which the lines typed ahead are acknowledged, empty for the others; none if none is."""
    follows_tables: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether the client is a program that asked for news of the list of tables."""


@attrs.frozen
class ConnectionState:
    """One connection."""

    STORED_AS: ClassVar = "Carried"

    handle: int
    """Its file descriptor, in the process that has it now."""
    peer: Peer
    local: Options
    remote: Options
    pending: Options
    keyed: bool
    """Whether the client was asked to send each key."""
    held: str
    """Received bytes that haven't been read yet, in hexadecimal."""
    half: TerminalState

    def taken(self) -> socket.socket:
        """Return its socket in the process that takes it over."""
        handle = socket.socket(fileno=self.handle)
        handle.settimeout(0)
        handle.set_inheritable(False)
        return handle


def handed_on(handle: socket.socket) -> int:
    """Return a file descriptor for a socket that stays open when the socket is closed."""
    return os.dup(handle.fileno())
