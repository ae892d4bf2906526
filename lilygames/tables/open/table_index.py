"""Open tables in the order of `/tables`.

It changes with the tables. With 300 open tables `/tables` takes a thirtieth of the time that sorting all of them took
(`scripts/bench-growth --large`). To remove it, look at every open table instead.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Sequence

import attrs

from lilygames.chat.names.by_name import ByName
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person, Room
from lilygames.tables.room.bot import TableBot

Place = tuple[bool, bool, int, int]
"""The things that order the list.

They are whether players are away, whether the table waits for players, minus its spectators, and its number.
"""


@attrs.frozen
class TablePage:
    """The numbers of the tables in a part of the list, and how many come after it."""

    numbers: Sequence[int]
    more: int


class TableList:
    """Tables in the order of `/tables`: those with the most spectators first, then those that wait for players.

    Tables whose players are away come last.

    `put` is called whenever a table's place may have changed. Lessons aren't listed.
    """

    def __init__(self) -> None:
        self._places: dict[int, Place] = {}
        self._public: list[Place] = []
        """The places of tables that everyone may see, in order."""
        self._private: set[int] = set()
        """The other tables."""
        self._admitted: ByName[int] = ByName()
        """All tables by the names of those who are permitted there, and private ones by those who are in the room."""

    def put(self, number: int, room: Room, seated: Collection[str], *, waits: bool, away: bool) -> None:
        """Add a table, or learn its new place. `seated` has the folded names of its players; are any `away`?"""
        self.drop(number)
        self._places[number] = place = (away, waits, -number_of_spectators(room, seated), number)
        self._admitted.put(number, {*room.charter.admitted, *(room.people if room.charter.private else ())})
        if room.charter.private:
            self._private.add(number)
        else:
            insort(self._public, place)

    def drop(self, number: int) -> None:
        """Remove a table, if it is there."""
        place = self._places.pop(number, None)
        self._private.discard(number)
        self._admitted.drop(number)
        at = bisect_left(self._public, place) if place else len(self._public)
        if self._public[at : at + 1] == [place]:
            del self._public[at]

    def permitting(self, person: Person) -> list[int]:
        """Return the numbers of tables whose rooms permit a person by name, as an invitation does, in order."""
        return sorted(self._admitted.of(fold(person.name)))

    @property
    def number_public(self) -> int:
        """The number of tables that everyone may see."""
        return len(self._public)

    def public(self, most: int) -> Sequence[Place]:
        """Return the places of the first tables that everyone may see."""
        return self._public[:most]

    def page(self, person: Person, first: int, most: int) -> TablePage:
        """Return at most `most` tables from the place `first` on, of those that a person may see."""
        admitted = self._admitted.of(fold(person.name))
        private = [self._places[number] for number in admitted if number in self._private]
        # As many public tables as there are private ones may come later by them, so these are looked at, too.
        skipped = min(max(first - len(private), 0), len(self._public))
        places = sorted([*private, *self._public[skipped : first + most]])[first - skipped :][:most]
        more = len(private) + len(self._public) - first - most
        return TablePage([number for *_, number in places], max(more, 0))


def spectators(bot: TableBot) -> list[Person]:
    """Return the people at a table who have no seat and watch."""
    seated, there, stopped = bot.table.seats.by_name, bot.room.people.items(), bot.room.not_watching
    return [person for name, person in there if person.here and name not in seated and name not in stopped]


def number_of_spectators(room: Room, seated: Collection[str]) -> int:
    """Return how many people in a table's room have no seat (`seated` are folded names) and watch."""
    there, stopped = room.people.known_parts(), room.not_watching
    return sum(person.here and name not in seated and name not in stopped for name, person in there)
