"""Solver for a small bluffing game by regret matching: one player makes a claim, the other believes it or not.

Uses CFR+: regrets are never negative, and later iterations weigh more, by the square of their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

Row = list[float]
_EARLY = 0.3
"""Claims with a smaller share than this are dropped."""


def solve(stakes: Sequence[Row], claims: int, shares: Sequence[Row], rounds: int) -> tuple[Row, Row, list[Row]]:
    """Solve the game in so many iterations (`rounds`).

    First a player chooses what to keep, then chance gives a group of results, then the player claims a group. Claim n
    is true for group n; only the first groups can be claimed.

    `stakes[group][claim]` is the value of being believed over being caught. `shares[choice][group]` is the probability
    of a group after a choice. Returns the probability of each choice, the probability that each claim is believed, and
    for each group the probability of each claim.
    """
    regret = [[0.0] * claims for _ in stakes]
    says = [[1 / claims] * claims for _ in stakes]
    told = [[0.0] * claims for _ in stakes]
    accept, doubt, trust = [0.0] * claims, [0.0] * claims, [0.0] * claims
    keep, kept = [0.0] * len(shares), [0.0] * len(shares)
    for number in range(1, rounds + 1):
        weight = number * number
        often = [a / (a + d) if a + d > 0 else 0.5 for a, d in zip(accept, doubt, strict=True)]
        trust = _added(trust, often, weight)
        gains = [_value(group, stake, often, regret, says) for group, stake in enumerate(stakes)]
        keep = _raised(keep, [sum(map(mul, share, gains)) for share in shares])
        mixed = shared(keep)
        kept = _added(kept, mixed, weight)
        better = [0.0] * claims
        for group, (column, stake) in enumerate(zip(zip(*shares, strict=True), stakes, strict=True)):
            arrives, row = sum(map(mul, mixed, column)), says[group]
            if number > rounds * _EARLY:
                told[group] = _added(told[group], row, weight * arrives)
            better = [one - arrives * share * worth for one, share, worth in zip(better, row, stake, strict=True)]
            if group < claims:
                better[group] += 2 * arrives * row[group]
        accept = [max(0.0, a + (1 - q) * more) for a, q, more in zip(accept, often, better, strict=True)]
        doubt = [max(0.0, d - q * more) for d, q, more in zip(doubt, often, better, strict=True)]
    return (
        shared(kept),
        [one * 6 / (rounds * (rounds + 1) * (2 * rounds + 1)) for one in trust],
        list(map(shared, told)),
    )


def _value(group: int, stake: Row, often: Row, regret: list[Row], says: list[Row]) -> float:
    """Return a group's value under its current strategy, and update its regrets."""
    pays = list(map(mul, often, stake))
    if group < len(pays):
        pays[group] += 2 * (1 - often[group])
    gain: float = sum(map(mul, says[group], pays))
    row = [left if (left := old + pay - gain) > 0 else 0.0 for old, pay in zip(regret[group], pays, strict=True)]
    regret[group], says[group] = row, shared(row)
    return gain


def _added(sums: Row, row: Row, weight: float) -> Row:
    return [total + weight * one for total, one in zip(sums, row, strict=True)]


def _raised(regrets: Row, worths: Row) -> Row:
    mean = sum(map(mul, shared(regrets), worths))
    return [max(0.0, old + worth - mean) for old, worth in zip(regrets, worths, strict=True)]


def shared(row: Sequence[float]) -> Row:
    """Return the numbers as shares of their sum; equal shares if all are zero."""
    total = sum(row)
    return [one / total for one in row] if total > 0 else [1 / len(row)] * len(row)
