"""Text for an SLCP client: 7-bit, one row each, and never read as a message of the protocol."""

from __future__ import annotations

import re
from typing import Self

from lilygames.chat.people.events import ChatEvent, worded
from lilygames.edge.wire.render import Rows, shown
from lilygames.text import Line, clean

_PROMPT_OR_WELCOME = ("%", "login: ", "password: ", "Welcome to lily", "Welcome to Rowboat")
"""Starts of rows that a client reads as a message: its protocol, a prompt, or the name of the place."""
_MARK = re.compile(r"%(?=[A-Za-z])")
_IN_A_NAME = re.compile(r"[\s@,;:]")


class Shown(Rows):
    """The row of an event or a line that people read."""

    _what: ChatEvent | Line

    def __new__(cls, row: bytes, what: ChatEvent | Line) -> Self:
        """Return the bytes of a row that shows something."""
        self = super().__new__(cls, row)
        self._what = what
        return self

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that it shows, in words."""
        return worded(self._what) if isinstance(self._what, ChatEvent) else (self._what,)


def plain(text: str) -> str:
    """Return text in printable ASCII, without line ends."""
    return shown(clean(text), "ascii")


def escaped(text: str) -> str:
    """Return a row that clients show as it is, whoever wrote it.

    `%` starts a message. Clients look for the list of options anywhere in a row. A prompt at the start of a row asks
    for a secret, and a welcome there renames the place.
    """
    row = plain(text).replace("%options ", "% options ")
    return f" {row}" if row.startswith(_PROMPT_OR_WELCOME) else row


def unmarked(text: str) -> str:
    """Return text for a notice: clients put names in place of `%R`, `%V` and the like, even in people's words."""
    return _MARK.sub("% ", plain(text))


def field(key: str, text: str) -> str:
    """Return a field with its length, so that its text may hold anything."""
    value = plain(text)
    return f"{key}={len(value)}={value}"


def place_name(name: str) -> str:
    """Return the name of a place as clients can add it to a recipient: `The-Lily-House`."""
    return _IN_A_NAME.sub("-", plain(name).strip())
