"""A menu on the screen.

It lives until another one is shown, a table asks the person, they go to a table, or they talk.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from lilygames.errors import UserError
from lilygames.text import Line


@attrs.frozen
class Choices:
    """Choices for the next lines: some lines, numbered from 1, and keys.

    A key is a word that stands for a line; the empty one is Enter alone. With `at`, a number stands for that line with
    the number behind it. `rows` show the menu again. The menu of a question is there `once`: it ends with its answer,
    and numbers that it doesn't have mean what they mean without it.
    """

    lines: tuple[str, ...] = ()
    keys: Mapping[str, str] = attrs.field(factory=dict)
    at: str = ""
    rows: tuple[Line, ...] = ()
    once: bool = False

    @property
    def confirms(self) -> bool:
        """Whether it asks for a yes or no to one thing: any other line means no."""
        return self.once and "yes" in self.keys

    def line(self, typed: str) -> str | None:
        """Return the line that the typed one picks, None if it picks none; raises `UserError` for a wrong number."""
        word = typed.strip().casefold()
        if not (word.isascii() and word.isdigit()):
            return self.keys.get(word)
        number, last = int(word[:9]), len(self.lines)
        if self.at:
            return f"{self.at} {number}"
        if not self.lines or (self.once and not 1 <= number <= last):
            return None
        if not 1 <= number <= last:
            raise UserError(f"there's no option {number}. Type a number from 1 to {last}.")
        return self.lines[number - 1]
