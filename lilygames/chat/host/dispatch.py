"""Dispatch typed lines: run a command, make a move, or say it as talk."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol

import attrs

from lilygames import bymail
from lilygames.chat.input import current_line, grammar, help_data
from lilygames.chat.input.grammar import (
    BARE,
    LOOKING,
    Ask,
    ByMail,
    Context,
    Data,
    Enter,
    Expected,
    Hearers,
    Meaning,
    Move,
    Number,
    Pick,
    Run,
    ShowMenu,
    Talk,
)
from lilygames.chat.input.lines_sent_again import ARRIVED, LinesSentAgain
from lilygames.chat.names.names import fold
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Bot, Person, Room
from lilygames.chat.people.terminal import Gone, Terminal, Unfinished
from lilygames.chat.talk import talk
from lilygames.commands import Command
from lilygames.errors import refusal
from lilygames.help import Pages
from lilygames.scheduling.foreground import Foreground
from lilygames.text import Line, Problem

CONTROL = "#$#"
"""Prefix of control lines in lily's client protocol (SLCP). A client sends them, so they are never talk."""
_AT_ANY_TIME = ("help", "bye", "who", "idle", "why", "motd", "tables", "create")
"""Commands that wait for no table after a start. Neither do talk, and a look at your own table.

All others wait for your own tables, and for those of the rooms, people and numbers they name.
"""
_WAIT = Line("(the server has just restarted: your command waits until its tables are back)")
_OWN_WAIT = Line("(the server has just restarted: your line waits until your table is back)")
BY_MAIL = "at:move"
"""The command for a move by mail."""
_RUN_AGAIN = ("at", BY_MAIL, "help")
"""Commands that run again if their line is sent again, as do all that only show: the table itself knows its moves."""
_SHOWING = (LOOKING, "look around")
"""Groups of commands that only show something."""
_STARTING = "start"
"""Group of commands about new games, which name no open table."""
_NAMING_A_GAME = ("new", "options")
"""Other commands that begin with a game's name, which is also the name of a room."""

ContextOf = Callable[[Any, Person, Bot | None], Any]
"""Makes a command's context from its type, the person, and the table named with /at."""

_MAY_WAIT = re.compile(
    rf"\Z|['/. \\#?]|{bymail.BEGINNING}|({'|'.join(filter(str.isalpha, BARE))})(\s|\Z)", re.IGNORECASE
).match
"""Lines that may be commands or quoted moves, and so may have to wait. All other lines are talk."""


class Host(talk.Host, Protocol):
    """The host, as a dispatcher needs it."""

    @property
    def accounts(self) -> Accounts:
        """The accounts."""

    @property
    def pages(self) -> Pages:
        """The help pages."""

    @property
    def games(self) -> Container[str]:
        """The names of the games."""

    @property
    def sent_again(self) -> LinesSentAgain:
        """The lines that aren't followed again."""

    def tell_about(self, person: Person, news: ChatEvent, rooms: Iterable[Room]) -> None:
        """Tell others news about a person: everyone, or in a large place those who are in one of these rooms."""

    def greet(self, person: Person) -> Awaitable[None]:
        """Show the greeting to a person who is no longer away."""

    def check_voice(self, person: Person) -> None:
        """Raise `UserError` if nothing that a person writes may reach others."""


class Accounts(Protocol):
    """The accounts, as a dispatcher needs them."""

    def key(self, name: str) -> str:
        """Return the key under which everything about a person of this name is stored."""


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

    def invitations(self, person: Person) -> tuple[int, ...]:
        """Return the numbers of the tables that have invited a person, who hasn't answered yet."""


@attrs.frozen
class Seated:
    """A table as the lines of one person can address it."""

    bot: Bot
    person: Person

    @property
    def number(self) -> int:
        """The table's number."""
        return self.bot.position[0]

    @property
    def commands(self) -> Sequence[Command]:
        """The commands of all moves of the game; none for someone without a seat."""
        return self.bot.commands(self.person)

    @property
    def plays(self) -> bool:
        """Whether the person has a seat and the game isn't over."""
        return self.bot.plays(self.person)

    def legal(self) -> Sequence[Command]:
        """Return the commands of the person's legal moves; it is slow."""
        return self.bot.legal(self.person)

    def expected(self) -> Expected | None:
        """Return what the table expects of the person; None if nothing that they type counts there."""
        return self.bot.expected(self.person)


@attrs.frozen
class KnownNames:
    """The names that a person can know: people and rooms here, games, and their own groups."""

    host: Host
    person: Person

    def __contains__(self, word: object) -> bool:
        """Whether a word names one of them."""
        name = fold(str(word).lstrip("-~*").rstrip(",;:"))
        room = self.host.rooms.get(name)
        if room is not None:
            return room.may_see(self.person)
        return name in self.host.people or name in self.host.games or name in self.person.profile.groups


