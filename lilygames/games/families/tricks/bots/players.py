"""Bots for the exact-bid games: they bid and play alike, whatever the scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Advice, Budget, Memory, Strategy, Thinker
from lilygames.games.families.tricks.bots.finish import Finish
from lilygames.games.families.tricks.bots.habits import Trust, trusts
from lilygames.games.families.tricks.bots.scene import Stakes
from lilygames.games.families.tricks.bots.search import best_move, made, values
from lilygames.games.families.tricks.bots.strategy import by_rule, human_move
from lilygames.house.habits import Remembering
from lilygames_rules.kit import Luck
from lilygames_rules.tricks.exactbid import Bid, Play

THOUGHT = Budget(20_000)
"""The shark's search budget per move."""

_EACH, _FEWEST = 32, 20
"""Share of a budget for counting how often the bid is made, and the minimum number of deals for it."""
_SLIGHT = 0.1
"""Points from which a move counts as a mistake."""
_WHY = {
    Bid: "You would take exactly {bid:.0f} in about {made:.0f} of 100 deals that fit what you know.",
    Play: "With it you make your bid of {bid:.0f} in about {made:.0f} of 100 deals that fit what you know.",
}
_TO_WIN = "With it you win the game in about {won:.0f} of 100 deals that fit what you know."


def _goal(view: Any, move: Bid | Play, seat: int) -> int:
    """Return the bid that a seat has made, or makes by this move."""
    return move.tricks if isinstance(move, Bid) else view.round.bids[seat] or 0


def _unknown(_: Any) -> None:
    """Return None: a game that doesn't say how its matches end is played for points."""


def _trusted(view: Any, memory: Memory | None) -> Sequence[Trust]:
    return trusts(memory, view.match.sheet, len(view.match.scores))


@attrs.frozen
class Players:
    """The bots of one game; its functions must be importable by name, because sharks run in another process."""

    own: Callable[[Any, Sequence[Any]], Any]
    """Chooses among moves that only this game has, given a view and the legal moves."""
    stakes: Callable[[Any], Stakes]
    """Returns the pack, the scoring and the dealer's restriction for a view."""
    finish: Callable[[Any], Finish | None] = _unknown
    """Returns the finish of a match in its last rounds, for a view."""

    def novice(self, view: Any, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
        """Return a novice's move, with the faults of people who are new to the game."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        seat, sheet = view.seat or 0, view.match.sheet
        missed = bool(sheet) and sheet[-1].bids[seat] != sheet[-1].taken[seat]
        pack, trusted = self.stakes(view).pack, _trusted(view, memory)
        return human_move(view.round, seat, moves, pack, luck, missed=missed, trusted=trusted)

    def club(self, view: Any, moves: Sequence[Any], _: Luck, *, memory: Memory | None = None) -> Any:
        """Return a club bot's move: rules of thumb and card counting."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        return by_rule(view.round, view.seat or 0, moves, self.stakes(view), _trusted(view, memory))

    def search(
        self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None
    ) -> Any:
        """Return the move with the most points found by search."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        seat, trusted = view.seat or 0, _trusted(view, memory)
        return best_move(view.round, seat, moves, self.stakes(view), trusted, luck=luck, budget=budget)

    def search_to_win(
        self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None
    ) -> Any:
        """Return the best move found by search: for points, and for the win in the last rounds of a match."""
        if not isinstance(moves[0], Bid | Play):
            return self.own(view, moves)
        seat, trusted = view.seat or 0, _trusted(view, memory)
        return best_move(view.round, seat, moves, self._stakes_to_win(view), trusted, luck=luck, budget=budget)

    def _stakes_to_win(self, view: Any) -> Stakes:
        return attrs.evolve(self.stakes(view), finish=self.finish(view))

    def explain(self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
        """Return the best move found by search, and what it brings in deals that fit the view.

        That is how often the bid is made with it, or in the last rounds of a match how often the match is won.
        """
        move = self.search_to_win(view, moves, luck, budget)
        if not isinstance(move, Bid | Play):
            return Advice(move, "The bots like a game of about this length.")
        seat = view.seat or 0
        deals = max(_FEWEST, budget.iterations // _EACH)
        stakes = self._stakes_to_win(view)
        if stakes.finish:
            (won,) = values(view.round, seat, [move], stakes, luck=luck, deals=deals)
            return Advice(move, _TO_WIN, {"won": 100 * won})
        share = made(view.round, seat, move, stakes, luck=luck, deals=deals)
        return Advice(move, _WHY[type(move)], {"made": 100 * share, "bid": _goal(view, move, seat)})

    def weigh(self, view: Any, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
        """Return the best move found by search, and how many points better it is than the first of the moves."""
        done = moves[0]
        if not isinstance(done, Bid | Play):
            return Advice(done, "It makes little difference.", {"cost": 0.0})
        best = self.search(view, moves, luck, budget)
        deals = max(_FEWEST, budget.iterations // _EACH)
        ahead = values(view.round, view.seat or 0, [done, best], self.stakes(view), luck=luck, deals=deals)
        cost = ahead[1] - ahead[0]
        return Advice(best, "That comes to about {cost:.1f} points more.", {"cost": cost if cost >= _SLIGHT else 0.0})

    @property
    def judge(self) -> Thinker:
        """The shark that also says how much worse the first move is."""
        return Thinker(self.weigh, THOUGHT)

    @property
    def adviser(self) -> Thinker:
        """The shark that also explains its move."""
        return Thinker(self.explain, THOUGHT)

    def levels(self) -> Mapping[str, Strategy]:
        """Return the bots by level, weakest first."""
        return {
            "novice": Remembering(self.novice),
            "club": Remembering(self.club),
            "shark": Thinker(Remembering(self.search_to_win), THOUGHT),
        }
