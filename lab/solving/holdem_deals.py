"""Deals of two-player hold'em with the strength groups of all hole cards on each street, as numpy arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

import attrs
import numpy as np

from lilygames.games.lilypoker.solved.boards import BOARD, RUNOUTS
from lilygames.games.lilypoker.solved.groups import Cuts, pair_class
from lilygames_rules.cards import DECK
from lilygames_rules.poker.hands import FIVE, RANKS, classes, rank_weight, suited, unsuited

Array = np.ndarray
CARDS = sorted(DECK, key=lambda card: (card.rank, card.suit))
HOLES = np.array([*combinations(range(len(CARDS)), 2)])
"""The numbers of the two cards of all hole cards."""
CLASSES = np.array([pair_class((CARDS[one], CARDS[other])) for one, other in HOLES])
"""The group of all hole cards before the flop."""
_RANK, _SUIT = np.arange(52) // 4, np.arange(52) % 4
_TWO_RANKS = [*combinations_with_replacement(RANKS, 2)]
_PLACES = np.zeros((13, 13), int)
for _number, (_low, _high) in enumerate(_TWO_RANKS):
    _PLACES[_low - 2, _high - 2] = _PLACES[_high - 2, _low - 2] = _number
_PLACE = _PLACES[_RANK[HOLES[:, 0]], _RANK[HOLES[:, 1]]]
_MASKS = np.array(
    [[sum(1 << _RANK[card] for card in hole if suit == _SUIT[card]) for hole in HOLES] for suit in range(4)]
)
_WITH = np.array([np.isin(HOLES, card).any(1) for card in range(52)])
FOUR, SEVEN, OPEN = 4, 7, 3
"""Cards of a rank, in a hand at the showdown, and of a suit on a board that allows a flush."""


@cache
def _flushes() -> Array:
    """Return the strength of a flush by the ranks of its suit as bits, 0 for fewer than five."""
    found = np.zeros(1 << 13, int)
    for bits in range(1 << 13):
        ranks = [rank for rank in RANKS if bits >> rank - 2 & 1]
        if FIVE <= len(ranks) <= SEVEN:
            found[bits] = suited(sum(map(rank_weight, ranks)))
    return found


@cache
def _by_ranks(whole: int) -> Array:
    """Return the strength without flushes of any two ranks beside a board of this weight, 0 if there are none."""
    pairs = [whole + rank_weight(low) + rank_weight(high) for low, high in _TWO_RANKS]
    held = [[weight >> 3 * rank & 7 for rank in RANKS] for weight in pairs]
    return np.array([unsuited(weight) if max(ranks) <= FOUR else 0 for weight, ranks in zip(pairs, held, strict=True)])


def strengths(board: Sequence[int]) -> Array:
    """Return the strength of all hole cards on a complete board, -1 for those that hold a card of it."""
    found = _by_ranks(sum(rank_weight(int(_RANK[card]) + 2) for card in board))[_PLACE]
    for suit in range(4):
        shown = [card for card in board if _SUIT[card] == suit]
        if len(shown) >= OPEN:
            found = np.maximum(found, _flushes()[sum(1 << int(_RANK[card]) for card in shown) | _MASKS[suit]])
    return np.where(_WITH[list(board)].any(0), -1, found)


def shares(found: Array) -> Array:
    """Return the share of hole cards that are worse than each, equal ones counting half; nan where there is none."""
    there = found >= 0
    number = np.bincount(found[there], minlength=len(classes()))
    up_to = np.cumsum(number)
    return np.where(there, (up_to[found] - number[found] / 2) / up_to[-1], np.nan)


def completed(board: Collection[int], runouts: Collection[Collection[int]]) -> Array:
    """Return the strengths of all hole cards (-1 if they hold a card of the board) for these ways to complete it."""
    return np.array([strengths((*board, *more)) for more in runouts])


def prospects(found: Array) -> Array:
    """Return the mean share of all hole cards over the ways to complete a board, and its deviation."""
    every = np.array([*map(shares, found)])
    there = ~np.isnan(every)
    number = there.sum(0)
    every, number = np.where(there, every, 0), np.where(number, number, np.nan)
    mean = every.sum(0) / number
    return np.array([mean, np.sqrt(np.maximum(0, (every * every).sum(0) / number - mean * mean))], np.float32)


def ways(shown: int, rest: Array, rng: np.random.Generator) -> Array:
    """Return ways to complete a board of so many cards from the rest: all for the last card, a sample for two."""
    if shown == BOARD:
        return np.empty((1, 0), int)
    if shown == BOARD - 1:
        return rest[:, None]
    return rest[np.array([rng.permutation(len(rest))[:2] for _ in range(_seen_runouts())])]


def _seen_runouts() -> int:
    """Return how many ways to complete a flop leave as many as a player looks at, who holds two of the cards."""
    return round(RUNOUTS * (49 * 48) / (47 * 46))


@attrs.frozen(eq=False)
class Deals:
    """Boards, and by board and hole cards the groups on the flop, turn and river, and the strength (-1: none)."""

    boards: Array
    groups: Array
    strength: Array


def sampled(seed: int, flops: int, turns: int, rivers: int) -> tuple[Array, list[Array]]:
    """Return complete boards, several with each flop and each turn, and what all hole cards can expect on each street.

    The prospects are by street from the flop on, by its different boards, mean or deviation, and hole cards.
    """
    rng = np.random.default_rng(seed)
    boards: list[tuple[int, ...]] = []
    found: list[list[Array]] = [[], [], []]
    for _ in range(flops):
        deck = rng.permutation(52)
        flop, rest = deck[:3], deck[3:]
        found[0].append(prospects(completed(flop, ways(3, rest, rng))))
        for turn in rest[:turns]:
            others = rest[rest != turn]
            found[1].append(prospects(completed((*flop, turn), ways(4, others, rng))))
            for river in rng.permutation(others)[:rivers]:
                boards.append((*flop, turn, river))
                found[2].append(prospects(completed(boards[-1], ways(5, others, rng))))
    return np.array(boards), [np.array(street) for street in found]


def cut(prospect: Sequence[Array], sizes: Sequence[tuple[int, int]]) -> list[Cuts]:
    """Return the limits that divide hole cards evenly by mean, and each part by deviation, for each street."""
    found = []
    for street, (by_mean, by_deviation) in zip(prospect, sizes, strict=True):
        means, deviations = street[:, 0][~np.isnan(street[:, 0])], street[:, 1][~np.isnan(street[:, 0])]
        limits = np.quantile(means, np.arange(1, by_mean) / by_mean)
        place = np.searchsorted(limits, means, "right")
        shares = np.arange(1, by_deviation) / by_deviation
        within = [np.quantile(deviations[place == one], shares) if len(shares) else shares for one in range(by_mean)]
        found.append(Cuts.rounded(limits.tolist(), [row.tolist() for row in within]))
    return found


def grouped(street: Array, cuts: Cuts) -> Array:
    """Return the groups of hole cards by their prospects."""
    means, deviations = street[:, 0], street[:, 1]
    place = np.searchsorted(cuts.means, means, "right")
    found = place * (len(cuts.deviations[0]) + 1)
    for one, limits in enumerate(cuts.deviations):
        here = place == one
        found[here] += np.searchsorted(limits, deviations[here], "right")
    return np.where(np.isnan(means), 0, found).astype(np.uint8)


def deals(boards: Array, prospect: Sequence[Array], cuts: Sequence[Cuts]) -> Deals:
    """Return the boards with the groups of all hole cards."""
    each = [
        np.repeat(grouped(street, one), len(boards) // len(street), 0)
        for street, one in zip(prospect, cuts, strict=True)
    ]
    return Deals(boards, np.stack(each, 1), np.array([strengths(board) for board in boards], np.int16))


assert FIVE == BOARD  # noqa: S101 - a hand is as large as a board
