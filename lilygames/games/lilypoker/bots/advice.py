"""Hints for lily-poker: the shark's move, and its reason."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.lilypoker.bots import by_table
from lilygames.games.lilypoker.bots.house import LEVELS, LastChips, club, last_chips, search
from lilygames.games.lilypoker.bots.search import compared, deals_for, showdown
from lilygames_rules.kit import Luck
from lilygames_rules.lilypoker import View
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.bets import Move as BetMove
from lilygames_rules.poker.deal import Discard

_ODDS = "It costs {owed:.0f} to win {pot:.0f}, which takes a win {needed:.0f} times in 100"
_WINS = "by how the others have played, you'd win about {won:.0f} of 100 showdowns."
_ANY = "with so few chips, almost any hand may be behind this bet, and you'd win about {won:.0f} of 100 showdowns."
_CHIPS = "The bot's move is worth {cost:.1f} chips more on average."
_DRAW = "Your draw wins about {made:.0f} of 100 showdowns, the bot's {best:.0f}. That's {cost:.1f} chips of the pot."
_BY_TABLE = "By the sharks' table, this draw wins the most chips on average."
_BY_SEARCH = "Of all draws it wins most often against what the others may hold."
_SLIGHT = 0.1
"""Chips from which a move counts as a mistake."""
_MORE = 2
"""Deals for judging a move, as a multiple of those for choosing one."""
_EACH = 2
"""Deals per unit of budget in which a hint counts the showdowns."""


def explain(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return the move that a shark makes most often, with the pot's odds and how often its hand wins."""
    if bet := last_chips(view, luck):
        return Advice(moves[0] if bet.gain > 0 else moves[1], f"{_ODDS}; {_ANY}", _odds_of(bet))
    deal, known = view.deal, by_table.likeliest(view, moves)
    move = known or search(view, moves, luck, budget)
    if deal is None or view.seat is None or deal.phase == "show":
        return Advice(move, "It gives nothing away.")
    if deal.phase == "draw":
        return Advice(move, _BY_TABLE if known else _BY_SEARCH)
    now, rng = deal.betting, random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    won = 100 * showdown(view.match.options, deal, view.seat, rng=rng, number=_EACH * budget.iterations)
    if now.owed and isinstance(move, Call | Fold):
        needed = 100 * now.owed / (now.total + now.owed)
        facts = {"owed": now.owed, "pot": now.total, "needed": needed, "won": won}
        return Advice(move, f"{_ODDS}; {_WINS}", facts)
    if isinstance(move, Check):
        return Advice(move, f"It costs nothing; {_WINS}", {"won": won})
    return Advice(move, f"{_WINS[0].upper()}{_WINS[1:]}", {"won": won})


def weigh(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a shark's move, and how many more chips it wins on average than the first of the moves."""
    deal, made = view.deal, moves[0]
    if deal is None or view.seat is None or deal.betting.bring_in or not isinstance(made, Discard | BetMove):
        return Advice(made, "It makes little difference.", {"cost": 0.0})
    listed = sorted(moves, key=_listed)
    if bet := last_chips(view, luck):
        return _weighed(bet, made, listed)
    usual, rng = club(view, listed, luck), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    options, seat, now = view.match.options, view.seat, deal.betting
    found = compared(options, deal, seat, listed, usual, made=made, rng=rng, deals=deals_for(deal, budget))
    draws = isinstance(made, Discard)
    cost = found.ahead * now.total if draws else found.ahead
    if cost < _SLIGHT:
        return Advice(found.move, "It makes little difference.", {"cost": 0.0})
    if draws:
        return Advice(found.move, _DRAW, {"best": 100 * found.best, "made": 100 * found.made, "cost": cost})
    won = 100 * showdown(options, deal, seat, rng=rng, number=budget.iterations)
    facts = {"won": won, "cost": cost}
    if not now.owed:
        return Advice(found.move, f"{_WINS[0].upper()}{_WINS[1:]} {_CHIPS}", facts)
    odds = {"owed": now.owed, "pot": now.total, "needed": 100 * now.owed / (now.total + now.owed)}
    return Advice(found.move, f"{_ODDS}; {_WINS} {_CHIPS}", facts | odds)


def _weighed(bet: LastChips, made: Any, listed: Sequence[Any]) -> Advice:
    """Return the better answer to an all-in bet of few chips, and how much better it is than the one made."""
    best, cost = listed[0] if bet.gain > 0 else listed[1], abs(bet.gain)
    if made == best or cost < _SLIGHT:
        return Advice(best, "It makes little difference.", {"cost": 0.0})
    return Advice(best, f"{_ODDS}; {_ANY} {_CHIPS}", {**_odds_of(bet), "cost": cost})


def _odds_of(bet: LastChips) -> Mapping[str, float]:
    needed = 100 * bet.price / (bet.pot + bet.price)
    return {"owed": bet.price, "pot": bet.pot, "needed": needed, "won": 100 * bet.won}


def _listed(move: Any) -> int:
    """Return the place of a move as the rules list them: a check or call, a fold, then bets and raises."""
    return 1 if isinstance(move, Fold) else move.to + 1 if isinstance(move, Bet | Raise) else 0


def _budget() -> Budget:
    """Return the shark's budget."""
    shark = LEVELS["shark"]
    return shark.budget if isinstance(shark, Thinker) else Budget(1)


ADVISER = Thinker(explain, _budget())
JUDGE = Thinker(weigh, Budget(_MORE * _budget().iterations))