@attrs.frozen
class BegunLine:
    """A line with a move that waits until it is stored, and the line of the connection that it came in."""

    dispatcher: Dispatcher
    line: Unfinished

    def finished(self) -> None:
        """Learn that everything that answers the line has been shown."""
        self.dispatcher.finished(self.line)


def ask(person: Person, asked: Ask) -> None:
    """Show a question about a line, and offer the lines that it may mean."""
    row = Line(asked.sentence, problem=Problem("ambiguous"))
    person.focus.offer(asked.lines, rows=(row,), once=True)
    person.show(row)


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
        talk_at_once: int,
    ) -> None:
        """`talk_at_once` is how many lines someone may say within a second before the next are held back."""
        self.commands = commands
        """All commands except game moves."""
        self._by_name = {name: known for known in reversed(commands) for name in known.names}
        self.in_progress = 0
        """Number of lines being handled."""
        self._host = host
        self._context_of = context_of
        self._seats = seats
        self._foreground = foreground
        self._talk_at_once = talk_at_once

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
            with self._following(person):
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
        if person.activity.idle or person.room.bot or person.seats or person.paste.asks or _MAY_WAIT(text):
            return False
        if self._seats.waits_for(person.name, person.room.name):
            return False
        person.activity.typed()
        try:
            if self._may_mean_more(person, text) and not isinstance(grammar.read(text, self.context(person)), Talk):
                return False
            with self._following(person):
                self._say(person, text.strip())
        except Exception as problem:  # noqa: BLE001 - as above
            person.show(refusal(problem, person.name))
        return True

    def begin(self, person: Person, terminal: Terminal, text: str, line: Unfinished) -> bool:
        """Begin a line that is a move at the table that asks the person, and return True; `line` learns when it's done.

        Return False if `hear` has to handle it: it's another line, or the move is refused, or it has to wait.
        """
        if person.terminal is not terminal or not self._may_begin(person, text):
            return False
        once, owner = current_line.get().once, self._host.accounts.key(person.name)
        if once and self._host.sent_again.knows(owner, once):
            return False
        try:
            begun = self._begins(person, grammar.read(text, self.context(person)), BegunLine(self, line))
        except Exception:  # noqa: BLE001 - `hear` reads the line again, and words the error
            return False
        if not begun:
            return False
        if once:
            self._host.sent_again.restore(owner, (once,))
        person.activity.typed()
        self.in_progress += 1
        self._foreground.line_came()
        return True

    def _may_begin(self, person: Person, text: str) -> bool:
        """Return whether a line may be a move for the table that asks the person, and waits for nothing else."""
        asking = person.focus.table()
        return not (
            asking is None
            or not _is_move(text, asking.commands(person))
            or person.focus.choices is not None
            or person.activity.idle
            or person.paste.asks
            or self._seats.waits_for(person.name, person.room.name)
        )

    def _begins(self, person: Person, meaning: Meaning, line: BegunLine) -> bool:
        match meaning:
            case Move(Seated(bot), found, rest):
                return bot.begin_move(person, found, rest, line)
            case Number(Seated(bot), digits):
                return bot.begin_answer(person, digits, line)
        return False

    def finished(self, line: Unfinished) -> None:
        """Finish a line that `begin` has begun: everything that answers it has been shown."""
        self.in_progress -= 1
        self._foreground.line_answered()
        line.finished()

    def _following(self, person: Person) -> AbstractContextManager[None]:
        return self._host.sent_again.following(self._host.accounts.key(person.name))

    def _may_mean_more(self, person: Person, text: str) -> bool:
        """Whether a line without a mark may be more than talk: most don't begin with a command's name."""
        word = text.partition(" ")[0].casefold()
        return person.focus.choices is not None or word in self._by_name or word.rstrip(".!") in grammar.ANSWERS

    async def _hear(self, person: Person, text: str) -> None:
        again = current_line.get().again
        if not again and (pasted := person.paste.answered(text)) is not None:
            await self._send_pasted(person, pasted)
            return
        menu, meaning = person.focus.choices, grammar.read(text, self.context(person))
        if menu and menu.confirms and not isinstance(meaning, Enter | ShowMenu):
            person.focus.close_menu()
        if isinstance(meaning, Pick):
            if menu and menu.once:
                person.focus.close_menu()
            meaning = grammar.read(meaning.line, attrs.evolve(self.context(person), menu=None))
        await self._follow(person, meaning, text)

    async def _follow(self, person: Person, meaning: Meaning, text: str) -> None:
        """Do what a line means."""
        match meaning:
            case Run(found, rest):  # most lines that come here
                await self._run(person, found, rest)
            case Move(Seated(bot), found, rest):
                await bot.move(person, found, rest)
            case Number(Seated(bot), digits):
                await bot.answer(person, digits)
            case Talk(said, quoted):
                self._say(person, said, quoted=quoted)
            case Enter():
                self._enter_alone(person)
            case Ask():
                ask(person, meaning)
            case ShowMenu():
                person.show(*(person.focus.choices.rows if person.focus.choices else ()))
            case Data():
                person.show(*help_data.answered(self._host.pages, text))
            case ByMail(number, line):
                await self._run(person, self._by_name[BY_MAIL], f"{number} {line}")

    def _enter_alone(self, person: Person) -> None:
        waiting = next(iter(person.focus.waiting()), None)
        bot = person.focus.table() or waiting or next(person.focus.tables(), None)
        reminder = bot.remind(person) if bot else ()
        person.show(*(reminder or [Line(f"(you are in {person.room.name}; type /help to see what you can do)")]))

    def _say(self, person: Person, text: str, *, quoted: bool = False) -> None:
        """Say a line of talk, unless it has arrived before or is part of a long paste; raises `UserError`."""
        if current_line.get().again:
            person.show(ARRIVED)
            return
        held = f"'{text}" if quoted else text
        program = person.voice.each and not person.takes_picture  # people paste into a page, too
        if program or not person.paste.holds(person, held, self._talk_at_once):
            self._talk(person, text, quoted=quoted)

    async def _send_pasted(self, person: Person, lines: Sequence[str]) -> None:
        """Send pasted lines in order, while others have turns, up to one that is refused; raises `UserError`."""
        if not lines:
            person.show(Line("(The lines you pasted weren't sent.)"))
        for line in lines:
            self._talk(person, line.removeprefix("'"), quoted=line.startswith("'"))
            await asyncio.sleep(0)

    def _talk(self, person: Person, text: str, *, quoted: bool = False) -> None:
        """Say a line that is neither a command nor a move, which ends a menu; raises `UserError`."""
        person.focus.close_menu()
        if not quoted:
            self._seats.check_talk(person, text)
        self._host.check_voice(person)
        (talk.say if quoted else talk.hear)(self._host, person, text)

    # what lines mean

    def context(self, person: Person) -> Context:
        """Return what decides the meaning of a person's lines now."""
        return Context(
            self.commands,
            self._by_name,
            self._host.pages,
            tuple(Seated(bot, person) for bot in person.focus.tables()),
            bool(person.seats),
            KnownNames(self._host, person),
            person.focus.choices,
            self._seats.invitations(person),
            person.focus.invited,
            self._hearers(person),
            person.room.name,
        )

    @staticmethod
    def _hearers(person: Person) -> Hearers:
        """Return who else would hear the person."""
        people = person.room.people
        if len(people.near.here) > 1:  # the usual case
            return "people"
        if people.number_here <= (person in people.near.here) and not person.profile.sends_to:
            return "bots" if person.room.has_bots else "nobody"
        return "people"

    def command_tiers(self, person: Person) -> tuple[Sequence[Command], ...]:
        """Return the commands in lookup order: legal moves, game commands, chat commands."""
        return grammar.tiers(self.context(person))

    async def command(self, person: Person, line: str, table: Bot | None = None) -> None:
        """Run the command at the start of `line` (without its slash), at `table` if the person named one.

        Raises what `find` and `Command.read` raise.
        """
        meaning = grammar.command(line, self.context(person), Seated(table, person) if table else None)
        if isinstance(meaning, Run):
            await self._run(person, meaning.command, meaning.rest, table)
        else:
            await self._follow(person, meaning, line)

    async def _run(self, person: Person, found: Command, rest: str, table: Bot | None = None) -> None:
        """Run a command and show its answer, unless its line has arrived before."""
        if current_line.get().again and not (found.group in _SHOWING or found.name in _RUN_AGAIN):
            person.show(ARRIVED)
            return
        looks = found.group == LOOKING and person.seats and not rest  # at their own table, which is there
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


def _is_move(text: str, moves: Sequence[Command]) -> bool:
    """Return whether a line is a number, or begins with the whole name of one of these moves, as most moves do."""
    word = text.partition(" ")[0].casefold().removeprefix("/")
    return word.isdecimal() or any(word in move.names for move in moves)


def _rows(answer: str | Line | Iterable[str | Line] | None) -> Iterable[str | Line]:
    if answer is None:
        return ()
    return (answer,) if isinstance(answer, str | Line) else answer
