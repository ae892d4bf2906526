"""Two-player solution of Lie Die, one step at a time.

Both players know the dice that are accepted, because one passed them and the other took them. So each step is a small
game of its own. The taker throws some of the dice and makes a claim, and the other accepts or challenges it. The value
of the dice for their next taker comes from a table (`lab/solve-liedie`); the step is solved here. The first step,
the largest one and the same in all games, is also in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import combinations

import attrs

from lilygames.games.families.dice.chances import falls
from lilygames.house.regrets import Row, shared, solve
from lilygames_rules.dice.cup import DICE, SIDES
from lilygames_rules.dice.throws import Throw, ladder, rank, rungs

RUNGS = 252
OPEN = -1
"""The rung to beat before the first claim."""
FINE = 3000
"""Most pairs of throw and claim that are kept separate; above that, throws are grouped by their important part."""
EASY, MOST, FEWEST = 2000, 120, 2 / 3
"""Steps with fewer pairs than this get more iterations in the same time, up to a maximum; large ones get fewer."""
_PER_GROUP = 7
"""Cost of a group of throws besides its pairs, in pairs."""
USUAL = 30
"""The budget up to which these numbers are as they are here; a larger one raises `FINE` and `MOST` in proportion."""


def rounds_for(budget: int, groups: int, labels: int) -> int:
    """Return the number of iterations that takes about the same time for any step: at most 50 ms for 30."""
    fair = budget * EASY // (groups * (labels + _PER_GROUP))
    return max(1, int(budget * FEWEST), min(_raised(MOST, budget), fair))


def _raised(number: int, budget: int) -> int:
    return max(number, number * budget // USUAL)


@attrs.frozen(eq=False)
class Values:
    """The value of the dice to their taker by claim and throw, and the number of dice to throw."""

    worth: tuple[tuple[float, ...], ...]
    throws: bytes
    opening: Step | None
    """The first step; empty if the table doesn't have it."""


@cache
def learned() -> Values:
    """Load the table that comes with the package: rows of one byte per throw.

    First come values and numbers of dice to throw, by claim. Then come the probabilities to believe each first claim,
    and to make each from each throw.
    """
    kept = (files(__package__) / "ladder.bin").read_bytes()
    rows = [kept[start : start + RUNGS] for start in range(0, len(kept), RUNGS)]
    worth = tuple(tuple((byte - 127) / 127 for byte in row) for row in rows[:RUNGS])
    return Values(worth, b"".join(rows[RUNGS : 2 * RUNGS]), _opening(rows[2 * RUNGS :]))


def _opening(rows: Sequence[bytes]) -> Step | None:
    if not rows:
        return None
    believed = {rung: byte / 255 for rung, byte in enumerate(rows[0])}
    singles = tuple((rung,) for rung in range(RUNGS))
    return Step({(): 1.0}, fallen(()), singles, tuple(map(shared, rows[1:])), believed)


@cache
def fallen(kept: tuple[int, ...]) -> Mapping[int, float]:
    """Return the probability of each throw when all dice but these are thrown."""
    thrown = DICE - len(kept)
    return {rungs()[Throw.of((*kept, *fall))]: ways / SIDES**thrown for fall, ways in falls(thrown)}


@cache
def heads() -> tuple[int, ...]:
    """Return the group of each rung: throws with the same type and important part."""
    seen: dict[tuple[int, ...], int] = {}
    return tuple(seen.setdefault(rank(throw)[:2], len(seen)) for throw in ladder())


Groups = tuple[tuple[int, ...], ...]
"""Throws by their rungs, in groups: those above the claim first."""
Solution = tuple[Row, Row, list[Row]]
"""What `lilygames.house.regrets.solve` returns."""


