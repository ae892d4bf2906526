"""Where a host is, and how it is spoken to."""

from __future__ import annotations

import re
from typing import Self

import attrs

PORT, TLS_PORT = 7777, 7778
"""Where a place listens unless its settings say otherwise."""

_WRITTEN = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[\w.-]+))(?::(?P<port>\d{1,5}))?", re.ASCII)


@attrs.frozen
class Address:
    """A host and its port; with `pin` a certificate that nobody vouches for is trusted when it is shown first."""

    host: str
    port: int
    tls: bool = False
    pin: bool = False

    @classmethod
    def read(cls, text: str, *, tls: bool = False, pin: bool = False) -> Self:
        """Return the address that `HOST`, `HOST:PORT` or `[2001:db8::1]:PORT` means; raises `ValueError`."""
        found = _WRITTEN.fullmatch(text)
        port = int(found["port"] or (TLS_PORT if tls else PORT)) if found else 0
        if found is None or not 0 < port < 1 << 16:
            raise ValueError(f"{text!r} is no address: give one like games.example, games.example:7777 or [::1]:7777")
        return cls(found["six"] or found["host"], port, tls, pin)

    @property
    def words(self) -> str:
        """The address as people write it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
