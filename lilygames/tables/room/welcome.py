"""Lines that greet someone who has just sat down at a table."""

from __future__ import annotations

from lilygames.chat.people.people import Person
from lilygames.store import StoreUnavailable
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Runner
from lilygames.tables.play.services import Players
from lilygames.tables.sight import narrate
from lilygames.text import Line


async def sat_down(runner: Runner, publisher: Publisher, person: Person, players: Players) -> None:
    """Tell a room that someone has sat down; tell the person who sits there, and a guest how to come back."""
    room, table = runner.room, runner.table
    person.go(room)
    room.watch(person)
    room.show(publisher.line(f"{person.name} sits down."), but=person)
    others = narrate.sitting(table, but=table.seat_of(person.name))
    sits = f"you sit at {room.name}{f' with {others}' if others else ''}"
    cards = narrate.cards(table)
    person.show(Line(f"({sits}; {cards})", aloud=f"({sits})", on_page=f"{cards[0].upper()}{cards[1:]}."))
    await show_way_back(players, person)


async def show_way_back(players: Players, person: Person) -> None:
    """Tell a guest who has taken a seat how to come back to it.

    With other seats they know a return word already. Another one would replace it.
    """
    if person.guest and len(person.seats) <= 1:
        person.show(Line(await _way_back(players, person), secret=True, on_page=""))


async def _way_back(players: Players, person: Person) -> str:
    """Return what a guest types to come back to the seat they have just taken."""
    try:
        return f"(if your line drops, come back with: {person.name} {await players.come_back_word(person)})"
    except StoreUnavailable:
        return "(no return word can be saved right now; type /leave and /sit later to get one)"
