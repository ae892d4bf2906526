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
    "HTTP": b"This is no web server, but a place to play by telnet: connect with a telnet client.\r\n",
    "SSH": b"This is no SSH server, but a place to play by telnet: connect with a telnet client.\r\n",
    "PROXY": b"This door believes no PROXY line: let your proxy pass the connection on as it is.\r\n",
}


def stranger(first: bytes) -> str:
    """Return the protocol of the first bytes; empty if it is unknown."""
    return next((name for name, sign in _SIGNS if sign.match(first)), "")


def sentence(protocol: str) -> bytes:
    """Return the message for a client of that protocol; empty if it couldn't read one."""
    return _SENTENCES.get(protocol, b"")
