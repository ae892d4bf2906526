"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.games.liarsdice.character import BY_LUCK
from lilygames.games.liarsdice.house import LEVELS, Mood, mood, moody, played, trusting, truth_or_a_little_more
from lilygames.house.tempers import Formerly
from rules.kit import Luck
from rules.liarsdice import View


def novice_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice of release 0.1, which was always in the same mood."""
    return moody(view, moves, luck, Mood(bluffs=8, unseen=20))


def novice_3(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice's third version, which bluffed once in four claims after a win."""
    return moody(view, moves, luck, mood(view, bold=4))


def shark_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the shark of release 0.1, which trusts most first claims."""
    return played(view, moves, luck, trusting, truth_or_a_little_more)


RELEASES: Mapping[str, Mapping[str, Strategy]] = {"0.1": {**LEVELS, "novice": novice_0_1, "shark": shark_0_1}}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {
    "novice": {"1": novice_0_1, "2": Formerly(novice_3, BY_LUCK), "3": novice_3},
    "club": {"1": Formerly(LEVELS["club"], BY_LUCK)},
}
"""The strategies of earlier versions, by level and version."""
