"""Strength of poker hands against samples of opponents' hands, which are dealt once and the same everywhere."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import prod

from lilygames.games.lilypoker.views.draw import thrown, value
from lilygames_rules.cards import DECK, Card
from lilygames_rules.poker import hands as pokerhands

_SAMPLES = 1000
"""Sample size for final hands."""
_HANDS = 12_000
"""Sample size before the draw; few of these hands draw no card or one."""
_SEEN = 150
"""Sample size for a hold'em board."""
_PAID = 0.5
"""Minimum strength before the draw that players pay for."""
_MOST = 3
"""Most cards a sensible player discards."""
_LEAST = 0.001
"""Minimum share of worse hands."""


def among(strengths: Sequence[int], strength: int) -> float:
    """Return the share of worse hands."""
    return bisect_left(strengths, strength) / len(strengths)


@cache
def seven() -> tuple[int, ...]:
    """Return the sorted strengths of sampled seven-card hands."""
    rng = random.Random(7)  # noqa: S311 - the same hands in every process
    return tuple(sorted(pokerhands.strength(rng.sample(DECK, 7)) for _ in range(3 * _SAMPLES)))


@lru_cache(8)
def on_board(board: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the sorted strengths of sampled hands on a board."""
    rng = random.Random(len(board))  # noqa: S311 - the same hands in every process
    unseen = [card for card in DECK if card not in board]
    return tuple(sorted(pokerhands.strength([*rng.sample(unseen, 2), *board]) for _ in range(_SEEN)))


@cache
def hands() -> tuple[tuple[Card, ...], ...]:
    """Return sampled hands before the draw."""
    rng = random.Random(1)  # noqa: S311 - the same hands in every process
    return tuple(tuple(rng.sample(DECK, 5)) for _ in range(_HANDS))


@cache
def by_draw() -> Mapping[int, tuple[tuple[Card, ...], ...]]:
    """Return these hands by the number of cards usually discarded."""
    found = {count: list[tuple[Card, ...]]() for count in range(6)}
    for hand in hands():
        found[len(thrown(hand))].append(hand)
    return {count: tuple(those) for count, those in found.items()}


@cache
def _after(drew: int) -> tuple[int, ...]:
    """Return the sorted final strengths of sampled hands that drew this many cards."""
    rng, found = random.Random(drew), []  # noqa: S311 - the same hands in every process
    pool = [hand for hand in by_draw()[drew] if value(hand) >= _PAID] or by_draw()[drew]
    for _ in range(_SAMPLES):
        hand = pool[int(rng.random() * len(pool))]
        away, stock = thrown(hand), [card for card in DECK if card not in hand]
        kept = [card for card in hand if card not in away]
        found.append(pokerhands.strength([*kept, *rng.sample(stock, len(away))]))
    return tuple(sorted(found))


def warm_up() -> None:
    """Fill the tables that take long, for all variants."""
    seven()
    for count in range(_MOST + 1):
        _after(count)


def against(drew: Sequence[int], strength: int) -> float:
    """Return a hand's strength against opponents who each drew this many cards."""
    shares = [max(_LEAST, among(_after(min(_MOST, count)), strength)) for count in drew]
    return float(prod(shares) ** (1 / len(shares)))
