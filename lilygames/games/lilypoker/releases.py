"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lilygames.game import Budget, Memory, Strategy, Thinker
from lilygames.games.lilypoker import by_table, headsup, house
from lilygames.games.lilypoker.chips import TEMPERS, Temper
from lilygames.games.lilypoker.temper import BY_LUCK
from lilygames.house.habits import Remembering
from lilygames.house.tempers import Formerly
from rules.kit import Luck
from rules.lilypoker import View
from rules.poker.deal import Deal


def _deals_0_1(deal: Deal, budget: Budget) -> int:
    """Return the number of simulated deals in release 0.1, where a draw of six players took 150 ms."""
    return 2 * budget.iterations if deal.phase == "draw" else budget.iterations


def novice_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice of release 0.1, which never went on tilt."""
    return house.by_odds(view, moves, luck, 15)


def shark_0_1(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move of the shark of release 0.1."""
    return house.search(view, moves, luck, budget, tempers=_tempers, deals_for=_deals_0_1)


def club_3(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return the move of a club bot that learned nothing at the table."""
    return house.to_last_chips(view, moves, luck) or house.by_strength(view, moves, luck, memory=memory)


def shark_3(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return the move of a shark that judged an all-in bet of few chips like any other."""
    mix = headsup.mix(view)
    return headsup.chosen(mix, moves, luck) if mix else _searched(view, moves, luck, budget, memory=memory)


def _searched(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None) -> Any:
    return house.search(view, moves, luck, budget, memory=memory, tempers=_tempers)


def _tempers(_: Deal) -> Sequence[Temper]:
    """Return the tempers of opponents among whom nobody bet nearly any hand."""
    return TEMPERS


def shark_4(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return the move of a shark that had no table of five-card draw."""
    return house.to_last_chips(view, moves, luck) or shark_3(view, moves, luck, budget, memory=memory)


def shark_5(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return the move of a shark that folded too often in stud for two, and learned nothing at the table."""
    answer = house.to_last_chips(view, moves, luck) or by_table.chosen(view, moves, luck)
    return answer or _searched(view, moves, luck, budget, memory=memory)


def _searching(decide: Callable[..., Any]) -> Thinker:
    return Thinker(Remembering(decide), house.SHARK, less=house.LESS)


_CLUB = Remembering(house.by_strength)
_SHARK_0_1 = Thinker(shark_0_1, Budget(120))
RELEASES: Mapping[str, Mapping[str, Strategy]] = {"0.1": {"novice": novice_0_1, "club": _CLUB, "shark": _SHARK_0_1}}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {
    "novice": {"1": novice_0_1, "2": Formerly(house.novice, BY_LUCK)},
    "club": {"1": Formerly(_CLUB, BY_LUCK), "2": _CLUB, "3": Remembering(club_3)},
    "shark": {"1": _SHARK_0_1, "3": _searching(shark_3), "4": _searching(shark_4), "5": _searching(shark_5)},
}
"""The strategies of earlier versions, by level and version."""
