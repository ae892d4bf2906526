"""A menu on the screen. It ends when the person types something else or a table asks them."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from lilygames.errors import UserError


@attrs.frozen
class Choices:
    """Choices for the next line: some lines, numbered from 1, and keys.

    A key is a word that stands for a line; the empty one is Enter alone. With `at`, a number stands for that line with
    the number behind it.
    """

    lines: tuple[str, ...] = ()
    keys: Mapping[str, str] = attrs.field(factory=dict)
    at: str = ""

    def line(self, typed: str) -> str | None:
        """Return the line that the typed one picks, None if it picks none; raises `UserError` for a wrong number."""
        word = typed.strip().casefold()
        if not (word.isascii() and word.isdigit()):
            return self.keys.get(word)
        number, last = int(word[:9]), len(self.lines)
        if self.at:
            return f"{self.at} {number}"
        if not 1 <= number <= last:
            raise UserError(f"there's no option {number}. Type a number from 1 to {last}.")
        return self.lines[number - 1]
