"""Open files and sockets that one process sends another through a socket between them: unix(7), SCM_RIGHTS."""

from __future__ import annotations

import socket
from collections.abc import Mapping

AT_ONCE = 250
"""Descriptors in a packet; the kernel takes no more than 253."""
LONGEST = 16_384
"""Bytes of their names in a packet."""


def pair() -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets that keep packets apart."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send(connection: socket.socket, descriptors: Mapping[str, int]) -> None:
    """Send all descriptors, by name, through a connection that is used for nothing else. Raises `OSError`."""
    names = [*descriptors]
    for group in (names[first : first + AT_ONCE] for first in range(0, len(names), AT_ONCE)):
        socket.send_fds(connection, [" ".join(group).encode()], [descriptors[name] for name in group])
    connection.shutdown(socket.SHUT_WR)


def received(connection: socket.socket) -> dict[str, int]:
    """Return the descriptors that the other process sends, by name, once it has sent all. Empty if it has ended."""
    found: dict[str, int] = {}
    while True:
        names, handles, _, _ = socket.recv_fds(connection, LONGEST, AT_ONCE, socket.MSG_CMSG_CLOEXEC)
        if not names:
            return found
        found |= zip(names.decode().split(), handles, strict=True)
