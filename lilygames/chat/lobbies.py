"""Lobbies: the room that newcomers enter, and more such rooms when it is full."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room

LOBBY = "lobby"
_TITLE = "where everyone starts"
_EXTRA = re.compile(rf"{LOBBY}-[1-9]\d{{0,5}}")
"""Names of the other lobbies. Nobody else can have one: they are reserved."""


class Lobbies:
    """The lobby, then lobby-2 and so on. Each is an ordinary room; all but the first close when they are empty."""

    def __init__(self, open_room: Callable[..., Room], most: int) -> None:
        """`open_room` returns the room of a name, creating it if necessary.

        `most` is how many people enter a lobby before the next ones enter another; 0 means any number.
        """
        self.first = open_room(LOBBY, _TITLE)
        self._open_room = open_room
        self._most = most

    def for_newcomer(self) -> Room:
        """Return the first lobby that isn't full, opening one if all are."""
        if not self._most:
            return self.first
        rooms = (self.first if number == 1 else self._opened(f"{LOBBY}-{number}") for number in count(1))
        return next(room for room in rooms if room.people.number_here < self._most)

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
