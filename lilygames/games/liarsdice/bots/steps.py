"""One step of two-player Liars Dice: what to roll, when to stop, what to claim, and which claims to believe.

The table has the value of a lie for each way the opponent may see the rolls. A claim is believed so often that a lie is
worth just that. Players who keep pairs or better play as `mixes` says, those who roll all dice first as `fresh` says.
Those who begin a round play as `opening` says. In other steps rolls are chosen by their value against such an opponent,
with nearly equal ones mixed. Lies are spread over claims so that to believe each is worth about as much as to challenge
it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations
from math import exp
from typing import TypeVar

import attrs

from lilygames.games.liarsdice.bots.beliefs import Beliefs, all_rolled, four_kept
from lilygames.games.liarsdice.solved.fresh import LOWEST, Plan, plan
from lilygames.games.liarsdice.solved.mixes import STOP, Mix, answers, as_if, beaten, junk, likeliest, mixes
from lilygames.games.liarsdice.solved.opening import Opening, first_step
from lilygames.games.liarsdice.solved.solution import (
    FRESH,
    WAYS,
    fallen,
    feared,
    hands,
    keep_places,
    keeps,
    keeps_of,
    liars,
    values,
    wholes,
    worth,
)
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.cup import DICE

BEGIN = -1
"""The claim to beat before the first claim."""
_NONE = 0
"""The number of the choice to keep no dice."""
_CLOSE = 0.01
"""Difference of values, in stakes, at which the better roll is chosen e times as often."""
_FAR = 5 * _CLOSE
"""Difference of values from which the worse roll is never chosen."""
_RARE = 1e-4
"""Cost, in stakes, up to which a rare first claim is always challenged."""
_HALF = 0.5
"""Probability of beating a claim from which a roll of more dice than before need not be a bluff."""
_FEW = 2
"""Number of dice that someone may roll after one and still keep three of a kind."""
_EVEN = 0.01
"""Difference of values, in stakes, up to which a bluff is as good as the truth."""
Key = TypeVar("Key", bound=Hashable)
Way = int
"""The number of what the opponent has seen of a step's rolls."""


@cache
def likely(kept: int) -> tuple[tuple[int, float], ...]:
    """Return the hands that a roll of all but these dice can make, with their probabilities."""
    return tuple((hand, share) for hand, share in enumerate(fallen(keeps()[kept])) if share)


@cache
def rolled(kept: int) -> int:
    """Return the number of dice rolled by someone who keeps these."""
    return DICE - len(keeps()[kept])


@attrs.frozen
class Sight:
    """The ways in which the opponent sees a step; way 0 is that the player stops after the first roll."""

    second: Callable[[int], Way] | None
    """Way after the second roll, by the dice kept, if a third may follow."""
    last: Callable[[Way, int], Way]
    """Way after the last roll, by the one before it and the dice kept."""


TWO = Sight(None, lambda _, kept: rolled(kept))
"""Two rolls: the opponent sees the number of dice in the second."""
THREE = Sight(rolled, lambda before, kept: DICE * before + rolled(kept))
"""Three rolls after all five dice: the opponent sees the number of dice in each."""
OPEN = Sight(lambda kept: 1 + kept, lambda _, kept: 1 + len(keeps()) + kept)
"""The first step of the round: the dice that are kept lie open."""


