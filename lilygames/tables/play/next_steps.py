"""The row after a game that offers its players what to do next, by number."""

from __future__ import annotations

from collections.abc import Mapping

from lilygames import codec
from lilygames.chat.people.people import Person
from lilygames.layout import SLIM, WIDE, packed
from lilygames.tables.duplicate.daily_rules import is_daily
from lilygames.tables.state.table import Table
from lilygames.text import Line, Tag


def follow(table: Table) -> bool:
    """Return whether players are offered something: after a game that has a result, but not after a lesson."""
    return table.closed and table.outcome is not None and not table.lesson


def steps(room: str, table: Table, *, guest: bool) -> Mapping[str, str]:
    """Return a player's next steps after a game or a lesson: commands that work anywhere, and words for them."""
    number, name = table.header.number, table.game.name
    if table.lesson:
        return {f"/quick {name}": "play now", f"/learn {name}": "repeat this lesson", f"/help {name}": "read the rules"}
    own = {"/register": "keep your name"} if guest else {f"/stats {name}": "stats"}
    again = {_compared(table): "standings"} if table.header.duplicate else {f"/rematch {number}": "rematch"}
    return {
        **again,
        **({} if is_daily(table.header.duplicate) else {f"/replay {number}": "replay"}),  # shut until the day ends
        **own,
        f"/quit {room}": "leave",
        **({} if table.header.duplicate else {f"/verify {number}": "verify"}),  # others play these cards, perhaps
    }


def listed(room: str, table: Table, *, guest: bool, played: bool) -> codec.Json:
    """Return those steps for a page, in the same order; for a spectator only those that look back at the game."""
    ways = steps(room, table, guest=guest).items()
    return [{"line": line, "text": text} for line, text in ways if played or line.startswith(("/replay ", "/verify "))]


def _compared(table: Table) -> str:
    """Return the command that compares a game with the others that had the same cards."""
    return f"/daily {table.game.name}" if is_daily(table.header.duplicate) else f"/duplicate {table.header.duplicate}"


def offered(tag: Tag, table: Table, person: Person) -> list[Line]:
    """Offer a player the next steps, and return the rows that say so.

    Their next line may be a number or its word. If another table waits for them, numbers are its moves, so the rows
    show commands, which aren't read aloud. Screen readers say only the words, in the order of their numbers.
    """
    ways = steps(tag.room, table, guest=person.guest)
    asked = bool(person.focus.waiting())
    if asked:
        words, spoken = [*ways], ""
    else:
        words = [f"{number}. {word}" for number, word in enumerate(ways.values(), 1)]
        spoken = f"Next: {', '.join(ways.values())}."
    rows = packed([f"Next: {words[0]}", *words[1:]], SLIM if person.voice.narrow else WIDE, indent="      ")
    aloud = [spoken, *[""] * len(rows[1:])]
    lines = [Line(row, "game", tag=tag, aloud=said) for row, said in zip(rows, aloud, strict=True)]
    if not asked:
        person.focus.offer(ways, keys={word: command for command, word in ways.items()}, rows=lines)
    return lines
