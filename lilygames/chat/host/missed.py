"""Missed messages: tell people who come back how much was said while they were away."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import datetime

import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people import notifications
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.talk.history import History, of_person, of_room
from lilygames.store import StoreUnavailable
from lilygames.text import Line, count, listing

log = structlog.get_logger()
MANY = 1000
"""Maximum missed messages counted exactly."""


class MissedMessages:
    """Shows everyone who arrives how many messages they missed."""

    observes = (Entered,)

    def __init__(self, host: Host, history: History) -> None:
        self._host = host
        self._history = history

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Show the count to a person who has arrived."""
        return self._greet(event.person) if isinstance(event, Entered) else None

    async def _greet(self, person: Person) -> None:
        try:
            person.show(*await missed(self._host, self._history, person))
        except StoreUnavailable as problem:
            log.warning("missed messages can't be read", name=person.name, why=str(problem))
            person.show(Line("(the messages you missed can't be read right now; try /review later)"))


async def missed(host: Host, history: History, person: Person) -> list[Line]:
    """Return the line that counts missed messages; nothing if there were none."""
    since = person.activity.missed_since
    if not since:
        return []

    def counts(one: ChatEvent) -> bool:
        return one.said and fold(one.by) != fold(person.name) and not notifications.ignores(person.profile, one)

    mail = await history.latest(of_person(host.accounts.key(person.name)), since, MANY, counts)
    said = [_many(len(mail), "private message")] if mail else []
    for room in list(host.rooms.values()):
        if fold(person.name) in room.people:
            heard = await history.latest(of_room(room.key), max(since, room.charter.cleared), MANY, counts)
            said += [f"{_many(len(heard), 'message')} in {room.name}"] if heard else []
    if not said:
        return []
    when = f"{datetime.fromtimestamp(since, person.profile.zone):%a %H:%M %Z}"
    return [Line(f"(while you were away, since {when}: {listing(said)}; type /review to read them)")]


def _many(number: int, thing: str) -> str:
    return count(number, thing) if number < MANY else f"{MANY} {thing}s or more"
