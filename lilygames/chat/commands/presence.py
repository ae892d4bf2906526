"""What people type about being here: who is, who they are, and what they want others to know of it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import attrs

from lilygames.chat.arrivals import depart
from lilygames.chat.errors import NoSuch, Sorry
from lilygames.chat.events import Kind, named
from lilygames.chat.host import Call
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.chat.profile import Belongings
from lilygames.commands import Rest, command
from lilygames.text import Line, clean, columns, count, listing, quoted

BLURB, INFO, LINES, MEMOS = 30, 200, 10, 20
"""Characters of a blurb and of a line of info, lines of info, and memos that one person may have."""
_MINUTE = 60
_NAME, _ROOM, _TITLE = 34, 16, 40


def idle(last: float) -> str:
    """Return for how long somebody has typed nothing, in minutes and hours."""
    minutes = int(time.monotonic() - last) // _MINUTE
    return "" if not minutes else f"{minutes}m" if minutes < _MINUTE else f"{minutes // _MINUTE}h{minutes % _MINUTE:02}"


def _fitted(text: str, width: int) -> str:
    """Return text cut or filled to so many columns."""
    while columns(text) > width:
        text = text[:-2] + "~"
    return text + " " * (width - columns(text))


def state(person: Person) -> str:
    """Return whether somebody is here, away, or detached from a seat that is kept."""
    return "detached" if not person.here else "away" if person.away else "here"


@command("who", group="look around")
def who(call: Call, which: str = "") -> list[str | Line]:
    """List who is here, since when, how long idle, and where: /who, /who away, /who cafe, /who all."""
    people = [person for person in call.host.people.values() if person.here]
    match which.casefold():
        case "here" | "away":
            people = [person for person in people if state(person) == which.casefold()]
        case "all":
            people = [*call.host.people.values()]
        case _ if which:
            people = [*call.host.room(which, call.person).people.values()]
    if which.casefold() != "all":
        people = [person for person in people if fold(person.name) not in call.person.belongings.blocked]
    rows = [_who_row(call.person, person) for person in sorted(people, key=lambda person: fold(person.name))]
    head = f"  {'Name':<{_NAME}} On since   Idle  State     In"
    return [head, *rows, f"({count(len(rows), 'person is', 'people are')} here)"]


def _who_row(reader: Person, person: Person) -> Line:
    ignores, ignored = (
        fold(person.name) in reader.belongings.ignored,
        fold(reader.name) in person.belongings.ignored,
    )
    mark = "|" if ignores and ignored else ">" if ignores else "<" if ignored else " "
    noted = "+" if person.belongings.info or person.belongings.memos else " "
    name = _fitted(named(person.name, person.belongings.blurb), _NAME)
    since = time.strftime("%H:%M", time.localtime(person.since))
    room = person.room.name if person.room.may_see(reader) else ""
    row = f"{mark}{noted}{name} {since:>8} {idle(person.last):>6}  {state(person):<8}  {room}"
    return Line(row, by=person.name)


@command("what", group="look around")
def what(call: Call, room: str = "") -> list[str | Line]:
    """List the discussions, or say all about one: /what cafe. `*` marks those you are a member of."""
    if room:
        return _about(call, call.host.room(room, call.person))
    blocked = call.person.belongings.blocked
    rooms = [one for one in call.host.rooms.values() if one.may_see(call.person) and fold(one.name) not in blocked]
    return [f"  {'Name':<{_ROOM}} Users  Flags  Title", *(_what_row(call.person, one) for one in rooms)]


def _what_row(reader: Person, room: Room) -> Line:
    member = "*" if fold(reader.name) in room.people else " "
    charter = room.charter
    flags = f"{'e' if charter.emote else 'c'}{'p' if charter.private else ''}{'m' if charter.moderated else ''}"
    title = _fitted(room.title, _TITLE).rstrip()
    row = f"{member} {_fitted(room.name, _ROOM)} {len(room.people):>5}  {flags:<5}  {title}"
    return Line(row, by=charter.owner)


def _about(call: Call, room: Room) -> list[str | Line]:
    charter = room.charter
    kind = [word for word in ("private", "moderated", "emote") if getattr(charter, word)]
    roles = [
        f"{role}: {', '.join(sorted(people))}"
        for role, people in (("Moderators", charter.moderators), ("Speakers", charter.speakers))
        if people
    ]
    permitted = fold(call.person.name) in charter.keepers and charter.private and charter.permitted
    return [
        Line(f"{room.name}: {room.title}" if room.title else room.name, by=charter.owner),
        f"  Owner: {charter.owner or 'the house'}" + (f"; {', '.join(kind)}" if kind else ""),
        *(f"  {role}" for role in roles),
        *([f"  Permitted: {', '.join(sorted(charter.permitted))}"] if permitted else []),
        f"  Here: {listing(person.name for person in room.people.values()) or 'nobody'}",
    ]


@command("where", group="look around")
async def where(call: Call, name: str = "me") -> str:
    """Say which discussions somebody is a member of, here or not: /where bob; /where alone: you."""
    person, owned = await _known(call, name)
    joined = set(map(fold, owned.rooms))
    rooms = [
        room.name
        for key, room in call.host.rooms.items()
        if room.may_see(call.person) and (fold(person.name) in room.people or (key in joined and room.admits(person)))
    ]
    subject = "You are" if person is call.person else f"{person.name} is"
    return f"{subject} a member of {', '.join(rooms) or 'no discussion'}."


@command("how", group="look around")
def how(call: Call) -> str:
    """Say how many are here, and how many discussions there are."""
    states = [state(person) for person in call.host.people.values()]
    numbers = ", ".join(f"{states.count(one)} {one}" for one in ("here", "away", "detached"))
    known = sum(room.may_see(call.person) for room in call.host.rooms.values())
    return f"({numbers}; {count(known, 'discussion')}, {count(call.host.playing(), 'table')} playing)"


@command("idle", group="look around")
def idlers(call: Call) -> list[str]:
    """List who is here by how long they have typed nothing."""
    here = sorted((person for person in call.host.people.values() if person.here), key=lambda person: person.last)
    return [f"{idle(person.last) or 'now':>6}  {person.name}" for person in here]


@command("why", group="look around")
def why(_: Call) -> str:
    """Say why not: it keeps a line alive."""
    return "(why not?)"


def _changed(call: Call, kind: Kind, text: str = "") -> None:
    call.host.keep(call.person)
    call.host.tell_all(call.person.did(kind, text=text), but=call.person)


def _blurbed(call: Call, text: str) -> str:
    """Set or turn off somebody's blurb, and return how it reads; raises `Sorry` for one that is too long or odd."""
    text = clean(text).strip().strip("[]").strip()
    if len(text) > BLURB:
        raise Sorry(f"a blurb has {BLURB} characters at most; this one has {len(text)}.")
    if "[" in text or "]" in text:
        raise Sorry("a blurb has no brackets in it; they stand around it.")
    blurb = "" if text.casefold() == "off" else text
    call.person.belongings = attrs.evolve(call.person.belongings, blurb=blurb)
    return blurb


