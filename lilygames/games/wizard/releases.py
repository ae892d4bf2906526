"""The bots as they were in earlier releases, as opponents in duels: `club@0.1`. A bot must not lose to its own past."""

from __future__ import annotations

from collections.abc import Mapping

from lilygames.game import Strategy
from lilygames.games.wizard.house import LEVELS, PLAYERS

RELEASES: Mapping[str, Mapping[str, Strategy]] = {"0.1": {**LEVELS, "novice": PLAYERS.novice_0_1}}
"""The bots by release and level. Keep the older strategy here when one changes."""
