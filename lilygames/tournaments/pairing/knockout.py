"""Knockout: the best of each table advance, until one table is left, which is the final."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from lilygames.tournaments.pairing.points import HalfPoints
from lilygames.tournaments.pairing.swiss import Pairing, Past, Seating, Table, first_round

GO_ON = {2: 1, 3: 2, 4: 2, 5: 3}
"""How many advance from a table of each size."""


def next_round(order: Sequence[str], seating: Seating, past: Past) -> Pairing:
    """Pair the people who are still in, best standing first; the leaders are spread over the tables.

    If someone doesn't fit, the best standing without a bye so far has one, and advances. No table has more people than
    the tournament has seats. Otherwise five people with three seats would be one table, and nobody would be out.
    """
    seating = attrs.evolve(seating, legal=[size for size in range(seating.seats + 1) if size in seating.legal])
    over = len(order) - sum(seating.sizes(len(order)))
    byes = tuple(sorted(order, key=lambda name: name in past.had_bye)[:over])
    paired = first_round([name for name in order if name not in byes], seating, past)
    return Pairing(paired.tables, byes)


def go_on(table: Table, points: Mapping[str, HalfPoints], order: Sequence[str]) -> tuple[str, ...]:
    """Return who advances from a table, best first. In a tie the better earlier standing, in `order`, decides."""
    ranked = sorted(table, key=lambda name: (-points[name], order.index(name)))
    return tuple(ranked[: GO_ON[len(table)]])


def is_final(pairing: Pairing) -> bool:
    """Whether a round is the final: one table, and nobody has a bye."""
    return len(pairing.tables) == 1 and not pairing.byes
