"""A connection on its way from one process to the next: its handle, what its peer agreed to, what is half typed."""

from __future__ import annotations

import os
import socket

import attrs

from lilygames.edge.capabilities import Peer

Options = dict[str, bool]
"""Telnet options by their bytes in hexadecimal, on or off."""


@attrs.frozen
class HalfRead:
    """What a terminal has of its person that no line has brought to the host yet, and how it is spoken to."""

    lines: tuple[str, ...] = ()
    """Lines typed ahead."""
    begun: str = ""
    """The line half typed."""
    before: tuple[str, ...] = ()
    """The lines that the editor can have back."""
    spoken: bool = False
    supports: tuple[str, ...] = ()
    """The GMCP modules that the client has named."""


@attrs.frozen
class Carried:
    """One connection."""

    handle: int
    """Its file descriptor, which the next process inherits."""
    peer: Peer
    local: Options
    remote: Options
    pending: Options
    keyed: bool
    """Whether the client was asked to send each key."""
    held: str
    """Bytes that came and were not read yet, in hexadecimal."""
    half: HalfRead

    def taken(self) -> socket.socket:
        """Return its socket in the process that has inherited it."""
        handle = socket.socket(fileno=self.handle)
        handle.settimeout(0)
        handle.set_inheritable(False)
        return handle


def handed_on(handle: socket.socket) -> int:
    """Return a file descriptor for a socket that the next process inherits."""
    copy = os.dup(handle.fileno())
    os.set_inheritable(copy, True)  # noqa: FBT003 - it takes no keyword
    return copy