@command("blurb", group="you")
def blurb(call: Call, text: Rest = "off") -> Line:
    """Put a few words behind your name: /blurb back at nine; /blurb off takes them away."""
    said = _blurbed(call, text)
    _changed(call, "blurb", said)
    return Line(f"(your blurb is now [{said}])" if said else "(your blurb has been turned off)", by=call.person.name)


@command("here", group="you")
async def here(call: Call, text: Rest = "") -> None:
    """Say that you are here, with a blurb if you like: /here deal me in. You are told what was said meanwhile."""
    was_away = call.person.away
    call.person.show(_be(call, "here", text))
    if was_away:
        await call.host.greet(call.person)


@command("away", group="you")
def away(call: Call, text: Rest = "") -> Line:
    """Say that you are away from the keyboard, with a blurb if you like: /away supper."""
    answer = _be(call, "away", text)
    call.person.missed_since = call.host.clock()
    return answer


def _be(call: Call, kind: Kind, text: str) -> Line:
    said = _blurbed(call, text) if text else call.person.belongings.blurb
    call.person.away = kind == "away"
    _changed(call, kind)
    return Line(f"(you are now {kind}{f' with the blurb [{said}]' if said else ''})", by=call.person.name)


@command("detach", group="start")
def detach(call: Call) -> None:
    """Hang up, and be told what you missed when you come back; a seat is kept."""
    terminal = call.person.terminal
    call.person.show(Line("(you have detached; log in again to go on)"))
    depart(call.host, call.person, goodbye=True)
    if terminal:
        terminal.close()


