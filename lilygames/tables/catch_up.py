"""A table as somebody is shown it who has not seen it for a while."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people import Person
from lilygames.errors import UserError
from lilygames.tables.bot import TableBot
from lilygames.text import Line


def caught_up(bot: TableBot, person: Person) -> Sequence[Line]:
    """Return the lines of the table as it stands, or why it is stopped."""
    try:
        return bot.screens.catch_up_on(person)
    except UserError as stopped:
        return [bot.line(f"Refused: {stopped}")]


def show_again(bot: TableBot, person: Person) -> None:
    """Show somebody a table that they have not seen for a while; if another has the focus, only that it waits."""
    if person.focus.table() in (None, bot):
        person.show(*caught_up(bot, person))
    elif bot.question(person):
        person.focus.show_question(bot)
