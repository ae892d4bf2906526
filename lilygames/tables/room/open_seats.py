"""Bots' seats at a running table that anyone may take when the next round begins.

Tables of `/quick` and parties have them. Nobody gets a hand that a bot has played from: between two rounds there is
none. People who wait for a seat watch until then, and give up waiting by leaving the table. A restart forgets who
waits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.log.acts import Expired, Moved
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.sight.positions import round_of
from lilygames.tables.state.vacant import bots_seats
from lilygames_rules.kit import Seat

Give = Callable[[Seat, Person], Awaitable[None]]
"""Gives a bot's seat to a person."""


class OpenSeats:
    """The people who wait for a bot's seat at a table."""

    acts = (Moved, Expired)

    def __init__(self, runner: Runner, give: Give) -> None:
        self._runner = runner
        self._give = give
        self._waiting: dict[str, None] = {}
        """Their folded names, in the order in which they asked."""

    @property
    def left(self) -> int:
        """The number of bots' seats that nobody waits for yet."""
        return max(len(bots_seats(self._runner.table)) - len(self._present), 0)

    @property
    def _present(self) -> list[Person]:
        """Those who still wait, are here and have no seat."""
        people, table = self._runner.room.people, self._runner.table
        there = (people[name] for name in self._waiting if name in people)
        return [person for person in there if person.here and table.own_seat(person.name) is None]

    def waits(self, person: Person) -> bool:
        """Return whether a person waits for a seat."""
        return fold(person.name) in self._waiting

    def ask(self, person: Person) -> None:
        """Let a person wait for a seat; raises `UserError` if others wait for all of them."""
        if not self.waits(person) and not self.left:
            raise UserError("others are already waiting for every bot's seat here. Type /quick to play at once.")
        self._waiting[fold(person.name)] = None

    def observe(self, advanced: Advanced) -> None:
        """Give out seats if a round has begun."""
        if self._waiting and round_of(advanced.before) != round_of(advanced.after):
            self._runner.room.post(self._give_all)

    async def _give_all(self) -> None:
        """Give seats to everyone who waits, as long as there are any."""
        present, self._waiting = self._present, {}
        for person in present:
            if seats := bots_seats(self._runner.table):
                await self._give(seats[0], person)