class Step:
    """A step: the claim to beat, the number of the dice kept in the first roll, and what is seen of it.

    `mix` is how to play it, if that is in a table, and `broken` is what to keep instead to bluff. `beliefs` say how
    often to believe claims, if that is in another table.
    """

    def __init__(
        self,
        claim: int,
        kept: int,
        sight: Sight,
        lies: Sequence[float],
        mix: Mix | Plan | Opening | None = None,
        *,
        broken: int | None = None,
        beliefs: Beliefs | None = None,
    ) -> None:
        self.claim, self.kept, self.sight, self._lies, self._mix = claim, kept, sight, lies, mix
        self.broken, self._beliefs = broken, beliefs
        self._rows: dict[Way, list[float]] = {}
        self._rolls: dict[Way, Sequence[float]] = {}
        self._shares: dict[tuple[Way, int], dict[int | None, float]] = {}
        self._bluffs: dict[Way, float] = {}
        self._lied: dict[Way, Mapping[int, float]] = {}

    def way(self, counts: Sequence[int]) -> Way | None:
        """Return what is seen of a step, given the number of dice in each roll; None if it has no such rolls."""
        if not counts or counts[0] != rolled(self.kept):
            return None
        match counts[1:]:
            case ():
                return 0
            case (second,):
                return second
            case (second, third) if self.sight is THREE:
                return DICE * second + third
        return None

    def believed(self, way: Way, said: int) -> float:
        """Return how often to believe a claim, so that a lie is worth what the table says.

        A first claim is never believed if that costs next to nothing. Such dice almost never come up, and taking them
        would lose anyway. Someone who rolls more dice than before is bluffing, unless they are likely to beat
        the claim or keep three of a kind. Someone who rolls all five then counts as having rolled them twice.
        """
        if self.sight is OPEN and self._cost(way, said) < _RARE:
            return 0.0
        found = self._beliefs.believed(way, said) if self._beliefs else None
        if found is not None:
            return found
        if self.sight is TWO and way > rolled(self.kept):
            some = fewer(self.claim, self.kept, way)
            return 0.0 if some is None else step(self.claim, some).believed(way, said)
        if isinstance(self._mix, Mix | Opening):
            return self._mix.believed(way, said)
        if as_if(self.kept, said) is None:
            return 0.0
        return min(1.0, max(0.0, (1 + self._lies[way]) / (1 - feared(self.seen_kept(way))[said])))

    def _cost(self, way: Way, said: int) -> float:
        """Return what it costs at most to always challenge a claim, from the dice in view."""
        return sum(fallen(keeps()[self.seen_kept(way)])[said:]) * (1 + worth()[said][said])

    def seen_kept(self, way: Way) -> int:
        """Return the dice that someone who lies may have kept."""
        if self.sight is not OPEN or way == 0:
            return self.kept
        return (way - 1) % len(keeps())

    def worths(self, way: Way) -> list[float]:
        """Return the value of each hand when the rolls are over: of the truth, or of a lie if it's worth more."""
        if way not in self._rows:
            lie, row = self._lies[way], worth()
            self._rows[way] = [lie] * (self.claim + 1) + [
                max(lie, 1 - self.believed(way, hand) * (1 + row[hand][hand]))
                for hand in range(self.claim + 1, len(hands()))
            ]
        return self._rows[way]

    def rolls(self, way: Way, hand: int) -> Mapping[int | None, float]:
        """Return how often to keep which dice for the next roll; None is to stop."""
        mixed = self._mix.rolls(way, hand) if self._mix else None
        if mixed:
            return {None if kept == STOP else kept: often for kept, often in mixed.items()}
        if (way, hand) not in self._shares:
            options = self._options(way, hand)
            most = max(value for _, value in options)
            weights = {kept: exp((value - most) / _CLOSE) for kept, value in options if value > most - _FAR}
            total = sum(weights.values())
            self._shares[way, hand] = {kept: weight / total for kept, weight in weights.items()}
        return self._shares[way, hand]

    def _options(self, way: Way, hand: int) -> list[tuple[int | None, float]]:
        """Return the choices after a roll, with their values."""
        rolled = self.rolled(way)
        return [(None, self.worths(way)[hand]), *[(kept, rolled[kept]) for kept in keeps_of(hand)]]

    def _best(self, way: Way, hand: int) -> float:
        rolled = self.rolled(way)
        return max(self.worths(way)[hand], *[rolled[kept] for kept in keeps_of(hand)])

    def rolled(self, way: Way) -> Sequence[float]:
        """Return the value of the next roll by the dice kept."""
        if way not in self._rolls:
            after = self._after(way)
            self._rolls[way] = [
                sum(share * row[hand] for hand, share in likely(kept)) for kept, row in enumerate(after)
            ]
        return self._rolls[way]

    def _after(self, way: Way) -> Iterator[Sequence[float]]:
        """Yield the values of hands after the next roll, by the dice kept."""
        every, second = range(len(keeps())), self.sight.second
        if way or second is None:
            return (self.worths(self.sight.last(way, kept)) for kept in every)
        bests = {after: [self._best(after, hand) for hand in range(len(hands()))] for after in set(map(second, every))}
        return (bests[second(kept)] for kept in every)

    @cached_property
    def ends(self) -> Mapping[Way, Mapping[int, float]]:
        """The probability of each hand when the rolls are over, by what the opponent has seen."""
        found: dict[Way, dict[int, float]] = {}
        for (before, kept), fell in self.ended().items():
            way = before if kept is None else self.sight.last(before, kept)
            for hand, share in fell.items():
                _put(found, way, hand, share)
        return found

    def ended(self) -> Mapping[tuple[Way, int | None], Mapping[int, float]]:
        """Return the probability of each hand in the end, by the way before the last decision and what it was."""
        found: dict[tuple[Way, int | None], dict[int, float]] = {}
        second: dict[Way, dict[int, float]] = {}
        first: dict[Way, dict[int, float]] = {}
        for begun, often in self.first_kept().items():
            for hand, share in likely(begun):
                _put(first, 0, hand, often * share)
        for stage in (first, second):
            for way, hand, kept, often in self._going(stage):
                if kept is None:
                    _put(found, (way, kept), hand, often)
                    continue
                more = stage is first and self.sight.second
                for fell, share in likely(kept):
                    if more:
                        _put(second, more(kept), fell, often * share)
                    else:
                        _put(found, (way, kept), fell, often * share)
        return found

    def _going(self, stage: Mapping[Way, Mapping[int, float]]) -> list[tuple[Way, int, int | None, float]]:
        """Return each way and choice of a stage with its probability; equal choices are added up."""
        sums: dict[tuple[Way, int | None, int], float] = {}
        for way, fell in stage.items():
            for hand, share in fell.items():
                for kept, often in self.rolls(way, hand).items():
                    key = (way, kept, hand if kept is None else 0)
                    sums[key] = sums.get(key, 0.0) + share * often
        return [(way, hand, kept, often) for (way, kept, hand), often in sums.items()]

    def first_kept(self) -> Mapping[int, float]:
        """Return how often to keep which dice in the first roll."""
        if self.broken is None or not isinstance(self._mix, Mix):
            return {self.kept: 1.0}
        often = self._mix.bluff.often
        return {self.kept: 1 - often, self.broken: often}

    def told(self, way: Way, hand: int) -> Mapping[int, float]:
        """Return how often to make which claim with a hand: the truth, or one of several lies."""
        mixed = self._mix.told(way, hand) if self._mix else None
        if mixed:
            return mixed
        often, lies = self.lying(way, hand), self.lies(way)
        above = {said: share for said, share in lies.items() if said > max(hand, self.claim)}
        total = sum(above.values())
        if not often or not total:
            return {hand if hand > self.claim else min(self.claim + 1, len(hands()) - 1): 1.0}
        told = {said: often * share / total for said, share in above.items()}
        return told | {hand: 1 - often} if often < 1 else told

    def lying(self, way: Way, hand: int) -> float:
        """Return how often a hand is lied about: a low one always, and one that's worth as much as a lie sometimes."""
        if hand <= self.claim:
            return 1.0
        margin = self._truth(way, hand) - self._lies[way]
        if margin >= _EVEN or hand == len(hands()) - 1:
            return 0.0
        return self._bluffing(way)

    def _truth(self, way: Way, hand: int) -> float:
        """Return the value of a true claim."""
        return 1 - self.believed(way, hand) * (1 + worth()[hand][hand])

    def _bluffing(self, way: Way) -> float:
        """Return how often to bluff with weak hands that are high enough, up to as many lies as there may be."""
        if way not in self._bluffs:
            fell, room = self.ends.get(way, {}), sum(self.lies(way).values())
            forced = sum(share for hand, share in fell.items() if hand <= self.claim)
            weak = sum(
                share
                for hand, share in fell.items()
                if hand > self.claim and self._truth(way, hand) - self._lies[way] < _EVEN
            )
            self._bluffs[way] = min(1.0, max(0.0, (room - forced) / weak)) if weak else 0.0
        return self._bluffs[way]

    def lies(self, way: Way) -> Mapping[int, float]:
        """Return the lies that an opponent could as well believe as challenge, by how often each is told."""
        if way not in self._lied:
            own, fears, fell = worth(), feared(self.seen_kept(way)), self.ends.get(way, {})
            truths = {
                hand: share
                for hand, share in fell.items()
                if hand > self.claim and self._truth(way, hand) - self._lies[way] >= _EVEN
            }
            doubted = {hand: share for hand, share in truths.items() if self.believed(way, hand) < 1} or truths
            self._lied[way] = {
                hand: share * (1 + own[hand][hand]) / (1 - fears[hand]) for hand, share in doubted.items()
            }
        return self._lied[way]


