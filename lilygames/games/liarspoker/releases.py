"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.games.liarspoker.house import LEVELS, by_past_hands, naively, trusting_club, trusting_shark
from lilygames.games.liarspoker.temper import BY_LUCK
from lilygames.house.habits import Remembering
from lilygames.house.tempers import Formerly
from rules.bidding.ladder import RANKS
from rules.kit import Luck
from rules.liarspoker import View

_SLIP = 12


def novice_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice of release 0.1, which took any rank for a digit better."""
    return naively(view, moves, luck, luck.choice(RANKS) if luck.roll(_SLIP) == 1 else None)


CLUB_2 = Remembering(trusting_club)
RELEASES: Mapping[str, Mapping[str, Strategy]] = {
    "0.1": {"novice": novice_0_1, "club": CLUB_2, "shark": by_past_hands},
}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {
    "novice": {"1": novice_0_1, "2": Formerly(LEVELS["novice"], BY_LUCK)},
    "club": {"1": Formerly(CLUB_2, BY_LUCK), "2": CLUB_2},
    "shark": {"1": by_past_hands, "3": trusting_shark},
}
"""The strategies of earlier versions, by level and version."""
