"""How long the moves that have been asked for will take: the iterations to come, by the pace of the last moves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lilygames.game import Thinker

_NEWEST = 0.1
"""Weight of the newest move in the pace."""
Decide = Callable[..., Any]


class Forecast:
    """The moves that have been asked for and not found yet.

    Only budgets and past times count, never a view, so it tells nothing about anyone's cards.
    """

    def __init__(self) -> None:
        self._to_come: Counter[Decide] = Counter()
        """Iterations, by what searches them."""
        self._pace: defaultdict[Decide, float] = defaultdict(float)
        """Seconds for an iteration: an average in which newer moves weigh more; 0 before the first move."""

    @contextmanager
    def waiting(self, strategy: Thinker) -> Iterator[None]:
        """Count a move as long as it is asked for."""
        self._to_come[strategy.decide] += strategy.budget.iterations
        try:
            yield
        finally:
            self._to_come[strategy.decide] -= strategy.budget.iterations

    def found(self, strategy: Thinker, seconds: float) -> None:
        """Note how long a move took once it had a worker; longer on a busy machine."""
        newest, before = seconds / max(1, strategy.budget.iterations), self._pace[strategy.decide]
        self._pace[strategy.decide] = before + _NEWEST * (newest - before) if before else newest

    @property
    def seconds(self) -> float:
        """The time of one worker for all of them."""
        return sum(iterations * self._pace[decide] for decide, iterations in self._to_come.items())
