"""Helpers for wording games for screen readers: one fact per line, a fixed first word, and no repetition.

A line starts with the player who acts, or with its subject (`Hand:`, `Trump:`, `Trick:`, `Score:`). It leaves out what
the listener has just typed or can work out: `/table`, `/hand` and `/score` tell that on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lilygames.game import Reader
from lilygames_rules.kit import Event, Seat

Words = Mapping[type, Callable[[Any, Reader], str]]
"""The line for each kind of event."""


def told(event: Event, reader: Reader, plain: Words, spoken: Words) -> str:
    """Return the line for an event in the reader's voice, or the plain one if the voice has none."""
    kind = type(event)
    return (spoken if reader.voice.spoken and kind in spoken else plain)[kind](event, reader)


def silent(*_: Any) -> str:
    """Return no line, because it goes without saying."""
    return ""


def unless_typed(word: Callable[[Any, Reader], str]) -> Callable[[Any, Reader], str]:
    """Return the words for a move, or none if the reader has just typed it."""
    return lambda event, reader: "" if reader.typed and event.seat == reader.seat else word(event, reader)


def does(theirs: str, yours: str) -> Callable[[Any, Reader], str]:
    """Return the words for a move from its verb phrases, or none if the reader has just typed it."""
    return unless_typed(lambda event, reader: reader.says(event.seat, f"{theirs}.", f"{yours}."))


def who(seat: Seat, reader: Reader) -> str:
    """Return `You` for the reader's own seat, else the name, for the start of a line."""
    return "You" if seat == reader.seat else reader.names[seat]


def signed(number: int) -> str:
    """Return a number as it is spoken: `3`, `minus 2`."""
    return f"minus {-number}" if number < 0 else str(number)


def by_seat(numbers: Iterable[int], reader: Reader) -> str:
    """Return each seat's number: `you 3, bob minus 2`."""
    return ", ".join(f"{reader.who(seat)} {signed(number)}" for seat, number in enumerate(numbers))
