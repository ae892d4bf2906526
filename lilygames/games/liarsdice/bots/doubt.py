"""Moves of Liars Dice that are odd enough to ask about first: /set confirm."""

from __future__ import annotations

from typing import Any

from lilygames.games.families.dice.chances import chance
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best, ladder
from lilygames_rules.dice.cup import Accept, Challenge, Glimpse
from lilygames_rules.dice.passing import Claim, Passing
from lilygames_rules.liarsdice import View

_FAR = 4
"""Categories by which a lie is above both the dice and the claim to beat, such as four of a kind above a pair."""


def doubt(view: View, move: Any) -> str:
    """Return why a move is odd: it throws away what the dice show, or it is a lie that nobody needs to tell."""
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return ""
    match move:
        case Challenge() if now.hand and now.least and _true(view, cup, now.hand) == 1:
            return "The dice that you see already make this claim true."
        case Accept() if now.hand and _true(view, cup, now.hand) == 0:
            return "The dice that you see make this claim a lie, so a challenge wins."
        case Claim(hand) if _true(view, cup, hand) == 0:
            return _lie(now, cup, hand)
    return ""


def _true(view: View, cup: Glimpse, hand: Hand) -> float:
    """Return how likely a claim is if the dice that the seat doesn't see fall at random."""
    kickers = view.match.options.kickers
    return chance(cup.seen, lambda dice: hand.true_of(dice, kickers))


def _lie(now: Passing, cup: Glimpse, hand: Hand) -> str:
    """Return why a lie is odd, if it is."""
    have = best(cup.seen).category.height if cup.known else 0
    need = now.least.category.height if now.least else 0
    if hand == ladder()[-1] and hand.category.height > need:
        return "Nobody can beat five aces, so the next player has to challenge. You see that it is a lie."
    if hand.category.height - max(have, need) < _FAR:
        return ""
    return f"You see that {hand.words} is a lie. A much lower claim would do."
