"""Tables that wait for someone: players of slow games whose turn it is, and people who were invited."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from lilygames.chat.names.names import fold
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.mailing.items.items import Item, Waiting
from lilygames.tables.log.clocks import spoken
from lilygames.tables.open.tables import Tables
from lilygames.tables.room.bot import TableBot
from lilygames.text import listing
from lilygames_rules.kit import Seat


class TableItems:
    """The turns and invitations of the tables that this node follows: they are in the tables' logs.

    The node that mails to a person follows all tables of theirs that may have one.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._invited: dict[str, float] = {}
        """When this node first saw each open invitation."""

    async def waiting(self, now: float) -> Waiting:
        """Return the turns in slow games, and the unanswered invitations, of people who aren't connected."""
        found: dict[str, list[Item]] = {}
        tables = await run_in_slices([*self._of_table(bot, now)] for bot in [*self._tables.open.values()])
        for name, item in chain.from_iterable(tables):
            found.setdefault(fold(name), []).append(item)
        self._invited = {f"{item.key} {name}": item.since for name, items in found.items() for item in items if item.by}
        return found

    def _of_table(self, bot: TableBot, now: float) -> Iterator[tuple[str, Item]]:
        """Yield what waits at a table, each with a name."""
        for name, seat in self._asked(bot):
            if self._tables.vacations.ends(name) <= now:
                yield name, _turn(bot, seat)
        for name in bot.invitations.names:
            if self._is_away(name) and bot.invitations.invites(name):
                yield name, self._invitation(bot, name, now)

    def _is_away(self, name: str) -> bool:
        person = self._tables.host.people.get(fold(name))
        return person is None or not person.here

    def _asked(self, bot: TableBot) -> Iterator[tuple[str, Seat]]:
        """Yield the people who aren't connected and must move in a slow game."""
        if bot.table.clock.slow and not bot.case and not bot.over:
            for seat in bot.questions.open:
                name = bot.table.seats[seat].name
                if self._is_away(name):
                    yield name, seat

    def _invitation(self, bot: TableBot, name: str, now: float) -> Item:
        table = bot.table
        number, key = table.header.number, f"invited {table.header.number}"
        inviters = sorted(bot.invitations.inviters(name)) or [table.header.host]
        return Item(
            key=key,
            text=f"{listing(inviters)} invites you to {table.game.title}, table {number}.",
            act=f"/sit {number}",
            since=self._invited.get(f"{key} {fold(name)}", now),
            table=number,
            by=inviters[0],
        )


def _turn(bot: TableBot, seat: Seat) -> Item:
    """Return a seat's turn in a slow game, with the other players and the time that is left, but nothing more."""
    table, asked = bot.table, bot.questions.open[seat]
    others = listing(who.name for other, who in enumerate(table.seats) if other != seat)
    left = bot.clock.clocks.left(seat, bot.clock.now())
    time = f" You have {spoken(left)} left." if left is not None and left > 0 else ""
    number = table.header.number
    return Item(
        key=f"turn {number} {asked.seq}",
        text=f"It's your turn at {table.game.title}, table {number}, with {others}.{time}",
        act=f"/at {number}",
        since=asked.at,
        table=number,
    )
