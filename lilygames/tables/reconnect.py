"""Somebody comes back to the tables they sit at, or their line drops: one screen of what is asked of them, no more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lilygames.chat.names import fold
from lilygames.chat.observers import Arrived, Left, Mirrored, PersonEvent, Returned
from lilygames.chat.people import Person
from lilygames.errors import UserError
from lilygames.tables.bot import TableBot
from lilygames.tables.catch_up import caught_up, show_again
from lilygames.tables.tables import Tables
from lilygames.text import Line, listing


class Reconnect:
    """Lets the tables know who comes and goes, and those who come what is asked of them."""

    observes = (Arrived, Returned, Mirrored, Left)

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def observe(self, event: PersonEvent) -> None:
        """Bring somebody to their tables, or let their tables know that they have gone."""
        match event:
            case Arrived(person):
                welcome(self._tables, person)
            case Returned(person) | Mirrored(person):
                mirrored(self._tables, person)
            case Left(person):
                departed(self._tables, person)


def welcome(tables: Tables, person: Person) -> None:
    """Bring somebody who has logged in back to the tables they sit at, and tell them what is asked of them.

    The table that they are at (`Focus.on_return`) is shown whole, each other in one line. Seats that bots kept for
    them are given back.
    """
    person.show(*_troubles(tables, person))
    home, seen = person.focus.on_return(), person.take_seen()
    seats = [bot for bot in person.seats if isinstance(bot, TableBot)]
    for bot in sorted(seats, key=lambda bot: bot is home):
        bot.came_or_went(person)
        bot.room.enter(person)
        if bot.seat_of(person.name) in bot.finished_seats():
            bot.room.stop_watching({fold(person.name)})
        if bot.table.stood_in_for(person.name) is not None:
            bot.room.post(partial(_given_back, bot, person))
        elif seen is not None:
            bot.room.post(partial(bot.screens.tell_since, person, seen.get(bot.table.header.number, 0)))
        elif bot is not home:
            person.show(bot.line(f"{bot.summary}; {_state(bot, person)}."))
        else:
            person.show(*caught_up(bot, person))
    if home and seen is not None:
        home.turn(person)  # the others, which tell what was missed as soon as they can, are to leave it the focus


def _troubles(tables: Tables, person: Person) -> Iterator[Line]:
    """Yield what somebody has to know of tables that cannot be played; the sysop is told of all that needs one."""
    for table in tables.unplayable.keeping(person.name):
        yield Line(f"(you sit at {table.called}, which is {table.why})")
    if tables.host.is_sysop(person) and (troubles := tables.troubles):
        yield Line(f"(for the sysop: {listing(troubles)}; the log has the details)")


def _state(bot: TableBot, person: Person) -> str:
    number = bot.table.header.number
    try:
        return f"{bot.screens.waiting(person)}, /at {number} goes there"
    except UserError as stopped:
        return str(stopped)


async def _given_back(bot: TableBot, person: Person) -> None:
    try:
        await bot.house.give_back(person)
    except UserError as later:
        person.show(bot.line(f"Refused: {later}"))
    else:
        show_again(bot, person)


def mirrored(tables: Tables, person: Person) -> None:
    """Let the tables know of somebody whom another node serves: where they sit, whether they are here."""
    person.sit_at(bot for bot in tables.open.values() if bot.keeps_seat(person.name))
    for bot in tables.open.values():
        bot.came_or_went(person)


def departed(tables: Tables, person: Person) -> None:
    """Let the tables of somebody whose line has dropped know."""
    for bot in tables.open.values():
        bot.came_or_went(person)
