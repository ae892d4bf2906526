"""Random deals that fit what a seat knows of its round, weighted by how well they explain the bids.

Uses the Metropolis algorithm: swap two hidden cards again and again. A swap that gives a place a suit it is known to
lack is rejected. Any other is accepted in proportion to how well the new deal explains the bids.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from lilygames.games.families.tricks.bots.scene import Scene

_SHARP = 1 / (2 * 0.8**2)
"""Weight of the bids: a bid is typically 0.8 off the expected tricks of its hand."""
FEWEST = 6
"""Minimum swaps between two deals; otherwise one for each hidden card."""
_PATIENCE = 100
"""Attempts to deal without breaking a known void; the last one breaks as few as possible."""


class Worlds:
    """A possible deal in `hands`: a set for each place, then the set of undealt cards."""

    def __init__(self, here: Scene, rng: random.Random) -> None:
        seats = len(here.sizes)
        self._here = here
        self._chance = rng.random
        self._voids = (*here.voids, 0)
        self._bids = [(bid or 0) + beyond for bid, beyond in zip((*here.bids, 0), (*here.beyond, 0.0), strict=True)]
        self._sharp = [_SHARP if bid is not None else 0.0 for bid in (*here.bids, None)]
        self._cards, self._owners = _dealt(here, rng)
        self.hands = [here.hand if place == here.me else 0 for place in range(seats + 1)]
        self._about = [*here.shown, 0.0]
        for bit, owner in zip(self._cards, self._owners, strict=True):
            self.hands[owner] |= 1 << bit
            self._about[owner] += here.worth[bit]
        held = len(self._cards) - self._owners.count(seats)
        self.exchanges = max(FEWEST, held) if held else 0
        """Number of swaps to the next deal."""

    def exchange(self) -> None:
        """Change this deal into another one."""
        chance, owners, every = self._chance, self._owners, len(self._cards)
        held = sum(self._here.sizes) - self._here.sizes[self._here.me]
        for _ in range(self.exchanges):
            one, other = int(chance() * held), int(chance() * every)
            if owners[one] != owners[other]:
                self._maybe(one, other)

    def _maybe(self, one: int, other: int) -> None:
        """Swap two cards if the swap is accepted."""
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
    """Return the hidden cards and their owners (the last place: nobody) in a deal that fits the voids."""
    for _ in range(_PATIENCE):
        cards, owners = _tried(here, here.voids, rng)
        if len(owners) == len(cards):
            return cards, owners
    return _tried(here, [0] * len(here.voids), rng)


def _tried(here: Scene, voids: Sequence[int], rng: random.Random) -> tuple[list[int], list[int]]:
    """Return the hidden cards in random order and their owners; fewer owners than cards if it doesn't fit.

    The place with the fewest possible cards draws first.
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
    """Yield the other places, the one with the fewest possible cards first."""
    room = [
        sum(not void >> bit & 1 for bit in here.hidden) - size for void, size in zip(voids, here.sizes, strict=True)
    ]
    yield from (place for place in sorted(range(len(room)), key=room.__getitem__) if place != here.me)
