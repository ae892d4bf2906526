"""Solver for the same small game as in `regrets` with half the iterations: early regrets weigh less.

This is discounted CFR (Brown and Sandholm, Solving Imperfect-Information Games via Discounted Regret Minimization,
2019) with positive regrets only. The first claims are arbitrary, so the other player answers them, but nobody regrets
them. Claims and answers are averaged with weights that grow with the cube of the iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from lilygames.house.regrets import Row, shared

_EARLY = 1 / 3
"""Claims in this share of the iterations are dropped."""
_FADING = 1.5
"""Regrets of iteration n count n**1.5 / (n**1.5 + 1) of what they did when the next ones are added."""


def solve(stakes: Sequence[Row], claims: int, shares: Sequence[Row], rounds: int) -> tuple[Row, Row, list[Row]]:
    """Solve the game; arguments and results are those of `regrets.solve`."""
    made = _Claims(stakes, claims)
    columns = [*zip(*shares, strict=True)]
    accept, doubt, trust = [0.0] * claims, [0.0] * claims, [0.0] * claims
    keep, kept, total, scale = [0.0] * len(shares), [0.0] * len(shares), 0, 1.0
    for number in range(rounds):
        weight = number**3
        total += weight
        often = [a / (a + d) if a + d > 0 else 0.5 for a, d in zip(accept, doubt, strict=True)]
        if number:
            scale *= 1 + number**-_FADING
            gains = made.regretted(often, scale)
            worths = [sum(map(mul, share, gains)) for share in shares]
            mean = sum(map(mul, shared(keep), worths))
            keep = [max(0.0, old + worth - mean) for old, worth in zip(keep, worths, strict=True)]
        mixed = shared(keep)
        arrives = [sum(map(mul, mixed, column)) for column in columns]
        better = made.heard(arrives, weight if number > rounds * _EARLY else 0)
        kept = [one + weight * share for one, share in zip(kept, mixed, strict=True)]
        trust = [one + weight * share for one, share in zip(trust, often, strict=True)]
        accept = [max(0.0, a + (1 - q) * more) for a, q, more in zip(accept, often, better, strict=True)]
        doubt = [max(0.0, d - q * more) for d, q, more in zip(doubt, often, better, strict=True)]
    return shared(kept), [one / total if total else 0.5 for one in trust], list(map(shared, made.told))


class _Claims:
    """The claims of all groups: regrets, probabilities and their weighted sums (`told`)."""

    def __init__(self, stakes: Sequence[Row], claims: int) -> None:
        self._claims = claims
        self._even = [1 / claims] * claims
        self._extra = [
            [stake - 2 if said == group else stake for said, stake in enumerate(row)]
            for group, row in enumerate(stakes)
        ]
        """The value of being believed over being challenged, by group and claim. A true claim wins 2 if challenged."""
        self._regret = [[0.0] * claims for _ in stakes]
        self._says = [self._even for _ in stakes]
        self.told = [[0.0] * claims for _ in stakes]

    def regretted(self, often: Row, scale: float) -> Row:
        """Return the value of each group, times `scale`, and raise the regrets; `often` says how claims are believed.

        Later regrets have a larger scale, which is the same as making earlier ones smaller, but less work.
        """
        believed, gains = [scale * share for share in often], []
        for group, extra in enumerate(self._extra):
            pays = list(map(mul, believed, extra))
            if group < self._claims:
                pays[group] += 2 * scale
            gain = sum(map(mul, self._says[group], pays))
            row = [
                left if (left := old + pay - gain) > 0 else 0.0
                for old, pay in zip(self._regret[group], pays, strict=True)
            ]
            total = sum(row)
            self._regret[group] = row
            self._says[group] = [one / total for one in row] if total else self._even
            gains.append(gain)
        return gains

    def heard(self, arrives: Row, weight: float) -> Row:
        """Return how much better it is to challenge each claim less, and add the claims to those told.

        `arrives` has the probability of each group.
        """
        better = [0.0] * self._claims
        for often, row, extra, told in zip(arrives, self._says, self._extra, self.told, strict=True):
            for said, share in enumerate(row):
                if share:
                    made = often * share
                    better[said] -= made * extra[said]
                    told[said] += weight * made
        return better
