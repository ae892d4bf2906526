"""Friends: people whose logins someone wants to hear of. Blocking or ignoring each other wins."""

from __future__ import annotations

from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.observers import Entered, PersonEvent
from lilygames.chat.people import Person
from lilygames.text import Line, listing

MOST = 100
"""Maximum friends of one person."""


def shuns(one: Person, other: Person) -> bool:
    """Whether a person blocks or ignores another one."""
    return fold(other.name) in one.profile.blocked or fold(other.name) in one.profile.ignored


def has_friend(one: Person, other: Person) -> bool:
    """Whether a person has another one as a friend, and neither blocks or ignores the other."""
    return fold(other.name) in one.profile.friends and not (shuns(one, other) or shuns(other, one))


def tell_arrival(host: Host, person: Person, *, back: bool) -> None:
    """Tell everyone else that a person has logged in or reconnected. Those who have them as a friend read so."""
    name, news = fold(person.name), person.did("attach" if back else "connect")
    named = [] if person.guest else [one for one in host.people.values() if name in one.profile.friends]
    friends = [one for one in named if one is not person and one.here and has_friend(one, person)]
    if not friends:
        host.tell_all(news, but=person)
        return
    known = {*map(id, friends)}
    host.tell(news, [one for one in host.people.values() if one.here and id(one) not in known], but=person)
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
