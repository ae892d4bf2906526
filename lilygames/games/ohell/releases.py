"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Mapping

from lilygames.game import Strategy, Thinker
from lilygames.games.families.tricks.players import THOUGHT
from lilygames.games.families.tricks.temper import BY_LUCK
from lilygames.games.ohell.house import LEVELS, PLAYERS
from lilygames.house.habits import Remembering
from lilygames.house.tempers import Formerly

_FOR_POINTS = Thinker(Remembering(PLAYERS.search), THOUGHT)
"""The shark that played for points also in the last rounds of a match."""
RELEASES: Mapping[str, Mapping[str, Strategy]] = {"0.1": {**LEVELS, "novice": PLAYERS.novice_0_1, "shark": _FOR_POINTS}}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {
    "novice": {"1": PLAYERS.novice_0_1, "2": Formerly(LEVELS["novice"], BY_LUCK)},
    "club": {"1": Formerly(LEVELS["club"], BY_LUCK)},
    "shark": {"1": _FOR_POINTS},
}
"""The strategies of earlier versions, by level and version."""
