"""Groups of hands that the two-player table of five-card draw doesn't tell apart.

Before the draw, hands are grouped by how many cards they usually discard and by their strength. After it, they are
grouped by their strength alone. Each group has about an eighth less of the better hands than the group before.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import accumulate

from lilygames.games.lilypoker.views.draw import below, thrown
from lilygames_rules.cards import Card
from lilygames_rules.poker import hands

STRENGTHS = 60
"""Groups by strength; the best hands are in the last one."""
MOST = 3
"""Most cards that a hand usually discards. A player who has drawn more is taken for one who has drawn so many."""
GROUPS = (MOST + 1) * STRENGTHS
"""Groups before the draw."""
_RATIO = 0.87
PAT, USUAL, KICKER = range(3)
"""The choices of a draw: to stand pat, to discard as usual, and to keep the highest of these cards, too."""


@cache
def _limits() -> tuple[float, ...]:
    """Return the least share of worse hands in each group but the first."""
    better = accumulate([_RATIO] * (STRENGTHS - 1), lambda share, ratio: share * ratio)
    return tuple(1 - share for share in better)


@cache
def _by_strength() -> tuple[int, ...]:
    return tuple(bisect_left(_limits(), share) for share in below())


def group_after(strength: int) -> int:
    """Return the group of a final hand of this strength."""
    return _by_strength()[strength]


def group_before(hand: tuple[Card, ...]) -> int:
    """Return the group of a hand before the draw."""
    return len(thrown(hand)) * STRENGTHS + _by_strength()[hands.strength(hand)]


def choices(usual: int) -> tuple[int, ...]:
    """Return the choices of a hand that usually discards this many cards."""
    return (PAT, USUAL, KICKER) if usual > 1 else (PAT, USUAL) if usual else (USUAL,)


def discarded(hand: tuple[Card, ...], choice: int) -> tuple[Card, ...]:
    """Return the cards that a choice discards, highest first."""
    away = hands.by_rank(thrown(hand))
    return () if choice == PAT else away[1:] if choice == KICKER else away


def drawn(usual: int, choice: int) -> int:
    """Return how many cards a choice draws, for a hand that usually discards so many."""
    return 0 if choice == PAT else usual - (choice == KICKER)
