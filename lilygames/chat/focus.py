"""Which table your numbers are meant for, if several wait for you.

The focus is the question whose numbers are on your screen. It stays with the table you typed at last until that
question is answered, or until you say /next or /at. While it is open, a question of another table arrives without
numbers. When it is answered, the question that has waited longest is printed again and has the focus, or else the next
one to arrive. A slow table never takes the focus back by itself while you play a live game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from lilygames.chat.people import Bot, Focus, Person
from lilygames.errors import UserError
from lilygames.text import Line

NOTHING = 0
"""The entry of a focus without a question: no log has an entry 0."""


def table(person: Person) -> Bot | None:
    """Return the table whose question has the numbers; None if that question isn't open any more."""
    focus = person.focus
    asked = focus.bot.question(person) if focus else None
    return focus.bot if focus and asked and asked.seq == focus.question else None


def waiting(person: Person) -> Sequence[Bot]:
    """Return the tables that wait for somebody, live ones before slow ones, then the one that has waited longest."""
    asked = [
        (question.slow, question.at, place, bot)
        for place, bot in enumerate(person.seats)
        if (question := bot.question(person))
    ]
    return [bot for *_, bot in sorted(asked, key=lambda one: one[:3])]


def tables(person: Person) -> Sequence[Bot]:
    """Return the tables that a line may be meant for, likeliest first: the focus, that of the room, other seats."""
    first = [bot for bot in (table(person), person.room.bot) if bot]
    return [*dict.fromkeys([*first, *waiting(person), *person.seats])]


def home(person: Person) -> Bot | None:
    """Return the table at which somebody who comes back goes on: one that waits, that of their room, or the last."""
    here = [bot for bot in person.seats if bot is person.room.bot]
    return next(iter([*waiting(person), *here, *reversed(person.seats)]), None)


def asked(person: Person, bot: Bot) -> None:
    """Show somebody a new question of a table: with its numbers, or only that it waits, if another has the focus."""
    if table(person) in (None, bot):
        person.asked(bot.room, *bot.turn(person))
    else:
        note = "your turn; type /next"
        person.asked(bot.room, Line(f"[{bot.room.name}] {note}", "turn", aloud=f"{bot.room.name}: {note}"))


def typed_at(person: Person, bot: Bot) -> None:
    """Take the focus from any other table, since somebody types at this one; no number counts until it asks."""
    if person.focus is None or person.focus.bot is not bot:
        person.focus = Focus(bot, NOTHING, frozenset())


def answered(person: Person) -> None:
    """Give the focus to the question that has waited longest, now that one is answered or gone."""
    if table(person):
        return
    live = any(bot.live for bot in person.seats)
    following = next((bot for bot in waiting(person) if bot.live or not live), None)
    if following:
        with suppress(UserError):  # a bug of its game stops that table, not the one that was answered
            person.asked(following.room, *following.turn(person))
