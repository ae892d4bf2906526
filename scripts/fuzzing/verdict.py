"""What the figures of a fuzz say: whether calm people wait longer under attack, and whether memory comes back."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles

import attrs


@attrs.frozen
class Message:
    """How long a message took, and for how much of that the server's own thread worked, or waited for a processor."""

    seconds: float
    worked: float = 0.0
    waited: float = 0.0


@attrs.frozen
class Pair:
    """What the calm said while a storm hit the server (during), and while it hit a decoy (beside)."""

    during: Sequence[Message]
    beside: Sequence[Message]

    @property
    def ratio(self) -> float:
        """How many times as long a calm person waits at p99 as beside the same storm elsewhere."""
        if not (self.during and self.beside):
            return float("inf")  # nobody could say anything for the whole of a storm
        return p99([one.seconds for one in self.during]) / p99([one.seconds for one in self.beside])


@attrs.frozen
class Bounds:
    """What is allowed: how many times as long the calm wait, and how many MiB more the server keeps."""

    ratio: float
    memory: float


def complaints(pairs: Sequence[Pair], sizes: Sequence[float], bounds: Bounds) -> list[str]:
    """Return what is out of bounds: the median ratio of the pairs, and the MiB a server keeps, first against last."""
    found = []
    if (ratio := median(pair.ratio for pair in pairs)) > bounds.ratio:
        found.append(f"the calm wait {ratio:.2f} times as long at p99 as beside the decoy; {bounds.ratio:g} is allowed")
    if (kept := sizes[-1] - sizes[0]) > bounds.memory:
        found.append(f"memory does not come back: {kept:.0f} MiB are kept; {bounds.memory:g} are allowed")
    return found


def p99(figures: Sequence[float]) -> float:
    """Return the figure that one in a hundred exceeds."""
    return quantiles(figures, n=100, method="inclusive")[98] if len(figures) > 1 else figures[0]
