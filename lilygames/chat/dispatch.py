"""Dispatch typed lines: run a command, make a move, or say it as talk."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from lilygames import bymail
from lilygames.chat import help_data, talk
from lilygames.chat.events import ChatEvent
from lilygames.chat.names import fold
from lilygames.chat.people import Bot, Person, Room
from lilygames.chat.terminal import Gone, Terminal
from lilygames.commands import Command, Several, Unknown, UsageError, find
from lilygames.errors import UserError, refusal
from lilygames.foreground import Foreground
from lilygames.help import Pages
from lilygames.text import Line

CONTROL = "#$#"
"""Prefix of control lines in lily's client protocol (SLCP). A client sends them, so they are never talk."""
_BARE = {"help": "help", "?": "help", "quit": "bye", "exit": "bye", "logout": "bye", "who": "who", "rules": "rules"}
"""Words that newcomers type without a slash, and their commands. Type `'who` to say "who" to others."""
_PAGES = ("help", "rules")
"""Bare words that may be followed by the name of a page."""
_AT_ANY_TIME = ("help", "bye", "who", "idle", "why", "motd", "tables", "create")
"""Commands that wait for no table after a start. Neither do talk, and a look at your own table.

All others wait for your own tables, and for those of the rooms, people and numbers they name.
"""
_WAIT = Line("(the server has just restarted: your command waits until its tables are back)")
_OWN_WAIT = Line("(the server has just restarted: your line waits until your table is back)")
_LOOKING = "every game"
"""Group of commands that only look at a table. They work without a slash while you have a seat."""
_STARTING = "start"
"""Group of commands about new games, which name no open table."""
_NAMING_A_GAME = ("new", "options")
"""Other commands that begin with a game's name, which is also the name of a room."""

ContextOf = Callable[[Any, Person, Bot | None], Any]
"""Makes a command's context from its type, the person, and the table named with /at."""

_MAY_WAIT = re.compile(
    rf"\Z|['/. \\#?]|{bymail.BEGINNING}|({'|'.join(filter(str.isalpha, _BARE))})(\s|\Z)", re.IGNORECASE
).match
"""Lines that may be commands or quoted moves, and so may have to wait. All other lines are talk."""


class Host(talk.Host, Protocol):
    """The host, as a dispatcher needs it."""

    @property
    def pages(self) -> Pages:
        """The help pages."""

    def tell_about(self, person: Person, news: ChatEvent, rooms: Iterable[Room]) -> None:
        """Tell others news about a person: everyone, or in a large place those who are in one of these rooms."""

    def greet(self, person: Person) -> Awaitable[None]:
        """Show the greeting to a person who is no longer away."""

    def check_voice(self, person: Person) -> None:
        """Raise `UserError` if nothing that a person writes may reach others."""


class Seats(Protocol):
    """The tables, as a dispatcher needs them."""

    def waits_for(self, name: str, room: str = "") -> bool:
        """Whether a table of someone of this name, or one in a room, isn't restored yet."""

    async def ready_for(
        self, name: str, numbers: Iterable[int] = (), room: str = "", waits: Callable[[], None] | None = None
    ) -> None:
        """Restore those tables; raises `StoreUnavailable`."""

    async def named_ready(self, text: str, waits: Callable[[], None]) -> None:
        """Restore those tables whose numbers, rooms or people a command names; raises `StoreUnavailable`."""

    def check_talk(self, person: Person, text: str) -> None:
        """Raise `UserError` if a line of talk looks like a move for a table that can't be played."""


