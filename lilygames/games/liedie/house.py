"""Bots for Lie Die; each is a function from a view to a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import attrs

from lilygames.game import Budget, Limit, Strategy, Thinker
from lilygames.games.families.dice.chances import best_roll, chance
from lilygames.games.liedie import master_steps, ring
from lilygames.games.liedie.ladder import OPEN, Step, learned, solved
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Named, Roll, found, others
from lilygames_rules.dice.throws import Thirteen, Throw, ladder, rungs
from lilygames_rules.kit import Luck
from lilygames_rules.liedie import Claim, Match, Options, Turn, View

T = TypeVar("T")
_TWO = 2
_CALM = 0.12
"""Probability of a roll at least as good as the claim from which a novice believes it, on average."""
_ASHAMED = 0.6
"""Share of that for a novice that has just doubted a true claim."""
_NEAR = 12
"""Number of throws above the last claim from which a lying novice chooses."""

_SHARK = Budget(30)
MASTER = Budget(20)
"""The largest budget of a bot, so also that of hints and reviews."""

_SLIP = 4
"""The club bot plays one move in this many like a novice."""


@attrs.frozen
class Mood:
    """How a novice feels: the true claims among which it exaggerates one, 0 for none, and the rarity that it doubts."""

    bluffs: int = 0
    calm: float = _CALM


EVEN = Mood(bluffs=6)
"""The mood in which a club bot errs."""


def mood(view: View) -> Mood:
    """Return a novice's mood: bold after a win, honest after it was caught, trusting after it doubted wrongly."""
    last = view.match.sheet[-1] if view.match.sheet else None
    if last is None or view.seat not in (last.seat, last.claimant):
        return Mood(bluffs=16)
    if last.lied == (last.seat == view.seat):
        return Mood(bluffs=4)
    return Mood(calm=_CALM * _ASHAMED)


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a novice's move, which depends on its mood."""
    return moody(view, moves, luck, mood(view))


def moody(view: View, moves: Sequence[Any], luck: Luck, feels: Mood) -> Any:
    """Return a novice's move: the truth if it is good enough, else a small lie; it challenges rare throws."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    dice = cup.seen if cup.known else ()
    if not now.taken:
        return _answer(view, now, Throw.of(dice) if dice else None, luck, feels.calm)
    thirteen = view.match.options.thirteen
    least = 0 if now.claim is None else rungs(thirteen)[now.claim] + 1
    rung = rungs(thirteen)[Throw.of(dice)]
    if rung < least and not now.thrown:
        return Roll(best_roll(dice, lambda fall: rungs(thirteen)[Throw(fall)] >= least))
    return Claim(ladder(thirteen)[_said(rung, least, luck, feels.bluffs)])


def _said(rung: int, least: int, luck: Luck, bluffs: int) -> int:
    """Return the rung to claim: the true one if it is high enough (sometimes more), else one of the next."""
    if rung >= least and not (bluffs and luck.roll(bluffs) == 1):
        return rung
    lowest = max(rung + 1, least)
    above = range(lowest, min(lowest + _NEAR, len(ladder())))
    return luck.choice(above) if above else rung


def _answer(view: View, now: Turn, dice: Throw | None, luck: Luck, calm: float) -> Any:
    if now.claim is None:
        return Accept()
    if dice:
        return Challenge() if is_lie(view.match, now.claim, dice) else Accept()
    believed = likelihood(now.claim, view.match.options.thirteen) > calm * (luck.roll(100) / 50)
    return Accept() if believed else Challenge()


def is_lie(match: Match, claim: Throw, dice: Throw) -> bool:
    """Tell whether a claim about these dice is a lie at this table."""
    return claim.beats(dice, match.options.thirteen) if match.options.truth == "atleast" else claim != dice


@cache
def likelihood(claim: Throw, thirteen: Thirteen) -> float:
    """Return the probability that five dice are at least as good as the claim."""
    return chance((), lambda fall: not claim.beats(Throw(fall), thirteen))


Solve = Callable[[int, tuple[int, ...], int, int], Step]
"""Returns the solved step for a claim, the dice, how many are thrown, and the iterations."""


def solver(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, solve: Solve = solved) -> Any:
    """Return the best move of the two-player solution; the budget is the number of solver iterations."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    known = cup.seen if cup.known else ()
    if not now.taken:
        return _believed(view, now, Throw.of(known) if known else None, luck, budget, solve=solve)
    return _played(view, now, Throw.of(known), luck, budget, solve=solve)


