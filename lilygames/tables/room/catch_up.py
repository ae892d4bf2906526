"""Catch-up screens for people who return to a table."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.room.bot import TableBot
from lilygames.text import Line


def caught_up(bot: TableBot, person: Person) -> Sequence[Line]:
    """Return the lines of the table's current state, or the reason it is stopped."""
    try:
        return bot.screens.catch_up_on(person)
    except UserError as stopped:
        return [bot.publisher.refused(stopped, stopped.code)]


def show_again(bot: TableBot, person: Person) -> None:
    """Show the current table to a returning person.

    If another table has the focus, show only that a question is waiting.
    """
    if person.focus.table() in (None, bot):
        person.show(*caught_up(bot, person))
    elif bot.question(person):
        person.focus.show_question(bot)
