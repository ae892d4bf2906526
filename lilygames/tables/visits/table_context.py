"""The context of a table command: who typed it, and which table they mean."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Annotated

import attrs

from lilygames.chat.host.dispatch import Dispatcher
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Bot, Person
from lilygames.commands import Reads
from lilygames.errors import AgainstRules, DealShut, NotFound, UserError
from lilygames.game import Game
from lilygames.store import Entry
from lilygames.tables.archive.archive import no_such_table
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.log.acts import Header
from lilygames.tables.open.opening import Plan
from lilygames.tables.open.tables import Tables
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight import narrate
from lilygames.tables.state.visible import is_over
from lilygames.text import shortened
from lilygames_rules.kit import Refused

_LOOKED_AT = 500
"""Newest tables among which a command without a number looks for a finished one."""


def _number(word: str) -> int:
    return int(word.removeprefix("#")[:9])


GameName = Annotated[str, Reads("GAME", str, rest=True)]
"""A game's name, which may contain spaces."""
TableNumber = Annotated[int, Reads("NUMBER", _number, "a table's number is like 12 or #12; /tables lists them")]


def game_here(at: TableContext) -> Game | None:
    """Return the game of the named table or of the person's room, if any."""
    bot = at.named or at.person.room.bot
    if isinstance(bot, TableBot):
        return at.tables.games.get(bot.table.game.name)
    return at.tables.games.get(fold(at.person.room.name))


