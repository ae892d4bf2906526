"""Pots of a poker hand: side pots, uncalled bets and odd chips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import attrs

from lilygames_rules.kit import Seat


@attrs.frozen
class Pot:
    """A main or side pot, and the seats that may win it, clockwise from the dealer's left."""

    amount: int
    seats: tuple[Seat, ...]


def uncalled(paid: Sequence[int]) -> tuple[Seat, int]:
    """Return the seat that paid most, and the uncalled part: how much more than any other seat."""
    second, first = sorted(paid)[-2:]
    return paid.index(first), first - second


def pots(paid: Sequence[int], living: Sequence[Seat], carried: int = 0) -> tuple[Pot, ...]:
    """Return the main pot and the side pots, one per amount paid by seats that haven't folded.

    Chips of folded seats above the highest amount go to the last pot. Everyone may win the chips `carried` over from
    earlier hands. `living` runs clockwise from the dealer's left.
    """
    levels = sorted({paid[seat] for seat in living})
    if len(levels) == 1 and levels[0]:
        return (Pot(carried + sum(paid), tuple(living)),)
    below = [0, *levels]
    above = [*levels[:-1], max(paid)]
    found = [Pot(carried, tuple(living))]
    for low, high in zip(below, above, strict=False):
        amount = sum(min(one, high) - min(one, low) for one in paid)
        seats = tuple(seat for seat in living if paid[seat] > low)
        if seats == found[-1].seats:
            found[-1] = Pot(found[-1].amount + amount, seats)
        else:
            found.append(Pot(amount, seats))
    return tuple(pot for pot in found if pot.amount)


def in_doubt(order: Sequence[Seat], worth: Mapping[Seat, int], found: Sequence[Pot]) -> tuple[Seat, ...]:
    """Return the seats that have to show: in order, those not yet beaten in some pot by the hands shown."""
    best, shown = [-1] * len(found), []
    for seat in order:
        mine = [side for side, pot in enumerate(found) if worth[seat] >= best[side] and seat in pot.seats]
        for side in mine:
            best[side] = worth[seat]
        if mine:
            shown.append(seat)
    return tuple(shown)


def split(pot: Pot, winners: Collection[Seat]) -> tuple[tuple[Seat, int], ...]:
    """Split a pot evenly; odd chips go to the first winner left of the dealer."""
    first, *others = (seat for seat in pot.seats if seat in winners)
    share, odd = divmod(pot.amount, 1 + len(others))
    return ((first, share + odd), *((seat, share) for seat in others))
