"""Round robin: everyone meets everyone, equally often if a schedule for that exists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import attrs

from lilygames.tournaments.pairing.berger import berger
from lilygames.tournaments.pairing.points import TableResult
from lilygames.tournaments.pairing.table_sizes import DUEL, table_sizes

MOST_PEOPLE = 10
"""People in a round robin, unless there is a design for more."""
STEPS = 30_000
"""Swaps that the search for a schedule tries: about half a second."""
Round = tuple[tuple[int, ...], ...]
"""The tables of a round; people are numbers from 0 in the order of the lot."""

_NINE = "123 456 789 / 147 258 369 / 159 267 348 / 168 249 357"
"""Nine people at tables of three: the lines of the affine plane of order 3. Every pair meets once."""
_SEVEN = "137 241 352 463 574 615 726"
"""Seven people at tables of three and four: the threes are a Fano plane. Every pair meets 3 times in 7 rounds."""


@attrs.frozen
class Schedule:
    """All rounds of a round robin, who has a bye in each, and the fewest and most meetings of a pair."""

    rounds: tuple[Round, ...]
    byes: tuple[tuple[int, ...], ...]
    fewest: int
    most: int


def most_people(seats: int) -> int:
    """Return how many people can play a round robin: 10, or 16 at tables of four, for which there is a design."""
    return 16 if seats == 4 else MOST_PEOPLE  # noqa: PLR2004 - as it says


@lru_cache(maxsize=64)
def schedule(people: int, seats: int, seed: str) -> Schedule:
    """Return the rounds for so many people at tables of `seats`.

    Duels follow the Berger tables. For larger tables there are designs for a few numbers of people. For others a seeded
    search makes the most and the fewest meetings of a pair as equal as it can.
    """
    if seats == DUEL:
        return _counted(people, _duels(people))
    return _counted(people, _designed(people, seats) or _searched(people, seats, seed))


def _duels(people: int) -> tuple[Round, ...]:
    """Return the Berger tables; a bye is left out (FIDE Handbook C.05, annex 1)."""
    return tuple(tuple((one - 1, other - 1) for one, other in pairs) for pairs in berger(people))


def _designed(people: int, seats: int) -> tuple[Round, ...] | None:
    """Return the rounds of a design in which all pairs meet equally often, or None."""
    match people, seats:
        case 9, 3:
            return tuple(tuple(map(_numbers, row.split())) for row in _NINE.split(" / "))
        case 7, 4:
            return tuple(_three_and_four(_numbers(three)) for three in _SEVEN.split())
        case 16, 4:
            return _affine_plane_of_order_4()
    return None


def _numbers(digits: str) -> tuple[int, ...]:
    return tuple(int(digit) - 1 for digit in digits)


def _three_and_four(three: tuple[int, ...]) -> Round:
    return tuple(one for one in range(7) if one not in three), three


_TIMES = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Multiplication in the field of four elements; addition is exclusive or."""


def _affine_plane_of_order_4() -> tuple[Round, ...]:
    """Return 5 rounds of 4 tables: the parallel lines of the plane over the field of four elements."""
    lines = [
        tuple(tuple(4 * x + (_TIMES[slope][x] ^ start) for x in range(4)) for start in range(4)) for slope in range(4)
    ]
    return (*lines, tuple(tuple(4 * x + y for y in range(4)) for x in range(4)))


def _searched(people: int, seats: int, seed: str) -> tuple[Round, ...]:
    """Return rounds from a seeded local search: swap two people of a round if meetings don't get less even."""
    draw = random.Random(seed)  # noqa: S311 - it is stored, so that anyone can compute the schedule again
    sizes = table_sizes(people, seats, range(2, 6))
    rounds = [_dealt(people, sizes, draw) for _ in range(-(-(people - 1) // (seats - 1)))]
    search = _Search(people, rounds)
    for _ in range(STEPS if len(sizes) > 1 else 0):
        search.step(draw)
    return search.best


def _dealt(people: int, sizes: Sequence[int], draw: random.Random) -> list[list[int]]:
    order = draw.sample(range(people), people)
    return [[order.pop() for _ in range(size)] for size in sizes]


class _Search:
    """The schedule under way, and the best one so far."""

    def __init__(self, people: int, rounds: list[list[list[int]]]) -> None:
        self._rounds = rounds
        self._met = [[0] * people for _ in range(people)]
        for table in (table for tables in rounds for table in tables):
            for one, other in combinations(table, 2):
                self._meet(one, other, 1)
        self._least = self._spread()
        self.best = self._frozen()

    def _meet(self, one: int, other: int, times: int) -> None:
        self._met[one][other] += times
        self._met[other][one] += times

    def _spread(self) -> int:
        meetings = [self._met[one][other] for one, other in combinations(range(len(self._met)), 2)]
        return max(meetings) - min(meetings)

    def _frozen(self) -> tuple[Round, ...]:
        return tuple(tuple(tuple(sorted(table)) for table in tables) for tables in self._rounds)

    def step(self, draw: random.Random) -> None:
        """Swap two people of a round, unless the sum of squared meetings rises."""
        one, other = draw.sample(draw.choice(self._rounds), 2)
        here, there = draw.randrange(len(one)), draw.randrange(len(other))
        change = self._change(one, here, other[there]) + self._change(other, there, one[here])
        if change > 0:
            return
        self._swap(one, here, other, there)
        if (spread := self._spread()) < self._least:
            self._least, self.best = spread, self._frozen()

    def _change(self, table: Sequence[int], at: int, comes: int) -> int:
        """Return by how much the sum of squared meetings rises if `comes` takes a place at a table."""
        goes = table[at]
        others = [who for who in table if who != goes]
        return sum(2 * self._met[comes][who] + 1 - 2 * self._met[goes][who] + 1 for who in others)

    def _swap(self, one: list[int], here: int, other: list[int], there: int) -> None:
        for table, at, comes in ((one, here, other[there]), (other, there, one[here])):
            for who in table:
                if who != table[at]:
                    self._meet(table[at], who, -1)
                    self._meet(comes, who, 1)
        one[here], other[there] = other[there], one[here]


def _counted(people: int, rounds: tuple[Round, ...]) -> Schedule:
    met = dict.fromkeys(combinations(range(people), 2), 0)
    for table in (table for tables in rounds for table in tables):
        for one, other in combinations(sorted(table), 2):
            met[one, other] += 1
    byes = tuple(tuple(sorted(set(range(people)) - {one for table in tables for one in table})) for tables in rounds)
    return Schedule(rounds, byes, min(met.values()), max(met.values()))


def is_struck(played: int, rounds: int) -> bool:
    """Whether all results of someone who leaves are struck: before half of their games (Lechenicher SchachServer).

    If they leave later, their remaining games are lost.
    """
    return 2 * played < rounds


def without(result: TableResult, name: str) -> TableResult | None:
    """Return a table's result without a player whose results are struck; None if nobody is left to compare."""
    kept = [seat for seat, player in enumerate(result.players) if player != name]
    if len(kept) < DUEL or not any(result.players[seat] for seat in kept):
        return None
    return attrs.evolve(
        result,
        players=tuple(result.players[seat] for seat in kept),
        scores=tuple(result.scores[seat] for seat in kept),
        left=frozenset(new for new, seat in enumerate(kept) if seat in result.left),
    )
