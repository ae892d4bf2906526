"""Deals that could be, as a seat of a game of tricks sees its round: even over what fits, but for what the bids tell.

Two hidden cards are exchanged again and again. An exchange that would give a place what it has shown not to hold does
not stand; any other stands as often as the deal it leads to explains the bids (the Metropolis algorithm).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from lilygames.games.families.tricks.scene import Scene

_SHARP = 1 / (2 * 0.8**2)
"""How sharply bids speak of hands: a bid is 0.8, by and large, from what its hand should take."""
FEWEST = 6
"""Exchanges that make a new deal of an old one, at least; otherwise one for each card that others hold."""
_PATIENCE = 100
"""Tries to deal so that what was shown holds; the next one holds what it can."""


class Worlds:
    """A deal that could be, in `hands`: a set for each place, then the set of the cards that nobody got."""

    def __init__(self, here: Scene, rng: random.Random) -> None:
        seats = len(here.sizes)
        self._here = here
        self._chance = rng.random
        self._voids = (*here.voids, 0)
        self._bids = [float(bid or 0) for bid in (*here.bids, 0)]
        self._sharp = [_SHARP if bid is not None else 0.0 for bid in (*here.bids, None)]
        self._cards, self._owners = _dealt(here, rng)
        self.hands = [here.hand if place == here.me else 0 for place in range(seats + 1)]
        self._about = [*here.shown, 0.0]
        for bit, owner in zip(self._cards, self._owners, strict=True):
            self.hands[owner] |= 1 << bit
            self._about[owner] += here.worth[bit]
        held = len(self._cards) - self._owners.count(seats)
        self.exchanges = max(FEWEST, held) if held else 0
        """How many exchanges make the next deal."""

    def exchange(self) -> None:
        """Make another deal of this one."""
        chance, owners, every = self._chance, self._owners, len(self._cards)
        held = sum(self._here.sizes) - self._here.sizes[self._here.me]
        for _ in range(self.exchanges):
            one, other = int(chance() * held), int(chance() * every)
            if owners[one] != owners[other]:
                self._maybe(one, other)

    def _maybe(self, one: int, other: int) -> None:
        """Exchange two cards if that may stand."""
        cards, owners, voids, about = self._cards, self._owners, self._voids, self._about
        giver, taker, given, got = owners[one], owners[other], cards[one], cards[other]
        if voids[giver] >> got & 1 or voids[taker] >> given & 1:
            return
        more = self._here.worth[got] - self._here.worth[given]
        worse = self._sharp[giver] * (more + 2 * (about[giver] - self._bids[giver]))
        worse += self._sharp[taker] * (more - 2 * (about[taker] - self._bids[taker]))
        if more * worse > 0 and self._chance() >= math.exp(-more * worse):
            return
        cards[one], cards[other] = got, given
        swap = 1 << given | 1 << got
        self.hands[giver] ^= swap
        self.hands[taker] ^= swap
        about[giver] += more
        about[taker] -= more


def _dealt(here: Scene, rng: random.Random) -> tuple[list[int], list[int]]:
    """Return the hidden cards and who holds each (the last place: nobody), in some deal that fits the voids."""
    for _ in range(_PATIENCE):
        cards, owners = _tried(here, here.voids, rng)
        if len(owners) == len(cards):
            return cards, owners
    return _tried(here, [0] * len(here.voids), rng)


def _tried(here: Scene, voids: Sequence[int], rng: random.Random) -> tuple[list[int], list[int]]:
    """Return the hidden cards in some order, and who holds them: fewer owners than cards where it does not fit.

    Who may hold least draws first.
    """
    seats, left, cards, owners = len(here.sizes), list(here.hidden), list[int](), list[int]()
    rng.shuffle(left)
    for place in _tightest(here, voids):
        mine = [bit for bit in left if not voids[place] >> bit & 1][: here.sizes[place]]
        left = [bit for bit in left if bit not in mine]
        cards += mine
        owners += [place] * len(mine)
    nobody = len(here.hidden) - sum(here.sizes) + here.sizes[here.me]
    return cards + left, owners + [seats] * nobody


def _tightest(here: Scene, voids: Sequence[int]) -> Iterator[int]:
    """Yield the other places, first who has least to choose from."""
    room = [
        sum(not void >> bit & 1 for bit in here.hidden) - size for void, size in zip(voids, here.sizes, strict=True)
    ]
    yield from (place for place in sorted(range(len(room)), key=room.__getitem__) if place != here.me)
