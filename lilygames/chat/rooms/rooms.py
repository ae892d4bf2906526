"""The rooms of a host, by all names that they have had, and how many of them everyone owns.

A room counts for its owner, and for the address from which it was opened. As for tables, that address is known while
this process lives, and after a reload. After a start it is that of the owner's latest session, or the one from which
the owner comes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from lilygames.chat.names.by_name import ByName
from lilygames.chat.names.name_lookup import Names
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Room
from lilygames.limits.addresses import subnet_of
from lilygames.limits.quota import Scope


class Rooms(Names[Room]):
    """Rooms by folded name. A renamed room is also found by its former names."""

    def __init__(self) -> None:
        super().__init__()
        self._former: dict[str, Room] = {}
        self._entitled: ByName[Room] = ByName()
        """The rooms by the names of those who have rights there, besides their owners."""
        self._owned: ByName[Room] = ByName()
        """The rooms by their owners."""
        self.addresses: dict[str, str] = {}
        """The address from which each room was opened, if it's known, by the room's key."""

    def __setitem__(self, name: str, room: Room) -> None:
        super().__setitem__(name, room)
        self._former |= dict.fromkeys(room.former, room)
        self.learn(room)

    def pop(self, key: str, default: Any = None) -> Any:
        """Remove a room with all its names, and return it or the default."""
        if key not in self:
            return default
        room = super().pop(key)
        self._entitled.drop(room)
        self._owned.drop(room)
        for name in room.former:
            self._former.pop(name, None)
        return room

    def rename(self, room: Room, name: str, former: Iterable[str]) -> None:
        """Change a room's name; `former` are its former names, folded, oldest first."""
        self.pop(fold(room.name))
        room.rename(name, tuple(former))
        self[fold(name)] = room

    def called(self, name: str) -> Room | None:
        """Return the room that has this full name, or had it."""
        key = fold(name)
        return self.get(key) or self._former.get(key)

    def now(self, name: str) -> str:
        """Return the current name of a room; a name that no room has or had stays the same."""
        room = self._former.get(fold(name)) if fold(name) not in self else None
        return room.name if room else name

    def learn(self, room: Room) -> None:
        """Learn who has rights in a room. One that isn't here any more isn't kept."""
        if self.get(fold(room.name)) is room:
            self._entitled.put(room, room.charter.entitled)
            self._owned.put(room, (room.charter.owner,) if room.charter.owner else ())

    def entitling(self, name: str) -> Collection[Room]:
        """Return the rooms where someone of this folded name has rights without being the owner."""
        return self._entitled.of(name)

    def owned_by(self, name: str) -> Collection[Room]:
        """Return the rooms that someone of this folded name owns."""
        return self._owned.of(name)

    def opened_from(self, key: str, address: str) -> None:
        """Learn the address from which the room with this key was opened, here or at another node."""
        if address:
            self.addresses[key] = address

    def forget_address(self, room: Room) -> None:
        """Forget the address of a room that is closed."""
        self.addresses.pop(room.key, None)

    def number(self, quota: str, scope: Scope, key: str) -> int:  # noqa: ARG002 - rooms have one quota
        """Return how many rooms someone of this folded name owns, or how many were opened from an address or subnet."""
        if scope == "person":
            return len(self.owned_by(key))
        place = subnet_of if scope == "subnet" else str
        return sum(place(address) == key for address in self.addresses.values())

    def by_scope(self, scope: Scope) -> Mapping[str, int]:
        """Return how many rooms everyone has, by folded name, address or subnet."""
        if scope == "person":
            return Counter(room.charter.owner for room in self.values() if room.charter.owner)
        return Counter(map(subnet_of if scope == "subnet" else str, self.addresses.values()))

    def most(self) -> int:
        """Return the largest number of rooms that one person owns."""
        return max(self.by_scope("person").values(), default=0)

    def key(self, name: str) -> str:
        """Return the key under which everything about a room is stored."""
        key = fold(name)
        room = self.get(key) or self._former.get(key)
        return room.key if room else key
