"""Hints for Liar's Lair: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.liarslair.house import sure
from lilygames.games.liarslair.search import chances
from lilygames_rules.kit import Luck
from lilygames_rules.lair.moves import Pass
from lilygames_rules.liarslair import View

_WHY = "With it you win about {won:.0f} times in 100, by tries with cards that the others may hold."


def explain(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a shark's move, and its probability of winning."""
    if certain := sure(view, moves):
        return Advice(certain, "By what you know, nobody can prove you wrong.")
    wins = chances(view, moves, luck, budget, reads=True)
    if not wins:
        return Advice(moves[0], "It makes no difference to you.")
    best = max(range(len(moves)), key=wins.__getitem__)
    return Advice(moves[best], _WHY, {"won": 100 * wins[best]})


def weigh(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a shark's move, and how much more often it wins than the first of the moves."""
    listed = sorted(moves, key=lambda move: not isinstance(move, Pass))  # as the rules list them, a pass first
    wins = chances(view, listed, luck, budget, reads=True)
    if not wins:
        return Advice(moves[0], "It makes no difference.", {"cost": 0.0})
    best = max(range(len(listed)), key=wins.__getitem__)
    cost = 100 * (wins[best] - wins[listed.index(moves[0])])
    return Advice(listed[best], "That wins about {cost:.0f} games more in 100.", {"cost": cost if cost >= 1 else 0.0})


JUDGE = Thinker(weigh, Budget(480))
ADVISER = Thinker(explain, Budget(480))
