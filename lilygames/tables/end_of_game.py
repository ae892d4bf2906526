"""What the end of a game brings with it: purses go home, the seal is opened, results and ratings are taken down."""

from __future__ import annotations

from lilygames.chat.names import fold
from lilygames.tables.log import Closed
from lilygames.tables.publish import Publisher
from lilygames.tables.runner import Runner
from lilygames.tables.visible import published_secret
from lilygames.text import count
from rules.kit import Seat


class EndOfGame:
    """Ends a game once, however often it is asked, and books what those who get up before have won and lost."""

    def __init__(self, runner: Runner, publisher: Publisher) -> None:
        self._runner = runner
        self._publisher = publisher
        self._settled: set[Seat] = set()
        """The seats whose purse has been taken home."""
        self._ended = False

    async def go_on(self) -> None:
        """Close the table where the game has ended, and do all that follows; raises `UserError`, `StoreUnavailable`."""
        if self._runner.table.outcome and not self._runner.table.closed:
            await self._runner.act("table", Closed(published_secret(self._runner.table)), only_here=True)
        await self._settle()
        table = self._runner.table
        if table.closed and not self._ended:
            for effect in self._runner.services.effects:
                await effect(table)
            self._ended = True
            self._publisher.say_how_it_ended(table)
            self._runner.services.ended(table.header.number)

    async def _settle(self) -> None:
        """Let those who have got up take their purses home, and tell them."""
        table = self._runner.table
        if table.game.purse is None:
            return
        for taken in await self._runner.services.purses.settle(table, self._settled):
            person = self._runner.services.people.get(fold(taken.name))
            if person and person.near:
                unit = table.game.purse.unit
                held = "a guest's purse is not kept" if taken.guest else f"you hold {count(taken.held, unit)} now"
                person.show(self._publisher.line(f"You take home {taken.change:+} {unit}s; {held}."))

    def unsettled(self, name: str) -> int:
        """Return what the person of that name has brought here and not taken home."""
        table = self._runner.table
        seats = enumerate(zip(table.seats, table.purses, strict=False))
        mine = (purse for seat, (who, purse) in seats if fold(who.name) == fold(name) and seat not in self._settled)
        return sum(mine)
