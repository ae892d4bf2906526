"""House players for Liars Dice: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from lilygames.game import Strategy
from lilygames.house.dice import best_roll, chance
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
_PLENTY = Hand.parse("three")
"""A shark who begins does."""
_REACH = 4
"""One of so many claims is what a shark makes up."""
_DOUBT, _FEAR = 0.4, 0.5
"""How likely the highest claim must be true for a shark to take the dice, and how much less a low one needs."""
_LEAST, _NEXT = 0.6, 0.75
"""How many liars claim as little as will do, and how many of the others stop at each further claim."""
_TRUTHFUL, _MORE = 0.9, 0.7
"""How often the first claim is true, and how often dice that were not rolled bear out another."""


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


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: the whole truth if it will do; it doubts as a novice does."""
    return _passed(view, moves, luck, _doubted)


def shark(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a shark: as a club player, but it knows what liars claim and what taking the dice costs."""
    return _passed(view, moves, luck, _weighed)


def _passed(view: View, moves: Sequence[Any], luck: Luck, answer: Callable[[View, Passing, Luck], Any]) -> Any:
    """Return the whole truth if it will do, else a lie that could be true; roll where that may help."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    if not now.taken:
        return answer(view, now, luck)
    if not cup.known:
        return Peek()
    dice = tuple(face for face in cup.dice if face is not None)
    least = now.least or ladder()[0]
    wanted = max(least, _PLENTY, key=lambda hand: hand.rung) if now.hand is None else least
    if now.left and not wanted.true_of(dice):
        return Roll(best_roll(dice, wanted.true_of))
    return Claim(best(tuple(sorted(dice))) if least.true_of(dice) else _invented(least, luck))


def _invented(least: Hand, luck: Luck) -> Hand:
    """Return a lie: one of the next claims, as high as one who told the truth might have come to."""
    plain = [hand for hand in ladder()[least.rung :] if not hand.kickers][:_REACH]
    return luck.choice(plain) if plain else least


def _doubted(view: View, now: Passing, luck: Luck) -> Any:
    return Challenge() if now.least is None or belief(view, now, luck) < _CALM else Accept()


def _weighed(view: View, now: Passing, luck: Luck) -> Any:
    """Challenge where that is worth more than to take the dice."""
    if now.least is None or now.hand is None:
        return Challenge()
    likely = likelihood(view, now, luck)
    rung = now.hand.rung / len(ladder())
    return Accept() if likely > _DOUBT * (1 - _FEAR + _FEAR * rung) else Challenge()


def likelihood(view: View, now: Passing, luck: Luck) -> float:
    """Return how likely the last claim is true: of liars most claim as little as will do."""
    cup, hand = view.cup, now.hand
    if cup is None or hand is None or cup.known:
        return belief(view, now, luck)
    kickers = view.match.options.kickers
    worlds = [liarsdice.sample(view, luck).cup for _ in range(_WORLDS)]
    bare = sum(hand.true_of(world.dice, kickers) for world in worlds if world) / len(worlds)
    over = now.over
    if over is None:
        return max(bare, _TRUTHFUL)
    reached = _reached(over, now.rolled if now.vouched else 0)
    steps = sum(not one.kickers for one in ladder()[over.rung + 1 : hand.rung + 1])
    honest = reached * _spread(over, hand)
    lying = (1 - reached) * (_LEAST if steps <= 1 else (1 - _LEAST) * _NEXT**steps)
    return max(bare, honest / (honest + lying)) if honest + lying else bare


@cache
def _reached(over: Hand, rolls: int) -> float:
    """Return how likely dice that bore out a claim have become better by so many rolls, if it was true."""
    kept = [rank for rank, size in zip(over.ranks, over.category.groups, strict=False) for _ in range(size)]
    once = chance(tuple(kept), lambda fall: best(fall).beats(over))
    return 1 - (1 - once) ** (1 + rolls) if rolls else once * _MORE


@cache
def _spread(over: Hand, hand: Hand) -> float:
    """Return how likely one who tells a truth above a claim comes to tell just this."""
    kept = tuple(rank for rank, size in zip(over.ranks, over.category.groups, strict=False) for _ in range(size))
    above = chance(kept, lambda fall: best(fall).beats(over))
    told = chance(kept, lambda fall: hand.true_of(fall) and best(fall).ranks[: len(hand.ranks)] == hand.ranks)
    return min(1.0, told / above) if above else 0.0


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": shark}
"""The house players of Liars Dice by level."""
