"""Hints for Liars Dice: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.families.dice.chances import chance
from lilygames.games.families.dice.reasons import claimed
from lilygames.games.liarsdice.bots.headsup import heard, solution
from lilygames.games.liarsdice.bots.headsup_worth import USUAL, Solved, reached
from lilygames.games.liarsdice.bots.house import odds, passed, wanted
from lilygames.games.liarsdice.bots.steps import truth_of
from lilygames.games.liarsdice.bots.worth import Scale, Worth, choices
from lilygames.games.liarsdice.solved.chances import at_least
from lilygames.games.liarsdice.solved.solution import keeps
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Roll, others
from lilygames_rules.dice.passing import Claim, Passing, Peek
from lilygames_rules.kit import Luck
from lilygames_rules.liarsdice import View

Reasons = Mapping[tuple[type, type], str]
_ONE_ROLL = "One roll of {dice:.0f} DICE makes it that good, or better, {reached:.0f} times in 100"
_WHY = {
    Accept: ", and by how often players lie, taking the dice pays more than a challenge.",
    Challenge: ", and by how often players lie, a challenge pays more than taking the dice.",
}
_OFTEN = ". The strongest bot takes the dice {often:.0f} times in 100 then, so that lies don't pay."
_NO_BETTER = "No other move is clearly better."


def explain(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return a shark's move, and the odds of the claim or of the roll."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return Advice(moves[0], "It's your only legal move.")
    move = solution(view, luck)
    return _by_the_odds(view, now, cup, odds(view, moves, luck)) if move is None else _solved(view, now, cup, move)


def _by_the_odds(view: View, now: Passing, cup: Glimpse, move: Any) -> Advice:
    """Return a move by the odds with its reason."""
    match move:
        case Accept() | Challenge() if now.hand is not None and not cup.known:
            return _answer(move, passed(cup, now, view.seat), now.hand, _WHY[type(move)])
        case Roll(places):
            kept = tuple(cup.seen[place - 1] for place in others(places))
            hoped = wanted(now)
            facts = {"dice": len(places), "reached": 100 * chance(kept, hoped.true_of)}
            why = f"It gives you {hoped.words} or better {{reached:.0f}} times in 100, more than any other roll."
            return Advice(move, why, facts)
    return _certain(view, cup, move)


def _solved(view: View, now: Passing, cup: Glimpse, move: Any) -> Advice:
    """Return a move of the two-player solution with its reason."""
    match move:
        case Accept() | Challenge() if now.hand and (claimed := heard(view, now, cup)) and not cup.known:
            asked, way = claimed
            often = asked.believed(way, truth_of(now.hand))
            advice = _answer(_usual(move, often), keeps()[asked.seen_kept(way)], now.hand, _OFTEN)
            return attrs.evolve(advice, facts={**advice.facts, "often": 100 * often})
        case Roll(places):
            kept = tuple(sorted(cup.seen[place - 1] for place in others(places)))
            hoped = f"{now.least.words} or better" if now.hand and now.least else "better dice"
            facts = {"dice": len(places), "reached": 100 * reached(now, cup, kept)}
            return Advice(move, f"It gives you {hoped} {{reached:.0f}} times in 100. {_NO_BETTER}", facts)
    return _certain(view, cup, move)


def _usual(move: Accept | Challenge, often: float) -> Accept | Challenge:
    """Return a shark's answer, or the other one if a shark seldom gives it."""
    if USUAL <= often <= 1 - USUAL:
        return move
    return Accept() if often > USUAL else Challenge()


def _certain(view: View, cup: Glimpse, move: Any) -> Advice:
    """Return a move whose reason needs no odds."""
    match move:
        case Accept():
            return Advice(move, "You know the dice, and it's true.")
        case Challenge():
            return Advice(move, "You know the dice.")
        case Claim(hand):
            true = hand.true_of(cup.seen, view.match.options.kickers) if cup.known else False
            return Advice(move, "It's true." if true else "It's a lie, but one that your dice could have made true.")
        case Peek():
            return Advice(move, "Looking costs you no roll.")
    return Advice(move, "It's your best move.")


def _answer(move: Accept | Challenge, kept: tuple[int, ...], hand: Hand, why: str) -> Advice:
    """Return the answer to a claim about unseen dice, with the odds that a roll of all but these dice reaches it."""
    rolled = DICE - len(kept)
    facts = {"dice": rolled, "reached": 100 * at_least(kept, hand.rung)}
    return Advice(move, _ONE_ROLL.replace("DICE", "die" if rolled == 1 else "dice") + why, facts)


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
_BELIEVED = "Your claim is believed {your_believed:.0f} times in 100"
_SOLVED = {
    **_REASONS,
    (Claim, Claim): f"{_BELIEVED}, the bot's {{believed:.0f}}. The bot's claim",
    (Claim, Roll): f"{_BELIEVED}. The bot's roll WINS {{reached:.0f}} times in 100. It",
    (Roll, Claim): "Your roll WINS {your_reached:.0f} times in 100. A claim at once",
    (Roll, Roll): "Your roll WINS {your_reached:.0f} times in 100, the bot's {reached:.0f}. The bot's roll",
}
"""Reasons by the two-player solution."""


def weigh(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return the best move that a shark may make, and how many more points it is worth than the first of the moves."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return Advice(moves[0], "It makes no difference.", {"cost": 0.0})
    solved = Solved.of(view)
    if solved and solved.is_usual(moves[0]):
        return Advice(moves[0], "The strongest bot often gives this answer, too.", {"cost": 0.0})
    if solved:
        return _compared(now, cup, solved.worth(moves[0]), solved.choices()[0], _SOLVED)
    return _compared(now, cup, Scale(view, luck).worth(moves[0]), choices(view, moves, luck)[0], _REASONS)


def _compared(now: Passing, cup: Glimpse, made: Worth, better: Worth, reasons: Reasons) -> Advice:
    """Return the better move, and how many more points it is worth than the one made."""
    reason, cost = reasons.get((type(made.move), type(better.move))), better.points - made.points
    if reason is None or cost < _SLIGHT:
        return Advice(better.move, "It makes little difference.", {"cost": 0.0})
    facts = {f"your_{name}": 100 * odds for name, odds in made.odds.items()}
    facts |= {name: 100 * odds for name, odds in better.odds.items()} | {"cost": cost}
    reason = reason.replace("WINS", "makes the dice better" if now.hand is None else "beats the claim")
    if now.hand is not None:
        reason = reason.replace("CLAIMED", claimed(now.hand.words, facts.get("true", 0.0), known=cup.known))
    return Advice(better.move, f"{reason} is worth {{cost:.2f}} points more on average.", facts)


ADVISER = Thinker(explain, Budget(1))
JUDGE = Thinker(weigh, Budget(1))
