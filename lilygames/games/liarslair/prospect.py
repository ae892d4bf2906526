"""Simulation of a round of Liar's Lair from a possible deal; all seats play by rules of thumb on what they know.

Statements are numbers, as in `lairworlds`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence

from lilygames.games.liarslair.worlds import World
from lilygames_rules.kit import Seat
from lilygames_rules.lair.hands import GONE, TABLE

Worth = Callable[[Seat, int], float]
"""Returns the value of a statement to a seat."""
_DUEL = {True: 9.0, None: -1.5, False: -9.0}
"""Value of contradicting a card in play with a known truth, a doubtful card and a lie."""
_EARLY = {True: 2.0, None: 0.5, False: -2.0}
"""Value of playing a card that others may contradict: truth, doubtful, lie."""
_LAST = {True: 1.0, None: 3.0, False: 4.0}
"""Value of playing a card that nobody can contradict: truth, doubtful, lie."""
_HELD = {True: 3.0, None: 0.0, False: -1.0}
"""Value of holding a card: truth, doubtful, lie."""
_SAFE, _USELESS = 3.0, -3.0
"""Value of playing a card whose opposite is in the hand, and of holding both, which rules out declaring."""


class Going:
    """A round simulated in a world, which it modifies; `played` has the statements in play by seat."""

    def __init__(self, world: World, living: Iterable[Seat], played: dict[int, Seat], rng: random.Random) -> None:
        self.world = world
        self.living = [*living]
        self._played = played
        self._rng = rng

    def play_on(self, waiting: Sequence[Seat], victors: Sequence[Seat]) -> None:
        """Let the waiting seats play a card each, then let all but the victors reclaim one."""
        won = [*victors]
        for place, seat in enumerate(waiting):
            worth = self._early if place < len(waiting) - 1 else self._last
            won += self.play(seat, self._best(seat, self.world.at(seat), worth))
        self.reclaim([seat for seat in reversed([*self._played.values()]) if seat not in won])

    def reclaim(self, waiting: Sequence[Seat]) -> None:
        """Let the waiting living seats reclaim a card each."""
        for seat in waiting:
            table = self.world.at(TABLE) if seat in self.living else ()
            if table:
                self.world.places[self._best(seat, table, self._held)] = seat

    def play(self, seat: Seat, number: int) -> tuple[Seat, ...]:
        """Play a statement; return the seat that knocks someone out by it, if any."""
        places, rival = self.world.places, number ^ 1
        places[number] = TABLE
        self._played[number] = seat
        if not self._contradicts(number):
            return ()
        places[number] = places[rival] = GONE
        truth = number if self.world.truths[number] else rival
        self._knock_out(self._played[truth ^ 1], self._played[truth])
        return (self._played[truth],)

    def _contradicts(self, number: int) -> bool:
        """Tell whether the opposite of a statement was played in this round and is still on the table."""
        return self.world.places[number ^ 1] == TABLE and number ^ 1 in self._played

    def _knock_out(self, victim: Seat, victor: Seat) -> None:
        """Remove a seat; the victor takes the most valuable card of its hand."""
        self.living.remove(victim)
        hand = self.world.at(victim)
        self.world = self.world.without(victim)
        if hand:
            self.world.places[self._best(victor, hand, self._held)] = victor

    def _best(self, seat: Seat, numbers: Sequence[int], worth: Worth) -> int:
        """Return the most valuable statement to a seat; near ties at random."""
        return max(numbers, key=lambda number: worth(seat, number) + self._rng.random())

    def _known(self, seat: Seat, number: int) -> bool | None:
        return self.world.truths[number] if self.world.knowing(seat, number) else None

    def _early(self, seat: Seat, number: int) -> float:
        if self._contradicts(number):
            return _DUEL[self._known(seat, number)]
        return _SAFE if self.world.places[number ^ 1] == seat else _EARLY[self._known(seat, number)]

    def _last(self, seat: Seat, number: int) -> float:
        return (_DUEL if self._contradicts(number) else _LAST)[self._known(seat, number)]

    def _held(self, seat: Seat, number: int) -> float:
        return _USELESS if self.world.places[number ^ 1] == seat else _HELD[self._known(seat, number)]


def prospect(world: World, me: Seat, living: Sequence[Seat]) -> float:
    """Return a seat's probability of winning; each card that keeps a seat from declaring divides its weight by e."""
    flaws = _flaws(world)
    return math.exp(-flaws[me]) / sum(math.exp(-flaws[seat]) for seat in living) if me in living else 0.0


def _flaws(world: World) -> list[int]:
    """Return each seat's number of lies whose truth is in some hand, also its own."""
    places, truths, found = world.places, world.truths, [0] * len(world.knows)
    for number in range(0, len(places), 2):
        lie = number + truths[number]
        if places[lie] >= 0 and places[lie ^ 1] >= 0:
            found[places[lie]] += 1
    return found
