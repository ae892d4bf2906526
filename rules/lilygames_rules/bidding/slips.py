"""Bills and slips: the numbers of Liar's Poker, and the next line of a slip to play.

From "Liars Poker" (rules of February 10, 1986), "Use of Bills" and "Salomon's Liars Poker Strips".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import comb
from typing import Literal

import attrs

from lilygames_rules.kit import Event, Luck, Seat

ALPHABET, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
LONG = 8
"""Digits in a number."""
LINES = 15
"""Numbers on a slip."""
PLAYED = 10
"""Numbers played per slip; the tenth is for double stakes."""

Numbers = Literal["slips", "bills"]


@attrs.frozen
class Slip:
    """A slip or bill: its numbers from top to bottom (a bill has one), and its pair of letters.

    The 1986 paper has letters on bills only, but slips are chosen "using the same conventions", so slips have them too.
    """

    letters: str
    numbers: tuple[str, ...]


@attrs.frozen
class SlipsLaid(Event):
    """Bills or slips lie face down, one per seat; `first` chooses first."""

    numbers: Numbers
    slips: int
    first: Seat


@attrs.frozen
class SlipChosen(Event):
    """A seat took the bill or slip at `place`, counted from 1; the last seat gets the last one."""

    seat: Seat
    place: int


@attrs.frozen
class SlipDealt(Event):
    """A seat sees its new slip of fifteen numbers; nobody else does."""

    seat: Seat
    slip: Slip

    def seen_by(self, seat: Seat | None) -> SlipDealt | None:
        """Return the event for the seat that holds the slip, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class NumberShown(Event):
    """A seat sees the number it plays this hand; nobody else does."""

    seat: Seat
    number: str

    def seen_by(self, seat: Seat | None) -> NumberShown | None:
        """Return the event for the seat that plays the number, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class LastDigitsTold(Event):
    """Each seat said whether its last digit was odd; one number is skipped for each odd one."""

    odd: tuple[tuple[Seat, bool], ...]
    skipped: int
    line: int


def drawn(numbers: Numbers, luck: Luck) -> Slip:
    """Draw a new slip or bill: two letters, then the digits of each number from the left, all uniform."""
    letters = luck.choice(ALPHABET) + luck.choice(ALPHABET)
    return Slip(letters, tuple(any_number(luck) for _ in range(LINES if numbers == "slips" else 1)))


def any_number(luck: Luck) -> str:
    """Draw a number of eight uniform digits."""
    return "".join(luck.choice(DIGITS) for _ in range(LONG))


def held(number: str, rank: int) -> int:
    """Return how many digits of `rank` a number has; rank 10 is the digit 0."""
    return number.count(DIGITS[rank % 10])


def is_odd(number: str) -> bool:
    """Tell whether the last digit is odd; zero is even."""
    return number[-1] in "13579"


def next_line(played: Sequence[int], skip: int) -> int:
    """Return the next line to play: go down from the last of `played` and skip `skip` unplayed lines.

    After the bottom line comes the top one again. Skipped lines stay unplayed.
    """
    last = played[-1]
    unplayed: list[int] = [line for line in (*range(last + 1, LINES + 1), *range(1, last)) if line not in played]
    return unplayed[skip % len(unplayed)]


def lowest(letters: Sequence[tuple[Seat, str]]) -> Seat:
    """Return the seat with the alphabetically lowest pair of letters; the first one if there's a tie."""
    return min(letters, key=lambda one: one[1])[0]


def imagined(rank: int, count: int, odd: bool | None, luck: Luck) -> str:  # noqa: FBT001 - a fact, no switch
    """Draw a uniform number with `count` digits of the rank and a last digit of that parity (None: either)."""
    wanted = DIGITS[rank % 10]
    ends = [digit for digit in DIGITS if odd is None or is_odd(digit) == odd]
    end = _weighted(ends, [_ways(count - (digit == wanted)) for digit in ends], luck)
    fits = count - (end == wanted)
    others = DIGITS.replace(wanted, "")
    body = [wanted] * fits + [luck.choice(others) for _ in range(LONG - 1 - fits)]
    return "".join((*luck.shuffle(body), end))


def _ways(count: int) -> int:
    """Return the number of ways in which all digits but the last have `count` of one rank."""
    others = LONG - 1 - count
    return comb(LONG - 1, count) * int(9**others) if 0 <= count < LONG else 0


def _weighted(items: Collection[str], weights: Collection[int], luck: Luck) -> str:
    left = luck.roll(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        left -= weight
        if left <= 0:
            return item
    raise AssertionError("the weights do not add up")
