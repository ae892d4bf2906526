"""/friend: keep a list of friends, and see which of them are here."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.host.context import Context
from lilygames.chat.host.friends import MOST, has_friend, shuns
from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import distance
from lilygames.chat.people.people import Person, Room
from lilygames.commands import command
from lilygames.errors import NotFound, UserError
from lilygames.text import count, shortened


@command("friend", "friends", group="you", syntax="[add NAME | remove NAME | list]")
async def friend(context: Context, verb: str = "list", name: str = "") -> Sequence[str] | str:
    """Hear when your friends log in: /friend add bob, /friend remove bob. /friend lists them, with who is here.

    They aren't told. A friend who blocks or ignores you isn't shown as here, and
    you don't hear of their logins. Guests have no friends: names of guests change.
    """
    if context.person.guest:
        raise UserError("guests can't have a list of friends. Type /register PASSWORD to keep your name.")
    match verb.casefold():
        case "list" if not name:
            return await _listed(context)
        case "add" if name:
            return _add(context, name)
        case "remove" | "delete" if name:
            return _remove(context, name)
    raise UserError("type /friend add NAME, /friend remove NAME, or /friend to list your friends.")


async def _listed(context: Context) -> Sequence[str] | str:
    names = context.person.profile.friends
    if not names:
        return "(you have no friends on your list; /friend add NAME adds one)"
    here = [one for name in names if (one := context.host.people.get(name)) and one.here]
    here = sorted((one for one in here if has_friend(context.person, one)), key=lambda one: fold(one.name))
    away = sorted({*names} - {fold(one.name) for one in here})
    rows = [*(_here(context.person, one) for one in here), *[await _absent(context, name) for name in away]]
    return [*rows, f"({count(len(names), 'friend')}, {len(here)} here)"]


def _here(reader: Person, friend: Person) -> str:
    """Return `bob: here, in ohell`."""
    room = f", in {friend.room.name}" if friend.room.may_see(reader) else ""
    return f"{friend.name}: {'away' if friend.activity.away else 'here'}{room}"


async def _absent(context: Context, name: str) -> str:
    """Return `bob: last here 2 days ago`, or `bob: not here` if that isn't known or bob doesn't want it known."""
    own, written = fold(context.person.name), context.host.accounts.names.get(name, name)
    known = await context.host.owned(written)
    if own in known.blocked or own in known.ignored or not known.seen:
        return f"{written}: not here"
    return f"{written}: last here {distance(known.seen - context.host.clock())}"


def _add(context: Context, name: str) -> str:
    person = context.person
    other = context.host.lookup.recipient(f"~{name.removeprefix('~')}", person)
    if isinstance(other, Room) or fold(other.name) not in context.host.accounts.names:
        raise UserError(f"{other.name} is a guest, and a guest's name can be another person's tomorrow.")
    if other is person or fold(other.name) == fold(person.name):
        raise UserError("you're always your own friend. Type /friend add and someone else's name.")
    if shuns(person, other):
        raise UserError(f"you're blocking or ignoring {other.name}. Type /block {other.name} off or /unignore first.")
    friends = person.profile.friends
    if fold(other.name) in friends:
        raise UserError(f"{other.name} is already your friend. Type /friend to list your friends.")
    if len(friends) >= MOST:
        raise UserError(f"your list has {MOST} friends, which is the limit. Type /friend remove NAME first.")
    _keep(context, person, (*friends, fold(other.name)))
    return f"({other.name} is now your friend. You'll hear when they log in.)"


def _remove(context: Context, name: str) -> str:
    friends = context.person.profile.friends
    found = [one for one in friends if one == fold(name)] or [one for one in friends if one.startswith(fold(name))]
    if len(found) != 1:
        raise NotFound(f"you have no friend “{shortened(name, 20)}”. Type /friend to list your friends.")
    _keep(context, context.person, tuple(one for one in friends if one != found[0]))
    return f"({context.host.accounts.names.get(found[0], found[0])} is no longer your friend.)"


def _keep(context: Context, person: Person, friends: tuple[str, ...]) -> None:
    person.update_profile(friends=friends)
    context.host.keep(person)