def _put(sums: dict[Key, dict[int, float]], way: Key, hand: int, share: float) -> None:
    row = sums.setdefault(way, {})
    row[hand] = row.get(hand, 0.0) + share


@lru_cache(512)
def step(claim: int, kept: int, broken: int | None = None) -> Step:
    """Return the step of a player who keeps these dice to beat a claim, or others to bluff."""
    if kept == _NONE:
        low = all_rolled() if claim < LOWEST else None
        return Step(claim, kept, THREE, liars(claim)[-FRESH:], plan(claim), beliefs=low)
    alike = kept, beaten(claim, kept)
    mix = mixes().get(alike) or answers().get(alike)
    lies, beliefs = liars(claim)[(kept - 1) * WAYS : kept * WAYS], four_kept(claim, kept)
    return Step(claim, kept, TWO, lies, mix, broken=broken, beliefs=beliefs)


@lru_cache(4096)
def step_from(claim: int, hand: int, dice: int = 0) -> Step | None:
    """Return the step of a player who has to beat a claim with a hand; None if it is passed on at once.

    `dice` is the number of dice in the first roll; 0 is to choose it.
    """
    kept = best_kept(claim, hand, dice)
    if kept is None:
        return None
    mix = mixes().get((kept, beaten(claim, kept)))
    return step(claim, kept, junk(kept, hand, rolled(kept)) if mix and mix.bluff.often else None)


