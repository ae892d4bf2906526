"""House players for Liars Dice: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from lilygames.house.dice import best_roll
from rules import liarsdice
from rules.claims import Claim as Hand
from rules.claims import best, ladder
from rules.dicecup import Accept, Challenge, Roll
from rules.kit import Luck
from rules.liarsdice import View
from rules.passing import Claim, Passing, Peek

_WORLDS = 40
"""How many ways the dice may lie a novice thinks of."""
_TRUST, _BLIND_TRUST = 0.9, 0.3
"""How often a novice believes what the dice alone would not show: of who has looked, and of who has not."""
_AWE = 0.48
"""How much of its trust it loses on the way up to five aces."""
_CALM = 0.5
"""How likely a claim must be true for a novice to take the dice."""
_COCKY, _BLUFF = 20, 8
"""One claim in so many a novice passes on unseen, and one in so many it makes higher than its dice."""
_ENOUGH = Hand.parse("two pair J")
"""A novice who begins rolls for as much."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: honest if it can be, else the lowest claim; it doubts what looks unlikely."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    if not now.taken:
        return _answer(view, now, luck)
    if not cup.known:
        return Peek()
    dice = tuple(face for face in cup.dice if face is not None)
    least = now.least or ladder()[0]
    wanted = max(least, _ENOUGH, key=lambda hand: hand.rung) if now.hand is None else least
    if now.left and not wanted.true_of(dice):
        return Roll(best_roll(dice, wanted.true_of))
    bluff = luck.roll(_BLUFF) == 1
    return Claim(said(dice, least, more=bluff))


def _answer(view: View, now: Passing, luck: Luck) -> Any:
    if now.least is None or belief(view, now, luck) < _CALM:
        return Challenge()
    return Claim(now.least) if luck.roll(_COCKY) == 1 else Accept()


def belief(view: View, now: Passing, luck: Luck) -> float:
    """Return how likely the last claim is true: by the dice that can be seen or remembered, or else by trust."""
    hand, cup = now.hand, view.cup
    if hand is None or cup is None:
        return 1
    worlds = [liarsdice.sample(view, luck).cup for _ in range(1 if cup.known else _WORLDS)]
    likely = sum(hand.true_of(world.dice, view.match.options.kickers) for world in worlds if world) / len(worlds)
    if cup.known:
        return likely
    trust = (_TRUST if now.vouched else _BLIND_TRUST) * (1 - _AWE * hand.rung / len(ladder()))
    return likely + (1 - likely) * trust


def said(dice: tuple[int, ...], least: Hand, *, more: bool = False) -> Hand:
    """Return what to claim: the highest that is true and names no other dice, or with `more` the next such above.

    Where nothing true is high enough it is the lowest claim.
    """
    plain = [hand for hand in ladder()[least.rung :] if not hand.kickers]
    true = [hand for hand in plain if hand.true_of(dice)]
    if more and plain[len(true) :]:
        return plain[len(true)]
    return true[-1] if true else max(least, best(dice), key=lambda hand: hand.rung)


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of Liars Dice by level."""
