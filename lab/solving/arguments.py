"""Arguments of the measurements: a wrong one is refused in one sentence."""

from __future__ import annotations

import zlib
from argparse import ArgumentTypeError
from pathlib import Path

from lilygames.games.lilypoker.solved.solution import Solution, unpacked


def positive(text: str) -> int:
    """Return a whole number of 1 or more; raises `ArgumentTypeError` for any other text."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"give a number of 1 or more, not {text!r}")
    return number


def holdem_table(text: str) -> Solution:
    """Return the table in a file of `lab/solve-holdem`; raises `ArgumentTypeError` if there isn't one."""
    try:
        data = Path(text).read_bytes()
    except OSError as error:
        raise ArgumentTypeError(f"can't read {text!r}: {error.strerror}") from None
    try:
        return unpacked(data)
    except (zlib.error, StopIteration, RuntimeError):
        raise ArgumentTypeError(f"{text!r} isn't a table of lab/solve-holdem") from None
