"""The bots as they were in earlier releases: opponents in duels (`club@0.1`), and strategies that logs name by version.

A bot must not lose to its own past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.games.liarslair import house
from rules.kit import Luck
from rules.lair.table import Declaring, View


def novice_0_1(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of the novice of release 0.1, whose patience was drawn by lot."""
    if isinstance(view.match.phase, Declaring):
        return house.declared(view, moves, view.match.round.number // (2 + luck.roll(2)))
    return house.by_rule(view, moves, luck)


RELEASES: Mapping[str, Mapping[str, Strategy]] = {"0.1": {**house.LEVELS, "novice": novice_0_1}}
"""The bots by release and level. Keep the older strategy here when one changes."""
EARLIER: Mapping[str, Mapping[str, Strategy]] = {"novice": {"1": novice_0_1}}
"""The strategies of earlier versions, by level and version."""