@cache
def opening() -> Step:
    """Return the first step of a round."""
    plays = first_step()
    return Step(BEGIN, _NONE, OPEN, [one.lie() for one in plays.rounds], plays)


@lru_cache(4096)
def best_kept(claim: int, hand: int, dice: int = 0) -> int | None:
    """Return the dice to keep to beat a claim; None to roll none.

    If it is a number of dice to roll, they are the best of these, or nearly as good ones that sharks keep.
    """
    some = [kept for kept in keeps_of(hand) if dice in (0, rolled(kept))]
    if dice:
        return likeliest(claim, some, values(claim), mixes())
    found = max(some, key=values(claim).__getitem__)
    return None if hand > claim and -worth()[hand][hand] >= values(claim)[found] else found


@lru_cache(4096)
def fewer(claim: int, kept: int, dice: int) -> int | None:
    """Return the best of these dice to keep when so many are rolled; None if that is a bluff."""
    some = {keep_places()[one] for one in combinations(keeps()[kept], DICE - dice)}
    best = max(sorted(some), key=values(claim).__getitem__)
    honest = sum(fallen(keeps()[best])[claim + 1 :])
    return best if honest >= _HALF or (dice == _FEW and len({*keeps()[best]}) == 1) else None


def seen(claim: int, hand: int, counts: Sequence[int]) -> tuple[Step, Way] | None:
    """Return the step and what is seen of it, given the number of dice in each roll; None if there is none.

    The best dice to keep of their number are taken to be kept.
    """
    if not counts:
        return None
    asked = step_from(claim, hand, counts[0])
    way = asked.way(counts) if asked else None
    return None if asked is None or way is None else (asked, way)


def truth_of(claim: Claim) -> int:
    """Return the lowest hand for which a claim is true."""
    return wholes()[claim.rung]


def past(claim: Claim) -> int:
    """Return the highest hand that can't be claimed truly any more after a claim."""
    return (wholes()[claim.rung + 1] if claim.rung + 1 < len(wholes()) else len(hands())) - 1


def warm_up() -> None:
    """Compute what all steps need."""
    for kept in range(len(keeps())):
        feared(kept)
    mixes()
    answers()
    all_rolled()
    opening().ends  # noqa: B018 - it is computed once
