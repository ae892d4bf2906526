"""Achievements of Ohell."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Achievement
from lilygames.games.families.tricks.achievements import FLAWLESS, SLAM, made_with
from lilygames_rules.cards import ACE, Card

_ACES = 4


def _four_aces(hand: Sequence[Card]) -> bool:
    return sum(card.rank == ACE for card in hand) >= _ACES


ACHIEVEMENTS = (
    Achievement("Four aces, no tricks", "made a bid of 0 with four aces in hand", made_with(_four_aces, 0)),
    SLAM,
    FLAWLESS,
)
