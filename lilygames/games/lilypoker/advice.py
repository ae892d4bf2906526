"""Hints for lily-poker: the shark's move, and its reason."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.lilypoker.house import LEVELS, search
from lilygames.games.lilypoker.search import showdown
from rules.kit import Luck
from rules.lilypoker import View
from rules.poker.bets import Call, Check, Fold

_ODDS = "It costs {owed:.0f} to win {pot:.0f}, which takes a win {needed:.0f} times in 100"
_WINS = "by how the others have played, you'd win about {won:.0f} of 100 showdowns."
_EACH = 2
"""Deals per unit of budget in which a hint counts the showdowns."""


def explain(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a shark's move, with the pot's odds and how often its hand wins."""
    move, deal = search(view, moves, luck, budget), view.deal
    if deal is None or view.seat is None or deal.phase == "show":
        return Advice(move, "It gives nothing away.")
    if deal.phase == "draw":
        return Advice(move, "Of all draws it wins most often against what the others may hold.")
    now, rng = deal.betting, random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    won = 100 * showdown(view.match.options, deal, view.seat, rng=rng, number=_EACH * budget.iterations)
    if now.owed and isinstance(move, Call | Fold):
        needed = 100 * now.owed / (now.total + now.owed)
        facts = {"owed": now.owed, "pot": now.total, "needed": needed, "won": won}
        return Advice(move, f"{_ODDS}; {_WINS}", facts)
    if isinstance(move, Check):
        return Advice(move, f"It costs nothing; {_WINS}", {"won": won})
    return Advice(move, f"{_WINS[0].upper()}{_WINS[1:]}", {"won": won})


def _budget() -> Budget:
    """Return the shark's budget."""
    shark = LEVELS["shark"]
    return shark.budget if isinstance(shark, Thinker) else Budget(1)


ADVISER = Thinker(explain, _budget())
