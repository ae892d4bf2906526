"""Groups of hole cards that the two-player table of hold'em doesn't tell apart.

Before the flop there are 169: pairs, and two ranks of one suit or of two. On the other streets, hole cards are divided
by their mean share over the cards to come. Each part is then divided by the deviation, which tells draws from made
hands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Self

import attrs

from lilygames.games.lilypoker.solved.boards import Board, Two, prospects
from lilygames_rules.cards import ACE

PAIR_CLASSES = 169
_RANKS, _LOWEST, FULL = 13, 2, 65535


def pair_class(two: Two) -> int:
    """Return the number of the two ranks, and whether they are of one suit."""
    low, high = sorted(card.rank - _LOWEST for card in two)
    return high * _RANKS + low if two[0].suit is two[1].suit else low * _RANKS + high


@attrs.frozen
class Cuts:
    """The limits of the groups on a street: means, and the deviations within each part; all in steps of 1/65535."""

    means: tuple[float, ...]
    deviations: tuple[tuple[float, ...], ...]

    @classmethod
    def rounded(cls, means: Sequence[float], deviations: Sequence[Sequence[float]]) -> Self:
        """Return the limits as two bytes can hold them."""
        return cls(_rounded(means), tuple(map(_rounded, deviations)))

    @property
    def groups(self) -> int:
        """The number of groups."""
        return len(self.deviations) * (len(self.deviations[0]) + 1)

    def group(self, two: Two, board: Board) -> int:
        """Return the group of hole cards on a board."""
        mean, deviation = prospects(two, board)
        place = bisect_right(self.means, mean)
        within = self.deviations[place]
        return place * (len(within) + 1) + bisect_right(within, deviation)


def _rounded(row: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(one * FULL) / FULL for one in row)


assert _RANKS + _LOWEST - 1 == ACE  # noqa: S101 - the highest rank
