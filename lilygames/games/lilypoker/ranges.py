"""How good hands of poker are among those that others may hold: among some that are dealt once, the same anywhere."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import prod

from lilygames.games.lilypoker.draw import thrown, value
from rules.cards import DECK, Card
from rules.poker import hands as pokerhands

_SAMPLES = 1000
"""How many hands are dealt to find out how good a hand is in the end."""
_HANDS = 12_000
"""How many before the draw, of which few are drawn to with no card or one."""
_SEEN = 150
"""How many on the board as it lies at hold'em."""
_PAID = 0.5
"""How good a hand is before the draw at least that people pay for."""
_MOST = 3
"""How many cards are thrown at most by who knows what to keep."""
_LEAST = 0.001
"""The share of hands that is taken to be worse at least."""


def among(strengths: Sequence[int], strength: int) -> float:
    """Return the share of hands that are worse."""
    return bisect_left(strengths, strength) / len(strengths)


@cache
def seven() -> tuple[int, ...]:
    """Return how strong some hands of seven cards are, in order."""
    rng = random.Random(7)  # noqa: S311 - the same hands in every process
    return tuple(sorted(pokerhands.strength(rng.sample(DECK, 7)) for _ in range(3 * _SAMPLES)))


@lru_cache(8)
def on_board(board: tuple[Card, ...]) -> tuple[int, ...]:
    """Return how strong some hands are on a board, in order."""
    rng = random.Random(len(board))  # noqa: S311 - the same hands in every process
    unseen = [card for card in DECK if card not in board]
    return tuple(sorted(pokerhands.strength([*rng.sample(unseen, 2), *board]) for _ in range(_SEEN)))


@cache
def hands() -> tuple[tuple[Card, ...], ...]:
    """Return some hands before the draw."""
    rng = random.Random(1)  # noqa: S311 - the same hands in every process
    return tuple(tuple(rng.sample(DECK, 5)) for _ in range(_HANDS))


@cache
def by_draw() -> Mapping[int, tuple[tuple[Card, ...], ...]]:
    """Return those hands by how many cards people throw of them."""
    found = {count: list[tuple[Card, ...]]() for count in range(6)}
    for hand in hands():
        found[len(thrown(hand))].append(hand)
    return {count: tuple(those) for count, those in found.items()}


@cache
def _after(drew: int) -> tuple[int, ...]:
    """Return how strong some hands are in the end of which so many cards were thrown, in order."""
    rng, found = random.Random(drew), []  # noqa: S311 - the same hands in every process
    pool = [hand for hand in by_draw()[drew] if value(hand) >= _PAID] or by_draw()[drew]
    for _ in range(_SAMPLES):
        hand = pool[int(rng.random() * len(pool))]
        away, stock = thrown(hand), [card for card in DECK if card not in hand]
        kept = [card for card in hand if card not in away]
        found.append(pokerhands.strength([*kept, *rng.sample(stock, len(away))]))
    return tuple(sorted(found))


def against(drew: Sequence[int], strength: int) -> float:
    """Return how good a hand is against hands of which so many cards each were thrown."""
    shares = [max(_LEAST, among(_after(min(_MOST, count)), strength)) for count in drew]
    return float(prod(shares) ** (1 / len(shares)))
