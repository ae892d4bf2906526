"""Commands about people: who is here, what they wrote about themselves, and whether they are away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from heapq import nsmallest
from itertools import islice
from operator import itemgetter
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.host.context import Context
from lilygames.chat.host.host import Host
from lilygames.chat.host.own_texts import LINES, LONGEST, NAME, set_info, set_memo
from lilygames.chat.host.packets import say_goodbye
from lilygames.chat.host.paging import ROWS, page_number, page_of
from lilygames.chat.host.present import Someone, idle_seconds, in_order, present, state
from lilygames.chat.host.writing import edited
from lilygames.chat.names.names import fold
from lilygames.chat.people.detached import DetachedPerson
from lilygames.chat.people.events import PRONOUNS, THEIR, Kind, named
from lilygames.chat.people.people import Person, Room
from lilygames.chat.people.profile import Profile
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.chat.visits.arrivals import depart
from lilygames.commands import Rest, command
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, clean, columns, count, listing, quoted, shortened

BLURB = 30
"""Maximum characters of a blurb."""
_MINUTE = 60
_NAMED = 20
"""Maximum members named by `/what ROOM`."""
_SMALL = 20
"""Part of all people who are in a room whose members are sorted."""
_CALLED, _ROOM, _TITLE = 34, 16, 40


def idle(seconds: float) -> str:
    """Return an idle time in minutes and hours; empty for less than a minute."""
    minutes = int(seconds) // _MINUTE
    return "" if not minutes else f"{minutes}m" if minutes < _MINUTE else f"{minutes // _MINUTE}h{minutes % _MINUTE:02}"


def _fitted(text: str, width: int) -> str:
    """Return text cut or padded to a width in columns."""
    while columns(text) > width:
        text = text[:-2] + "~"
    return text + " " * (width - columns(text))


@command("who", group="look around", syntax="[here | away | all | ROOM | NAME] [PAGE]")
def who(context: Context, which: str = "", page: int = 1) -> list[str | Line]:
    """List who is here, since when, how long idle, and in which room: /who, /who away, /who cafe, /who all.

    /who bo lists the people here whose names begin so. A long list has pages:
    /who 2, /who cafe 2.
    """
    number = page_number(which)
    if number is not None:
        which, page = "", number
    found = _asked_for(context, which)
    shown = page_of(found.people, page)
    if not shown.things and shown.first > 1:
        raise UserError(f"this list has no page {page}. Type {_who_line(which)} to see it from the start.")
    rows = [_who_row(context.person, context.host.people[fold(person.name)]) for person in shown.things]
    head = f"  {'Name':<{_CALLED}} On since   Idle  State     In"
    is_whole = shown.first == 1 and not shown.has_next
    part = "" if is_whole else f", {shown.first} to {shown.last} shown"
    last = not shown.has_next and which.casefold() in ("", "all")
    rows += [_detached_row(context.person, one) for one in _detached(context)] if last else []
    following = [f"(more people: {_who_line(which, shown.number + 1)})"] if shown.has_next else []
    return [head, *rows, f"({count(found.number, 'person is', 'people are')} here{part})", *following]


def _detached(context: Context) -> Sequence[DetachedPerson]:
    """Return the people who have detached, without those who are here or whom the reader blocks."""
    host, blocked = context.host, context.person.profile.blocked
    listed = [attrs.evolve(one, name=host.accounts.now(one.name)) for one in host.detached.listed()]
    return [one for one in listed if fold(one.name) not in blocked and _is_away(host, one.name)]


def _is_away(host: Host, name: str) -> bool:
    """Whether someone isn't here, but has an account or a seat."""
    known = host.people.known_part(fold(name))
    return not known.here if known else fold(name) in host.accounts.names


def _detached_row(reader: Person, one: DetachedPerson) -> Line:
    """Return the row of someone who has detached; they are idle since then."""
    name, zone = _fitted(named(one.name, one.blurb), _CALLED), reader.profile.zone
    since = f"{datetime.fromtimestamp(one.since, zone):%H:%M}"
    return Line(f"  {name} {since:>8} {idle(reader.room.now() - one.at):>6}  detach", by=one.name)


