"""Hints for Liars Dice: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.families.dice.chances import chance
from lilygames.games.liarsdice.chances import at_least
from lilygames.games.liarsdice.house import passed, shark, wanted
from rules.dice.claims import Claim as Hand
from rules.dice.cup import DICE, Accept, Challenge, Glimpse, Roll, others
from rules.dice.passing import Claim, Passing, Peek
from rules.kit import Luck
from rules.liarsdice import View

_ONE_ROLL = "One roll of {dice:.0f} DICE makes it that good, or better, {reached:.0f} times in 100"
_WHY = {
    Accept: ", and by how often players lie, taking the dice pays more than a challenge.",
    Challenge: ", and by how often players lie, a challenge pays more than taking the dice.",
}


def explain(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return a shark's move, and the odds of the claim or of the roll."""
    now, cup, move = view.passing, view.cup, shark(view, moves, luck)
    if now is None or cup is None:
        return Advice(move, "It's your only legal move.")
    match move:
        case Accept() | Challenge() if now.hand is not None:
            return _answer(view, now, cup, now.hand, move)
        case Roll(places):
            kept = tuple(cup.seen[place - 1] for place in others(places))
            hoped = wanted(now)
            reached = chance(kept, hoped.true_of)
            facts = {"dice": len(places), "reached": 100 * reached}
            why = f"It gives you {hoped.words} or better {{reached:.0f}} times in 100, more than any other roll."
            return Advice(move, why, facts)
        case Claim(hand):
            true = hand.true_of(cup.seen, view.match.options.kickers) if cup.known else False
            return Advice(move, "It's true." if true else "It's a lie, but one that your dice could have made true.")
        case Peek():
            return Advice(move, "Looking costs you no roll.")
    return Advice(move, "It's your best move.")


def _answer(view: View, now: Passing, cup: Glimpse, hand: Hand, move: Accept | Challenge) -> Advice:
    """Return the answer to a claim, with the odds that the passer's roll reached it."""
    if cup.known:
        return Advice(move, "You know the dice, and it's true." if isinstance(move, Accept) else "You know the dice.")
    kept = passed(cup, now, view.seat)
    rolled = DICE - len(kept)
    facts = {"dice": rolled, "reached": 100 * at_least(kept, hand.rung)}
    return Advice(move, _ONE_ROLL.replace("DICE", "die" if rolled == 1 else "dice") + _WHY[type(move)], facts)


ADVISER = Thinker(explain, Budget(1))
