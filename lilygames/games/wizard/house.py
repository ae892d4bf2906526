"""House players for Wizard: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.families.tricks.scene import Stakes
from lilygames.games.families.tricks.search import best_move
from lilygames.games.families.tricks.strategy import bid_or_card, by_rule
from rules.kit import Luck
from rules.wizard import FREE_ROUNDS, PACK, NameTrump, View, score


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: its best suit as trump, else what all novices of exact-bid games do."""
    now = view.round
    if now is None or isinstance(moves[0], NameTrump):
        held = now.hand if now else ()
        return max(moves, key=lambda move: sum(card.rank for card in held if card.suit is move.suit))
    return bid_or_card(now, view.seat or 0, moves, PACK, luck)


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: trumps as a novice, else by rules of thumb, counting cards."""
    if view.round is None or isinstance(moves[0], NameTrump):
        return novice(view, moves, luck)
    return by_rule(view.round, view.seat or 0, moves, _stakes(view))


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move that a search finds best, but for the trump to name."""
    if view.round is None or isinstance(moves[0], NameTrump):
        return novice(view, moves, luck)
    return best_move(view.round, view.seat or 0, moves, _stakes(view), luck=luck, budget=budget)


def _stakes(view: View) -> Stakes:
    """The American dealer bids freely, the German one in the first rounds, the Canadian unless alone in the lead."""
    match, now, free = view.match, view.round, True
    if now is not None and match.options.style == "german":
        free = now.deal.number <= FREE_ROUNDS
    elif now is not None and match.options.style == "canadian":
        most = max(match.scores)
        free = match.scores.count(most) > 1 or match.scores[now.deal.dealer] < most
    return Stakes(PACK, score, hook=not free)


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": Thinker(search, Budget(20_000))}
"""The house players of Wizard by level."""
