"""Commands about what you see and hear: news, bells, timestamps, and people you ignore or block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lilygames.chat.host.context import Context
from lilygames.chat.names.names import fold
from lilygames.chat.people import notifications
from lilygames.chat.people.notifications import Sense
from lilygames.chat.people.people import Person, Room
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.text import count, listing, shortened

_WORDS = ("on", "off", "clear", "default")


def _set(context: Context, sense: Sense, words: Sequence[str]) -> list[str]:
    """Set rules of a sense from words like `join,quit cafe off`, or list them."""
    person = context.person
    rules = person.profile.noise.get(sense, {})
    if not words:
        rows = [f"{'on ' if value else 'off'} {key}" for key, value in sorted(rules.items())]
        return [*rows, f"(type /{sense} EVENTS NAMES on, off or clear; events: {' '.join(notifications.EVENTS)})"]
    *said, last = [word.casefold() for word in words]
    if last not in _WORDS:
        raise UserError(
            f"end with on, off, clear or default: /{sense} join,quit ohell off."
            " To hear of new seeks, type /seeks notify GAME."
        )
    if last == "default":
        after: dict[str, bool] = {}
    else:
        names = [name for word in said for name in word.split(",") if name]
        events = tuple(name for name in names if name in notifications.EVENTS or name == "all")
        things = tuple(_thing(context, name) for name in names if name not in events)
        after = notifications.changed(rules, events, things, last)
    person.update_profile(noise={**person.profile.noise, sense: after})
    context.host.keep(person)
    set_to, undo = f"/{sense} {' '.join((*said, last))}", f"/{sense} {' '.join((*said, 'clear'))}"
    return [f"({set_to}: done. Type {undo} to undo it.)" if last in ("on", "off") else f"({set_to}: done.)"]


def _thing(context: Context, name: str) -> str:
    """Return the folded name of the person or room that a rule is about; raises `UserError`."""
    return fold(context.host.lookup.recipient(name, context.person).name)


@command("notify", group="you", syntax="[EVENTS] [NAMES] [on|off|clear|default]")
def notify(context: Context, *words: str) -> list[str]:
    """Choose which news you see: /notify join,quit off; /notify connect bob on; /notify game ohell off.

    Type events, then people or rooms, then on, off, clear or default.
    Messages to you and your turn are always shown. Type /ignore NAME to stop
    someone's messages.
    """
    return _set(context, "notify", words)


@command("signal", group="you", syntax="[EVENTS] [NAMES] [on|off|clear|default]")
def signal(context: Context, *words: str) -> list[str]:
    """Choose what rings your bell: /signal private on; /signal public cafe on; /signal turn on."""
    return _set(context, "signal", words)


@command("timestamp", group="you", syntax="[EVENTS] [NAMES] [on|off|clear|default]")
def timestamp(context: Context, *words: str) -> list[str]:
    """Choose what is shown with the time: /timestamp private,public on; /timestamp all off."""
    return _set(context, "timestamp", words)


@command("ignore", group="you")
def ignore(context: Context, name: str = "", *where: str) -> list[str] | str:
    """Stop seeing someone's messages: /ignore bob (private), /ignore bob all, /ignore bob public -cafe (except cafe).

    They are told. /ignore lists who you ignore, /ignore by others shows who
    ignores you, and /ignore count how many do. To stop: /unignore bob.
    """
    person = context.person
    if not name or (name.casefold() == "by" and where[:1] == ("me",)):
        rows = [f"{other}: {', '.join(words)}" for other, words in person.profile.ignored.items()]
        return rows or ["(you aren't ignoring anyone)"]
    near = context.host.people.nearby()  # nobody who ignores someone is distant
    others = [one.name for one in near if fold(person.name) in one.profile.ignored]
    if name.casefold() == "by":
        return f"({listing(others) or 'nobody here'} {'ignore' if len(others) > 1 else 'ignores'} you)"
    if name.casefold() == "count":
        here = count(len(others), "person here ignores", "people here ignore")
        return f"(you ignore {count(len(person.profile.ignored), 'person', 'people')}; {here} you)"
    if where == ("off",):
        return _heard_again(context, name)
    other = _other(context, name)
    words = tuple(_place(context, word) for one in where for word in one.split(",") if word) or ("private",)
    if other is person:
        raise UserError("you can't ignore yourself. Type /ignore and someone else's name.")
    ignored = {**person.profile.ignored, fold(other.name): words}
    person.update_profile(ignored=ignored)
    context.host.keep(person)
    context.host.tell(person.did("ignore", to=(other.name,), text=f" ({', '.join(words)})"), [other])
    return [
        f"(You are ignoring {other.name}: {', '.join(words)}. You still see what they do at your table.)",
        f"(Type /unignore {other.name} to undo it.)",
    ]


def _other(context: Context, name: str) -> Person:
    found = context.host.lookup.recipient(f"~{name.removeprefix('~')}", context.person)
    if isinstance(found, Room):
        raise UserError(
            f"{found.name} is a room. Type /quit {found.name} to leave it, or /notify all {found.name} off."
        )
    return found


def _place(context: Context, word: str) -> str:
    folded = word.casefold()
    if folded in ("private", "public", "all"):
        return folded
    dash = "-" if folded.startswith("-") else ""
    return dash + fold(context.host.lookup.room(folded.removeprefix("-"), context.person).name)


@command("unignore", group="you")
def unignore(context: Context, name: str) -> str:
    """Stop ignoring someone: /unignore bob."""
    return _heard_again(context, name)


def _heard_again(context: Context, name: str) -> str:
    """Stop ignoring a person and tell them; raises `UserError` if the name isn't on the list."""
    person = context.person
    known = _one_of(
        person.profile.ignored, name, f"you aren't ignoring “{shortened(name, 20)}”. Type /ignore to see your list."
    )
    ignored = {one: words for one, words in person.profile.ignored.items() if one != known}
    person.update_profile(ignored=ignored)
    context.host.keep(person)
    other = context.host.people.get(known)
    if other:
        context.host.tell(person.did("unignore", to=(other.name,)), [other])
    return f"(You've stopped ignoring {known}.)"


@command("block", group="you")
def block(context: Context, name: str = "", switch: str = "on") -> str:
    """Leave a person or a room out of your lists: /block bob. /block bob off lists them again.

    You still get their messages; /ignore stops those. /block shows who you block.
    """
    person = context.person
    blocked = person.profile.blocked
    if not name:
        return (
            f"(You're blocking {listing(blocked)}. Type /block NAME off to undo it.)"
            if blocked
            else "(You aren't blocking anyone.)"
        )
    match switch.casefold():
        case "on":
            thing = _thing(context, name)
            after = tuple(dict.fromkeys((*blocked, thing)))
            answer = f"({thing} is now left out of your lists. Type /block {thing} off to undo it.)"
        case "off":
            thing = _one_of(
                blocked, name, f"you aren't blocking “{shortened(name, 20)}”. Type /block to see your list."
            )
            after = tuple(one for one in blocked if one != thing)
            answer = f"({thing} is back in your lists.)"
        case _:
            raise UserError("type /block NAME, or /block NAME off to undo it.")
    person.update_profile(blocked=after)
    context.host.keep(person)
    return answer


def _one_of(names: Iterable[str], typed: str, otherwise: str) -> str:
    """Return the folded name that was typed, or the only one it abbreviates; raises `UserError(otherwise)`."""
    begun = [name for name in names if name.startswith(fold(typed))]
    found = [name for name in begun if name == fold(typed)] or begun
    if len(found) != 1:
        raise UserError(otherwise)
    return found[0]
