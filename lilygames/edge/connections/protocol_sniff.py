"""Detect clients of another protocol by their first bytes, tell them so, and close the connection."""

from __future__ import annotations

import re

FIRST = 128
"""Maximum bytes checked."""

_SIGNS = (
    ("HTTP", re.compile(rb"(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|TRACE|PATCH|PRI) \S+ HTTP/\d")),
    ("TLS", re.compile(rb"\x16\x03[\0-\x04]")),
    ("SSH", re.compile(rb"SSH-\d")),
    ("PROXY", re.compile(rb"PROXY (?:TCP[46]|UNKNOWN)|\r\n\r\n\0\r\nQUIT\n")),
    ("RDP", re.compile(rb"\x03\0\0")),
    ("MSSP", re.compile(rb"mssp-request\r?[\n\0]", re.IGNORECASE)),
)

_SENTENCES = {
    "HTTP": b"This is a telnet server for games, not a web server. Connect with a telnet client.\r\n",
    "SSH": b"This is a telnet server for games, not an SSH server. Connect with a telnet client.\r\n",
    "PROXY": b"This port doesn't accept the PROXY protocol. Turn it off in your proxy.\r\n",
}


def foreign_protocol(first: bytes) -> str:
    """Return the other protocol that the first bytes belong to; empty if they can be telnet."""
    return next((name for name, sign in _SIGNS if sign.match(first)), "")


def message_for(protocol: str) -> bytes:
    """Return the message for a client of that protocol; empty if it couldn't read one."""
    return _SENTENCES.get(protocol, b"")
