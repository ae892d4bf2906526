"""How long the moves that have been asked for will take: as long as the last ones of the same game and budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_NEWEST = 0.1
"""Weight of the newest move in an average."""


class Forecast:
    """The moves that have been asked for and not found yet, by the kind of view, which stands for the game.

    Only kinds, budgets and past times count, so it tells nothing about anyone's cards.
    """

    def __init__(self) -> None:
        self._to_come: Counter[tuple[type, int]] = Counter()
        """Moves asked for, by kind and iterations."""
        self._took: dict[tuple[type, int], float] = {}
        """Seconds of a move with that many iterations: an average in which newer moves weigh more."""
        self._pace: dict[type, float] = {}
        """Seconds for an iteration of the last move; it stands for budgets that nobody has played with yet."""

    @contextmanager
    def waiting(self, kind: type, iterations: int) -> Iterator[None]:
        """Count a move as long as it is asked for."""
        self._to_come[kind, iterations] += 1
        try:
            yield
        finally:
            self._to_come[kind, iterations] -= 1

    def found(self, kind: type, iterations: int, seconds: float) -> None:
        """Note how long a move took once it had a worker; longer on a busy machine.

        Each budget has its own average: an iteration of a large one may cost more, as it may look at finer positions.
        """
        if not iterations:
            return
        before = self._took.get((kind, iterations), seconds)
        self._took[kind, iterations] = before + _NEWEST * (seconds - before)
        self._pace[kind] = seconds / iterations

    @property
    def seconds(self) -> float:
        """The time of one worker for all of them."""
        return sum(number * self._expected(*move) for move, number in self._to_come.items())

    def _expected(self, kind: type, iterations: int) -> float:
        known = self._took.get((kind, iterations))
        return iterations * self._pace.get(kind, 0.0) if known is None else known
