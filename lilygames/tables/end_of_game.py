"""What the end of a game brings with it: purses go home, the seal is opened, results and ratings are taken down.

For players who are out of a game it ends earlier: they hear no more of it.
"""

from __future__ import annotations

from lilygames.chat.names import fold
from lilygames.chat.people import Room
from lilygames.tables.coach import Coach
from lilygames.tables.log import Closed
from lilygames.tables.publish import Publisher
from lilygames.tables.runner import Advanced, Runner
from lilygames.tables.table import Table
from lilygames.tables.visible import published_secret
from lilygames.text import count
from rules.kit import Seat


class EndOfGame:
    """Ends a game once, however often it is asked, and books what those who get up before have won and lost."""

    def __init__(self, runner: Runner, publisher: Publisher, coach: Coach) -> None:
        self._runner = runner
        self._publisher = publisher
        self._coach = coach
        self._settled: set[Seat] = set()
        """The seats whose purse has been taken home."""
        self._ended = False

    async def go_on(self) -> None:
        """Close the table where the game has ended, and do all that follows; raises `UserError`, `StoreUnavailable`."""
        if self._runner.table.ended and not self._runner.table.closed:
            await self._runner.act("table", Closed(published_secret(self._runner.table)), only_here=True)
        await self._settle()
        table = self._runner.table
        if table.closed and not self._ended:
            for effect in () if table.lesson else self._runner.services.effects:
                await effect(table)
            self._ended = True
            self._publisher.say_how_it_ended(table)
            self._coach.say_farewell(table)
            self._runner.services.ended(table.header.number)

    async def _settle(self) -> None:
        """Let those who have got up take their purses home, and tell them."""
        table = self._runner.table
        if table.game.purse is None:
            return
        for taken in await self._runner.services.purses.settle(table, self._settled):
            person = self._runner.services.people.get(fold(taken.name))
            if person and person.local:
                unit = table.game.purse.unit
                held = "a guest's purse is not kept" if taken.guest else f"you hold {count(taken.held, unit)} now"
                person.show(self._publisher.line(f"You take home {taken.change:+} {unit}s; {held}."))

    def unsettled(self, name: str) -> int:
        """Return what the person of that name has brought here and not taken home."""
        table = self._runner.table
        if table.lesson:
            return 0
        seats = enumerate(zip(table.seats, table.purses, strict=False))
        mine = (purse for seat, (who, purse) in seats if fold(who.name) == fold(name) and seat not in self._settled)
        return sum(mine)


class Finished:
    """The players who have nothing more to do in a game that goes on, and hear no more of it."""

    def __init__(self, room: Room, publisher: Publisher) -> None:
        self._room = room
        self._publisher = publisher
        self._known: set[Seat] = set()
        """The seats of those who have been told so."""

    @staticmethod
    def seats(table: Table) -> set[Seat]:
        """Return the seats of people who have nothing more to do in a game that goes on."""
        playing = table.game.playing
        if playing is None:
            return set()
        still = playing(table.view(None)) if table.going else range(len(table.seats))
        return {seat for seat, who in enumerate(table.seats) if who.person and seat not in still}

    def remember(self, table: Table) -> None:
        """Take note of those who have been told so by the process before."""
        self._known = self.seats(table)

    def observe(self, advanced: Advanced) -> None:
        """Let people who gave up their seats, or are out of the game, hear no more of it until they come to watch."""
        table = advanced.after
        if advanced.before.seats is not table.seats:
            self._room.stop_watching(advanced.before.seats.owners - table.seats.owners)
        finished = self.seats(table)
        for seat in finished - self._known:
            name, person = fold(table.seats[seat].name), self._publisher.near(table.seats[seat])
            if person and name in self._room.people:
                out = "You are out of the game."
                person.show(self._publisher.line(f"{out} Type /watch {self._room.name} to see the rest.", aloud=out))
            self._room.stop_watching({name})
        self._known = finished
