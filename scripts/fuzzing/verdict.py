"""Judge the figures of the fuzzer: delays of calm people under attack, and memory that isn't freed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles

import attrs


@attrs.frozen
class Message:
    """How long a message took, and how much of it the server's main thread worked or waited for a processor."""

    seconds: float
    worked: float = 0.0
    waited: float = 0.0


@attrs.frozen
class Pair:
    """Messages of calm people while a storm hit the server (during) or a decoy (beside)."""

    during: Sequence[Message]
    beside: Sequence[Message]

    @property
    def ratio(self) -> float:
        """The wait at p99 during the storm, as a multiple of that beside it."""
        if not (self.during and self.beside):
            return float("inf")  # nobody could talk during the whole storm
        return p99([one.seconds for one in self.during]) / p99([one.seconds for one in self.beside])


@attrs.frozen
class Bounds:
    """The limits: the ratio of waits, and the MiB that the server may keep."""

    ratio: float
    memory: float


def before(sizes: Sequence[float]) -> float:
    """Return the memory after half of the storms.

    Until then caches fill, and Python keeps what the busiest moment needed; a leak goes on growing.
    """
    return sizes[len(sizes) // 2]


def complaints(pairs: Sequence[Pair], sizes: Sequence[float], bounds: Bounds) -> list[str]:
    """Return what is over a limit: the median ratio of the pairs, or the MiB kept in the second half."""
    found = []
    if (ratio := median(pair.ratio for pair in pairs)) > bounds.ratio:
        found.append(
            f"calm people wait {ratio:.2f} times as long at p99 as beside the decoy; the limit is {bounds.ratio:g}"
        )
    if (kept := sizes[-1] - before(sizes)) > bounds.memory:
        found.append(f"memory isn't freed: {kept:.0f} MiB are kept; the limit is {bounds.memory:g}")
    return found


def p99(figures: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return quantiles(figures, n=100, method="inclusive")[98] if len(figures) > 1 else figures[0]