def _who_line(which: str, page: int = 1) -> str:
    """Return the line that lists people, as it is typed."""
    return " ".join(["/who", *([which] if which else []), *([str(page)] if page > 1 else [])])


@attrs.frozen
class _Found:
    """People for a list, sorted by name, and how many they are. Only those who are shown have to be known in full."""

    people: Iterable[Someone]
    number: int


def _asked_for(context: Context, which: str) -> _Found:
    """Return the people that a word for `/who` means; raises `UserError`.

    A list of many is read only as far as a page needs, and counted without being sorted.
    """
    host, everyone = context.host, in_order(context.host.people)
    match which.casefold():
        case "all":
            return _Found(everyone, len(host.people))
        case "":
            return _not_blocked(context, everyone, host.people.number_here, lambda one: one.here)
        case "here":
            number = sum(state(one) == "here" for _, one in host.people.known_parts())
            return _not_blocked(context, everyone, number, lambda one: state(one) == "here")
        case "away":
            parts = host.people.known_parts()
            away = sorted((one for _, one in parts if state(one) == "away"), key=lambda one: fold(one.name))
            return _not_blocked(context, away, len(away), lambda one: state(one) == "away")
    return _named(context, which)


def _named(context: Context, which: str) -> _Found:
    """Return the members of a room, or the people here whose names begin so; raises `UserError`."""
    host = context.host
    room = host.rooms.called(which)
    is_room = which.startswith("-") or (room is not None and room.may_see(context.person))
    beginning = fold(which.removeprefix("~"))
    if not is_room and (people := [one for one in in_order(host.people, beginning) if one.here]):
        return _not_blocked(context, people, len(people), people.__contains__)
    try:
        room = host.lookup.room(which, context.person)
    except NotFound:
        problem = f"nobody here is called “{shortened(which, 20)}”, and no room is. Type /rooms to list rooms."
        raise host.lookup.unknown(which) or NotFound(problem) from None
    members = room.people
    return _not_blocked(context, _members_in_order(context, room), len(members), lambda one: fold(one.name) in members)


def _members_in_order(context: Context, room: Room) -> Iterable[Someone]:
    """Return a room's members by name. Only a small room is sorted; else a page is picked from everyone's order."""
    everyone, members = context.host.people, room.people
    if len(members) * _SMALL < len(everyone):
        return [one for _, one in sorted(members.known_parts(), key=itemgetter(0))]
    return (one for one in in_order(everyone) if fold(one.name) in members)


def _not_blocked(
    context: Context, people: Iterable[Someone], number: int, belongs: Callable[[Someone], bool]
) -> _Found:
    """Return those of the people who belong to a list of this number, without those whom the reader blocks."""
    blocked = context.person.profile.blocked
    hidden = sum(belongs(one) for one in map(context.host.people.known_part, blocked) if one)
    return _Found((one for one in people if belongs(one) and fold(one.name) not in blocked), number - hidden)


def _who_row(reader: Person, person: Person) -> Line:
    ignores, ignored = (
        fold(person.name) in reader.profile.ignored,
        fold(reader.name) in person.profile.ignored,
    )
    mark = "|" if ignores and ignored else ">" if ignores else "<" if ignored else " "
    noted = "+" if person.profile.info or person.profile.memos else " "
    name = _fitted(named(person.name, person.profile.blurb), _CALLED)
    since = f"{datetime.fromtimestamp(person.activity.since, reader.profile.zone):%H:%M}"
    room = person.room.name if person.room.may_see(reader) else ""
    row = f"{mark}{noted}{name} {since:>8} {idle(person.activity.idle_seconds):>6}  {state(person):<8}  {room}"
    return Line(row, by=person.name)


