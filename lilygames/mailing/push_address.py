"""The addresses that browsers' push services gave them. A person could make one up, so we only talk to public hosts."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

PORT = 443
LONGEST = 700
"""Characters of an address. Those of the known services have up to 500."""
RESOLVED_AT_ONCE = 4
"""Names looked up at the same time. They have threads of their own, because a name server may never answer."""
_HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
"""A name with a dot whose last part begins with a letter, so no IP address in any notation."""
_PATH = re.compile(r"/[!-~]*")
_LOCAL = ("localhost", "local", "internal", "intranet", "lan", "home", "arpa", "test", "onion")
"""Last parts of names that aren't public, or aren't in the public DNS (RFC 6761, RFC 6762)."""
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses behind which a gateway reaches any IPv4 address (RFC 6052)."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_resolvers = ThreadPoolExecutor(RESOLVED_AT_ONCE, "push-names")


class NotPublic(ValueError):
    """An address isn't one that we connect to; the text says why."""


def host_of(address: str) -> str:
    """Return the host of a push address. Raises `NotPublic` unless it is https, on port 443, at a public name."""
    if len(address) > LONGEST or not address.isascii():
        raise NotPublic("it is too long or has strange characters")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as problem:
        raise NotPublic("it isn't a URL") from problem
    host = parts.netloc.removesuffix(":443")
    if parts.scheme != "https" or port not in (None, PORT) or parts.fragment:
        raise NotPublic("it must begin with https:// and have no port")
    if not _PATH.fullmatch(parts.path) or any(one <= " " for one in address):
        raise NotPublic("it isn't a URL")
    if not _HOST.fullmatch(host) or host.rpartition(".")[2] in _LOCAL:
        raise NotPublic("its host must be a public name")
    return host


async def resolved(host: str) -> tuple[str, int]:
    """Return an IP address and the port of a host.

    Raises `NotPublic` if any of its addresses isn't public, and `OSError` if it has none.
    """
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_resolvers, _looked_up, host)
    addresses = [ipaddress.ip_address(one) for one in found]
    if not addresses or not all(map(is_public, addresses)):
        raise NotPublic("its host isn't at a public address")
    return str(addresses[0]), PORT


def _looked_up(host: str) -> list[str]:
    found = socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    return [str(place[0]).partition("%")[0] for *_, place in found]


def is_public(address: Address) -> bool:
    """Return whether anyone on the internet reaches the same machine at an address, and not a gateway to another."""
    if isinstance(address, ipaddress.IPv6Address):
        tunnels = (address.ipv4_mapped, address.sixtofour, address.teredo)
        if any(tunnels) or address in _TRANSLATED or address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)
