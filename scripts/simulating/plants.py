"""Faults to plant in a tournament's log. The check must find them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from scripts.simulating.recount import Act, acts_of


def with_repeat(acts: Sequence[Act]) -> list[Act]:
    """Swap players of round 2, so that two of a table of round 1 meet again, as they needn't."""
    planted: list[Act] = copy.deepcopy([*acts])
    first, second, *_ = acts_of(planted, "RoundPaired")
    tables = [table["people"] for table in second["tables"]]
    seats = {name: people for people in tables for name in people}
    one, other = next(
        pair
        for table in first["tables"]
        for pair in combinations(table["people"], 2)
        if all(name in seats for name in pair) and seats[pair[0]] is not seats[pair[1]]
    )
    met = {name for table in first["tables"] if one in table["people"] for name in table["people"]}
    stranger = next(name for name in seats[one] if name not in met)
    home, away = seats[one], seats[other]
    home[home.index(stranger)], away[away.index(other)] = other, stranger
    return planted


def with_lost_result(acts: Sequence[Act]) -> list[Act]:
    """Take out a result."""
    lost = acts_of(acts, "TableFinished")[1]
    return [act for act in acts if act is not lost]


PLANTS: Mapping[str, Callable[[Sequence[Act]], list[Act]]] = {
    "": list,
    "repeat": with_repeat,
    "lost": with_lost_result,
}
