"""House players for Wizard: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.house.tricks import bid_or_card
from rules.kit import Luck
from rules.wizard import PACK, NameTrump, View


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: its best suit as trump, else what all novices of exact-bid games do."""
    now = view.round
    if now is None or isinstance(moves[0], NameTrump):
        held = now.hand if now else ()
        return max(moves, key=lambda move: sum(card.rank for card in held if card.suit is move.suit))
    return bid_or_card(now, view.seat or 0, moves, PACK, luck)


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of Wizard by level."""