@command("what", group="look around")
def what(context: Context, room: str = "") -> list[str | Line]:
    """List the rooms, or show all about one: /what cafe. /what 2 shows more rooms.

    `*` marks the rooms you've joined.
    """
    number = page_number(room or "1")
    if number is None:
        return _about(context, context.host.lookup.room(room, context.person))
    person, blocked = context.person, context.person.profile.blocked
    shown = page_of(
        (one for name, one in context.host.rooms.items() if one.may_see(person) and name not in blocked), number
    )
    rows = [_what_row(person, one) for one in shown.things]
    last = [f"(more rooms: /what {shown.number + 1})"] if shown.has_next else []
    return [f"  {'Name':<{_ROOM}} Users  Flags  Title", *rows, *last]


def _what_row(reader: Person, room: Room) -> Line:
    member = "*" if fold(reader.name) in room.people else " "
    charter = room.charter
    flags = f"{'e' if charter.emote else 'c'}{'p' if charter.private else ''}{'m' if charter.moderated else ''}"
    title = _fitted(room.title, _TITLE).rstrip()
    row = f"{member} {_fitted(room.name, _ROOM)} {len(room.people):>5}  {flags:<5}  {title}"
    return Line(row, by=charter.owner)


def _about(context: Context, room: Room) -> list[str | Line]:
    charter = room.charter
    kind = [word for word in ("private", "moderated", "emote") if getattr(charter, word)]
    roles = [
        f"{role}: {', '.join(sorted(people))}"
        for role, people in (("Moderators", charter.moderators), ("Speakers", charter.speakers))
        if people
    ]
    permitted = fold(context.person.name) in charter.keepers and charter.private and charter.permitted
    return [
        Line(f"{room.name}: {room.title}" if room.title else room.name, by=charter.owner),
        f"  Owner: {charter.owner or 'the server'}" + (f"; {', '.join(kind)}" if kind else ""),
        *(f"  {role}" for role in roles),
        *([f"  Permitted: {', '.join(sorted(charter.permitted))}"] if permitted else []),
        f"  Here: {_members(room)}",
    ]


def _members(room: Room) -> str:
    """Return the members of a room in words: some by name, and how many others."""
    names = [person.name for person in islice(room.people.values(), _NAMED)]
    others = len(room.people) - len(names)
    more = [f"{count(others, 'other')} (/who {room.name} lists them)"] if others else []
    return listing([*names, *more]) or "nobody"


@command("where", group="look around")
async def where(context: Context, name: str = "me") -> str:
    """List the rooms someone has joined, even if they are offline: /where bob. /where lists yours."""
    person, owned = await _known(context, name)
    joined = set(map(fold, owned.rooms))
    rooms = [
        room.name
        for key, room in context.host.rooms.items()
        if room.may_see(context.person)
        and (fold(person.name) in room.people or (key in joined and room.admits(person)))
    ]
    subject = "You are" if person is context.person else f"{person.name} is"
    return f"{subject} a member of {listing(rooms)}." if rooms else f"{subject} not a member of any room."


@command("how", group="look around")
def how(context: Context) -> str:
    """Count the people here, the rooms and the tables."""
    states = [person.state for person in present(context.host, context.person).people]
    numbers = ", ".join(f"{states.count(one)} {one}" for one in ("here", "away", "offline"))
    known = sum(room.may_see(context.person) for room in context.host.rooms.values())
    later = context.host.tables.returning()
    soon = f", and {later} coming back after a restart" if later else ""
    return f"({numbers}; {count(known, 'room')}, {count(context.host.playing(), 'table')} playing{soon})"


@command("idle", group="look around")
async def idlers(context: Context, page: int = 1) -> list[str]:
    """List who is here, with how long each has been idle. /idle 2 shows more."""
    host = context.host
    here = [one for _, one in host.people.known_parts() if one.here]
    times = await run_in_slices((-idle_seconds(host, one), number) for number, one in enumerate(here))
    longest = nsmallest(ROWS * max(page, 1) + 1, times)
    shown = page_of([here[number] for _, number in longest], page)
    rows = [f"{idle(idle_seconds(host, one)) or 'now':>6}  {one.name}" for one in shown.things]
    return [*rows, *([f"(more people: /idle {shown.number + 1})"] if shown.has_next else [])]


@command("why", group="look around")
def why(_: Context) -> str:
    """Answer “why not?”: it keeps an idle connection open."""
    return "(why not?)"


