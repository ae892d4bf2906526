"""The second world of Liar's Poker: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames_rules.bidding.slips import Slip
from lilygames_rules.kit import Luck, Seat

DIGITS = "0123456789"


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know.

    A seat knows its own slip or bill, and all letters. Of another's played number it knows the count of the rank. On a
    slip that goes on, it also knows whether the last digit was odd, and the whole number if the table shows numbers.
    Nobody knows the face-down ones.
    """
    rows = {row.line: row for row in state.match.sheet[len(state.match.sheet) - finished(state) :]}
    slips = [
        slip if other == seat or slip is None else Slip(slip.letters, tuple(other_numbers(slip, other, rows, luck)))
        for other, slip in enumerate(state.slips)
    ]
    pile = [
        Slip(slip.letters if luck.coin() else luck.choice(("AB", "YZ")), tuple(map(anything(luck), slip.numbers)))
        for slip in state.pile
    ]
    return attrs.evolve(state, slips=tuple(slips), pile=tuple(pile))


def finished(state: Any) -> int:
    """Return how many lines of the slips in use have been counted."""
    return len(state.match.lines) - (state.auction is not None)


def other_numbers(slip: Any, seat: Seat, rows: Any, luck: Luck) -> Any:
    for line, number in enumerate(slip.numbers, 1):
        row = rows.get(line)
        if row is None or seat >= len(row.counts) or row.counts[seat] is None:
            yield anything(luck)(number)
        else:
            yield number if row.numbers else alike(number, str(row.bid.rank % 10), luck)


def anything(luck: Luck) -> Any:
    return lambda number: "".join(luck.choice(DIGITS) for _ in number)


def alike(number: str, counted: str, luck: Luck) -> str:
    """Return another number with as many counted digits, in other places, and a last digit of the same parity."""
    *body, last = number
    moved = [digit if digit == counted else luck.choice(DIGITS.replace(counted, "")) for digit in luck.shuffle(body)]
    same = [digit for digit in DIGITS if int(digit) % 2 == int(last) % 2 and digit != counted]
    return "".join((*moved, last if last == counted else luck.choice(same)))
