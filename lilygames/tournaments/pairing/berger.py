"""The Berger tables: everyone meets everyone once, in the order of the FIDE Handbook, C.05, annex 1.

All but the last number sit on a ring. In each round one of them, the pivot, meets the last number, and the others meet
across the ring. The pivot moves on by half of the people each round. With an odd number of people the last number is
missing, and the pivot has a bye.
"""

from __future__ import annotations

Pair = tuple[int, int]
"""Two numbers from 1; the one named first has the first move, or the white pieces."""


def berger(people: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the pairs of each round for so many people; whoever has a bye is left out."""
    last = people + people % 2
    return tuple(_round(number, last)[people % 2 :] for number in range(last - 1))


def _round(number: int, last: int) -> tuple[Pair, ...]:
    """Return the pairs of a round, counted from 0, for an even number of people; the last number's comes first."""
    ring = last - 1
    pivot = number * (last // 2) % ring
    first = (pivot + 1, last) if number % 2 == 0 else (last, pivot + 1)
    return (first, *(((pivot + step) % ring + 1, (pivot - step) % ring + 1) for step in range(1, last // 2)))
