"""Balances in whole units, one per seat; every change adds up to zero."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lilygames_rules.kit import Seat


class Unbalanced(ValueError):
    """The changes don't add up to zero."""


def from_each(seats: int, to: Seat, payers: Collection[Seat], units: int) -> tuple[int, ...]:
    """Return the changes by seat when each of `payers` pays `to` that many units; a negative number reverses it.

    `payers` may include `to`, who pays nothing.
    """
    changes = [-units if seat in payers and seat != to else 0 for seat in range(seats)]
    changes[to] = -sum(changes)
    return tuple(changes)


def posted(accounts: Sequence[int], changes: Sequence[int]) -> tuple[int, ...]:
    """Return the balances after the changes, one for each; raises `Unbalanced` if they don't add up to zero.

    Raises `ValueError` if there isn't a change for every balance.
    """
    if sum(changes):
        raise Unbalanced(f"{tuple(changes)} add up to {sum(changes)}")
    return tuple([held + change for held, change in zip(accounts, changes, strict=True)])