class Dispatcher:
    """Reads each typed line and runs what it asks for."""

    def __init__(
        self,
        host: Host,
        commands: Sequence[Command],
        *,
        context_of: ContextOf,
        seats: Seats,
        foreground: Foreground,
    ) -> None:
        self.commands = commands
        """All commands except game moves."""
        self._by_name = {name: known for known in reversed(commands) for name in known.names}
        self.in_progress = 0
        """Number of lines being handled."""
        self._host = host
        self._context_of = context_of
        self._seats = seats
        self._foreground = foreground

    async def hear(self, person: Person, text: str) -> None:
        """Handle a typed line and show the result; an error is shown as one sentence.

        A client's control line isn't talk, and doesn't count as activity. Raises `Gone` if the person disconnects while
        they are asked for more.
        """
        if self.hear_at_once(person, text):
            return
        if text.lstrip().startswith(CONTROL):
            person.show(Line("(lines that begin with #$# are for SLCP clients)"))
            return
        person.activity.typed()
        with self._foreground.answering():
            await self._answer(person, text)

    async def _answer(self, person: Person, text: str) -> None:
        self.in_progress += 1
        try:
            if self._seats.waits_for(person.name, person.room.name):
                waits = partial(person.show, _OWN_WAIT)
                await self._seats.ready_for(person.name, room=person.room.name, waits=waits)
            if person.activity.idle:
                person.activity.back()
                self._host.tell_about(person, person.did("unidle"), person.rooms)
                await self._host.greet(person)
            await self._hear(person, text)
        except Gone:
            raise
        except Exception as problem:  # noqa: BLE001 - an error in one line doesn't end the session
            person.show(refusal(problem, person.name))
        finally:
            self.in_progress -= 1

    def hear_at_once(self, person: Person, text: str, terminal: Terminal | None = None) -> bool:
        """Handle a line that is only talk and return True; return False if it may have to wait.

        If `terminal` is given and a newer connection has replaced it, the line is ignored.
        """
        if terminal is not None and person.terminal is not terminal:
            return False
        if person.activity.idle or person.room.bot or person.seats or person.focus.choices or _MAY_WAIT(text):
            return False
        if self._seats.waits_for(person.name, person.room.name):
            return False
        person.activity.typed()
        try:
            self._talk(person, text.strip())
        except Exception as problem:  # noqa: BLE001 - as above
            person.show(refusal(problem, person.name))
        return True

    async def _hear(self, person: Person, text: str) -> None:
        text = person.focus.picked(text)
        if bymail.is_move(text):
            await self._moved_by_mail(person, text)
            return
        match text[:1], text[1:]:
            case "/", line:  # most lines that come here
                await self.command(person, line)
            case "", _:
                self._enter_alone(person)
            case "'", said:
                self._host.check_voice(person)
                talk.say(self._host, person, said)
            case "?", _ if help_data.is_asked(text):
                person.show(*help_data.answered(self._host.pages, text))
            case (("." | " " | "\\"), line) if self._is_command(person, text[0], line):
                await self.command(person, line.lstrip(" /"))
            case _:
                await self._bare(person, text.strip())

    async def _moved_by_mail(self, person: Person, text: str) -> None:
        """Make a move typed in the play-by-mail format; any text around the move is shown to nobody."""
        command = bymail.read(text)
        if not command:
            raise UserError(bymail.usage(text))
        try:
            await self.command(person, command)
        except UsageError:
            raise UserError(bymail.usage(text)) from None

    def _enter_alone(self, person: Person) -> None:
        waiting = next(iter(person.focus.waiting()), None)
        bot = person.focus.table() or waiting or next(person.focus.tables(), None)
        reminder = bot.remind(person) if bot else ()
        person.show(*(reminder or [Line(f"(you are in {person.room.name}; type /help to see what you can do)")]))

    def _is_command(self, person: Person, lead: str, line: str) -> bool:
        """Whether a line is a command. Some clients reserve `/`, so a dot or a space also works as a prefix."""
        word = line.lstrip("/").partition(" ")[0]
        try:
            found = find(word, *self.command_tiers(person))
        except Several:
            return lead != " "
        except Unknown:
            return lead == "\\"
        return lead != " " or fold(word) in found.names

    async def _bare(self, person: Person, text: str) -> None:
        for bot in [*person.focus.tables()]:
            if await bot.hear(person, text):
                return
        if line := self._bare_word(text):
            await self.command(person, line)
            return
        if person.seats and (meant := self._bare_command(text)):
            if meant.group != _LOOKING and " " not in text:
                raise UserError(f"“{text}” is a command: type /{meant.name}, or '{meant.name} to say it.")
            await self.command(person, text)
            return
        self._talk(person, text)

    def _bare_word(self, text: str) -> str:
        """Return the command line, without its slash, for a bare word; empty if it isn't one."""
        word, _, page = text.casefold().partition(" ")
        if word not in _BARE or (page and not (word in _PAGES and self._host.pages.has(page))):
            return ""
        return f"{_BARE[word]} {page}".strip()

    def _bare_command(self, text: str) -> Command | None:
        """Return the command that a line without a slash looks like: a name alone, or with numbers and rooms."""
        word, *more = text.casefold().split()
        known = (one for one in self.commands if one.group and word in one.names)
        named = more[:1] if word == "at" else more
        plain = all(other.removeprefix("#").isdigit() or fold(other) in self._host.rooms for other in named)
        return next(known, None) if plain else None

    def _talk(self, person: Person, text: str) -> None:
        """Handle a line that is neither a command nor a move; raises `UserError`."""
        several = len(person.room.people.near.here) > 1  # the usual case
        if not several and self._alone(person) and self._is_command(person, " ", text):
            word = text.partition(" ")[0].casefold()
            only = "only bots are" if person.room.has_bots else "nobody else is"
            raise UserError(
                f"{only} in {person.room.name}. Type /{word} for the command, or '{text[:20]} to say it anyway."
            )
        self._seats.check_talk(person, text)
        self._host.check_voice(person)
        talk.hear(self._host, person, text)

    @staticmethod
    def _alone(person: Person) -> bool:
        """Whether nobody else would hear the person."""
        people = person.room.people
        return people.number_here <= (person in people.near.here) and not person.profile.sends_to

    def command_tiers(self, person: Person) -> tuple[Sequence[Command], ...]:
        """Return the commands in lookup order: legal moves, game commands, chat commands."""
        first = next(person.focus.tables(), None)
        return (first.legal(person), first.commands(person), self.commands) if first else (self.commands,)

    async def command(self, person: Person, line: str, table: Bot | None = None) -> None:
        """Run the command at the start of `line` (without its slash), at `table` if the person named one.

        Raises what `find` and `Command.read` raise.
        """
        word, _, rest = line.strip().partition(" ")
        found, bot = self._found(person, word, table)
        if bot:
            await bot.move(person, found, rest)
            return
        looks = found.group == _LOOKING and person.seats and not rest  # at their own table, which is there
        if not looks and found.name not in _AT_ANY_TIME:
            await self._tables_ready(person, found, rest)
        if found.spreads(rest):
            self._host.check_voice(person)
        answer = found.run(self._context_of(found.context, person, table), *found.read(rest))
        answer = await answer if inspect.isawaitable(answer) else answer
        person.show(*(row if isinstance(row, Line) else Line(row) for row in _rows(answer)))

    async def _tables_ready(self, person: Person, found: Command, rest: str) -> None:
        """Restore the tables that a command names, of those that a start has left for later."""
        if found.group == _STARTING:
            return
        named = rest.partition(" ")[2] if found.name in _NAMING_A_GAME else rest
        await self._seats.named_ready(named, partial(person.show, _WAIT))

    def _found(self, person: Person, word: str, table: Bot | None) -> tuple[Command, Bot | None]:
        """Return the command with this name, and its table if it is a move; raises `Several` or `Unknown`.

        A full name matches moves at all tables of the person; an abbreviation only matches at the first. If they have
        named a `table`, it is the only one.
        """
        folded = word.casefold()
        for bot in (table,) if table else person.focus.tables():
            for move in bot.commands(person):
                if folded in move.names:
                    return move, bot
        if whole := self._by_name.get(folded):
            return whole, None
        first = table or next(person.focus.tables(), None)
        moves = first.commands(person) if first else ()
        is_move = any(name.startswith(folded) for move in moves for name in move.names)
        legal = first.legal(person) if first and is_move else ()  # spelling out thousands of moves takes 4 ms
        found = find(word, legal, moves, self.commands)
        return found, first if found in moves else None


def _rows(answer: str | Line | Iterable[str | Line] | None) -> Iterable[str | Line]:
    if answer is None:
        return ()
    return (answer,) if isinstance(answer, str | Line) else answer
