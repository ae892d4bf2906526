"""Random deals of Liar's Lair that fit what a seat knows: places, truths, and each seat's knowledge.

The statements of pair `p` are `2 * p` and `2 * p + 1`, so the opposite of a statement is its number `^ 1`. Known facts
are kept exactly; unknown ones are drawn uniformly. With inference from play, some cards are believed more than others,
by when they were first played and who reclaimed them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import attrs

from lilygames.game import Memory
from lilygames.games.liarslair import habits
from lilygames_rules.kit import Seat
from lilygames_rules.lair.hands import GONE, Seen
from lilygames_rules.lair.table import View

_FIRST = (-3.0, -0.3, 0.5, 1.0)
"""Log odds that a card is true, by the seats still to play when it was first played.

The last player gets rid of a lie. Rounded, from some hundred games between bots of several levels.
"""
_KEPT, _LEFT = 3.0, -0.5
"""The same for a card that its first player reclaimed, and for one that all others left on the table."""


@attrs.frozen(eq=False)
class Ledger:
    """A seat's knowledge; unknown values are None."""

    me: Seat
    numbers: dict[int, int]
    """The statement on each card it has read."""
    places: tuple[int | None, ...]
    known: tuple[bool | None, ...]
    """For each pair, whether its first statement is true."""
    odds: tuple[float, ...]
    """For each pair, the log odds that its first statement is true."""
    homes: tuple[int, ...]
    """The possible places of statements whose place is unknown, in any order."""
    first: dict[int, Seat]
    """First player of each statement."""
    played: dict[int, Seat]
    """Seats that have played in this round, in order."""
    seats: int


@attrs.define(eq=False)
class World:
    """A possible deal: each statement's place and truth, and the pairs each seat knows (a bit set)."""

    places: list[int]
    truths: list[bool]
    knows: list[int]

    def at(self, place: int) -> list[int]:
        """Return the statements in a hand or on the table."""
        return [number for number, where in enumerate(self.places) if where == place]

    def knowing(self, seat: Seat, number: int) -> bool:
        """Tell whether a seat knows if a statement is true."""
        return bool(self.knows[seat] >> (number >> 1) & 1)

    def without(self, seat: Seat) -> World:
        """Return the world after a seat's hand has left the game."""
        return World([GONE if place == seat else place for place in self.places], self.truths, self.knows)

    def copy(self) -> World:
        """Return a copy whose cards can be moved."""
        return World(self.places[:], self.truths, self.knows)


def ledger(view: View, *, reads: bool, memory: Memory | None = None) -> Ledger:
    """Return a seat's knowledge, with beliefs if it infers from play or remembers people's habits."""
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
        believed = habits.odds(view, card, _belief(card, view.seat) if reads else 0.0, memory)
        odds[card.pair] += believed if first else -believed
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
    """Return the log odds of a card from what others did with it."""
    first = card.played
    if first is None or first.seat == me:
        return 0.0
    if card.place == first.seat:
        return _KEPT
    return _FIRST[min(first.left, len(_FIRST) - 1)] + (_LEFT if card.place == me else 0.0)


def _homes(view: View, places: Sequence[int | None]) -> tuple[int, ...]:
    """Draw a place for each statement with an unknown place: hands are filled, the rest is out of the game."""
    held = [seat for seat, size in enumerate(view.sizes) for _ in range(size - places.count(seat))]
    return (*held, *[GONE] * (places.count(None) - len(held)))


def imagined(here: Ledger, rng: random.Random) -> World:
    """Draw a deal that is consistent with the seat's knowledge."""
    truths = [true for pair in range(len(here.known)) for true in _sides(here, pair, rng)]
    homes = list(here.homes)
    rng.shuffle(homes)
    places = [homes.pop() if place is None else place for place in here.places]
    return World(places, truths, _knowledge(here, places))


def _sides(here: Ledger, pair: int, rng: random.Random) -> tuple[bool, bool]:
    """Draw the truth of the statements of each pair."""
    known = here.known[pair]
    first = rng.random() < 1 / (1 + math.exp(-here.odds[pair])) if known is None else known
    return first, not first


def _knowledge(here: Ledger, places: Sequence[int]) -> list[int]:
    """Return the pairs each seat knows: for others, the pairs of cards they held before anyone had seen them.

    Such a card was usually dealt to them.
    """
    knows = [0] * here.seats
    for number, place in enumerate(places):
        seat = here.first.get(number, place)
        if seat >= 0:
            knows[seat] |= 1 << (number >> 1)
    knows[here.me] = sum(1 << pair for pair, known in enumerate(here.known) if known is not None)
    return knows
