"""How a round of Liar's Lair may go on from a deal that could be, all playing by rules of thumb on what they know.

Statements are numbers, as in `lairworlds`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence

from lilygames.games.liarslair.worlds import World
from rules.kit import Seat
from rules.lair.hands import GONE, TABLE

Worth = Callable[[Seat, int], float]
"""What a statement is worth to a seat."""
_DUEL = {True: 9.0, None: -1.5, False: -9.0}
"""What it is worth to contradict a card in play with one known to be true, with a doubtful one, and with a lie."""
_EARLY = {True: 2.0, None: 0.5, False: -2.0}
"""The same of a card that others may contradict."""
_LAST = {True: 1.0, None: 3.0, False: 4.0}
"""The same of a card that nobody can contradict any more."""
_HELD = {True: 3.0, None: 0.0, False: -1.0}
"""The same of holding a card."""
_SAFE, _USELESS = 3.0, -3.0
"""What it is worth to play a card whose contrary one holds, and to hold both: who does cannot declare."""


class Going:
    """A round that goes on in a world, which it changes; `played` are the statements in play by who played them."""

    def __init__(self, world: World, living: Iterable[Seat], played: dict[int, Seat], rng: random.Random) -> None:
        self.world = world
        self.living = [*living]
        self._played = played
        self._rng = rng

    def play_on(self, waiting: Sequence[Seat], victors: Sequence[Seat]) -> None:
        """Let those who wait play a card each, then all but the victors take one from the table."""
        won = [*victors]
        for place, seat in enumerate(waiting):
            worth = self._early if place < len(waiting) - 1 else self._last
            won += self.play(seat, self._best(seat, self.world.at(seat), worth))
        self.reclaim([seat for seat in reversed([*self._played.values()]) if seat not in won])

    def reclaim(self, waiting: Sequence[Seat]) -> None:
        """Let those who wait and live take a card each from the table."""
        for seat in waiting:
            table = self.world.at(TABLE) if seat in self.living else ()
            if table:
                self.world.places[self._best(seat, table, self._held)] = seat

    def play(self, seat: Seat, number: int) -> tuple[Seat, ...]:
        """Let a seat play a statement; return who has knocked somebody out with it, if anybody."""
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
        """Whether the contrary of a statement was played in this round and is still in play."""
        return self.world.places[number ^ 1] == TABLE and number ^ 1 in self._played

    def _knock_out(self, victim: Seat, victor: Seat) -> None:
        """Let a seat leave the game, and the victor take what it likes best of the hand."""
        self.living.remove(victim)
        hand = self.world.at(victim)
        self.world = self.world.without(victim)
        if hand:
            self.world.places[self._best(victor, hand, self._held)] = victor

    def _best(self, seat: Seat, numbers: Sequence[int], worth: Worth) -> int:
        """Return the statement worth the most to a seat, of about equal ones any."""
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
    """Return how likely a seat wins: each card that keeps a living seat from declaring makes it e times less so."""
    flaws = _flaws(world)
    return math.exp(-flaws[me]) / sum(math.exp(-flaws[seat]) for seat in living) if me in living else 0.0


def _flaws(world: World) -> list[int]:
    """Return how many cards of each seat are lies whose truth somebody holds, be it the seat itself."""
    places, truths, found = world.places, world.truths, [0] * len(world.knows)
    for number in range(0, len(places), 2):
        lie = number + truths[number]
        if places[lie] >= 0 and places[lie ^ 1] >= 0:
            found[places[lie]] += 1
    return found