def master(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the best move of the two-player solution, whose steps are solved as `master_steps` says."""
    return solver(view, moves, luck, budget, solve=master_steps.solved)


def club(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the solver's move, sometimes a novice's."""
    if luck.roll(_SLIP) == 1:
        return moody(view, moves, luck, EVEN)
    return solver(view, moves, luck, budget)


def _played(view: View, now: Turn, dice: Throw, luck: Luck, budget: Budget, *, solve: Solve) -> Any:
    """Throw some dice, or make a claim."""
    cup, rung = view.cup, rung_of(view, now.claim)
    assert cup is not None  # noqa: S101 - the caller has checked this
    own = rung_of(view, dice)
    if len(view.match.scores) > _TWO and now.claim:
        return _alone(view, now, own, rung, luck)
    if now.thrown:
        step = claim_step(view, now, cup, dice, budget, solve=solve)
        return Claim(ladder(view.match.options.thirteen)[_drawn(step.told(own, rung), luck)])
    thrown = learned().throws[rung * len(ladder()) + own]
    if not thrown:
        return Roll(())
    kept = _drawn(solve(rung, dice.dice, thrown, budget.iterations).kept, luck)
    return Roll(others(found(Named((), tuple(kept)), cup.dice)))


def claim_step(view: View, now: Turn, cup: Glimpse, dice: Throw, budget: Budget, *, solve: Solve = solved) -> Step:
    """Return the solved step of a seat that has thrown and claims."""
    before = Throw.of(cup.before) if now.claim and cup.before else dice
    return solve(rung_of(view, now.claim), before.dice, dice_thrown(view, now, DICE), budget.iterations)


def answer_step(view: View, now: Turn, cup: Glimpse, budget: Budget, *, solve: Solve = solved) -> Step:
    """Return the solved step of the claim that a seat has to answer."""
    before, thrown = Throw.of(cup.last) if cup.last else now.over, dice_thrown(view, now, DICE)
    dice = before.dice if before and now.over else (1,) * DICE
    return solve(rung_of(view, now.over), dice, thrown, budget.iterations)


def _alone(view: View, now: Turn, own: int, rung: int, luck: Luck) -> Any:
    """With more than two players: tell the truth if it is good enough, throw if possible, or lie."""
    thirteen, cup = view.match.options.thirteen, view.cup
    if own > rung:
        return Roll(()) if not now.thrown else Claim(ladder(thirteen)[own])
    if not now.thrown and cup is not None:
        return Roll(ring.roll(tuple(face or 0 for face in cup.dice), rung))
    return Claim(ladder(thirteen)[_drawn(ring.lie(rung, dice_thrown(view, now, DICE)), luck)])


def _believed(view: View, now: Turn, dice: Throw | None, luck: Luck, budget: Budget, *, solve: Solve) -> Any:
    """Accept or challenge the claim."""
    claim, cup = now.claim, view.cup
    if claim is None or cup is None or (dice and is_lie(view.match, claim, dice)):
        return Challenge()
    if dice:
        return Accept()
    if len(view.match.scores) > _TWO:
        thrown = dice_thrown(view, now, DICE)
        return Accept() if ring.believes(rung_of(view, claim), rung_of(view, now.over), thrown) else Challenge()
    step = answer_step(view, now, cup, budget, solve=solve)
    return Accept() if luck.roll(10**6) <= 10**6 * step.believed.get(rung_of(view, claim), 0.0) else Challenge()


def dice_thrown(view: View, now: Turn, most: int) -> int:
    """Return the number of dice in the last throw, which is public through how many dice seats have lost track of."""
    if view.cup is None or (now.claim if now.taken else now.over) is None:
        return most
    taker = now.seat if now.taken else now.seat - 1
    since = view.cup.since[(taker - 1) % len(view.match.scores)]
    return most if since is None else min(since, most)


def rung_of(view: View, throw: Throw | None) -> int:
    """Return the rung of a claim or a throw as this table ranks them."""
    return OPEN if throw is None else rungs(view.match.options.thirteen)[throw]


def _drawn(shares: Mapping[T, float], luck: Luck) -> T:
    """Draw one of these keys with probability proportional to its share."""
    left, drawn = luck.roll(10**6) / 10**6 * sum(shares.values()), next(iter(shares))
    for thing, share in shares.items():
        if left > 0 and share > 0:
            drawn = thing
        left -= share
    return drawn


def solved_with(options: Options) -> bool:
    """Return whether the steps are solved for these rules; with others, they are only near them."""
    return options.truth == "exact" and options.thirteen == "straight"


LEVELS: Mapping[str, Strategy] = {
    "novice": novice,
    "club": Thinker(club, Budget(8)),
    "shark": Thinker(solver, _SHARK),
    "master": Thinker(master, MASTER, less=(Budget(14),)),
}
"""The bots by level."""
LIMITS: Mapping[str, Limit] = {
    "master": Limit(range(2, 3), solved_with, "for two players only, with truth=exact and thirteen=straight")
}
"""The tables of two, with the rules that the steps are solved for (`lab/exploit-liedie` compares the levels)."""
VERSIONS: Mapping[str, str] = {"novice": "3", "club": "3", "shark": "2", "master": "2"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
