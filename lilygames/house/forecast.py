"""How long the moves that have been asked for will take: the iterations to come, by the pace of the last moves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

_NEWEST = 0.1
"""Weight of the newest move in the pace."""


class Forecast:
    """The moves that have been asked for and not found yet, by the kind of view, which stands for the game.

    Only kinds, budgets and past times count, so it tells nothing about anyone's cards.
    """

    def __init__(self) -> None:
        self._to_come: Counter[type] = Counter()
        self._pace: defaultdict[type, float] = defaultdict(float)
        """Seconds for an iteration: an average in which newer moves weigh more; 0 before the first move."""

    @contextmanager
    def waiting(self, kind: type, iterations: int) -> Iterator[None]:
        """Count a move as long as it is asked for."""
        self._to_come[kind] += iterations
        try:
            yield
        finally:
            self._to_come[kind] -= iterations

    def found(self, kind: type, iterations: int, seconds: float) -> None:
        """Note how long a move took once it had a worker; longer on a busy machine."""
        if not iterations:
            return
        newest, before = seconds / iterations, self._pace[kind]
        self._pace[kind] = before + _NEWEST * (newest - before) if before else newest

    @property
    def seconds(self) -> float:
        """The time of one worker for all of them."""
        return sum(iterations * self._pace[kind] for kind, iterations in self._to_come.items())