@command("finger", group="look around")
async def finger(call: Call, name: str = "me") -> list[str | Line]:
    """Say who somebody is: since when they are here, where, and what they tell of themselves."""
    person, owned = await _known(call, name)
    called = named(person.name, owned.blurb) + (" (guest)" if person.guest else "")
    rows: list[str | Line] = [Line(called, by=person.name)]
    if fold(person.name) in call.host.people:
        rows.append(
            f"  {state(person).capitalize()}, on since {_day(person.since)}, idle {idle(person.last) or 'not at all'}"
        )
    elif owned.seen:
        rows.append(f"  Last here {_day(owned.seen)}")
    for facts in call.host.facts:
        rows += [f"  {fact}" for fact in await facts(person.name)]
    return [*rows, *_info(person, owned), *_memos(person, owned)]


def _info(person: Person, owned: Belongings) -> list[Line]:
    """Return what somebody tells of themselves."""
    return [quoted(person.name, line, f"Info of {person.name}:") for line in owned.info]


def _memos(person: Person, owned: Belongings) -> list[Line]:
    """Return the row that lists somebody's memos, if there are any."""
    return [Line(f"  Memos of {person.name}: {', '.join(owned.memos)}", by=person.name)] if owned.memos else []


def _day(at: float) -> str:
    return time.strftime("%a %b %d %Y %H:%M %Z", time.localtime(at))


async def _known(call: Call, name: str) -> tuple[Person, Belongings]:
    """Return somebody, here or away, and what they own; raises `Sorry`."""
    if fold(name) == "me":
        return call.person, call.person.belongings
    person = call.host.recipient(f"~{name.removeprefix('~')}", call.person)
    if not isinstance(person, Person):
        raise NoSuch(f"there is no person “{name[:20]}”; /who lists who is here.")
    if fold(person.name) in call.host.people:
        return person, person.belongings
    return person, await call.host.owned(person.name)


@command("info", group="you")
async def info(call: Call, who: str = "me", text: Rest = "") -> Sequence[str | Line]:
    """Read what somebody tells of themselves, or write it: /info bob; /info add I like wizard; /info clear."""
    own = call.person.belongings
    line = clean(text).strip()[:INFO]
    match who.casefold():
        case "add" | "set" if line:
            kept = own.info if who.casefold() == "add" else ()
            if len(kept) >= LINES:
                raise Sorry(f"info has {LINES} lines at most; /info clear begins anew.")
            call.person.belongings = attrs.evolve(own, info=(*kept, line))
        case "clear":
            call.person.belongings = attrs.evolve(own, info=())
        case _:
            person, owned = await _known(call, who)
            return _info(person, owned) or [f"({person.name} has told nothing yet)"]
    _changed(call, "info")
    return [f"(your info has {count(len(call.person.belongings.info), 'line')})"]


@command("memo", group="you")
async def memo(call: Call, who: str = "me", name: str = "", text: Rest = "") -> Sequence[str | Line]:
    """Read somebody's memos, or write yours: /memo bob; /memo bob plans; /memo set plans TEXT; /memo clear plans."""
    own = call.person.belongings
    name, line = clean(name)[:16], clean(text).strip()[:INFO]
    match who.casefold():
        case "set" if name and line:
            if name not in own.memos and len(own.memos) >= MEMOS:
                raise Sorry(f"{MEMOS} memos are the most; /memo clear NAME wipes one out.")
            call.person.belongings = attrs.evolve(own, memos={**own.memos, name: line})
        case "clear" if name in own.memos:
            left = {one: said for one, said in own.memos.items() if one != name}
            call.person.belongings = attrs.evolve(own, memos=left)
        case "clear" | "set":
            raise Sorry("a memo is written by /memo set NAME TEXT, and wiped out by /memo clear NAME.")
        case _:
            person, owned = await _known(call, who)
            if name in owned.memos:
                return [quoted(person.name, owned.memos[name], f"Memo of {person.name}:")]
            return _memos(person, owned) or [f"({person.name} has no memos)"]
    _changed(call, "memo", name)
    return [Line(f"(your memos: {', '.join(call.person.belongings.memos) or 'none'})", by=call.person.name)]
