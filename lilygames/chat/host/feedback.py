"""Feedback to the sysops, stored with a case number until a sysop closes it."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable

import attrs
import structlog

from lilygames import __version__, codec
from lilygames.chat.host.host import Host
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.errors import NotFound, UserError
from lilygames.limits.quota import FEEDBACK
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store, StoreUnavailable
from lilygames.text import Line, clean, count, shortened

log = structlog.get_logger()
KIND = "feedback"
LONGEST, WIDEST = 1000, 500
"""Maximum characters of one feedback, and of one screen line attached to it."""
MOST = 200
"""Maximum open cases; new ones are refused beyond that, so that none is lost."""


@attrs.frozen
class Case:
    """One feedback: sender, time (seconds since 1970), server version, and the last lines on their screen."""

    number: str
    by: str
    guest: bool
    at: float
    version: str
    text: str
    screen: tuple[str, ...] = ()


class Feedback:
    """The open cases. Each sysop is told how many there are when they log in."""

    observes = (Entered,)

    def __init__(self, host: Host, store: Store, unreadable: UnreadableRows) -> None:
        self._host = host
        self._store = store
        self._unreadable = unreadable

    async def send(self, person: Person, text: str) -> Case:
        """Store feedback, notify the sysops who are here, and return the case.

        Raises `UserError` if it is too long or there are too many cases; raises `StoreUnavailable`.
        """
        text = clean(text).strip()
        if len(text) > LONGEST:
            raise UserError(f"that's {len(text)} characters, and the limit is {LONGEST}. Please shorten it.")
        self._host.quotas.check(FEEDBACK, self._host.quotas.who(person))
        if len(await self._store.every(KIND)) >= MOST:
            raise UserError(
                "too much feedback is waiting to be read. Please tell a sysop directly, or try again later."
            )
        lines = person.terminal.last_lines() if person.terminal else ()
        screen = tuple(line[:WIDEST] for line in lines)
        number, at = secrets.token_hex(3), self._host.clock()
        case = Case(number, person.name, person.guest, at, __version__, text, screen)
        await self._store.keep(KIND, number, codec.to_text(case))
        self._host.quotas.take(FEEDBACK, self._host.quotas.who(person))
        log.info("feedback", case=number, name=person.name)
        news = f"{person.name} has sent feedback: /feedback {number}"
        self._host.tell(person.did("sysmsg", text=news), self._sysops(), but=person)
        return case

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Tell an arriving sysop how many cases are open."""
        return self._greet(event.person) if isinstance(event, Entered) and self._host.is_sysop(event.person) else None

    async def _greet(self, sysop: Person) -> None:
        try:
            waiting = await self.waiting()
        except StoreUnavailable as problem:
            log.warning("feedback can't be read", why=str(problem))
        else:
            if waiting:
                sysop.show(Line(f"({count(len(waiting), 'case')} of feedback to read; type /feedback to list them)"))

    def _sysops(self) -> list[Person]:
        parts = self._host.people.known_parts()
        names = [name for name, one in parts if one.here and self._host.is_sysop(one)]
        return [self._host.people[name] for name in names]

    async def waiting(self) -> list[Case]:
        """Return all readable cases, oldest first; raises `StoreUnavailable`."""
        cases = []
        for number, body in (await self._store.every(KIND)).items():
            try:
                cases.append(codec.from_text(body, Case))
            except ValueError as problem:
                self._unreadable.report(KIND, number, problem)
        return sorted(cases, key=lambda case: case.at)

    async def case(self, number: str) -> Case:
        """Return the case with this number; raises `NotFound` or `StoreUnavailable`."""
        found = next((case for case in await self.waiting() if case.number == number.casefold()), None)
        if found is None:
            raise NotFound(f"no feedback has the case number “{shortened(number, 20)}”. Type /feedback to list them.")
        return found

    async def done(self, case: Case) -> None:
        """Delete a case; raises `StoreUnavailable`."""
        await self._store.forget(KIND, case.number)
