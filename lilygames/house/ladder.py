"""How five dice that are passed on with rising claims are best played by two: one step of it at a time.

Who takes the dice was seen to take them, and the other knows them too: it passed them. So each step is a small game of
its own. The taker throws some of the dice, sees how they fell and makes a claim; the other believes it or not. What the
dice are worth to who takes them next is in a table (`scripts/solve-ladder`), and the step itself is solved here, by
regrets that are never below nothing and an average that trusts late rounds more (CFR+).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from operator import mul

import attrs

from lilygames.house.dice import falls
from rules.dicecup import DICE, SIDES
from rules.throws import Throw, ladder, rank, rungs

RUNGS = 252
OPEN = -1
"""What is to be beaten before the first claim."""
FINE = 1500
"""Up to so many pairs of throw and claim are told apart; of more, throws only by what matters first."""
Row = list[float]


@attrs.frozen(eq=False)
class Values:
    """What the dice are worth to who has taken them, by the claim to beat and the throw; and how many are thrown."""

    worth: tuple[tuple[float, ...], ...]
    throws: bytes


@cache
def learned() -> Values:
    """Return the table that is shipped: a byte for each claim and throw, twice."""
    kept = (files(__package__) / "liedie.bin").read_bytes()
    worth, throws = kept[: RUNGS * RUNGS], kept[RUNGS * RUNGS :]
    rows = (worth[start : start + RUNGS] for start in range(0, RUNGS * RUNGS, RUNGS))
    return Values(tuple(tuple((byte - 127) / 127 for byte in row) for row in rows), throws)


@cache
def fallen(kept: tuple[int, ...]) -> Mapping[int, float]:
    """Return how likely each throw is when all dice but these are thrown."""
    thrown = DICE - len(kept)
    return {rungs()[Throw.of((*kept, *fall))]: ways / SIDES**thrown for fall, ways in falls(thrown)}


@cache
def heads() -> tuple[int, ...]:
    """Return, by rung, the number of its group: throws of a type and of what matters first."""
    seen: dict[tuple[int, ...], int] = {}
    return tuple(seen.setdefault(rank(throw)[:2], len(seen)) for throw in ladder())


@attrs.frozen(eq=False)
class Step:
    """The taker's throw and claim, and whether it is believed, solved.

    `kept` are the dice it may keep with how often it should; `groups` are the throws it may come to, those that may be
    claimed first; `says` how often it should claim each of these from each; `believed` how often each should be.
    """

    kept: Mapping[tuple[int, ...], float]
    mass: Mapping[int, float]
    groups: tuple[tuple[int, ...], ...]
    says: tuple[Row, ...]
    believed: Mapping[int, float]


@lru_cache(256)
def solved(claim: int, dice: tuple[int, ...], thrown: int, rounds: int) -> Step:
    """Return the step after a claim of that rung, when so many of these dice are thrown; before any claim all five."""
    keeps = sorted(set(combinations(dice, DICE - thrown)))
    chances = [fallen(kept) for kept in keeps]
    possible = sorted({rung for chance in chances for rung in chance})
    above = sum(rung > claim for rung in possible)
    groups, labels = _grouped(possible, claim, fine=len(possible) * above <= FINE)
    if not labels:
        return Step(dict.fromkeys(keeps, 1 / len(keeps)), {}, groups, (), {})
    shares = [[sum(chance.get(rung, 0.0) for rung in group) for group in groups] for chance in chances]
    mixed, believed, says = _regretted(_stakes(groups, labels), labels, shares, rounds)
    mass = {rung: sum(x * chance.get(rung, 0.0) for x, chance in zip(mixed, chances, strict=True)) for rung in possible}
    trust = {rung: often for group, often in zip(groups[:labels], believed, strict=True) for rung in group}
    return Step(dict(zip(keeps, mixed, strict=True)), mass, groups, tuple(says), trust)


def _grouped(possible: Sequence[int], claim: int, *, fine: bool) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return the throws in groups, those above the claim first, and how many groups these are."""
    found: dict[tuple[bool, int], list[int]] = {}
    for rung in possible:
        found.setdefault((rung <= claim, rung if fine else heads()[rung]), []).append(rung)
    order = sorted(found)
    return tuple(tuple(found[key]) for key in order), sum(not low for low, _ in order)


def _stakes(groups: Sequence[tuple[int, ...]], labels: int) -> list[Row]:
    """Return, by group and claim, what it is worth to be believed, in stakes above being caught."""
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


def _regretted(stakes: Sequence[Row], labels: int, shares: Sequence[Row], rounds: int) -> tuple[Row, Row, list[Row]]:
    """Return how often to keep what, how often to believe each claim, and how often to make it from each group.

    Claims come first among the groups, so that group n may truly be claimed as claim n.
    """
    groups = len(stakes)
    regret = [[0.0] * labels for _ in stakes]
    says = [[1 / labels] * labels for _ in stakes]
    sums = [[0.0] * labels for _ in stakes]
    accept, doubt, trust = [0.0] * labels, [0.0] * labels, [0.0] * labels
    keep, kept = [0.0] * len(shares), [0.0] * len(shares)
    for weight in range(1, rounds + 1):
        often = [a / (a + d) if a + d > 0 else 0.5 for a, d in zip(accept, doubt, strict=True)]
        trust = [total + weight * share for total, share in zip(trust, often, strict=True)]
        gains = [0.0] * groups
        for group, stake in enumerate(stakes):
            pays = list(map(mul, often, stake))
            if group < labels:
                pays[group] += 2 * (1 - often[group])
            gains[group] = gain = sum(map(mul, says[group], pays))
            row = [max(0.0, old + pay - gain) for old, pay in zip(regret[group], pays, strict=True)]
            regret[group], says[group] = row, _shares(row)
        worths = [sum(map(mul, share, gains)) for share in shares]
        keep = _raised(keep, worths)
        mixed = _shares(keep)
        kept = [total + weight * share for total, share in zip(kept, mixed, strict=True)]
        reach = [sum(map(mul, mixed, column)) for column in zip(*shares, strict=True)]
        better = [0.0] * labels
        for group, (arrives, stake) in enumerate(zip(reach, stakes, strict=True)):
            said = [arrives * share for share in says[group]]
            sums[group] = [total + weight * share for total, share in zip(sums[group], said, strict=True)]
            better = [gain - share * worth for gain, share, worth in zip(better, said, stake, strict=True)]
            if group < labels:
                better[group] += 2 * said[group]
        now = [share * gain for share, gain in zip(often, better, strict=True)]
        accept = [max(0.0, a + gain - mean) for a, gain, mean in zip(accept, better, now, strict=True)]
        doubt = [max(0.0, d - mean) for d, mean in zip(doubt, now, strict=True)]
    total = rounds * (rounds + 1) / 2
    return [share / total for share in kept], [share / total for share in trust], [_shares(row) for row in sums]


def _raised(regrets: Row, worths: Row) -> Row:
    mixed = _shares(regrets)
    mean = sum(map(mul, mixed, worths))
    return [max(0.0, old + worth - mean) for old, worth in zip(regrets, worths, strict=True)]


def _shares(row: Row) -> Row:
    total = sum(row)
    return [one / total for one in row] if total > 0 else [1 / len(row)] * len(row)
