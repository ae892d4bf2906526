"""MSSP, the MUD Server Status Protocol (telnet option 70): what lists of places are told of this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Facts = Callable[[], Mapping[str, Sequence[str]]]
"""What there is to tell now: variables by the standard's names, each with one value or several."""

_VARIABLE, _VALUE = b"\1", b"\2"
_UNSAFE = dict.fromkeys([0, 1, 2, *range(9, 14)], " ")


def no_facts() -> Mapping[str, Sequence[str]]:
    """Return nothing: that of a door that keeps to itself."""
    return {}


def encoded(facts: Mapping[str, Sequence[str]]) -> bytes:
    """Return the facts as the option's sub-negotiation writes them, in UTF-8 (which has no IAC)."""
    return b"".join(
        _VARIABLE + name.encode() + b"".join(_VALUE + value.translate(_UNSAFE).encode() for value in values)
        for name, values in facts.items()
    )


def plainly(facts: Mapping[str, Sequence[str]]) -> bytes:
    """Return them as the answer to a typed `mssp-request`: a line each, the values behind tabs."""
    rows = ("\t".join([name, *(value.translate(_UNSAFE) for value in values)]) for name, values in facts.items())
    return "\r\n".join(["", "MSSP-REPLY-START", *rows, "MSSP-REPLY-END", ""]).encode()
