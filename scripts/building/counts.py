"""Options of scripts that are counts: each has a minimum, and a smaller number is refused in one sentence."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable


def at_least(least: int) -> Callable[[str], int]:
    """Return the type of an option of `argparse` that takes whole numbers from `least` on."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and int(text) >= least):
            raise ArgumentTypeError(f"give a whole number from {least} on, not {text!r}.")
        return int(text)

    return number
