"""What a shark of Liar's Lair does, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.liarslair.house import sure
from lilygames.games.liarslair.search import chances
from rules.kit import Luck
from rules.liarslair import View

_WHY = "With it you win about {won:.0f} times in 100, by tries with cards that the others may hold."


def explain(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a shark's move, and how often the game is won with it."""
    if certain := sure(view, moves):
        return Advice(certain, "By what you know, nobody can prove you wrong.")
    wins = chances(view, moves, luck, budget, reads=True)
    if not wins:
        return Advice(moves[0], "It makes no difference to you.")
    best = max(range(len(moves)), key=wins.__getitem__)
    return Advice(moves[best], _WHY, {"won": 100 * wins[best]})


ADVISER = Thinker(explain, Budget(480))
