"""House players for Ohell: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.house.tricks import bid_or_card
from rules.cards import pack
from rules.kit import Luck
from rules.ohell import View

_PLEASANT = 7
"""Cards in the largest hand of a game that is neither over at once nor goes on all night."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: a pleasant largest hand, else what all novices of exact-bid games do."""
    if view.round is None:
        return min(moves, key=lambda move: abs(move.cards - _PLEASANT))
    return bid_or_card(view.round, view.seat or 0, moves, pack(view.match.decks), luck)


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of Ohell by level."""
