"""Server addresses: host, port and TLS."""

from __future__ import annotations

import re
from typing import Self

import attrs

PORT, TLS_PORT = 7777, 7778
"""Default ports of a server."""

_WRITTEN = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[\w.-]+))(?::(?P<port>\d{1,5}))?", re.ASCII)


@attrs.frozen
class Address:
    """A host and port. With `pin`, an unverified certificate is trusted the first time it is shown."""

    host: str
    port: int
    tls: bool = False
    pin: bool = False

    @classmethod
    def read(cls, text: str, *, tls: bool = False, pin: bool = False) -> Self:
        """Parse `HOST`, `HOST:PORT` or `[2001:db8::1]:PORT`; raises `ValueError`."""
        found = _WRITTEN.fullmatch(text)
        port = int(found["port"] or (TLS_PORT if tls else PORT)) if found else 0
        if found is None or not 0 < port < 1 << 16:
            raise ValueError(
                f"{text!r} isn't an address: type one like games.example, games.example:7777 or [::1]:7777"
            )
        return cls(found["six"] or found["host"], port, tls, pin)

    @property
    def words(self) -> str:
        """The address as people write it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
