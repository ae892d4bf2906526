"""The games in the words of who listens: a fact a line, its first word always the same, nothing said twice.

A line begins with who does something, or with what it is about (`Hand:`, `Trump:`, `Trick:`, `Score:`). What somebody
has just typed is not said again, nor what everybody can work out: `/table`, `/hand` and `/score` tell it on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lilygames.game import Reader
from rules.kit import Event, Seat

Words = Mapping[type, Callable[[Any, Reader], str]]
"""The line for each kind of event."""


def told(event: Event, reader: Reader, plain: Words, spoken: Words) -> str:
    """Return the line for what has happened, in the words of the reader's voice where there are such."""
    kind = type(event)
    return (spoken if reader.voice.spoken and kind in spoken else plain)[kind](event, reader)


def silent(*_: Any) -> str:
    """Return no line: it goes without saying."""
    return ""


def unless_typed(word: Callable[[Any, Reader], str]) -> Callable[[Any, Reader], str]:
    """Return the words for a move, none where the reader has just typed it."""
    return lambda event, reader: "" if reader.typed and event.seat == reader.seat else word(event, reader)


def does(theirs: str, yours: str) -> Callable[[Any, Reader], str]:
    """Return the words for a move that its verb tells, none where the reader has just typed it."""
    return unless_typed(lambda event, reader: reader.says(event.seat, f"{theirs}.", f"{yours}."))


def who(seat: Seat, reader: Reader) -> str:
    """Return `You` for the reader's own seat, otherwise the name: for the beginning of a line."""
    return "You" if seat == reader.seat else reader.names[seat]


def signed(number: int) -> str:
    """Return a number as it is said: `3`, `minus 2`."""
    return f"minus {-number}" if number < 0 else str(number)


def by_seat(numbers: Iterable[int], reader: Reader) -> str:
    """Return what each seat has: `you 3, bob minus 2`."""
    return ", ".join(f"{reader.who(seat)} {signed(number)}" for seat, number in enumerate(numbers))


def choices(words: Sequence[str], first: int = 1) -> str:
    """Return what can be chosen, each behind its number: `1 accept, 2 challenge`."""
    return ", ".join(f"{number} {word}" for number, word in enumerate(words, first))
