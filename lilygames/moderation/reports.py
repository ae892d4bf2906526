"""Reports and appeals: what people ask the staff to look at, with evidence, until someone decides."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable
from typing import Literal

import attrs
import structlog

from lilygames import codec
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Appealed, Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.talk.history import History, of_person, of_room
from lilygames.errors import NotFound, UserError
from lilygames.limits.quota import REPORT
from lilygames.moderation.actions import Action
from lilygames.moderation.audit import Audit
from lilygames.moderation.desk import WHY, Actor, Target, reason
from lilygames.moderation.removal import told
from lilygames.moderation.sanctions import Sanctions
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Effect, Store, StoreUnavailable
from lilygames.text import Line, clean, count, shortened

log = structlog.get_logger()
OPEN = "report"
"""Kind of the records with reports that wait, by number."""
CLOSED = "report-closed"
"""Kind of the records with decided reports."""
EVIDENCE = 20
"""Maximum lines of evidence."""
MOST = 200
"""Maximum waiting reports; new ones are refused beyond that, so that none is lost."""
LONGEST = 500
"""Maximum characters of a report or an appeal."""
SLEEP = 24 * 3600.0
"""Seconds that a lone sysop waits before deciding on an appeal against themselves."""
NEWS = ("warn", "mute", "unmute", "kick", "report")
"""Actions that people are told of when they log in."""
Decision = Literal["", "acted", "nothing"]


@attrs.frozen
class Evidence:
    """A line of talk that the reporter could see, as the server sent it: time (UTC seconds), who, where, and what."""

    at: float
    by: str
    where: str
    text: str


@attrs.frozen
class Report:
    """A report about someone, or their appeal. `against` is the one who decided what is appealed against."""

    number: str
    kind: Literal["report", "appeal"]
    by: str
    key: str
    about: str
    about_key: str
    why: str
    at: float
    evidence: tuple[Evidence, ...] = ()
    against: str = ""
    taken: str = ""
    """The moderator or sysop who looks after it."""
    decision: Decision = ""
    decided_by: str = ""
    decided_at: float = 0.0


class Reports:
    """The reports that wait. Staff who log in are told how many there are."""

    observes = (Entered, Appealed)

    def __init__(
        self,
        host: Host,
        store: Store,
        *,
        history: History,
        audit: Audit,
        sanctions: Sanctions,
        unreadable: UnreadableRows,
    ) -> None:
        self._host = host
        self._store = store
        self._history = history
        self._audit = audit
        self._sanctions = sanctions
        self._unreadable = unreadable

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Tell people who come in what was decided about them, and the staff what waits. Pass on appeals."""
        match event:
            case Entered(person):
                return self._greet(person)
            case Appealed(name, text):
                return self.appeal(name, text)
        return None

    async def _greet(self, person: Person) -> None:
        key, since = self._host.accounts.key(person.name), person.activity.missed_since
        for action in self._sanctions.standing(key).since(since) if since else ():
            if action.kind in NEWS:
                person.show(*told(action))
        if self._host.is_staff(person):
            try:
                waiting = await self.waiting()
            except StoreUnavailable as problem:
                log.warning("reports can't be read", why=str(problem))
            else:
                if waiting:
                    person.show(Line(f"({count(len(waiting), 'report waits', 'reports wait')}; type /reports)"))

    # send

    async def send(self, person: Person, target: Target, why: str) -> Report:
        """Store a report with its evidence, and tell the staff who are here. Raises `UserError`, `StoreUnavailable`."""
        key = self._host.accounts.key(person.name)
        if target.key == key:
            raise UserError("you can't report yourself. Type /feedback TEXT to write to the sysops.")
        self._host.quotas.check(REPORT, self._host.quotas.who(person))
        report = Report(
            secrets.token_hex(3),
            "report",
            person.name,
            key,
            target.name,
            target.key,
            _short(why),
            self._host.clock(),
            await self._evidence(person, target),
        )
        await self._check_room()
        await self._store.keep(OPEN, report.number, codec.to_text(report))
        log.warning("someone has sent a report", number=report.number)
        self._host.quotas.take(REPORT, self._host.quotas.who(person))
        self._tell_staff(f"{person.name} has reported {target.name}: type /reports {report.number}", person)
        return report

    async def appeal(self, name: str, text: str) -> None:
        """Store the appeal of someone against what was decided about them. Raises `UserError`, `StoreUnavailable`."""
        key, now = self._host.accounts.key(name), self._host.clock()
        standing = self._sanctions.standing(key)
        if not standing.may_appeal():
            raise UserError(
                "there's no decision left to appeal against. Type /audit to see what was decided about you."
            )
        last = next(one for one in reversed(standing.actions) if one.kind in ("warn", "mute", "kick", "ban"))
        what = f"{last.kind} by {last.by}: {last.why}"
        why = _short(text)
        report = Report(
            secrets.token_hex(3), "appeal", name, key, name, key, f"{why} [{what}]", now, (), against=last.by
        )
        await self._check_room()
        effect = Effect(OPEN, report.number, codec.to_text(report))
        await self._audit.add(Action("appeal", name, now, name, key=key, why=why[:WHY]), effect)
        self._tell_staff(f"{name} appeals: type /reports {report.number}", None)

    async def _check_room(self) -> None:
        if len(await self._store.every(OPEN)) >= MOST:
            raise UserError("too many reports are waiting. Please tell a sysop directly, or try again later.")

    def _tell_staff(self, news: str, sender: Person | None) -> None:
        people = self._host.people.known_parts()
        names = [name for name, one in people if one.here and one is not sender and self._host.is_staff(one)]
        self._host.tell(ChatEvent("sysmsg", "", text=news), [self._host.people[name] for name in names])

    async def _evidence(self, person: Person, target: Target) -> tuple[Evidence, ...]:
        """Return the last lines of talk between two people that the reporter could see, oldest first."""
        names = {fold(person.name), fold(target.name)}

        def counts(one: ChatEvent) -> bool:
            return (
                one.said and fold(one.by) in names and (not one.to or fold(target.name) in map(fold, (one.by, *one.to)))
            )

        rooms = [room for room in self._host.rooms.values() if fold(person.name) in room.people]
        logs = [(of_room(room.key), room.charter.cleared) for room in rooms]
        logs.append((of_person(self._host.accounts.key(person.name)), 0.0))
        found: list[ChatEvent] = []
        for name, since in logs:
            found += await self._history.latest(name, since, EVIDENCE, counts, origin=person.origin)
        newest = sorted(dict.fromkeys(one for one in found if counts(one)), key=lambda one: one.at)[-EVIDENCE:]
        return tuple(Evidence(one.at, one.by, one.recipients, one.text) for one in newest)

    # decide

    async def waiting(self) -> list[Report]:
        """Return the waiting reports, oldest first. Raises `StoreUnavailable`."""
        found = [self._read(number, body) for number, body in (await self._store.every(OPEN)).items()]
        return sorted((report for report in found if report), key=lambda report: report.at)

    def _read(self, number: str, body: str) -> Report | None:
        try:
            report: Report = codec.from_text(body, Report)
        except ValueError as problem:
            self._unreadable.report(OPEN, number, problem)
            return None
        return report

    async def find(self, number: str) -> Report:
        """Return the waiting or decided report with this number. Raises `NotFound` and `StoreUnavailable`."""
        number = number.casefold().removeprefix("#")
        body = await self._store.find(OPEN, number) or await self._store.find(CLOSED, number)
        report = self._read(number, body) if body else None
        if report is None:
            raise NotFound(f"there's no report “{shortened(number, 10)}”. Type /reports to list them.")
        return report

    async def take(self, report: Report, actor: Actor) -> None:
        """Let someone of the staff look after a report. Raises `UserError` and `StoreUnavailable`."""
        self._check(report, actor)
        body = codec.to_text(report)
        taken = codec.to_text(attrs.evolve(report, taken=actor.name))
        if not await self._store.swap(OPEN, report.number, body, taken):
            raise UserError("someone else has just taken that report. Type /reports to list them.")

    async def decide(self, report: Report, actor: Actor, decision: Decision, note: str) -> None:
        """Close a report. The reporter hears whether something was done. Raises `UserError` and `StoreUnavailable`."""
        self._check(report, actor)
        now = self._host.clock()
        closed = attrs.evolve(report, decision=decision, decided_by=actor.name, decided_at=now)
        action = Action("report", actor.name, now, report.by, key=report.key, why=reason(note), where=decision)
        effects = Effect(OPEN, report.number, None), Effect(CLOSED, report.number, codec.to_text(closed))
        await self._audit.add(action, *effects)

    def _check(self, report: Report, actor: Actor) -> None:
        """Raise `UserError` if someone may not decide on a report: their own, one about them, or an appeal to it."""
        if report.decision:
            raise UserError(f"{report.decided_by} has decided on that report already.")
        if actor.key in (report.key, report.about_key):
            raise UserError("you can't decide on a report by you or about you. Someone else has to.")
        if report.kind != "appeal" or fold(report.against) != fold(actor.name):
            return
        others = [name for name in self._host.roles.holders() if fold(name) != fold(actor.name)]
        if others:
            raise UserError("that was your own decision. Someone else has to look at it.")
        if self._host.clock() - report.at < SLEEP:
            raise UserError("that was your own decision. Nobody else can look at it, so wait for 24 hours.")


def _short(text: str) -> str:
    """Return the text of a report or an appeal; raises `UserError` if it is empty or too long."""
    text = clean(text).strip()
    if not text:
        raise UserError("say what happened: /report NAME and then what they did.")
    if len(text) > LONGEST:
        raise UserError(f"that's {len(text)} characters, and the limit is {LONGEST}. Please shorten it.")
    return text
