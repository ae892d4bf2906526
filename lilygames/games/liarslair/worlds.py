"""Deals of Liar's Lair that could be, as a seat sees its game: where all statements are, which are true, who knows it.

A statement has a number: those of pair `p` are `2 * p` and `2 * p + 1`, so that the contrary of one is its number
`^ 1`. What a seat knows is kept exactly. What it does not know is drawn evenly over what has room for it; only who
reads people believes more of some cards than of others, by when they were played first and who took them up again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import attrs

from rules.kit import Seat
from rules.lair.hands import GONE, Seen
from rules.lair.table import View

_FIRST = (-3.0, -0.3, 0.5, 1.0)
"""How much more a card is believed by how many were still to play when it was played first, as a logarithm of odds:
who plays last gets rid of a lie. From some hundred games among house players of several levels, and rounded."""
_KEPT, _LEFT = 3.0, -0.5
"""The same for a card that who played it first has taken back, and for one that all others have left to oneself."""


@attrs.frozen(eq=False)
class Ledger:
    """What a seat knows; None stands for what it does not."""

    me: Seat
    numbers: dict[int, int]
    """The statement on each card that was read."""
    places: tuple[int | None, ...]
    known: tuple[bool | None, ...]
    """Of each pair, whether its first statement is the true one."""
    odds: tuple[float, ...]
    """Of each pair, how much more its first statement is believed: a logarithm of odds."""
    homes: tuple[int, ...]
    """The places of the statements whose place is not known, in some order."""
    first: dict[int, Seat]
    """Who played a statement first."""
    played: dict[int, Seat]
    """Who has played a statement in this round, in order."""
    seats: int


@attrs.define(eq=False)
class World:
    """A deal that could be: each statement's place and truth, and the pairs (a set of bits) that each seat knows."""

    places: list[int]
    truths: list[bool]
    knows: list[int]

    def at(self, place: int) -> list[int]:
        """Return the statements that a seat holds, or that are in play."""
        return [number for number, where in enumerate(self.places) if where == place]

    def knowing(self, seat: Seat, number: int) -> bool:
        """Whether a seat knows if a statement is true."""
        return bool(self.knows[seat] >> (number >> 1) & 1)

    def without(self, seat: Seat) -> World:
        """Return the world after a seat's hand has left the game."""
        return World([GONE if place == seat else place for place in self.places], self.truths, self.knows)

    def copy(self) -> World:
        """Return a world whose cards can be moved."""
        return World(self.places[:], self.truths, self.knows)


def ledger(view: View, *, reads: bool) -> Ledger:
    """Return what a seat knows, and believes if it reads people."""
    match, pairs = view.match, view.match.options.shape(view.match.seats).pairs
    places: list[int | None] = [None] * (2 * pairs)
    known: list[bool | None] = [None] * pairs
    odds = [0.0] * pairs
    numbers: dict[int, int] = {}
    for card in view.cards:
        first = 2 * card.pair not in numbers.values()
        number = numbers[card.number] = 2 * card.pair + (not first)
        places[number] = card.place
        known[card.pair] = None if card.true is None else card.true == first
        odds[card.pair] += (1 if first else -1) * (_belief(card, view.seat) if reads else 0.0)
    return Ledger(
        me=view.seat or 0,
        numbers=numbers,
        places=tuple(places),
        known=tuple(known),
        odds=tuple(odds),
        homes=_homes(view, places),
        first={numbers[card.number]: card.played.seat for card in view.cards if card.played},
        played={numbers[number]: seat for seat, number in match.round.played},
        seats=match.seats,
    )


def _belief(card: Seen, me: Seat | None) -> float:
    """Return how much more a card is believed for what others did with it: a logarithm of odds."""
    first = card.played
    if first is None or first.seat == me:
        return 0.0
    if card.place == first.seat:
        return _KEPT
    return _FIRST[min(first.left, len(_FIRST) - 1)] + (_LEFT if card.place == me else 0.0)


def _homes(view: View, places: Sequence[int | None]) -> tuple[int, ...]:
    """Return a place for each statement whose place is not known: as many as hands have room for, the others gone."""
    held = [seat for seat, size in enumerate(view.sizes) for _ in range(size - places.count(seat))]
    return (*held, *[GONE] * (places.count(None) - len(held)))


def imagined(here: Ledger, rng: random.Random) -> World:
    """Return a deal that the seat could be in."""
    truths = [true for pair in range(len(here.known)) for true in _sides(here, pair, rng)]
    homes = list(here.homes)
    rng.shuffle(homes)
    places = [homes.pop() if place is None else place for place in here.places]
    return World(places, truths, _knowledge(here, places))


def _sides(here: Ledger, pair: int, rng: random.Random) -> tuple[bool, bool]:
    """Return whether each of a pair's statements is true."""
    known = here.known[pair]
    first = rng.random() < 1 / (1 + math.exp(-here.odds[pair])) if known is None else known
    return first, not first


def _knowledge(here: Ledger, places: Sequence[int]) -> list[int]:
    """Return the pairs that each seat knows: of others those of the cards that it held before anybody had seen them.

    By and large such a card was dealt to it.
    """
    knows = [0] * here.seats
    for number, place in enumerate(places):
        seat = here.first.get(number, place)
        if seat >= 0:
            knows[seat] |= 1 << (number >> 1)
    knows[here.me] = sum(1 << pair for pair, known in enumerate(here.known) if known is not None)
    return knows
