"""The house players of all games of exact bids: bids and cards they think of alike, whatever is scored for them."""

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
"""How much a shark thinks about a move."""


@attrs.frozen
class Players:
    """The players of one game, which names functions of its own module: a shark is asked in another process."""

    own: Callable[[Any, Sequence[Any]], Any]
    """Chooses, of a view and the legal moves, among moves that this game alone has."""
    stakes: Callable[[Any], Stakes]
    """Returns, of a view, the pack, the points and whether the dealer may make the bids even."""

    def novice(self, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return the move of a novice, who slips now and then."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return bid_or_card(view.round, view.seat or 0, moves, self.stakes(view).pack, luck)

    def club(self, view: Any, moves: Sequence[Any], _: Luck) -> Any:
        """Return the move of a club player: by rules of thumb, counting cards."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return by_rule(view.round, view.seat or 0, moves, self.stakes(view))

    def search(self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
        """Return the move that a search finds best."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return best_move(view.round, view.seat or 0, moves, self.stakes(view), luck=luck, budget=budget)

    def levels(self) -> Mapping[str, Strategy]:
        """Return them by level, from the weakest to the strongest."""
        return {"novice": self.novice, "club": self.club, "shark": Thinker(self.search, THOUGHT)}
