"""How five dice that are passed on with rising claims are best played by two: one step of it at a time.

Who takes the dice was seen to take them, and the other knows them too: it passed them. So each step is a small game of
its own. The taker throws some of the dice, sees how they fell and makes a claim; the other believes it or not. What the
dice are worth to who takes them next is in a table (`scripts/solve-liedie`), and the step itself is solved here; but
the first step, which is the same in all games and the largest, is in the table as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations

import attrs

from lilygames.games.families.dice.chances import falls
from lilygames.house.regrets import Row, settled, shared
from rules.dice.cup import DICE, SIDES
from rules.dice.throws import Throw, ladder, rank, rungs

RUNGS = 252
OPEN = -1
"""What is to be beaten before the first claim."""
FINE = 4500
"""Up to so many pairs of throw and claim are told apart; of more, throws only by what matters first."""
EASY, MOST = 3000, 200
"""A step with fewer pairs than this is solved in as many more rounds as take no longer, up to so many."""


@attrs.frozen(eq=False)
class Values:
    """What the dice are worth to who has taken them, by the claim to beat and the throw; and how many are thrown."""

    worth: tuple[tuple[float, ...], ...]
    throws: bytes
    opening: Step | None
    """The first step; none where the table has no room for it."""


@cache
def learned() -> Values:
    """Return the table that is shipped: rows of a byte for each throw.

    By claim what the throws are worth, and how many dice to throw; how often each first claim should be believed, and
    by throw how often each should be made.
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

    def told(self, own: int, claim: int) -> Mapping[int, float]:
        """Return how often to make which claim above the last one, where the dice came to the throw of that rung."""
        group = next((place for place, some in enumerate(self.groups) if own in some), None)
        shares: dict[int, float] = {}
        for said, often in enumerate(self.says[group] if group is not None and self.says else ()):
            some = {own: 1.0} if said == group else {rung: self.mass[rung] for rung in self.groups[said]}
            total = sum(some.values())
            shares |= {rung: often * share / total for rung, share in some.items() if often * share > 0}
        if not shares:
            return {own: 1.0} if own > claim else dict.fromkeys(range(claim + 1, RUNGS), 1 / (RUNGS - 1 - claim))
        return shares


@lru_cache(256)
def solved(claim: int, dice: tuple[int, ...], thrown: int, rounds: int) -> Step:
    """Return the step after a claim of that rung, when so many of these dice are thrown; before any claim all five."""
    first = learned().opening if claim == OPEN else None
    return first or _solved(claim, dice, thrown, rounds)


def _solved(claim: int, dice: tuple[int, ...], thrown: int, rounds: int) -> Step:
    keeps = sorted(set(combinations(dice, DICE - thrown)))
    chances = [fallen(kept) for kept in keeps]
    possible = sorted({rung for chance in chances for rung in chance})
    above = sum(rung > claim for rung in possible)
    groups, labels = _grouped(possible, claim, fine=len(possible) * above <= FINE)
    if not labels:
        return Step(dict.fromkeys(keeps, 1 / len(keeps)), {}, groups, (), {})
    shares = [[sum(chance.get(rung, 0.0) for rung in group) for group in groups] for chance in chances]
    longer = min(MOST, rounds * EASY // (len(groups) * labels))
    mixed, believed, says = settled(_stakes(groups, labels), labels, shares, max(rounds, longer))
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
