"""/events, /event and /motd: list, create, join and change events, and the message of the day."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime

import attrs

from lilygames.calendar.context import CalendarContext
from lilygames.calendar.event import Event, checked_title
from lilygames.calendar.message import LONGEST, Message
from lilygames.chat.names import times
from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import written
from lilygames.chat.names.zones import zone_named
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.text import Line, clean, count, listing

_QUOTED = re.compile(r"\s*[\"“”]([^\"“”]*)[\"“”]\s*(.*)", re.DOTALL)
_NAMED = 20
"""Maximum names listed of those who joined."""
MOST_JOINED = 1000
"""Maximum people who join an event."""
_CREATE = 'type /event new "Ohell night" fri 20:00 weekly: the title in quotes, then a time.'


@command("events", group="start")
async def events(context: CalendarContext) -> Sequence[str | Line]:
    """List the events that people meet for. Type /event join NUMBER to be reminded of one.

    `*` marks those you've joined. Times are in your time zone: /help zone.
    """
    now = context.host.clock()
    rows = [_row(context, one, now) for one in await context.events.all()]
    if not rows:
        return ['(no events are planned; /event new "Ohell night" fri 20:00 weekly plans one)']
    return [*rows, "(type /event join NUMBER, or /event show NUMBER for more)"]


def _row(context: CalendarContext, event: Event, now: float) -> Line:
    mark = "*" if context.events.has_joined(event, context.person.name) else " "
    when = written(event.at, now, context.person.profile.zone)
    joined, repeats = f"{len(event.joined)} joined", f"{event.repeats}, " if event.repeats else ""
    return Line(f"{mark}{event.number:>3}  {when}: {event.quoted}, {repeats}{joined}", by=event.host)


@command("event", group="start", syntax="new|show|join|leave|move|skip|cancel ...", says=("new",))
async def event(context: CalendarContext, verb: str = "", rest: Rest = "") -> Sequence[str | Line]:
    """Plan or join an event: /event new "Ohell night" fri 20:00 weekly; /event join 3. /events lists them.

    /event show 3 shows who has joined, and /event leave 3 takes you off the list.
    Those who joined are reminded 15 and 2 minutes before. If you planned it, you
    can change it. /event move 3 sat 20:00 sets a new time, and /event skip 3
    leaves out the next date of a repeated event. /event cancel 3 removes it.
    Type /help events for more.
    """
    if not verb:
        return await events(context)
    known = [name for name in _VERBS if name.startswith(verb.casefold())]
    if len(known) != 1:
        raise UserError(f"type /event and one of {listing(_VERBS, 'or')}, such as /event join 3.")
    return await _VERBS[known[0]](context, rest)


def _number(text: str, verb: str) -> tuple[int, str]:
    """Return the event's number and the words after it; raises `UserError`."""
    word, _, rest = text.strip().partition(" ")
    digits = word.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise UserError(f"type /event {verb} and the event's number. /events lists them.")
    return int(digits[:9]), rest.strip()


# Plan.


