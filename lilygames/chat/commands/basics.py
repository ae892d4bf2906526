"""What people type to talk, to look around and to ask for help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from lilygames import help as manual
from lilygames.chat import focus
from lilygames.chat.arrivals import depart
from lilygames.chat.errors import Sorry
from lilygames.chat.host import Call
from lilygames.chat.people import Room
from lilygames.commands import Command, Rest, Several, Unknown, command, find
from lilygames.store import Unavailable
from lilygames.text import Line, listing


@command("rooms", group="look around")
def rooms(call: Call) -> list[str | Line]:
    """List the discussions, how many are in each, and what each is for."""
    seen = [room for room in call.host.rooms.values() if room.may_see(call.person)]
    rows = [
        Line(f"{_mark(call, room)} {room.name:<16} {len(room.people):>3}  {room.title}", by=room.charter.owner)
        for room in seen
    ]
    return [*rows, "(* marks those you are a member of; /join NAME enters one)"]


def _mark(call: Call, room: Room) -> str:
    return "*" if call.person in room.people.values() else " "


@command("bye", "exit", "logout", group="start")
async def bye(call: Call) -> None:
    """Hang up. A seat at a table is kept for you, and no client of yours comes back without your password."""
    person, terminal = call.person, call.person.terminal
    try:
        await call.host.sessions.end(call.host.accounts.key(person.name), call.host.clock())
    except Unavailable:
        person.show(Line("(your sessions can't be ended now: they end after 12 hours, or by a new /password)"))
    if person.terminal is not terminal:
        return  # a newer connection has taken over meanwhile
    person.show(Line("Goodbye." if not person.seats else "Goodbye; your seat is kept."))
    depart(call.host, person, goodbye=True)
    if terminal:
        terminal.close()


@command("help", "?", group="start")
def help_(call: Call, page: Rest = "") -> Sequence[str | Line]:
    """Show a help page: /help, /help ohell, /help bid, /help commands, /help search trump."""
    word, _, rest = page.strip().removeprefix("/").partition(" ")
    match word.casefold(), rest:
        case "commands", "":
            return _commands(call)
        case "search", sought if sought:
            found = call.host.pages.search(sought)
            said = f"Pages with “{sought[:40]}”: {listing(found)}." if found else f"No page has “{sought[:40]}”."
            return [Line(said, by=call.person.name)]
    return _about(call, word) if word and not rest and _whole(call, word) else _page(call, page)


def _whole(call: Call, word: str) -> bool:
    """Whether the word is the whole name of a command that no page of that name speaks of."""
    names = {name for floor in call.host.floors(call.person) for one in floor for name in one.names}
    return word.casefold() in names and not call.host.pages.has(word)


def _about(call: Call, word: str) -> Sequence[str]:
    return manual.about(find(word, *call.host.floors(call.person)))


def _page(call: Call, words: str) -> Sequence[str | Line]:
    try:
        return call.host.pages.lines(call.host.pages.find(words))
    except Several as several:
        raise Sorry(f"“{words[:30]}” could be {listing(several.names[:8], 'or')}; type more of it.") from None
    except Unknown as unknown:
        try:
            return _about(call, words.removeprefix("/"))
        except (Several, Unknown):
            near = f" did you mean /help {unknown.near[0]}?" if unknown.near else " /help lists what there is."
            raise Sorry(f"there is no help on “{words[:30]}”;{near}") from None


def _commands(call: Call) -> list[str]:
    """List all commands by group, those of the table first."""
    moves = [move for bot in focus.tables(call.person)[:1] for move in bot.commands(call.person)]
    known = [one for one in call.host.commands if one.group]
    rows = [f"moves: {_slashed(moves)}"] if moves else []
    for group, members in groupby(sorted(known, key=_group), key=_group):
        rows.append(f"{group}: {_slashed(members)}")
    return [*rows, "/help COMMAND tells about one; the beginning of a name is enough."]


def _group(one: Command) -> str:
    return one.group


def _slashed(commands: Iterable[Command]) -> str:
    return " ".join(f"/{one.name}" for one in commands)


@command("news", group="start")
def news(call: Call) -> Sequence[str | Line]:
    """Show what is new here."""
    return _page(call, "news")
