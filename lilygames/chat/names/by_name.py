"""An index from people's names to the things that name them.

With 1,000 rooms and tables, a guest's logout takes a third of the time that a look at each of them took
(`scripts/bench-growth --tables 1000`). To remove it, look at all of them instead.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class ByName(Generic[K]):
    """Things by folded name, and the names of each thing. `put` is called whenever a thing's names may have changed."""

    def __init__(self) -> None:
        self._names: dict[K, Collection[str]] = {}
        self._things: dict[str, dict[K, None]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._things

    def put(self, thing: K, names: Collection[str]) -> None:
        """Set the names of a thing."""
        if names == self._names.get(thing, ()):
            return
        self.drop(thing)
        if names:
            self._names[thing] = names
        for name in names:
            self._things.setdefault(name, {})[thing] = None

    def drop(self, thing: K) -> None:
        """Remove a thing, if it is there."""
        for name in self._names.pop(thing, ()):
            del self._things[name][thing]
            if not self._things[name]:
                del self._things[name]

    def of(self, name: str) -> Collection[K]:
        """Return the things with a folded name."""
        return [*self._things.get(name, ())]
