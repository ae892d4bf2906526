"""The names under which the page is served.

A page of someone else can point a name of its own at our address, and then read and type here as if it were ours (DNS
rebinding). It can't choose the name that the browser says, so a name that isn't ours is refused.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import attrs

_LOCAL = "localhost"


@attrs.frozen
class HostNames:
    """The names that browsers may ask for: the one in the page's address, localhost, and IP addresses."""

    address: str = ""
    """The page's address, such as `https://play.example.org`; empty if the sysop hasn't set one."""

    def has(self, host: str) -> bool:
        """Whether a `Host` header is one of these names; a request without one comes from no browser."""
        name = _name(host)
        return name in ("", _LOCAL, _name(urlsplit(self.address).netloc)) or _is_local(name) or _is_address(name)

    def refusal(self, host: str) -> str:
        """Return the sentence for a name that isn't one of these."""
        name = _name(host)
        plain = name if name.isascii() and name.replace("-", "").replace(".", "").isalnum() else "that name"
        if self.address:
            return f"The page isn't at {plain}. Open {self.address} (the sysop can change that: web_address)."
        there = f"https://{plain}" if plain is name else "the address that people open"
        return f"The page isn't served as {plain} yet. Its sysop has to set web_address to {there}."


@attrs.frozen
class MachineNames:
    """The names under which programs of the sysop may ask: those listed, IP addresses, and names without a dot.

    Nobody can point a name without a dot, such as that of a container, at our address from outside.
    """

    listed: tuple[str, ...] = ()

    def has(self, host: str) -> bool:
        """Whether a `Host` header is one of these names."""
        name = _name(host)
        return "." not in name or name in map(_name, self.listed) or _is_local(name) or _is_address(name)


def _name(host: str) -> str:
    """Return the name in a `Host` header or an address, without its port."""
    name = host.rpartition("@")[2].strip().casefold()
    if name.startswith("["):
        return name.partition("]")[0].removeprefix("[")
    return name.partition(":")[0].removesuffix(".")


def _is_local(name: str) -> bool:
    """Whether browsers take a name for this machine without asking anyone (RFC 6761, section 6.3)."""
    return name.endswith(f".{_LOCAL}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
