"""The directory: who is here and which rooms one may see, as values for clients that keep their own lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

import attrs


@attrs.frozen
class PersonEntry:
    """A person: `since` is when they logged in and `typed` when they last typed, in seconds since 1970.

    Someone who isn't connected and has no seat has 0 for both.
    """

    name: str
    blurb: str = ""
    since: int = 0
    typed: int = 0
    state: str = "offline"
    """`here`, `away`, or `offline` with a kept seat."""
    pronoun: str = ""
    guest: bool = False


@attrs.frozen
class RoomEntry:
    """A room, with the names of its members."""

    name: str
    title: str
    members: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Some of `private`, `moderated` and `emote`."""
    owner: str = ""
    """Folded name of its owner; empty for the server's own rooms."""


@attrs.frozen
class Listing:
    """All people here and all rooms that one person may see, and the person's groups: marks by name."""

    people: tuple[PersonEntry, ...] = ()
    rooms: tuple[RoomEntry, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = attrs.Factory(dict)


class Directory(Protocol):
    """Looks up people and rooms for one person."""

    @property
    def own_name(self) -> str:
        """The person's name; empty before the login."""

    @property
    def is_staff(self) -> bool:
        """Whether the person is a sysop or a moderator of the whole place."""

    def person(self, name: str) -> PersonEntry:
        """Return the entry of a person, wherever they are."""

    def room(self, name: str) -> RoomEntry | None:
        """Return the entry of a room; None if the person may not see it, or there is none."""

    def joined(self) -> Iterable[str]:
        """Return the names of the rooms that the person is in."""

    def listing(self) -> Listing:
        """Return everyone and everything that the person may see."""


class Unlisted:
    """The directory of someone who hasn't logged in: nobody and nothing."""

    own_name = ""
    is_staff = False

    def person(self, name: str) -> PersonEntry:
        """Return an entry without facts."""
        return PersonEntry(name)

    def room(self, _: str) -> RoomEntry | None:
        """Return None."""
        return None

    def joined(self) -> Iterable[str]:
        """Return nothing."""
        return ()

    def listing(self) -> Listing:
        """Return an empty listing."""
        return Listing()


UNLISTED = Unlisted()
