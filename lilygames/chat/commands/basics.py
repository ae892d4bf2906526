"""Basic commands: /rooms, /help and /bye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby, islice

from lilygames import __version__
from lilygames import help as manual
from lilygames.chat.host.context import Context
from lilygames.chat.host.packets import say_goodbye
from lilygames.chat.host.paging import page_of
from lilygames.chat.people.people import Person, Room
from lilygames.chat.visits.arrivals import depart
from lilygames.commands import Command, Rest, Several, Unknown, UsageError, command, find
from lilygames.errors import UserError
from lilygames.store import StoreUnavailable
from lilygames.text import NARROW, Line, listing, shortened


@command("rooms", group="look around")
def rooms(context: Context, page: int = 1) -> list[str | Line]:
    """List the rooms, how many people are in each, and what each is for. /rooms 2 shows more."""
    seen = (room for room in context.host.rooms.values() if room.may_see(context.person))
    shown = page_of(seen, page)
    narrow = context.person.width < NARROW
    rows = [Line(f"{_mark(context, room)} {_row(room, narrow=narrow)}", by=room.charter.owner) for room in shown.things]
    more = [f"(more rooms: /rooms {shown.number + 1})"] if shown.has_next else []
    return [*rows, *more, "(* marks the rooms you've joined; type /join NAME to enter one)"]


def _row(room: Room, *, narrow: bool) -> str:
    """Return a room's name, the number of its people and its title, in columns if the screen is wide enough."""
    if narrow:
        return f"{room.name} ({len(room.people)}) {room.title}"
    return f"{room.name:<16} {len(room.people):>3}  {room.title}"


def _mark(context: Context, room: Room) -> str:
    return "*" if room in context.person.rooms else " "


_WHERE = ("here", "everywhere")


@command("bye", "exit", "logout", group="start", whole=True)
async def bye(context: Context, where: str = "everywhere") -> None:
    """Log out and disconnect. You keep your seats, but your clients need your password to log in again.

    /logout everywhere says the same. /logout here logs out only the client or
    browser that you use now; your others still log in without your password.
    """
    person, terminal = context.person, context.person.terminal
    if where.casefold() not in _WHERE:
        raise UserError("type /logout here for this client only, or /logout everywhere.")
    ids = frozenset((person.session,)) if where.casefold() == "here" else None
    try:
        await context.host.sessions.end(context.host.accounts.key(person.name), context.host.clock(), ids)
    except StoreUnavailable:
        person.show(
            Line(
                "(Your sessions can't be ended right now. They end after 12 hours, or when you change your /password.)"
            )
        )
    if person.terminal is not terminal:
        return  # a newer connection has taken over in the meantime
    person.show(Line(_goodbye(person)))
    if terminal:
        say_goodbye(terminal, "bye")
    depart(context.host, person, goodbye=True)
    if terminal:
        terminal.close()


def _goodbye(person: Person) -> str:
    """Return the last words to someone who leaves, with what happens to their seats."""
    if not person.seats:
        return "Goodbye."
    rooms = listing([bot.room.name for bot in person.seats])
    kept = f"Your seat at {rooms} is kept." if len(person.seats) == 1 else f"Your seats at {rooms} are kept."
    plays = " While you're away, a bot may play for you." if any(bot.live for bot in person.seats) else ""
    return f"Goodbye. {kept}{plays} Come back with your name{' and your return word' if person.guest else ''}."


@command("help", "?", group="start")
def help_(context: Context, page: Rest = "") -> Sequence[str | Line]:
    """Show a help page: /help, /help ohell, /help bid, /help commands, /help search trump."""
    word, _, rest = page.strip().removeprefix("/").partition(" ")
    match word.casefold(), rest:
        case "commands", "":
            return _commands(context)
        case "search", sought if sought:
            found = context.host.pages.search(sought)
            said = (
                f"Pages that mention “{shortened(sought, 40)}”: {listing(found)}."
                if found
                else f"No page mentions “{shortened(sought, 40)}”."
            )
            return [Line(said, by=context.person.name)]
    return _about(context, word) if word and not rest and _whole(context, word) else _page(context, page)


def _whole(context: Context, word: str) -> bool:
    """Whether the word is the full name of a command without a page of its own."""
    names = {name for tier in context.dispatcher.command_tiers(context.person) for one in tier for name in one.names}
    return word.casefold() in names and not context.host.pages.has(word)


def _about(context: Context, word: str) -> Sequence[str]:
    return manual.about(find(word, *context.dispatcher.command_tiers(context.person)))


def _page(context: Context, words: str) -> Sequence[str | Line]:
    try:
        return context.host.pages.lines(context.host.pages.find(words))
    except Several as several:
        raise UserError(
            f"“{shortened(words, 30)}” could be {listing(several.names[:8], 'or')}. Type more of it."
        ) from None
    except Unknown as unknown:
        try:
            return _about(context, words.removeprefix("/"))
        except UsageError:
            near = f"Did you mean /help {unknown.near[0]}?" if unknown.near else "Type /help to list the pages."
            raise UserError(f"there's no help page “{shortened(words, 30)}”. {near}") from None


def _commands(context: Context) -> list[str]:
    """List all commands by group, those of the table first."""
    moves = [move for bot in islice(context.person.focus.tables(), 1) for move in bot.commands(context.person)]
    known = [one for one in context.host.commands if one.group]
    rows = [f"moves: {_slashed(moves)}"] if moves else []
    for group, members in groupby(sorted(known, key=_group), key=_group):
        rows.append(f"{group}: {_slashed(members)}")
    return [*rows, "Type /help COMMAND to read about one. You can shorten the names."]


def _group(one: Command) -> str:
    return one.group


def _slashed(commands: Iterable[Command]) -> str:
    return " ".join(f"/{one.name}" for one in commands)


@command("news", group="start")
def news(context: Context) -> Sequence[str | Line]:
    """Show what is new here."""
    return _page(context, "news")


@command("display", group="look around")
def display(context: Context, what: str = "time") -> str:
    """Show the time here or the server's version: /display time, /display version."""
    match what.casefold():
        case "time":
            now, zone = context.host.clock(), context.person.profile.zone
            return f"(it's {datetime.fromtimestamp(now, zone):%H:%M:%S on %a %b %d %Y, %Z})"
        case "version":
            return f"(lilygames {__version__})"
    raise UserError("type /display time or /display version.")
