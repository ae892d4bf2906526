"""The dates and names of a certificate."""

from __future__ import annotations

import attrs


@attrs.frozen
class Facts:
    """When a certificate is valid, in UTC seconds, and for which host names and addresses."""

    begins: float
    ends: float
    names: tuple[str, ...]

    def covers(self, host: str) -> bool:
        """Return whether it is valid for a host name or an address. `*.` stands for one label (RFC 9525)."""
        wanted = host.casefold().rstrip(".")
        wildcard = f"*.{wanted.partition('.')[2]}"
        return any(name.casefold() in (wanted, wildcard) for name in self.names)
