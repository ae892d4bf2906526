"""A numbered menu on the screen. It ends when the person types something else or a table asks them."""

from __future__ import annotations

import attrs

from lilygames.errors import UserError
from lilygames.text import count


@attrs.frozen
class Choices:
    """The lines of a menu, numbered from 1."""

    lines: tuple[str, ...]

    def line(self, number: int) -> str:
        """Return the line with this number; raises `UserError` if there is none."""
        last = len(self.lines)
        if not 1 <= number <= last:
            raise UserError(f"the menu has {count(last, 'option')}; type a number from 1 to {last}.")
        return self.lines[number - 1]
