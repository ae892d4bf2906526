"""Attempts and ids as bytes: 16 bytes instead of 32 hexadecimal digits, each way without loss."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"([0-9a-f]{32})(?:\.(0|[1-9][0-9]{0,17}))?")
"""An id or a process that appends, and the number of its attempt."""
_ID = 16


def compact(text: str) -> str | bytes:
    """Return 32 hexadecimal digits, with or without a full stop and a number, as bytes; any other text unchanged."""
    found = _DIGITS.fullmatch(text)
    if found is None:
        return text
    digits, number = found.groups()
    return bytes.fromhex(digits) + (_bytes(int(number)) if number else b"")


def _bytes(number: int) -> bytes:
    return number.to_bytes(number.bit_length() + 7 >> 3 or 1, "big")


def expand(stored: str | bytes) -> str:
    """Return the text that `compact` got."""
    if isinstance(stored, str):
        return stored
    if len(stored) == _ID:
        return stored.hex()
    return f"{stored[:_ID].hex()}.{int.from_bytes(stored[_ID:], 'big')}"
