"""Lobbies: the room that newcomers enter, and more such rooms when it is full."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person, Room

LOBBY = "lobby"
_TITLE = "where everyone starts"
_EXTRA = re.compile(rf"{LOBBY}-[1-9]\d{{0,5}}")
"""Names of the other lobbies. Nobody else can have one: they are reserved."""


class Lobbies:
    """The lobby, then lobby-2 and so on. Each is an ordinary room; all but the first close when they are empty.

    Newcomers of all nodes enter the first lobby until it is full. After that, those of each node enter its own lobbies.
    So a node needs to know few of the people whom it doesn't serve.
    """

    def __init__(self, open_room: Callable[..., Room], most: int, node_place: Callable[[], tuple[int, int]]) -> None:
        """`open_room` returns the room of a name, creating it if necessary.

        `most` is how many people enter a lobby before the next ones enter another; 0 means any number. `node_place`
        returns this node's place among the nodes, from 0, and how many nodes there are.
        """
        self.first = open_room(LOBBY, _TITLE)
        self._open_room = open_room
        self._most = most
        self._node_place = node_place
        self._entered: set[Room] = set()
        """The other lobbies that this node's people have entered; those without people are closed."""

    def for_newcomer(self) -> Room:
        """Return the first lobby that isn't full; after the first one, this node's own lobbies count alone.

        If all are full, open one. Its number is one that no other node gives to a new lobby.
        """
        if not self._most or self.first.people.number_here < self._most:
            return self.first
        return self.entered(next(filter(self._takes_newcomers, self._own())))

    def _own(self) -> Iterator[Room]:
        """Yield this node's lobbies, then those that it may open."""
        self._entered = {room for room in self._entered if room.people}
        yield from sorted(self._entered, key=_number)
        place, nodes = self._node_place()
        for number in count(2 + place, nodes):
            yield self._opened(f"{LOBBY}-{number}")

    def _takes_newcomers(self, room: Room) -> bool:
        """Return whether a lobby isn't full, and this node serves at least half of its people."""
        people = room.people
        return people.number_here < self._most and people.number_here <= 2 * people.number_served

    def entered(self, room: Room) -> Room:
        """Record that someone whom this node serves has entered a room, and return it."""
        if room is not self.first and self.includes(room):
            self._entered.add(room)
        return room

    def called(self, name: str) -> Room | None:
        """Return the lobby of this name, opening it if it is one of the others; None if no lobby has such a name."""
        if fold(name) == LOBBY:
            return self.first
        return self._opened(fold(name)) if _EXTRA.fullmatch(fold(name)) else None

    def _opened(self, name: str) -> Room:
        return self._open_room(name, _TITLE, lasting=False)

    def includes(self, room: Room) -> bool:
        """Return whether a room is a lobby."""
        return room is self.first or _EXTRA.fullmatch(fold(room.name)) is not None

    def of(self, person: Person) -> Room:
        """Return the lobby that a person is in; the first one if they are in none."""
        return next(filter(self.includes, person.rooms), self.first)


def _number(lobby: Room) -> int:
    """Return the number of a lobby that isn't the first one."""
    return int(lobby.name.removeprefix(f"{LOBBY}-"))
