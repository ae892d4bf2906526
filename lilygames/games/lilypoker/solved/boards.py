"""Strength of hole cards on a hold'em board, as the share of all hole cards that are worse there."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb, sqrt

from lilygames_rules.cards import DECK, Card, Suit
from lilygames_rules.poker import hands
from lilygames_rules.poker.hands import FIVE, RANKS, rank_weight, suited, unsuited

BOARD = 5
"""Cards of a complete board."""
RUNOUTS = 200
"""Ways to complete a flop that are looked at; a turn is completed in every way."""
_EACH = 4
"""Cards of a rank."""
_OPEN = 3
"""Cards of a suit on the board from which a flush is possible."""
_PAIRS = tuple(
    (low, high, rank_weight(low) + rank_weight(high)) for low, high in combinations_with_replacement(RANKS, 2)
)
Two = tuple[Card, Card]
Board = tuple[Card, ...]


Ranking = tuple[Sequence[int], Sequence[int]]
"""The strengths of all hole cards on a board, worst first; and how many hole cards are worse than each, then all."""


@lru_cache(64)
def _ranking(board: Board) -> Ranking:
    """Return the ranking of all hole cards on a complete board."""
    whole = sum(rank_weight(card.rank) for card in board)
    suit = next((suit for suit in Suit if sum(card.suit is suit for card in board) >= _OPEN), None)
    if suit is None:
        return _sorted(_by_ranks(whole))
    found = dict(_by_ranks(whole))
    for strength, number in _flushes(whole, [card.rank for card in board if card.suit is suit], _left(whole)):
        found[strength] = found.get(strength, 0) + number
    return _sorted(found)


def _sorted(found: Mapping[int, int]) -> Ranking:
    strengths = sorted([strength for strength, number in found.items() if number])
    return strengths, [0, *accumulate([found[strength] for strength in strengths])]


def _left(whole: int) -> Sequence[int]:
    """Return how many cards of each rank aren't on a board of this weight."""
    return [_EACH - (whole >> 3 * rank & 7) for rank in range(RANKS.stop)]


@lru_cache(1024)
def _by_ranks(whole: int) -> Mapping[int, int]:
    """Return how many hole cards have which strength on a board of this weight, without flushes."""
    left, found = _left(whole), dict[int, int]()
    for low, high, both in _PAIRS:
        if number := left[low] * left[high] if low < high else comb(left[low], 2):
            strength = unsuited(whole + both)
            found[strength] = found.get(strength, 0) + number
    return found


def _flushes(whole: int, ranks: Sequence[int], left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the strength of hole cards with a flush and their number, and the strength without it, less as many.

    `ranks` are those of the suit on the board.
    """
    free, shown = [rank for rank in RANKS if rank not in ranks], sum(map(rank_weight, ranks))
    for low, high in combinations(free, 2):
        both = rank_weight(low) + rank_weight(high)
        yield suited(shown + both), 1
        yield unsuited(whole + both), -1
    others = {rank: number for rank in RANKS if (number := left[rank] - (rank in free))}
    for one in free if len(ranks) >= FIVE - 1 else ():
        flush = suited(shown + rank_weight(one))
        for rank, number in others.items():
            yield flush, number
            yield unsuited(whole + rank_weight(one) + rank_weight(rank)), -number
    for low, high, both in _PAIRS if len(ranks) == FIVE else ():
        first, second = others.get(low, 0), others.get(high, 0)
        if number := first * second if low < high else comb(first, 2):
            yield suited(shown), number
            yield unsuited(whole + both), -number


def share(two: Two, board: Board) -> float:
    """Return the share of all hole cards that are worse on a complete board; equal ones count half."""
    strengths, numbers = _ranking(board)
    own = hands.strength((*two, *board))
    below, up_to = bisect_left(strengths, own), bisect_right(strengths, own)
    return (numbers[below] + numbers[up_to]) / 2 / numbers[-1]


@lru_cache(64)
def prospects(two: Two, board: Board) -> tuple[float, float]:
    """Return the mean share over the ways to complete a board, and its standard deviation."""
    shares = [share(two, board + more) for more in _runouts(two, board)]
    mean = sum(shares) / len(shares)
    return mean, sqrt(max(0.0, sum(one * one for one in shares) / len(shares) - mean * mean))


def _runouts(two: Two, board: Board) -> Iterator[Board]:
    """Yield the cards to come: all ways for the last card, the same sample each time for two."""
    unseen = [card for card in DECK if card not in two and card not in board]
    if len(board) == BOARD:
        yield ()
    elif len(board) == BOARD - 1:
        yield from ((card,) for card in unseen)
    else:
        rng = random.Random(RUNOUTS)  # noqa: S311 - the same in every process
        yield from rng.sample([*combinations(unseen, 2)], RUNOUTS)
