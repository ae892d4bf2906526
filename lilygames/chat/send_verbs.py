"""What people type to say things to some people, again, to others as well, or to whom it was meant for."""

from __future__ import annotations

import attrs

from lilygames.chat import talk
from lilygames.chat.host import Call
from lilygames.chat.names import fold
from lilygames.chat.sorry import Sorry
from lilygames.commands import Rest, command


@command("tell", group="talk")
def tell(call: Call, names: str, text: Rest) -> None:
    """Say something to some people or discussions only: /tell bob hello, /tell bob,ann hello."""
    talk.send(call.host, call.person, [name for name in names.split(",") if name], text)


@command("emote", "me", group="talk")
def emote(call: Call, text: Rest) -> None:
    """Act out something in your room: /emote grins. With a quote in front you speak: /emote "hello."""
    talk.emote(call.host, call.person, call.person.room, text)


@command("send", group="talk")
def send(call: Call, names: str = "") -> str:
    """Say where your plain text goes from now on: /send bob,-cafe. /send off: to the room you are in again."""
    person = call.person
    if names and names.casefold() != "off":
        for name in names.split(","):
            if fold(name) != "me" and fold(name) not in person.belongings.groups:
                call.host.recipient(name, person)
        person.belongings = attrs.evolve(person.belongings, sends_to=names)
    elif names:
        person.belongings = attrs.evolve(person.belongings, sends_to="")
    call.host.keep(person)
    return f"(plain text goes to {person.belongings.sends_to or person.room.name})"


@command("also", group="talk")
def also(call: Call, names: str) -> None:
    """Send your last message to others as well: /also cat."""
    talk.also(call.host, call.person, names.split(","))


@command("oops", group="talk")
def oops(call: Call, names: str) -> None:
    """Your last message went to the wrong place: say sorry there, and send it to whom it was meant for: /oops cat."""
    talk.oops(call.host, call.person, names.split(","))


@command("group", group="talk")
def group(call: Call, name: str = "", verb: str = "", names: str = "") -> list[str] | str:
    """Name some people for yourself: /group team add bob,ann. Then team;hello reaches them. del, kill take away."""
    person, groups = call.person, call.person.belongings.groups
    members = groups.get(fold(name), ())
    chosen = [fold(one) for one in names.split(",") if one]
    match verb.casefold():
        case "" if not name:
            return [f"{one}: {', '.join(who)}" for one, who in groups.items()] or ["(you have no groups)"]
        case "":
            return (
                f"{name}: {', '.join(members)}" if members else f"(there is no group {name}; /group {name} add NAMES)"
            )
        case "add" if chosen:
            for one in chosen:
                call.host.recipient(one, person)
            after = {**groups, fold(name): tuple(dict.fromkeys((*members, *chosen)))}
        case "del" if chosen:
            after = {**groups, fold(name): tuple(one for one in members if one not in chosen)}
        case "kill":
            after = {one: who for one, who in groups.items() if one != fold(name)}
        case _:
            raise Sorry("a group is made by /group NAME add NAMES, and changed by del NAMES and kill.")
    person.belongings = attrs.evolve(person.belongings, groups={one: who for one, who in after.items() if who})
    call.host.keep(person)
    return f"({name}: {', '.join(person.belongings.groups.get(fold(name), ())) or 'nobody'})"
