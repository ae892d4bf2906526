"""Addresses that a ban can name: one address or a network. An IPv6 address stands for its /64, as at the listener."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from lilygames.errors import UserError
from lilygames.text import shortened

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WIDEST = {4: 16, 6: 32}
"""Shortest prefix that can be banned, by version of the protocol: a wider ban hits whole providers."""
SUBSCRIBER = 64
"""Prefix of one IPv6 subscriber (RFC 6177)."""


def looks_like_address(word: str) -> bool:
    """Whether a word is meant as an address rather than a name: names begin with a letter and have no dot or colon."""
    return word[:1].isdigit() or bool(set(word) & set(".:/"))


def network(text: str) -> Network:
    """Return the network that an address or CIDR block means. Raises `UserError`."""
    try:
        read = ipaddress.ip_network(text.partition("%")[0], strict=False)
    except ValueError:
        example = "192.0.2.7, 192.0.2.0/24 or 2001:db8::/64"
        raise UserError(f"“{shortened(text, 50)}” isn't an address. Type one like {example}.") from None
    if isinstance(read, ipaddress.IPv6Network):
        if read.network_address.ipv4_mapped and read.prefixlen >= 96:  # noqa: PLR2004 - RFC 4291, section 2.5.5.2
            return network(f"{read.network_address.ipv4_mapped}/{read.prefixlen - 96}")
        read = read.supernet(new_prefix=SUBSCRIBER) if read.prefixlen > SUBSCRIBER else read
    if read.prefixlen < WIDEST[read.version]:
        widest = WIDEST[read.version]
        raise UserError(f"{read} is too wide: a ban can cover a /{widest} of IPv{read.version} at most.")
    return read


def of_person(origin: str) -> tuple[str, ...]:
    """Return the network of a person's address, as the listener counts it; nothing if it isn't an address."""
    try:
        read = ipaddress.ip_network(origin, strict=False)
    except ValueError:
        return ()
    return (str(read),)


def covers(networks: Iterable[str], origin: str) -> bool:
    """Whether an address, or an IPv6 subscriber's network, is in one of some networks."""
    here = next(iter(of_person(origin)), "")
    if not here:
        return False
    own = ipaddress.ip_network(here)
    return any(_inside(own, ipaddress.ip_network(one)) for one in networks)


def _inside(own: Network, other: Network) -> bool:
    if isinstance(own, ipaddress.IPv4Network) and isinstance(other, ipaddress.IPv4Network):
        return own.subnet_of(other)
    if isinstance(own, ipaddress.IPv6Network) and isinstance(other, ipaddress.IPv6Network):
        return own.subnet_of(other)
    return False
