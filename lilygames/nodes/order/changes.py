"""Changes of presence: each node numbers its own, so that the others know whose changes they didn't hear of."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import attrs

NAMED = 100
"""Changes that each heartbeat names: more than a node has between two of them."""


@attrs.frozen
class Changes:
    """The changes that a node has announced: how many there were, and whose the last ones were."""

    count: int = 0
    names: tuple[str, ...] = ()
    """Folded names, the latest last; empty for someone who was deleted."""

    def named(self, number: int) -> str:
        """Return whose change it was, by its number from 1; empty if it is no longer named."""
        place = number - self.count + len(self.names) - 1
        return self.names[place] if 0 <= place < len(self.names) else ""


class OwnChanges:
    """The changes that this node has announced."""

    def __init__(self) -> None:
        self.count = 0
        self._names: deque[str] = deque(maxlen=NAMED)

    @contextmanager
    def next(self, name: str) -> Iterator[int]:
        """Give the number of someone's next change, and count it when it is in the store, or perhaps is.

        A node that reads the store after that finds this change or a later one.
        """
        try:
            yield self.count + 1
        finally:
            self.count += 1
            self._names.append(name)

    def forget(self, names: Collection[str]) -> None:
        """Name these people (folded) no longer."""
        self._names = deque(("" if name in names else name for name in self._names), maxlen=NAMED)

    @property
    def changes(self) -> Changes:
        """The changes, for this node's heartbeat."""
        return Changes(self.count, tuple(self._names))


class HeardOfAll:
    """The numbered changes heard from all other nodes, and whether any is missing."""

    def __init__(self) -> None:
        self._heard: defaultdict[str, Heard] = defaultdict(Heard)
        self._nodes: frozenset[str] = frozenset()
        """The nodes when everything was last known."""
        self._due: Mapping[str, int] = {}
        """The counts at the last check: by the next one, hints that were on their way have come."""

    def add(self, node: str, change: int) -> None:
        """Record that a change of a node was heard."""
        self._heard[node].add(change)

    def has_lost(self, counts: Mapping[str, int]) -> bool:
        """Return whether a change that a node had counted at the last check wasn't heard, or a node came or went.

        `counts` are how many changes each node has counted by now.
        """
        due, self._due = self._due, counts
        lost = any(self._heard[node].all_to < due[node] for node in counts.keys() & due.keys())
        return lost or counts.keys() != self._nodes

    def reach(self, counts: Mapping[str, int]) -> None:
        """Record that all changes of these nodes up to these counts are known."""
        self._nodes = frozenset(counts)
        for node in self._heard.keys() - counts.keys():
            del self._heard[node]
        for node, count in counts.items():
            self._heard[node].reach(count)


class Heard:
    """The changes heard from another node: all up to `all_to`, and some after a gap."""

    def __init__(self) -> None:
        self.all_to = 0
        self._later: set[int] = set()

    def add(self, *changes: int) -> None:
        """Record that changes were heard."""
        later = [change for change in changes if change > self.all_to]
        if later:
            self._later.update(later)
            self._close_gap()

    def reach(self, change: int) -> None:
        """Record that everything up to a change is known."""
        if change > self.all_to:
            self.all_to = change
            self._later = {one for one in self._later if one > change}
            self._close_gap()

    def _close_gap(self) -> None:
        while self.all_to + 1 in self._later:
            self.all_to += 1
            self._later.remove(self.all_to)

    def missed(self, changes: Changes) -> tuple[str, ...] | None:
        """Return whose changes weren't heard; None if they aren't all named."""
        numbers = (number for number in range(self.all_to + 1, changes.count + 1) if number not in self._later)
        names = tuple(dict.fromkeys(map(changes.named, numbers)))
        return None if "" in names else names
