"""The directory of a host, as one person may read it."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.host.present import person_entry, present, room_entry
from lilygames.chat.names.names import fold
from lilygames.chat.people.directory import Listing, PersonEntry, RoomEntry
from lilygames.chat.people.people import Person


@attrs.frozen
class HostDirectory:
    """Looks up people and rooms of a host for a reader (`lilygames.chat.people.directory.Directory`)."""

    host: Host
    reader: Person

    @property
    def own_name(self) -> str:
        """The reader's name."""
        return self.reader.name

    @property
    def is_staff(self) -> bool:
        """Whether the reader is a sysop or a moderator of the whole place."""
        return self.host.is_staff(self.reader)

    def person(self, name: str) -> PersonEntry:
        """Return the entry of a person, wherever they are."""
        person = self.host.people.get(fold(name))
        return person_entry(self.host, person) if person else PersonEntry(name)

    def room(self, name: str) -> RoomEntry | None:
        """Return the entry of a room; None if the reader may not see it, or there is none."""
        room = self.host.rooms.called(name)
        return room_entry(room) if room and room.may_see(self.reader) else None

    def joined(self) -> Iterable[str]:
        """Return the names of the rooms that the reader is in."""
        name = fold(self.reader.name)
        return [room.name for room in self.host.rooms.values() if name in room.people]

    def listing(self) -> Listing:
        """Return everyone and everything that the reader may see; in a large place only people of their own rooms."""
        found = present(self.host, self.reader)
        people, own = found.people, self.reader.name
        if self.host.is_large:
            near = {own, *(name for room in found.rooms if own in room.members for name in room.members)}
            people = tuple(person for person in people if person.name in near)
        return Listing(people, found.rooms, self.reader.profile.groups)
