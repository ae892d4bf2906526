"""People who have detached: `/who` lists them until they come back, as lily did."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person

KEPT = 24 * 3600.0
"""Seconds for which they are listed."""
MOST = 200
"""Maximum people who are listed; beyond that, those who detached first aren't."""


@attrs.frozen
class DetachedPerson:
    """Someone who has detached: their name and blurb, and when they came and detached, in seconds since 1970."""

    name: str
    blurb: str
    since: float
    at: float


class Detached:
    """The people who have detached, and who can come back: guests can't, unless they have a seat."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` returns the time in seconds since 1970."""
        self._now = now
        self._people: dict[str, DetachedPerson] = {}

    def add(self, person: Person) -> None:
        """List someone from now on."""
        self.put(DetachedPerson(person.name, person.profile.blurb, person.activity.since, self._now()))

    def put(self, one: DetachedPerson) -> None:
        """List someone who has detached from any node."""
        self.drop(one.name)
        self._people[fold(one.name)] = one
        while len(self._people) > MOST:
            del self._people[next(iter(self._people))]

    def of(self, name: str) -> DetachedPerson | None:
        """Return someone who is listed, or None."""
        return self._people.get(fold(name))

    def drop(self, name: str) -> bool:
        """List someone no longer; return whether they were listed."""
        return self._people.pop(fold(name), None) is not None

    def listed(self) -> Sequence[DetachedPerson]:
        """Return those who detached in the last day, by name."""
        oldest = self._now() - KEPT
        self._people = {name: one for name, one in self._people.items() if one.at >= oldest}
        return [one for _, one in sorted(self._people.items())]
