"""Table of how to play fixed-limit five-card draw between two players: the mix of choices for each decision.

`lab/solve-draw` writes it, and zlib packs it. Each mix takes a byte, as in the table of hold'em. The parts are:

- the betting before the draw, by decision and group
- the draws of the first player, by the end of that betting and group: to stand pat, discard as usual or keep a kicker
- the draws of the second player, by end, the first player's draw and group
- the betting after the draw, by decision, end, the first player's draw, the second player's and group
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import attrs

from lilygames.games.lilypoker.solved.draw_groups import GROUPS, MOST, STRENGTHS, group_after, group_before
from lilygames.games.lilypoker.solved.solution import MIXES
from lilygames.games.lilypoker.views.lines import decisions, ends
from lilygames_rules.cards import Card
from lilygames_rules.poker import hands

Mix = tuple[int, int, int]
NAME = "draw.bin"
LATER = 1
"""A street of hold'em whose betting has the same decisions: up to four bets, and no blinds."""
DECISIONS, ENDS, DRAWS = decisions(LATER), ends(LATER), MOST + 1
SIZES = (DECISIONS * GROUPS, ENDS * GROUPS, ENDS * DRAWS * GROUPS, DECISIONS * ENDS * DRAWS**2 * STRENGTHS)
"""Mixes in each part."""


@attrs.frozen(eq=False)
class DrawSolution:
    """The numbers of the mixes: of the betting before the draw, of both draws, and of the betting after them."""

    parts: Sequence[bytes]

    def before(self, hand: tuple[Card, ...], decision: int) -> Mix:
        """Return how often to fold, to call and to raise before the draw."""
        return MIXES[self.parts[0][decision * GROUPS + group_before(hand)]]

    def draw(self, hand: tuple[Card, ...], end: int, first: int | None) -> Mix:
        """Return how often to make each choice of a draw; `first` is the first player's draw, None for their own."""
        group = group_before(hand)
        if first is None:
            return MIXES[self.parts[1][end * GROUPS + group]]
        return MIXES[self.parts[2][(end * DRAWS + min(first, MOST)) * GROUPS + group]]

    def after(self, hand: tuple[Card, ...], decision: int, end: int, drew: tuple[int, int]) -> Mix:
        """Return how often to fold, to call and to raise after the draws of the first and the second player."""
        first, second = (min(one, MOST) for one in drew)
        row = ((decision * ENDS + end) * DRAWS + first) * DRAWS + second
        return MIXES[self.parts[3][row * STRENGTHS + group_after(hands.strength(hand))]]


def packed(solution: DrawSolution) -> bytes:
    """Return the bytes of the file."""
    return zlib.compress(b"".join(solution.parts), 9)


def unpacked(data: bytes) -> DrawSolution:
    """Return what the bytes of a file hold."""
    whole, parts, start = zlib.decompress(data), [], 0
    for size in SIZES:
        parts.append(whole[start : start + size])
        start += size
    return DrawSolution(parts)


@cache
def learned() -> DrawSolution:
    """Load the table that comes with the package."""
    return unpacked((files(__package__) / NAME).read_bytes())
