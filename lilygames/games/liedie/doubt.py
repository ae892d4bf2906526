"""Moves of Lie Die that are odd enough to ask about first: /set confirm."""

from __future__ import annotations

from typing import Any

from lilygames.games.liedie.house import is_lie
from lilygames_rules.dice.cup import Accept, Challenge
from lilygames_rules.dice.throws import Throw, ladder, rank
from lilygames_rules.liedie import Claim, Turn, View

_FAR = 5
"""Types by which a lie is above both the dice and the claim to beat, such as a full house above a pair."""


def doubt(view: View, move: Any) -> str:
    """Return why a move is odd: it throws away what the dice show, or it is a lie that nobody needs to tell."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or not cup.known:
        return ""
    dice = Throw.of(cup.seen)
    match move:
        case Challenge() if now.claim and now.claim != ladder()[-1] and not is_lie(view.match, now.claim, dice):
            return "You know the dice, and this claim is true."
        case Accept() if now.claim and is_lie(view.match, now.claim, dice):
            return "You know the dice, and this claim is a lie, so a challenge wins."
        case Claim(throw) if is_lie(view.match, throw, dice):
            return _lie(view, now, throw, dice)
    return ""


def _lie(view: View, now: Turn, throw: Throw, dice: Throw) -> str:
    """Return why a lie is odd, if it is."""
    thirteen = view.match.options.thirteen
    steps, claim = ladder(thirteen), now.claim
    if throw == steps[-1] and claim != steps[-2]:
        return "Nobody can beat five sixes, so the next player has to challenge. You know that it is a lie."
    if dice.beats(throw, thirteen) and (claim is None or dice.beats(claim, thirteen)):
        return f"Your dice are {dice}, which is better. Here a lower claim is a lie, too."
    need = 0 if claim is None else rank(claim, thirteen)[0]
    if rank(throw, thirteen)[0] - max(rank(dice, thirteen)[0], need) < _FAR:
        return ""
    return f"Your dice are {dice}, so {throw} is a lie. A much lower claim would do."
