"""MSSP, the MUD Server Status Protocol (telnet option 70): server information for MUD lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Facts = Callable[[], Mapping[str, Sequence[str]]]
"""Returns the current variables by their standard names, each with one or more values."""

_VARIABLE, _VALUE = b"\1", b"\2"
_UNSAFE = dict.fromkeys([0, 1, 2, *range(9, 14)], " ")


def no_facts() -> Mapping[str, Sequence[str]]:
    """Return nothing, for a server that isn't listed."""
    return {}


def encoded(facts: Mapping[str, Sequence[str]]) -> bytes:
    """Encode the facts as the option's sub-negotiation, in UTF-8 (which has no IAC)."""
    return b"".join(
        _VARIABLE + name.encode() + b"".join(_VALUE + value.translate(_UNSAFE).encode() for value in values)
        for name, values in facts.items()
    )


def plainly(facts: Mapping[str, Sequence[str]]) -> bytes:
    """Format the facts as the reply to a typed `mssp-request`: one per line, values after tabs."""
    rows = ("\t".join([name, *(value.translate(_UNSAFE) for value in values)]) for name, values in facts.items())
    return "\r\n".join(["", "MSSP-REPLY-START", *rows, "MSSP-REPLY-END", ""]).encode()
