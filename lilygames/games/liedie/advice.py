"""Hints for Lie Die: the master's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.families.dice.chances import chance
from lilygames.games.families.dice.reasons import claimed
from lilygames.games.liedie.house import MASTER, dice_thrown, is_lie, master
from lilygames.games.liedie.worth import Scale
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Roll, others
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Luck
from lilygames_rules.liedie import Claim, Turn, View

_FRESH = "{dice:.0f} fresh dice are that good, or better, {reached:.0f} times in 100."
_KEPT = "With the best of the dice you saw and {dice:.0f} thrown, that works {reached:.0f} times in 100."


def explain(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Advice:
    """Return a master's move, and the odds of the claim or of the throw."""
    now, cup, move = view.turn, view.cup, master(view, moves, luck, budget)
    if now is None or cup is None:
        return Advice(move, "It's your only legal move.")
    match move:
        case Accept() | Challenge() if now.claim is not None:
            return _answer(view, now, cup, now.claim, move)
        case Roll(places) if now.claim is not None:
            return _throw(view, now.claim, cup, places, move)
        case Claim(throw):
            lie = is_lie(view.match, throw, Throw.of(cup.seen))
            return Advice(move, "It's a lie, since the truth is too low or too telling." if lie else "It's true.")
    return Advice(move, "It's your best move.")


def _answer(view: View, now: Turn, cup: Glimpse, claim: Throw, move: Accept | Challenge) -> Advice:
    if cup.known:
        return Advice(move, "You know the dice.")
    dice = dice_thrown(view, now, DICE)
    reached = within_reach(cup.last or (), dice, claim, view)
    why = _KEPT if cup.last and dice < DICE else _FRESH
    return Advice(move, why, {"dice": dice if cup.last else DICE, "reached": 100 * reached})


def within_reach(seen: tuple[int, ...], dice: int, claim: Throw, view: View) -> float:
    """Return the probability that a claim is reached by throwing this many of the known dice, or of fresh ones.

    The kept dice are those that make it likeliest.
    """
    thirteen = view.match.options.thirteen
    keeps = set(combinations(sorted(seen), DICE - dice)) if seen else {()}
    return max(chance(kept, lambda fall: not claim.beats(Throw(fall), thirteen)) for kept in keeps)


def _throw(view: View, claim: Throw, cup: Glimpse, places: tuple[int, ...], move: Roll) -> Advice:
    thirteen = view.match.options.thirteen
    if not places:
        return Advice(move, "The dice beat the claim already.")
    kept = tuple(cup.seen[place - 1] for place in others(places))
    beats = chance(kept, lambda fall: Throw(fall).beats(claim, thirteen))
    return Advice(move, "It beats the claim {reached:.0f} times in 100.", {"reached": 100 * beats})


_SLIGHT = 0.1
"""Average points from which a move counts as a mistake."""
_BELIEVED = "Your claim is believed {your_believed:.0f} times in 100"
_BEATS = "Your throw beats the claim {your_reached:.0f} times in 100"
_REASONS = {
    (Challenge, Accept): "CLAIMED. Taking the dice",
    (Accept, Challenge): "CLAIMED. A challenge",
    (Claim, Claim): f"{_BELIEVED}, the bot's {{believed:.0f}}. The bot's claim",
    (Claim, Roll): f"{_BELIEVED} if you throw no dice. The bot's throw",
    (Roll, Roll): f"{_BEATS}, the bot's {{reached:.0f}}. The bot's throw",
}
"""Reasons by the kinds of the move made and the better one; each begins the sentence about the points."""
_LIE = "Your lie is believed {your_believed:.0f} times in 100. The truth"


def weigh(view: View, moves: Sequence[Any], _: Luck, budget: Budget) -> Advice:
    """Return the best move that a master may make, and how many more points it is worth than the first of the moves."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or len(moves) == 1:
        return Advice(moves[0], "It makes no difference.", {"cost": 0.0})
    scale = Scale(view, budget)
    made, better = scale.worth(moves[0]), scale.choices()[0]
    reason, cost = _REASONS.get((type(made.move), type(better.move))), better.points - made.points
    if reason is None or cost < _SLIGHT:
        return Advice(better.move, "It makes little difference.", {"cost": 0.0})
    if isinstance(better.move, Claim) and better.odds["held"] > made.odds["held"]:
        reason = _LIE
    facts = {f"your_{name}": 100 * odds for name, odds in made.odds.items()}
    facts |= {name: 100 * odds for name, odds in better.odds.items()} | {"cost": cost}
    if now.claim is not None:
        reason = reason.replace("CLAIMED", claimed(str(now.claim), facts.get("true", 0.0), known=cup.known))
    return Advice(better.move, f"{reason} is worth {{cost:.2f}} points more on average.", facts)


ADVISER = Thinker(explain, MASTER)
JUDGE = Thinker(weigh, MASTER)
