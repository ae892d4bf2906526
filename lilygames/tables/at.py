"""Who types a command about tables, and the table that is meant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Annotated, Any

import attrs

from lilygames.chat.people import Person
from lilygames.chat.sorry import Sorry
from lilygames.commands import Command, Reads, declared_in
from lilygames.store import Entry
from lilygames.tables.bot import TableBot
from lilygames.tables.log import Header
from lilygames.tables.tables import Tables, no_such_table
from rules.kit import Refused


def _number(word: str) -> int:
    return int(word.removeprefix("#")[:9])


TableNumber = Annotated[int, Reads("NUMBER", _number, "a table's number is like 12 or #12; /tables lists them")]


@attrs.frozen
class At:
    """Who types a command about tables."""

    person: Person
    tables: Tables

    @property
    def bot(self) -> TableBot:
        """The table meant: that of the person's room, else the only one they sit at; raises `Sorry`."""
        if isinstance(self.person.bot, TableBot):
            return self.person.bot
        for table in self.tables.unplayable.keeping(self.person.name):
            raise Sorry(f"you sit at {table.called}, which is {table.why}.")
        raise Sorry("there is no table here; /quick starts a game, /tables lists the tables, /watch ROOM shows one.")

    def find(self, word: str) -> TableBot:
        """Return the table that a room or a number names, if this person may know of it; raises `Sorry`."""
        if unplayable := self.tables.unplayable.find(word, self.person.name):
            raise Sorry(f"{unplayable.called} is {unplayable.why}.")
        bot = self.tables.find(word)
        if not bot.room.may_see(self.person):
            raise Sorry(f"there is no table “{word[:20]}” now; /tables lists them.")
        return bot

    async def read(self, number: int) -> tuple[Header, list[Entry]]:
        """Return the log of any table that this person may know of; raises `Sorry`."""
        header, entries = await self.tables.read(number)
        bot = self.tables.open.get(number)
        admitted = bot is not None and bot.room.may_see(self.person)
        if header.private and not (admitted or self._took_part(header, entries)):
            raise Sorry(no_such_table(number))
        return header, entries

    def _took_part(self, header: Header, entries: Sequence[Entry]) -> bool:
        """Whether this person opened a table, was invited to it, or has sat there, under whatever name."""
        key = self.tables.host.accounts.key
        names = {header.host, *header.invited, *(entry.by for entry in entries)}
        return key(self.person.name) in set(map(key, names))

    async def do(self, bot: TableBot, job: Callable[..., Awaitable[None]], *details: object) -> None:
        """Do something in the table's room; a refusal of the rules becomes the table's sentence."""
        try:
            await bot.room.do(partial(job, bot, *details))
        except Refused as no:
            raise Sorry(bot.refusal(no, bot.reader_of(self.person))) from None


def bound(module: Any, tables: Tables) -> tuple[Command, ...]:
    """Return the commands that a module declares for an `At`, each for these tables."""

    def run(typed: Command) -> Callable[..., Any]:
        return lambda call, *arguments: typed.run(At(call.person, tables), *arguments)

    return tuple(attrs.evolve(typed, run=run(typed)) for typed in declared_in(module))
