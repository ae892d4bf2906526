"""House players for Ohell: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.families.tricks.scene import Stakes
from lilygames.games.families.tricks.search import best_move
from lilygames.games.families.tricks.strategy import bid_or_card, by_rule
from rules.cards import pack
from rules.kit import Luck
from rules.ohell import View, score

_PLEASANT = 7
"""Cards in the largest hand of a game that is neither over at once nor goes on all night."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: a pleasant largest hand, else what all novices of exact-bid games do."""
    if view.round is None:
        return min(moves, key=lambda move: abs(move.cards - _PLEASANT))
    return bid_or_card(view.round, view.seat or 0, moves, pack(view.match.decks), luck)


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: the same largest hand, else by rules of thumb, counting cards."""
    if view.round is None:
        return novice(view, moves, luck)
    return by_rule(view.round, view.seat or 0, moves, _stakes(view))


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move that a search finds best, but for the largest hand."""
    if view.round is None:
        return novice(view, moves, luck)
    return best_move(view.round, view.seat or 0, moves, _stakes(view), luck=luck, budget=budget)


def _stakes(view: View) -> Stakes:
    return Stakes(pack(view.match.decks), score, hook=view.match.options.hook)


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": Thinker(search, Budget(20_000))}
"""The house players of Ohell by level."""
