"""Hints for Liars Dice: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.families.dice.chances import chance
from lilygames.games.families.dice.reasons import claimed
from lilygames.games.liarsdice.chances import at_least
from lilygames.games.liarsdice.house import odds, passed, wanted
from lilygames.games.liarsdice.worth import Scale, choices
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
    now, cup, move = view.passing, view.cup, odds(view, moves, luck)
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


_SLIGHT = 0.05
"""Average points from which a move counts as a mistake."""
_BOTH = "CLAIMED, and yours is true {your_held:.0f} times in 100."
_LIE = "Such a claim is true {your_credible:.0f} times in 100, and yours was a lie."
_REASONS = {
    (Challenge, Accept): "CLAIMED. Taking the dice",
    (Accept, Challenge): "CLAIMED. A challenge",
    (Claim, Accept): f"{_BOTH} Taking the dice",
    (Claim, Challenge): f"{_BOTH} A challenge",
    (Claim, Peek): f"{_BOTH} A look",
    (Roll, Peek): "Your roll is good enough {your_reached:.0f} times in 100. A look",
    (Roll, Roll): "Your roll is good enough {your_reached:.0f} times in 100, the bot's {reached:.0f}. The bot's roll",
    (Roll, Claim): "Your dice were good enough; after your roll they are so {your_reached:.0f} times in 100. A claim",
    (Claim, Roll): f"{_LIE} The bot's roll is good enough {{reached:.0f}} times in 100. It",
    (Claim, Claim): f"{_LIE} The bot's claim",
}
"""Reasons by the kinds of the move made and the better one; each begins the sentence about the points."""


def weigh(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return the best move that a shark may make, and how many more points it is worth than the first of the moves."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return Advice(moves[0], "It makes no difference.", {"cost": 0.0})
    made, better = Scale(view, luck).worth(moves[0]), choices(view, moves, luck)[0]
    reason, cost = _REASONS.get((type(made.move), type(better.move))), better.points - made.points
    if reason is None or cost < _SLIGHT:
        return Advice(better.move, "It makes little difference.", {"cost": 0.0})
    facts = {f"your_{name}": 100 * odds for name, odds in made.odds.items()}
    facts |= {name: 100 * odds for name, odds in better.odds.items()} | {"cost": cost}
    if now.hand is not None:
        reason = reason.replace("CLAIMED", claimed(now.hand.words, facts.get("true", 0.0), known=cup.known))
    return Advice(better.move, f"{reason} is worth {{cost:.2f}} points more on average.", facts)


ADVISER = Thinker(explain, Budget(1))
JUDGE = Thinker(weigh, Budget(1))