@attrs.frozen(eq=False)
class Step:
    """The solution of a step.

    `kept` has the probabilities of the dice to keep, and `groups` the possible throws (claimable ones first). `says` is
    the probability of each claim from each throw, and `believed` that of accepting each claim.
    """

    kept: Mapping[tuple[int, ...], float]
    mass: Mapping[int, float]
    groups: Groups
    says: tuple[Row, ...]
    believed: Mapping[int, float]

    def told(self, own: int, claim: int) -> Mapping[int, float]:
        """Return the probabilities of the claims above the last one for a throw on that rung."""
        group = next((place for place, some in enumerate(self.groups) if own in some), None)
        shares: dict[int, float] = {}
        for said, often in enumerate(self.says[group] if group is not None and self.says else ()):
            some = {own: 1.0} if said == group else {rung: self.mass[rung] for rung in self.groups[said]}
            total = sum(some.values())
            shares |= {rung: often * share / total for rung, share in some.items() if often * share > 0}
        if not shares:
            return {own: 1.0} if own > claim else dict.fromkeys(range(claim + 1, RUNGS), 1 / (RUNGS - 1 - claim))
        return shares


@lru_cache(64)
def solved(claim: int, dice: tuple[int, ...], thrown: int, rounds: int) -> Step:
    """Solve the step after a claim on that rung when that many of these dice are thrown; all five before any claim."""
    first = learned().opening if claim == OPEN else None
    return first or computed(claim, dice, thrown, partial(rounds_for, rounds), _raised(FINE, rounds))


def computed(claim: int, dice: tuple[int, ...], thrown: int, rounds: Callable[[int, int], int], fine: int) -> Step:
    """Solve a step; `rounds` returns the iterations for the number of groups and of claims, and `fine` is as `FINE`."""

    def grouped(possible: Sequence[int]) -> tuple[Groups, int]:
        above = sum(rung > claim for rung in possible)
        return _grouped(possible, claim, fine=len(possible) * above <= fine)

    def solution(groups: Groups, labels: int, shares: Sequence[Row]) -> Solution:
        return solve(_stakes(groups, labels), labels, shares, rounds(len(groups), labels))

    return step_of(dice, thrown, grouped, solution)


def step_of(
    dice: tuple[int, ...],
    thrown: int,
    grouped: Callable[[Sequence[int]], tuple[Groups, int]],
    solution: Callable[[Groups, int, Sequence[Row]], Solution],
) -> Step:
    """Return the solution of a step in which that many of these dice are thrown.

    `grouped` returns the groups of the possible throws, those that can be claimed first, and their number. `solution`
    solves the game with these groups, whose probabilities it gets for each choice of the dice to keep.
    """
    keeps = sorted(set(combinations(dice, DICE - thrown)))
    chances = [fallen(kept) for kept in keeps]
    possible = sorted({rung for chance in chances for rung in chance})
    groups, labels = grouped(possible)
    if not labels:
        return Step(dict.fromkeys(keeps, 1 / len(keeps)), {}, groups, (), {})
    shares = [[sum(chance.get(rung, 0.0) for rung in group) for group in groups] for chance in chances]
    mixed, believed, says = solution(groups, labels, shares)
    mass = {rung: sum(x * chance.get(rung, 0.0) for x, chance in zip(mixed, chances, strict=True)) for rung in possible}
    trust = {rung: often for group, often in zip(groups[:labels], believed, strict=True) for rung in group}
    return Step(dict(zip(keeps, mixed, strict=True)), mass, groups, tuple(says), trust)


def _grouped(possible: Sequence[int], claim: int, *, fine: bool) -> tuple[Groups, int]:
    """Return the groups of throws, those above the claim first, and the number of these."""
    found: dict[tuple[bool, int], list[int]] = {}
    for rung in possible:
        found.setdefault((rung <= claim, rung if fine else heads()[rung]), []).append(rung)
    order = sorted(found)
    return tuple(tuple(found[key]) for key in order), sum(not low for low, _ in order)


def _stakes(groups: Groups, labels: int) -> list[Row]:
    """Return the value of being believed over being caught, in stakes, by group and claim."""
    worth = learned().worth
    likely = [[fallen(())[rung] for rung in group] for group in groups]

    def between(true: int, said: int) -> float:
        if true == said:
            pairs = [(worth[rung][rung], share) for rung, share in zip(groups[true], likely[true], strict=True)]
        else:
            pairs = [
                (worth[claim][rung], one * other)
                for claim, one in zip(groups[said], likely[said], strict=True)
                for rung, other in zip(groups[true], likely[true], strict=True)
            ]
        return 1 - sum(value * share for value, share in pairs) / sum(share for _, share in pairs)

    return [[between(true, said) for said in range(labels)] for true in range(len(groups))]
