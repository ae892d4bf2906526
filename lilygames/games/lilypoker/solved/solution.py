"""Table of how to play fixed-limit hold'em between two players: the mix of fold, call and raise for each decision.

`lab/solve-holdem` writes it, and zlib packs it. First come the limits of the groups, street by street from the flop
on. The numbers of parts by mean and by deviation take a byte each. Each limit takes two bytes, the lower one first.

Then come the mixes of all four streets: a byte for each decision, line and group. It is the number of one of the 253
mixes in steps of 1/21.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice

import attrs

from lilygames.games.lilypoker.solved.boards import Board, Two
from lilygames.games.lilypoker.solved.groups import FULL, PAIR_CLASSES, Cuts, pair_class
from lilygames.games.lilypoker.views.lines import STREETS, decisions, lines

STEPS = 21
"""A mix is given in shares of 1/21, because then one byte holds its number."""
MIXES = tuple((fold, call, STEPS - fold - call) for fold in range(STEPS + 1) for call in range(STEPS + 1 - fold))
"""All mixes of fold, call and raise."""
NAME = "holdem.bin"


@attrs.frozen(eq=False)
class Solution:
    """The limits of the groups by street from the flop on, and by street the numbers of the mixes."""

    cuts: Sequence[Cuts]
    mixes: Sequence[bytes]

    def mix(self, two: Two, board: Board, decision: int, line: int) -> tuple[int, int, int]:
        """Return in how many cases of 21 to fold, to call and to raise."""
        street = len(board) - 2 if board else 0
        group = self.cuts[street - 1].group(two, board) if street else pair_class(two)
        groups = self.cuts[street - 1].groups if street else PAIR_CLASSES
        return MIXES[self.mixes[street][(decision * lines(street) + line) * groups + group]]


def packed(solution: Solution) -> bytes:
    """Return the bytes of the file."""
    return zlib.compress(b"".join((*map(_limits, solution.cuts), *solution.mixes)), 9)


def _limits(cuts: Cuts) -> bytes:
    rows = (cuts.means, *cuts.deviations)
    limits = b"".join(round(one * FULL).to_bytes(2, "little") for row in rows for one in row)
    return bytes((len(cuts.deviations), len(cuts.deviations[0]) + 1)) + limits


def unpacked(data: bytes) -> Solution:
    """Return what the bytes of a file hold."""
    left = iter(zlib.decompress(data))
    cuts = [_cuts(left) for _ in range(1, STREETS)]
    groups = (PAIR_CLASSES, *(one.groups for one in cuts))
    mixes = [bytes(islice(left, decisions(street) * lines(street) * many)) for street, many in enumerate(groups)]
    return Solution(cuts, mixes)


def _cuts(left: Iterator[int]) -> Cuts:
    parts, within = next(left), next(left)
    return Cuts(_row(left, parts - 1), tuple(_row(left, within - 1) for _ in range(parts)))


def _row(left: Iterator[int], size: int) -> tuple[float, ...]:
    return tuple((next(left) + 256 * next(left)) / FULL for _ in range(size))


@cache
def learned() -> Solution:
    """Load the table that comes with the package."""
    return unpacked((files(__package__) / NAME).read_bytes())
