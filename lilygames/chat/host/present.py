"""The people here and the rooms that one person may see, as one frozen value for all kinds of clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.directory import PersonEntry, RoomEntry
from lilygames.chat.people.distant import Distant
from lilygames.chat.people.people import Person, Room

Someone = Person | Distant[Person]
"""A person, or what this node knows of someone whom it doesn't know in full."""


@attrs.frozen
class Present:
    """The people who are here or have a seat, and the rooms; only what one person may see."""

    people: tuple[PersonEntry, ...]
    rooms: tuple[RoomEntry, ...] = ()

    @property
    def here(self) -> Sequence[PersonEntry]:
        """The people who are connected."""
        return [person for person in self.people if person.state != "offline"]

    @cached_property
    def rooms_of(self) -> Mapping[str, Sequence[str]]:
        """The names of the rooms that each person is in, by the person's name."""
        found: dict[str, list[str]] = {}
        for room in self.rooms:
            for name in room.members:
                found.setdefault(name, []).append(room.name)
        return found


def present(host: Host, reader: Person) -> Present:
    """Return the people, and the rooms that a person may see."""
    rooms = tuple(room_entry(room) for room in host.rooms.values() if room.may_see(reader))
    near = (person_entry(host, person) for person in host.people.nearby())
    return Present((*near, *map(_distant_entry, host.people.far())), rooms)


@attrs.frozen
class PresentBeforeLogin:
    """The people here as someone who hasn't logged in may know them: their number, and some of their names."""

    people: int
    names: tuple[str, ...]


def present_before_login(people: Everybody[Person], most: int) -> PresentBeforeLogin:
    """Return how many people are here, and the first names by alphabet, `most` at most."""
    here = (person.name for person in in_order(people) if person.here)
    return PresentBeforeLogin(people.number_here, tuple(islice(here, most)))


def person_entry(host: Host, person: Person) -> PersonEntry:
    """Return a person's entry."""
    return PersonEntry(
        person.name,
        person.profile.blurb,
        max(1, int(person.activity.since)),
        max(1, int(host.clock() - person.activity.idle_seconds)),
        state(person),
        person.profile.pronoun,
        person.guest,
    )


def _distant_entry(person: Distant[Person]) -> PersonEntry:
    """Return the entry of someone on another node who isn't known in full."""
    own, since, typed = person.profile, max(1, int(person.since)), max(1, int(person.typed))
    return PersonEntry(person.name, own.blurb, since, typed, state(person), own.pronoun, person.guest)


def in_order(people: Everybody[Person], beginning: str = "") -> Iterator[Someone]:
    """Yield those whose folded names begin so, sorted by name. Nobody is made of what is known of them."""
    return filter(None, map(people.known_part, people.keys_in_order(beginning)))


def state(person: Someone) -> str:
    """Return `here`, `away`, or `offline` for someone whose seat is kept."""
    away = person.activity.away if isinstance(person, Person) else person.away
    return "offline" if not person.here else "away" if away else "here"


def idle_seconds(host: Host, person: Someone) -> float:
    """Return the seconds since someone last typed."""
    return person.activity.idle_seconds if isinstance(person, Person) else max(0.0, host.clock() - person.typed)


def room_entry(room: Room) -> RoomEntry:
    """Return a room's entry."""
    kinds = [kind for kind in ("private", "moderated", "emote") if getattr(room.charter, kind)]
    members = tuple(person.name for _, person in room.people.known_parts())
    return RoomEntry(room.name, room.title, members, tuple(kinds), room.charter.owner)