def _changed(context: Context, kind: Kind, text: str = "") -> None:
    context.host.keep(context.person)
    context.host.tell_about(context.person, context.person.did(kind, text=text), context.person.rooms)


def _blurbed(context: Context, text: str) -> str:
    """Set or remove the person's blurb and return it; raises `UserError` if it is too long or has brackets."""
    text = clean(text).strip().strip("[]").strip()
    if len(text) > BLURB:
        raise UserError(f"that blurb has {len(text)} characters. Use at most {BLURB}.")
    if "[" in text or "]" in text:
        raise UserError("leave out the brackets: they are added around your blurb.")
    blurb = "" if text.casefold() == "off" else text
    context.person.update_profile(blurb=blurb)
    return blurb


@command("blurb", group="you", says="anything")
def blurb(context: Context, text: Rest = "off") -> Line:
    """Show a few words after your name: /blurb back at nine. /blurb off removes them."""
    said = _blurbed(context, text)
    _changed(context, "blurb", said)
    return Line(f"(your blurb is now [{said}])" if said else "(your blurb has been turned off)", by=context.person.name)


@command("pronoun", group="you")
def pronoun(context: Context, word: str = "") -> str:
    """Choose the pronoun that news about you use: /pronoun her (or his, their or its)."""
    person, chosen = context.person, word.casefold()
    if chosen and chosen not in PRONOUNS:
        raise UserError(f"the pronoun can be {listing(PRONOUNS, 'or')}, as in /pronoun her.")
    if chosen:
        person.update_profile(pronoun="" if chosen == THEIR else chosen)
        _changed(context, "pronoun", chosen)
    return f"(news about you say “{person.profile.pronoun or THEIR}”)"


@command("here", group="you", says="anything")
async def here(context: Context, text: Rest = "") -> None:
    """Show that you're back, with a blurb if you like: /here deal me in. You see what you missed."""
    was_away = context.person.activity.away
    context.person.show(_be(context, "here", text))
    if was_away:
        await context.host.greet(context.person)


@command("away", group="you", says="anything")
def away(context: Context, text: Rest = "") -> Line:
    """Show that you're away, with a blurb if you like: /away supper."""
    return _be(context, "away", text)


def _be(context: Context, kind: Kind, text: str) -> Line:
    said = _blurbed(context, text) if text else context.person.profile.blurb
    if kind == "away":
        context.person.activity.leave(context.host.clock())
    else:
        context.person.activity.back()
    _changed(context, kind)
    return Line(f"(you are now {kind}{f' with the blurb [{said}]' if said else ''})", by=context.person.name)


@command("detach", group="start", whole=True)
def detach(context: Context) -> None:
    """Disconnect, and see what you missed when you come back. You keep your seats, and /who lists you."""
    terminal = context.person.terminal
    context.person.show(Line("(you've disconnected; log in again to continue)"))
    if terminal:
        say_goodbye(terminal, "bye")
    depart(context.host, context.person, goodbye=True, detaches=True)
    if terminal:
        terminal.close()


@command("finger", group="look around")
async def finger(context: Context, name: str = "me") -> list[str | Line]:
    """Show all about someone, even if they are offline: when they were here and what they wrote about themselves."""
    person, owned = await _known(context, name)
    called, zone = named(person.name, owned.blurb) + (" (guest)" if person.guest else ""), context.person.profile.zone
    rows: list[str | Line] = [Line(called, by=person.name)]
    if fold(person.name) in context.host.people:
        rows.append(
            f"  {state(person).capitalize()}, logged in {_day(person.activity.since, zone)},"
            f" idle {idle(person.activity.idle_seconds) or '0m'}"
        )
    elif owned.seen:
        rows.append(f"  Last here {_day(owned.seen, zone)}")
    rows += [f"  {fact}" for fact in await context.games.facts(person.name)]
    return [*rows, *_info(person, owned), *_memos(person, owned)]


def _info(person: Person, owned: Profile) -> list[Line]:
    """Return the lines of a person's info."""
    return _own_words(person, owned.info, "Info")


