"""Remarks of bots at the table. They speak only of what everyone has seen, and never about moves to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rules.kit import Seat

WON = ("That was fun. Good game, all!", "I enjoyed that one.", "Thanks for the game!")
LOST = ("Well played!", "Good game. You earned it.", "Nicely done. Next time!")


@attrs.frozen
class Remark:
    """Sentences of which a bot in a seat may say one."""

    seat: Seat
    texts: tuple[str, ...]


def at_the_end(winners: Iterable[Seat], seats: int) -> Iterator[Remark]:
    """Yield what each seat may say at the end of a game."""
    won = {*winners}
    for seat in range(seats):
        yield Remark(seat, WON if seat in won else LOST)