@attrs.frozen
class TableContext:
    """The context of a table command, passed to commands whose first parameter is annotated with it."""

    person: Person
    """The person who typed the command."""
    tables: Tables
    named: Bot | None = None
    """The table named with /at."""

    @property
    def bot(self) -> TableBot:
        """The table of their room, or their only one, or the one with the focus; raises `UserError`."""
        return self.one(self.named or self.person.focus.at_hand() or self.person.focus.table())

    async def table(self) -> TableBot:
        """Return the table they are at, to act there, giving back a seat that a bot kept.

        Raises `UserError`.
        """
        return await self._theirs_again(self.bot)

    async def seat(self) -> TableBot:
        """Return the table they play at: the one whose question is on their screen, or one that waits for them.

        Gives back a seat that a bot kept. Raises `UserError`.
        """
        person = self.person
        here = person.room.bot if person.room.bot and person.room.bot.keeps_seat(person.name) else None
        only = person.seats[0] if len(person.seats) == 1 else person.focus.at_hand()
        played = self.named or person.focus.table() or here or next(iter(person.focus.waiting()), only)
        return await self._theirs_again(self.one(played))

    async def shown(self) -> TableBot:
        """Return the table they look at: that of their room if they are a spectator, or the one they play at.

        Gives back a seat that a bot kept. Raises `UserError`.
        """
        watched = self.person.room.bot
        if self.named or not watched or watched.keeps_seat(self.person.name):
            return await self.seat()
        return self.one(watched)

    def one(self, bot: Bot | None) -> TableBot:
        """Return `bot` if it is a table; otherwise raise a `UserError` that says what to do."""
        if isinstance(bot, TableBot):
            return bot
        for table in self.tables.unplayable.keeping(self.person.name):
            raise UserError(f"you have a seat at {table.called}, which is {table.why}.")
        if self.person.seats:
            raise UserError(
                "you have seats at several tables. Type /at TABLE COMMAND to choose one, or /tables to list them."
            )
        raise UserError(
            "there is no table here. Type /quick to play, /tables to list the tables, or /watch ROOM to watch one."
        )

    async def _theirs_again(self, bot: TableBot) -> TableBot:
        if bot.table.stood_in_for(self.person.name) is not None and not bot.over:
            await bot.house.take_back(self.person)
            self.person.show(*bot.turn(self.person))
        return bot

    def find(self, word: str) -> TableBot:
        """Return the table with this room or number if the person may know of it; raises `UserError`."""
        if unplayable := self.tables.unplayable.find(word, self.person.name):
            raise UserError(f"{unplayable.called} is {unplayable.why}.")
        bot = self.tables.find(word)
        if not bot.room.may_see(self.person):
            raise NotFound(f"there is no table “{shortened(word, 20)}” now. Type /tables to list the open tables.")
        return bot

    async def watched(self, word: str) -> TableBot:
        """Return the table with this room or number to watch it; raises `UserError`.

        Tables of a duplicate set can be watched by those whose own game with the cards is over.
        """
        with suppress(UserError):
            bot = self.tables.find(word)
            if bot.table.header.duplicate:
                await self._check_duplicate(bot.table.header)
                bot.room.permit(self.person.name)
        return self.find(word)

    async def read(self, number: int) -> tuple[Header, list[Entry]]:
        """Return the log of any table that the person may know of; raises `UserError`."""
        header, entries = await self.tables.archive.read(number)
        bot = self.tables.open.get(number)
        admitted = bot is not None and bot.room.may_see(self.person)
        own = self._took_part(header, entries) and await self.had_name(entries)
        if daily_rules.is_daily(header.duplicate) and (is_over(entries) or not own):
            await self._check_day(header)
        if header.duplicate and not own:
            await self._check_duplicate(header)
        elif header.private and not (admitted or own):
            raise UserError(no_such_table(number))
        return header, entries

    async def finished(self, number: int) -> int:
        """Return a number, or for 0 that of the last finished game of this room that the person may see.

        Only the newest tables of the place are looked at. Raises `UserError`.
        """
        if number:
            return number
        room = self.named.room if isinstance(self.named, TableBot) else self.person.room
        for latest in await self.tables.archive.latest(room.name, _LOOKED_AT):
            with suppress(UserError):
                _, entries = await self.read(latest)
                if is_over(entries):
                    return latest
        raise UserError(f"no game has been finished in {room.name} lately. Add a game's number; /played lists yours.")

    async def _check_day(self, header: Header) -> None:
        """Raise `DealShut` if others can still play the cards of a daily game, so nobody may see its log."""
        found = await self.tables.duplicates.find(header.duplicate)
        if found and not found.opened:
            raise DealShut(
                f"others can still play the cards of table #{header.number}, so you can't see its log until the day"
                f" after the deal ends. Type /daily {header.game} for the standings."
            )

    async def _check_duplicate(self, header: Header) -> None:
        """Raise `UserError` if a table's cards must stay secret for a person who may still play them."""
        found = await self.tables.duplicates.find(header.duplicate)
        playing = any(bot.table.header.duplicate == header.duplicate for bot in self._own_tables)
        key = self.tables.host.accounts.key(self.person.name)
        if found is None or found.opened or (found.has_played(key) and not playing):
            return
        raise UserError(f"you can see table #{header.number} once your own game with these cards is over.")

    @property
    def _own_tables(self) -> list[TableBot]:
        """The open tables where the person has a seat."""
        return self.tables.seating(self.person.name)

    def _took_part(self, header: Header, entries: Sequence[Entry]) -> bool:
        """Whether this person opened the table, was invited to it or had a seat there, under any of their names."""
        key = self.tables.host.accounts.key
        names = {header.host, *header.invited, *(entry.by for entry in entries)}
        return key(self.person.name) in set(map(key, names))

    async def had_name(self, entries: Sequence[Entry]) -> bool:
        """Return whether the person's name was theirs when a log ended: before, it may have been another guest's."""
        came, accounts = self.person.activity.since, self.tables.host.accounts
        created = None if self.person.guest else await accounts.since(self.person.name)
        ended = entries[-1].at if entries else came
        return ended >= (came if created is None else min(came, created))

    async def opened(self, plan: Plan, sit: Callable[..., Awaitable[None]] = seating.sit, *details: object) -> TableBot:
        """Open a table where the person sits down with `sit`; close it again if they can't. Raises `UserError`."""
        bot = await self.tables.opening.new(plan, self.person)
        try:
            await self.do(bot, sit, self.person, *details)
        except UserError:
            if not (bot.table.started or seating.people_at(bot)):
                self.tables.closing.close(bot)
            raise
        return bot

    async def do(self, bot: TableBot, job: Callable[..., Awaitable[None]], *details: object) -> None:
        """Run a job in the table's room; a refusal by the rules becomes the table's message."""
        try:
            await bot.room.do(job, bot, *details)
        except Refused as no:
            sentence = narrate.refusal(bot.table, no, bot.publisher.reader_of(bot.table, self.person))
            raise AgainstRules(sentence, no.code) from None


@attrs.frozen
class LineContext:
    """The context of a table command that runs another line at its table."""

    at: TableContext
    dispatcher: Dispatcher

    @property
    def person(self) -> Person:
        """The person who typed the command."""
        return self.at.person
