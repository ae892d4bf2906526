"""Bots for the exact-bid games: they bid and play alike, whatever the scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.families.tricks.scene import Stakes
from lilygames.games.families.tricks.search import best_move
from lilygames.games.families.tricks.strategy import bid_or_card, by_rule
from rules.kit import Luck
from rules.tricks.exactbid import Bid, Play

THOUGHT = Budget(20_000)
"""The shark's search budget per move."""


@attrs.frozen
class Players:
    """The bots of one game; its functions must be importable by name, because sharks run in another process."""

    own: Callable[[Any, Sequence[Any]], Any]
    """Chooses among moves that only this game has, given a view and the legal moves."""
    stakes: Callable[[Any], Stakes]
    """Returns the pack, the scoring and the dealer's restriction for a view."""

    def novice(self, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return a novice's move, with an occasional random one."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return bid_or_card(view.round, view.seat or 0, moves, self.stakes(view).pack, luck)

    def club(self, view: Any, moves: Sequence[Any], _: Luck) -> Any:
        """Return a club bot's move: rules of thumb and card counting."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return by_rule(view.round, view.seat or 0, moves, self.stakes(view))

    def search(self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
        """Return the best move found by search."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return best_move(view.round, view.seat or 0, moves, self.stakes(view), luck=luck, budget=budget)

    def levels(self) -> Mapping[str, Strategy]:
        """Return the bots by level, weakest first."""
        return {"novice": self.novice, "club": self.club, "shark": Thinker(self.search, THOUGHT)}
