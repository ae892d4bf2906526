"""Bring people back to their tables when they reconnect, and tell the tables when they disconnect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Announced, Arrived, Left, Mirrored, PersonEvent, Returned
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.open.tables import Tables
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.catch_up import caught_up, show_again
from lilygames.tables.sight import narrate
from lilygames.text import Line, listing


class Reconnect:
    """Observer that tells tables about connects and disconnects, and shows reconnected people what to do."""

    observes = (Arrived, Returned, Mirrored, Left, Announced)

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def observe(self, event: PersonEvent) -> None:
        """Bring someone back to their tables, or tell the tables that they disconnected."""
        match event:
            case Arrived(person):
                welcome(self._tables, person)
            case Returned(person) | Mirrored(person):
                mirrored(self._tables, person)
            case Left(person):
                departed(self._tables, person)
            case Announced(chat_event) if chat_event.kind in ("away", "here", "unidle"):
                away_or_back(self._tables, chat_event.by)


def welcome(tables: Tables, person: Person) -> None:
    """Bring someone who has logged in back to their tables, and show them what is asked of them.

    The table with the focus (`Focus.on_return`) is shown in full, each other table in one line. Bots give back the
    seats they kept for the player.
    """
    person.show(*_troubles(tables, person))
    home, seen = person.focus.on_return(), person.take_seen()
    seats = [bot for bot in person.seats if isinstance(bot, TableBot)]
    if person.takes_picture:
        _look_again(tables, person, seen or {})
    for bot in sorted(seats, key=lambda bot: bot is home):
        bot.came_or_went(person)
        bot.room.enter(person)
        if bot.seat_of(person.name) in bot.finished_seats():
            bot.room.stop_watching({fold(person.name)})
        if bot.table.stood_in_for(person.name) is not None:
            bot.room.post(_given_back, bot, person)
        elif seen is not None:
            bot.room.post(bot.screens.tell_since, person, seen.get(bot.table.header.number, 0))
        elif bot is not home and not person.takes_picture:
            person.show(bot.line(f"{narrate.summary(bot.table, bot.case)}; {_state(bot, person)}."))
        else:
            person.show(*caught_up(bot, person))
    if home and seen is not None:
        home.turn(person)  # the other tables report what was missed later and must not take the focus from this one


def _look_again(tables: Tables, person: Person, seen: Mapping[int, int]) -> None:
    """Let a page that resumes keep the tables that it has shown: those with a seat, and those it watched."""
    for number, entry in seen.items():
        bot = tables.open.get(number)
        if bot is None or not bot.room.admits(person):
            continue
        bot.publisher.pages.expect(person, entry)
        if bot not in person.seats and not bot.table.lesson:
            bot.room.take_back(person)
            if tables.host.lobbies.includes(person.room) and not person.seats:
                person.go(bot.room)  # where they talked before, too
            bot.room.post(bot.screens.tell_since, person, entry)


def _troubles(tables: Tables, person: Person) -> Iterator[Line]:
    """Yield notices about tables that can't be played; the sysop hears of each that needs attention."""
    for table in tables.unplayable.keeping(person.name):
        yield Line(table.notice)
    if tables.host.is_sysop(person) and (troubles := tables.troubles):
        yield Line(f"(for the sysop: {listing(troubles)}; the log has the details)")


def _state(bot: TableBot, person: Person) -> str:
    number = bot.table.header.number
    try:
        return f"{bot.screens.waiting(person)} (/at {number} takes you there)"
    except UserError as stopped:
        return str(stopped)


async def _given_back(bot: TableBot, person: Person) -> None:
    try:
        await bot.house.give_back(person)
    except UserError as later:
        person.show(bot.publisher.refused(later, later.code))
    else:
        show_again(bot, person)


def mirrored(tables: Tables, person: Person) -> None:
    """Update the tables about someone connected to another node: their seats, and whether they are here."""
    person.sit_at(tables.seating(person.name))
    for bot in _concerned(tables, person):
        bot.came_or_went(person)


def away_or_back(tables: Tables, name: str) -> None:
    """Tell the pages at someone's tables that they are away, or back."""
    person = tables.host.people.get(fold(name))
    for bot in person.seats if person else ():
        if isinstance(bot, TableBot):
            bot.publisher.tell_roster(bot.table)


def departed(tables: Tables, person: Person) -> None:
    """Tell the tables that someone has disconnected."""
    for bot in _concerned(tables, person):
        bot.came_or_went(person)


def _concerned(tables: Tables, person: Person) -> list[TableBot]:
    """Return the tables where someone has a seat, or where they may be about to join a running game."""
    name = fold(person.name)
    own = [bot for bot in tables.seating(name) if name in bot.table.seats.owners]
    return [*own, *(bot for bot in tables.joinable.values() if bot.table.game.joins and bot not in own)]
