"""Commands that send messages: /tell, /emote, /also, /oops, and groups of people."""

from __future__ import annotations

from collections.abc import Iterable

from lilygames.chat.host.context import Context
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.talk import talk
from lilygames.commands import Rest, command
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, shortened

MOST, LONGEST = 50, 16
"""Maximum groups per person, and letters of a group's name."""


@command("tell", group="talk", says="anything", private=True)
def tell(context: Context, names: str, text: Rest) -> None:
    """Send a message to people or rooms: /tell bob hello, /tell bob,ann hello."""
    talk.send(context.host, context.person, [name for name in names.split(",") if name], text)


@command("pa", group="talk", says="anything")
def pa(context: Context, text: Rest) -> str:
    """Send a message to everyone here, even if they ignore you. For sysops only."""
    if not context.host.is_sysop(context.person):
        raise UserError("only sysops can do that. Type -lobby;TEXT to reach everyone in the lobby.")
    context.host.tell_all(context.person.did("pa", text=talk.sayable(text)), but=context.person)
    return "(message sent to everyone here)"


@command("emote", "me", group="talk", says="anything")
def emote(context: Context, text: Rest) -> None:
    """Show an action in your room: /emote grins. Start with a quote to speak: /emote "hello."""
    talk.emote(context.host, context.person, context.person.room, text)


@command("send", group="talk")
def send(context: Context, names: str = "") -> str:
    """Choose where your plain text goes: /send bob,-cafe. /send off sends it to the room you are in again."""
    person = context.person
    if names:
        to = () if names.casefold() == "off" else talk.reached(context.host, person, names.split(","))
        person.update_profile(sends_to=",".join(to))
        context.host.keep(person)
    return f"(your plain text goes to {_read(person.profile.sends_to.split(',')) or person.room.name})"


def _read(marks: Iterable[str]) -> str:
    """Return the names in recipient marks, as people read them."""
    return ", ".join(mark.lstrip("~-") for mark in marks)


@command("also", group="talk", says="anything")
def also(context: Context, names: str) -> None:
    """Send your last message to others as well: /also cat."""
    talk.also(context.host, context.person, names.split(","))


@command("oops", group="talk", says="anything")
def oops(context: Context, names: str) -> None:
    """Send your last message to the right people and apologise to the others: /oops cat."""
    talk.oops(context.host, context.person, names.split(","))


@command("group", group="talk")
def group(context: Context, name: str = "", verb: str = "", names: str = "") -> list[Line] | Line | str:
    """Make a group of people: /group team add bob,ann. Then type team;hello. Remove with del NAMES or kill."""
    person, groups = context.person, context.person.profile.groups
    members = groups.get(fold(name), ())
    match verb.casefold():
        case "" if not name:
            return [_row(person, one, who) for one, who in groups.items()] or "(you have no groups)"
        case "" if members:
            return _row(person, name, members)
        case "":
            raise NotFound(f"you have no group called “{shortened(name, 20)}”. Type /group NAME add NAMES to make one.")
        case "add" if names and (len(fold(name)) > LONGEST or (not members and len(groups) >= MOST)):
            raise UserError(
                f"you can have {MOST} groups, with names of up to {LONGEST} letters."
                " Type /group NAME kill to remove one."
            )
        case "add" if names:
            added = talk.reached(context.host, person, names.split(","))
            after = {**groups, fold(name): tuple(dict.fromkeys((*members, *added)))[: talk.MOST]}
        case "del" if names:
            gone = [fold(one).lstrip("~-") for one in names.split(",")]
            after = {**groups, fold(name): tuple(one for one in members if fold(_read([one])) not in gone)}
        case "kill":
            after = {one: who for one, who in groups.items() if one != fold(name)}
        case _:
            raise UserError("type /group NAME add NAMES, /group NAME del NAMES or /group NAME kill.")
    person.update_profile(groups={one: who for one, who in after.items() if who})
    context.host.keep(person)
    return _row(person, name, person.profile.groups.get(fold(name), ()))


def _row(person: Person, group: str, marks: Iterable[str]) -> Line:
    return Line(f"Group {group[:LONGEST]}: {_read(marks) or 'nobody'}", by=person.name)