async def _new(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    person, now = context.person, context.host.clock()
    await _check_may_plan(context)
    typed = _QUOTED.fullmatch(rest)
    if not typed:
        raise UserError(_CREATE)
    title, when = checked_title(typed[1]), times.read(typed[2], now, person.profile.zone)
    plan = Event(0, title, person.name, "", "", joined=(person.name,)).planned(when, now)
    added = await context.events.add(plan, unlimited=context.host.is_sysop(person))
    number = added.number
    _tell_by_zone(
        context,
        (one for one in context.host.people.values() if one is not person and _hears(one, person)),
        lambda one: person.did(
            "game",
            text=f"has planned event {number}, {added.quoted}: {_when(added, now, one)}; /event join {number}",
        ),
    )
    return [
        Line(f"(You've planned event {number}, {added.quoted}: {_when(added, now, person)}.)", by=person.name),
        f"(You've joined it, too. /event move {number} TIME and /event cancel {number} change it.)",
    ]


async def _check_may_plan(context: CalendarContext) -> None:
    """Raise `UserError` if a person's account is too young to plan events."""
    person = context.person
    ready = await context.host.seniority.reached(person.name)
    if ready is None:
        raise UserError("guests can't plan events. Type /register PASSWORD to keep your name.")
    if context.host.clock() < ready:
        age, when = context.host.seniority.age, written(ready, context.host.clock(), person.profile.zone)
        raise UserError(f"you can plan events once your account is {age} old: {when}. Until then, ask a sysop.")


def _hears(reader: Person, by: Person) -> bool:
    """Whether a person is told what another one plans: unless they ignore or block them."""
    ignored, name = reader.profile.ignored.get(fold(by.name), ()), fold(by.name)
    return reader.here and name not in reader.profile.blocked and not {"all", "public"} & {*ignored}


def _when(event: Event, now: float, reader: Person) -> str:
    """Return `Fri 27 Nov 20:00, in 2 days, weekly` in a reader's zone."""
    return written(event.at, now, reader.profile.zone) + (f", {event.repeats}" if event.repeats else "")


def _tell_by_zone(context: CalendarContext, people: Iterable[Person], said: Callable[[Person], ChatEvent]) -> None:
    """Tell people something whose times are in their zones."""
    zones: dict[str, list[Person]] = {}
    for one in people:
        zones.setdefault(one.profile.zone.key, []).append(one)
    for readers in zones.values():
        context.host.tell(said(readers[0]), readers)


async def _move(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, text = _number(rest, "move")
    now, person = context.host.clock(), context.person
    if not text:
        raise UserError(f"type /event move {number} and a time, such as {times.EXAMPLES}.")
    when = times.read(text, now, person.profile.zone)

    def moved(event: Event) -> Event:
        _check_own(context, event)
        return attrs.evolve(event.planned(when, now), changed=now)

    return await _changed(context, number, moved, "moved", lambda one, after: f", to {_when(after, now, one)}")


async def _skip(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, _ = _number(rest, "skip")
    now = context.host.clock()

    def skipped(event: Event) -> Event:
        _check_own(context, event)
        if not event.repeats:
            raise UserError(f"event {number} has only one date. Type /event cancel {number} to remove it.")
        return attrs.evolve(event.after_this_date(), changed=now)

    return await _changed(
        context, number, skipped, "skipped a date of", lambda one, after: f". The next one is {_when(after, now, one)}"
    )


async def _cancel(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, _ = _number(rest, "cancel")
    now, own = context.host.clock(), context.events.key(context.person.name)

    def cancelled(event: Event) -> Event | None:
        """Return the event as it is kept for the others who joined; None if nobody has."""
        _check_own(context, event)
        others = tuple(name for name in event.joined if context.events.key(name) != own)
        return attrs.evolve(event, joined=others, cancelled=True, changed=now) if others else None

    return await _changed(context, number, cancelled, "cancelled", lambda _, __: "")


def _check_own(context: CalendarContext, event: Event) -> None:
    """Raise `UserError` unless a person planned the event or is a sysop."""
    if not (context.events.is_host(event, context.person.name) or context.host.is_sysop(context.person)):
        host = context.host.accounts.now(event.host)
        raise UserError(f"only {host} or a sysop can change event {event.number}. Type /tell {host} and your question.")


async def _changed(
    context: CalendarContext,
    number: int,
    step: Callable[[Event], Event | None],
    did: str,
    how: Callable[[Person, Event], str],
) -> Sequence[str | Line]:
    """Change an event, tell those who joined, and return the answer. Raises `UserError`."""
    person = context.person
    before, after = await context.events.change(number, step)

    def said(reader: Person) -> str:
        return f"{did} event {number}, {before.quoted}{how(reader, after or before)}."

    others = [one for one in context.reminders.here(before) if one is not person]
    _tell_by_zone(context, others, lambda one: person.did("sysmsg", text=f"{person.name} has {said(one)}"))
    return [Line(f"(You've {said(person).removesuffix('.')}.)", by=before.host)]


# Join.


async def _show(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, _ = _number(rest, "show")
    now, person = context.host.clock(), context.person
    found = await context.events.get(number)
    local = datetime.fromtimestamp(found.at, zone_named(found.zone))
    host, names = context.host.accounts.now(found.host), [*map(context.host.accounts.now, found.joined)]
    more = [count(len(names) - _NAMED, "other")] if len(names) > _NAMED else []
    joined = listing([*names[:_NAMED], *more]) if names else "nobody yet"
    rows: list[str | Line] = [
        Line(f"Event {number}, {found.quoted}, planned by {host}", by=host),
        f"  {written(found.at, now, person.profile.zone)}, in your time zone",
    ]
    if found.repeats:
        rows.append(f"  {found.repeats.capitalize()}, at {local:%H:%M} in {found.zone}")
    return [*rows, f"  {len(names)} joined: {joined}"]


async def _join(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, _ = _number(rest, "join")
    person, now = context.person, context.host.clock()
    if person.guest:
        raise UserError("guests can't join events. Type /register PASSWORD to keep your name, then join.")

    def joined(event: Event) -> Event:
        if context.events.has_joined(event, person.name):
            raise UserError(f"you've already joined event {number}. Type /event leave {number} to undo it.")
        if len(event.joined) >= MOST_JOINED:
            raise UserError(f"event {number} is full: {MOST_JOINED} people have joined.")
        return attrs.evolve(event, joined=(*event.joined, person.name))

    _, after = await context.events.change(number, joined)
    assert after  # noqa: S101 - joining never removes an event
    return [
        Line(f"(You've joined event {number}, {after.quoted}: {_when(after, now, person)}.)", by=after.host),
        "(You'll be reminded here 15 and 2 minutes before.)",
    ]


async def _leave(context: CalendarContext, rest: str) -> Sequence[str | Line]:
    number, _ = _number(rest, "leave")
    person = context.person

    def left(event: Event) -> Event:
        if not context.events.has_joined(event, person.name):
            raise UserError(f"you haven't joined event {number}. Type /events to see those you have.")
        own = context.events.key(person.name)
        return attrs.evolve(event, joined=tuple(one for one in event.joined if context.events.key(one) != own))

    before, _ = await context.events.change(number, left)
    return [Line(f"(You've left event {number}, {before.quoted}. You won't be reminded.)", by=before.host)]


_VERBS: Mapping[str, Callable[[CalendarContext, str], Awaitable[Sequence[str | Line]]]] = {
    "new": _new,
    "show": _show,
    "join": _join,
    "leave": _leave,
    "move": _move,
    "skip": _skip,
    "cancel": _cancel,
}


# The message of the day.


@command("motd", group="look around", says="anything")
async def motd(context: CalendarContext, text: Rest = "") -> Sequence[str | Line]:
    """Show the message of the day. Sysops: /motd TEXT sets it, and /motd off removes it."""
    own = clean(text).strip()
    if own and not context.host.is_sysop(context.person):
        raise UserError("only sysops can change the message of the day. Type /feedback TEXT to suggest one.")
    if len(own) > LONGEST:
        raise UserError(f"that's {len(own)} characters, and the limit is {LONGEST}. Please shorten it.")
    if own:
        await context.message.write(None if own.casefold() == "off" else Message(context.person.name, own))
    return [context.message.message.line] if context.message.message else ["(there's no message of the day)"]
