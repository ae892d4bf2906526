"""The pots of a hand of poker: who may win what, what nobody has called, and who gets the odd chips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import attrs

from rules.kit import Seat


@attrs.frozen
class Pot:
    """A pot, main or side, and the seats that may win it, clockwise from the dealer's left."""

    amount: int
    seats: tuple[Seat, ...]


def uncalled(paid: Sequence[int]) -> tuple[Seat, int]:
    """Return the seat that has paid most, and by how much more than anybody else: that part nobody has called."""
    second, first = sorted(paid)[-2:]
    return paid.index(first), first - second


def pots(paid: Sequence[int], living: Sequence[Seat], carried: int = 0) -> tuple[Pot, ...]:
    """Return the main pot and the side pots: each level to which some seat that has not folded has paid makes one.

    What folded seats have paid beyond the highest of them goes with the last. All may win what is `carried` from
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
    """Return those whom, when it is their turn to show, no hand shown so far beats for some pot."""
    best, shown = [-1] * len(found), []
    for seat in order:
        mine = [side for side, pot in enumerate(found) if worth[seat] >= best[side] and seat in pot.seats]
        for side in mine:
            best[side] = worth[seat]
        if mine:
            shown.append(seat)
    return tuple(shown)


def split(pot: Pot, winners: Collection[Seat]) -> tuple[tuple[Seat, int], ...]:
    """Return what each winner gets of a pot: alike, and the odd chips to the first winner left of the dealer."""
    first, *others = (seat for seat in pot.seats if seat in winners)
    share, odd = divmod(pot.amount, 1 + len(others))
    return ((first, share + odd), *((seat, share) for seat in others))
