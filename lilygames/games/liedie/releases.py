"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.liedie import house
from lilygames.games.liedie.character import BY_LUCK
from lilygames.games.liedie.ladder import OPEN, Step, computed, learned
from lilygames.house.tempers import Formerly
from rules.kit import Luck
from rules.liedie import View

_FINE, _EASY, _MOST = 4500, 3000, 200
"""As in `ladder`; small steps had so many iterations that they took over 50 ms."""


@lru_cache(256)
def _solved_0_1(claim: int, dice: tuple[int, ...], thrown: int, budget: int) -> Step:
    first = learned().opening if claim == OPEN else None

    def rounds(groups: int, labels: int) -> int:
        return max(budget, min(_MOST, budget * _EASY // (groups * labels)))

    return first or computed(claim, dice, thrown, rounds, _FINE)


def novice_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice of release 0.1, which was always in the same mood."""
    return house.moody(view, moves, luck, house.EVEN)


def shark_0_1(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move of the shark of release 0.1."""
    return house.solver(view, moves, luck, budget, solve=_solved_0_1)


def club_0_1(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move of the club bot of release 0.1."""
    return house.club(view, moves, luck, budget, solve=_solved_0_1)


RELEASES: Mapping[str, Mapping[str, Strategy]] = {
    "0.1": {
        "novice": novice_0_1,
        "club": Thinker(club_0_1, Budget(8)),
        "shark": Thinker(shark_0_1, Budget(30)),
    }
}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {
    "novice": {"1": novice_0_1, "2": Formerly(house.novice, BY_LUCK)},
    "club": {"2": Thinker(Formerly(house.club, BY_LUCK), Budget(8))},
    "master": {"1": Thinker(house.solver, Budget(100), less=(Budget(60), Budget(30)))},
}
"""The strategies of earlier versions, by level and version."""
