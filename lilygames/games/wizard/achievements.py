"""Achievements of Wizard."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Achievement
from lilygames.games.families.tricks.achievements import FLAWLESS, SLAM, made_with
from lilygames_rules.cards import WIZARD, Card


def _wizard(hand: Sequence[Card]) -> bool:
    return WIZARD in hand


ACHIEVEMENTS = (
    Achievement("Hidden wizard", "made a bid of 0 with a wizard in hand", made_with(_wizard, 0)),
    SLAM,
    FLAWLESS,
)
