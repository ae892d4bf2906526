"""The address of a browser. A proxy is only believed if the sysop lists it."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from lilygames.limits.addresses import Networks, network

if TYPE_CHECKING:
    from aiohttp import web  # the settings are read without the extra


class Proxies:
    """The proxies in front of this server. From all others, forwarding headers mean nothing."""

    def __init__(self, believed: Networks) -> None:
        self.believed = believed

    def client(self, request: web.BaseRequest) -> str:
        """Return the client's address, as what counts as one address.

        A proxy appends the address it sees to X-Forwarded-For. So the client is the last address that isn't a proxy's.
        """
        peer = request.transport.get_extra_info("peername") if request.transport else None
        address = str(peer[0]) if peer else "?"
        forwarded = [word.strip() for word in ",".join(request.headers.getall("X-Forwarded-For", ())).split(",")]
        while self._is_proxy(address) and forwarded and (before := _read(forwarded.pop())):
            address = before
        return network(address)

    def is_secure(self, request: web.BaseRequest) -> bool:
        """Return whether the client's browser uses https."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        if peer and self._is_proxy(str(peer[0])):
            return request.headers.get("X-Forwarded-Proto", request.scheme) == "https"
        return request.secure

    def _is_proxy(self, address: str) -> bool:
        read = _read(address)
        if not read:
            return False
        there = ipaddress.ip_address(read)
        return any(there in network for network in self.believed)


def _read(address: str) -> str:
    """Return an address without its zone, an IPv4 address in IPv6 as IPv4; empty if it is none."""
    try:
        read = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return ""
    mapped = read.ipv4_mapped if isinstance(read, ipaddress.IPv6Address) else None
    return str(mapped or read)
