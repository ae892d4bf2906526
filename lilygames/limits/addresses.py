"""Network addresses: what counts as one, and what is around it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

KNOWN = 4096
"""Addresses of which the network is remembered: reading one takes as long as the rest of an admission."""

Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]


def networks(text: str) -> Networks:
    """Return the networks in a list separated by commas; raises `ValueError` for anything else."""
    return [ipaddress.ip_network(word.strip()) for word in text.split(",") if word.strip()]


def is_in(address: str, listed: Networks) -> bool:
    """Return whether an address, or a network such as `network` returns, is in one of these networks."""
    try:
        there = ipaddress.ip_address(address.partition("/")[0])
    except ValueError:
        return False
    return any(there in one for one in listed)


@lru_cache(KNOWN)
def network(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or an IPv6 subscriber's /64."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    if read.ipv4_mapped:
        return str(read.ipv4_mapped)
    return str(read) if read.is_loopback else str(ipaddress.ip_network((read, 64), strict=False))


@lru_cache(KNOWN)
def subnet_of(address: str) -> str:
    """Return an address's subnet, so that a flood counts as one: its /24, or an IPv6 site's /48 (RFC 6177)."""
    read = address.partition("/")[0]
    try:
        wide = 24 if isinstance(ipaddress.ip_address(read), ipaddress.IPv4Address) else 48
    except ValueError:
        return address
    return str(ipaddress.ip_network((read, wide), strict=False))
