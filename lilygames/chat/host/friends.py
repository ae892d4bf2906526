"""Friends: people whose logins someone wants to hear of. Blocking or ignoring each other wins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person, Room
from lilygames.text import Line, listing

MOST = 100
"""Maximum friends of one person."""


def shuns(one: Person, other: Person) -> bool:
    """Whether a person blocks or ignores another one."""
    return fold(other.name) in one.profile.blocked or fold(other.name) in one.profile.ignored


def has_friend(one: Person, other: Person) -> bool:
    """Whether a person has another one as a friend, and neither blocks or ignores the other."""
    return fold(other.name) in one.profile.friends and not (shuns(one, other) or shuns(other, one))


def tell_arrival(host: Host, person: Person, rooms: Sequence[Room], *, back: bool) -> None:
    """Tell others that a person has logged in or reconnected, into these rooms.

    These are all others, or in a large place those in the same rooms. Those who have the person as a friend read so,
    wherever they are.
    """
    name, news = fold(person.name), person.did("attach" if back else "connect")
    named = [] if person.guest else host.people.near.befriended_by(name)
    friends = [one for one in named if one is not person and one.here and has_friend(one, person)]
    if not friends:
        host.tell_about(person, news, rooms)
        return
    near = chain.from_iterable(room.audience.here for room in rooms) if host.is_large else host.people.near.here
    others = dict.fromkeys(near)
    for friend in friends:
        others.pop(friend, None)
    host.tell(news, others, but=person)
    host.tell(person.did("friend"), friends)


class FriendsHere:
    """Tells people who log in which of their friends are here."""

    observes = (Entered,)

    def __init__(self, host: Host) -> None:
        self._host = host

    def observe(self, event: PersonEvent) -> None:
        """Show the friends who are here to a person who has arrived."""
        if isinstance(event, Entered):
            found = [one for name in event.person.profile.friends if (one := self._host.people.get(name))]
            here = [one.name for one in found if one.here and has_friend(event.person, one)]
            event.person.show(*([Line(f"Friends here: {listing(here)}.")] if here else []))
