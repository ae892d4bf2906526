"""Accounts of whole units, one a seat: what some win the others lose, to the unit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.kit import Seat


class Unbalanced(ValueError):
    """The changes do not add up to nothing: units would be made or lost."""


def from_each(seats: int, to: Seat, payers: Collection[Seat], units: int) -> tuple[int, ...]:
    """Return the changes by seat when each of `payers` gives `to` so many units; a negative number goes the other way.

    `payers` may hold `to`, who pays nobody.
    """
    changes = [-units if seat in payers and seat != to else 0 for seat in range(seats)]
    changes[to] = -sum(changes)
    return tuple(changes)


def posted(accounts: Sequence[int], changes: Sequence[int]) -> tuple[int, ...]:
    """Return the accounts after the changes; raises `Unbalanced` where they do not add up to nothing.

    There is a change for every account: raises `ValueError` otherwise.
    """
    if sum(changes):
        raise Unbalanced(f"{tuple(changes)} add up to {sum(changes)}")
    return tuple([held + change for held, change in zip(accounts, changes, strict=True)])