def _own_words(person: Person, lines: Sequence[str], what: str) -> list[Line]:
    """Return lines of a person's own words."""
    return [quoted(person.name, line, f"{what} of {person.name}:") for line in lines]


def _memos(person: Person, owned: Profile) -> list[Line]:
    """Return the line that lists a person's memos, if they have any."""
    return [Line(f"  Memos of {person.name}: {', '.join(owned.memos)}", by=person.name)] if owned.memos else []


def _day(at: float, zone: ZoneInfo) -> str:
    return f"{datetime.fromtimestamp(at, zone):%a %b %d %Y %H:%M %Z}"


async def _known(context: Context, name: str) -> tuple[Person, Profile]:
    """Return a person, here or offline, and their profile; raises `UserError`."""
    if fold(name) == "me":
        return context.person, context.person.profile
    person = context.host.lookup.recipient(f"~{name.removeprefix('~')}", context.person)
    if not isinstance(person, Person):
        raise NotFound(f"nobody is called “{shortened(name, 20)}”. Type /who to see who is here.")
    if fold(person.name) in context.host.people:
        return person, person.profile
    return person, await context.host.owned(person.name)


def _has(context: Context, person: Person) -> str:
    return "you have" if person is context.person else f"{person.name} has"


@command("info", group="you", says=("add", "set", "edit"))
async def info(context: Context, who: str = "me", text: Rest = "") -> Sequence[str | Line]:
    """Read what someone wrote about themselves, or write your own: /info bob; /info add I like wizard; /info clear.

    /info edit lets you write it line by line.
    """
    own = context.person.profile.info
    match who.casefold():
        case "add" | "set" if text.strip():
            kept = own if who.casefold() == "add" else ()
            if len(kept) >= LINES:
                raise UserError(
                    f"your info already has {LINES} lines, which is the limit. Type /info clear to start again."
                )
            set_info(context.host, context.person, (*kept, clean(text).strip()[:LONGEST]))
        case "edit" if terminal := context.person.terminal:
            lines = await edited(terminal, own, "info", context.person.name)
            if lines is None:
                return ["(nothing has changed; /info clear removes your info)"]
            set_info(context.host, context.person, lines)
        case "clear":
            set_info(context.host, context.person, ())
        case _:
            person, owned = await _known(context, who)
            return _info(person, owned) or [f"({_has(context, person)} written no info)"]
    return [f"(your info has {count(len(context.person.profile.info), 'line')})"]


@command("memo", group="you", says=("set", "edit"), private=True)
async def memo(context: Context, who: str = "me", name: str = "", text: Rest = "") -> Sequence[str | Line]:
    """Read someone's memos, or write your own: /memo bob; /memo bob plan; /memo set plan TEXT; /memo clear plan.

    /memo plan reads your own, and /memo edit plan lets you write it line by line.
    """
    person, name = context.person, clean(name)[:NAME]
    own = person.profile.memos
    match who.casefold():
        case "set" if name and text.strip():
            set_memo(context.host, person, name, (clean(text).strip()[:LONGEST],))
        case "edit" if name and (terminal := person.terminal):
            before = own[name].split("\n") if name in own else ()
            lines = await edited(terminal, before, f"memo {name}", person.name)
            if lines is None:
                return [Line(f"(nothing has changed; /memo clear {name} removes it)", by=person.name)]
            set_memo(context.host, person, name, lines)
        case "clear" if name in own:
            set_memo(context.host, person, name, ())
        case "clear" | "set" | "edit":
            raise UserError("type /memo set NAME TEXT to write a memo, /memo edit NAME, or /memo clear NAME.")
        case _ if not name and who in own:
            return _own_words(person, own[who].split("\n"), "Memo")
        case _:
            other, owned = await _known(context, who)
            if name in owned.memos:
                return _own_words(other, owned.memos[name].split("\n"), "Memo")
            return _memos(other, owned) or [f"({_has(context, other)} no memos)"]
    return [Line(f"(your memos: {', '.join(person.profile.memos) or 'none'})", by=person.name)]
