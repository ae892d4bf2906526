"""The runner of a table: it applies an act, appends it to the log, and only then lets everybody learn what followed.

Everything that changes the table runs in the one task of its room.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import attrs
import structlog

from lilygames import codec
from lilygames.chat.people import Room
from lilygames.commands import Misread
from lilygames.errors import NOTHING_SAVED, UserError
from lilygames.store import Conflict, Draft, Entry, Replaced, StoreUnavailable
from lilygames.tables import life
from lilygames.tables.life import Life, stopped
from lilygames.tables.log import Act, Body, Moved, Note, Noted, Sitter
from lilygames.tables.narrate import Words
from lilygames.tables.services import TableServices
from lilygames.tables.table import Table
from rules.kit import Event, Refused, Seat

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until what the table could not keep by itself is tried again."""


@attrs.frozen
class Advanced:
    """A table has gone on: what it was, what it is, the act that led there, and what that made happen."""

    before: Table
    after: Table
    act: Act
    events: tuple[Event, ...]


class Overtaken(UserError):
    """The table has gone on before something could be done that was meant for the place where it stood."""


class Shortened(Exception):
    """The store has lost entries of a log that were acknowledged: it was put back to an earlier state."""

    def __init__(self, seq: int, head: int) -> None:
        super().__init__(f"entry {seq} was acknowledged, but the log ends with entry {head}")


class Observer(Protocol):
    """What learns each time that a table has gone on."""

    def observe(self, advanced: Advanced) -> None:
        """Do at once what follows from it; a bug in this stops the table."""


class Reactions(Protocol):
    """What a runner lets happen when it has brought its table further."""

    def say(self, words: Words, aloud: str = "") -> None:
        """Show a notice to everybody who watches, before what it is about happens."""

    def advance(self, advanced: Advanced) -> None:
        """Let everything that observes the table learn that it has gone on."""

    async def go_on(self) -> None:
        """Do what follows by itself."""

    def remember_seats(self) -> None:
        """Let everybody here know of a seat that they have taken or left without being told so."""

    def stop(self, case: str) -> None:
        """Tell everybody that a bug has stopped the table."""


class Runner:
    """A table and its log. A bug of its game stops it, and no other."""

    def __init__(
        self, table: Table, room: Room, services: TableServices, reactions: Reactions, *, asleep: bool = False
    ) -> None:
        self.table = table
        self.log = f"table/{table.header.number}"
        """The name of the table's log."""
        self.life = Life.ASLEEP if asleep else life.written(table)
        self.case = ""
        """The case number of the bug that stopped this table; empty while all is well."""
        self.room = room
        self.services = services
        self._reactions = reactions
        self._remembered: tuple[Sitter, ...] = ()
        """Who sat here when everybody was last let know of it."""
        self._lost: dict[tuple[str, str], str] = {}
        """The attempt at each act whose append was not confirmed: who tries it again makes no second one."""

    # apply, append, publish

    async def make(self, seat: Seat, move: Any, by: str, *, only_here: bool = False) -> None:
        """Make a move for a seat, and let the table go on; raises `Refused` or `UserError`, as `act` does."""
        await self.act(by, Moved(seat, codec.dump(move)), only_here=only_here)
        await self.go_on()

    async def go_on(self) -> None:
        """Do what follows by itself; nobody is refused anything here."""
        await self._reactions.go_on()

    async def note(self, what: Note, name: str, more: str = "", saying: Words = "") -> None:
        """Take down what was said about somebody at the table; raises `UserError` or `Refused`."""
        await self.act(name, Noted(what, name, more), saying)

    async def act(self, by: str, act: Act, saying: Words = "", *, aloud: str = "", only_here: bool = False) -> None:
        """Apply an act, append it, then tell what followed, led by `saying`, or by `aloud` for who listens.

        `only_here` is for what is meant for the place where the table stands now, not for a later one. Raises `Refused`
        or `UserError`, and then nothing has happened.
        """
        lost = self._lost.pop((by, codec.to_text(act)), "") if self._lost else ""
        attempt = lost or secrets.token_hex(16)
        while True:
            after, events = self._applied(act)
            try:
                kept = await self._append(Draft(by, after.body), attempt, only_here=only_here)
            except Replaced:  # the log says so already, once for all tables
                self._lost[by, codec.to_text(act)] = attempt
                raise UserError(NOTHING_SAVED) from None
            except StoreUnavailable as problem:
                self._lost[by, codec.to_text(act)] = attempt
                log.warning("cannot append", log=self.log, why=str(problem))
                raise UserError(
                    "the table is catching its breath and took nothing down; try again in a moment."
                ) from None
            if kept:
                if saying:
                    self._reactions.say(saying, aloud)
                self._publish(after, events, act)
                return

    def _applied(self, act: Act) -> tuple[Table, tuple[Event, ...]]:
        with self.bugs_stop_this_table():
            return self.table.after(act)

    async def _append(self, draft: Draft, attempt: str, *, only_here: bool) -> bool:
        """Return whether a draft is kept now; where others came first read on, or raise `Overtaken`."""
        try:
            await self.services.store.append(self.log, self.table.seq, [draft], cmd=attempt)
        except Conflict as conflict:
            if conflict.head < self.table.seq:
                raise self.stop(Shortened(self.table.seq, conflict.head)) from None
            await self.catch_up()
            if only_here:
                raise Overtaken("the table has just gone on; /status says how it stands.") from None
            return False
        return True

    def _publish(self, after: Table, events: tuple[Event, ...], act: Act) -> None:
        before, self.table = self.table, after
        self.life = life.next_life(self.life, after)
        self._reactions.advance(Advanced(before, after, act, events))

    # what others append

    async def follow(self) -> None:
        """Read and publish what other nodes have appended, unless another process is about to do that."""
        if self.life is Life.ASLEEP:
            return
        with suppress(UserError, StoreUnavailable):
            await self.catch_up()
        if self._remembered != self.table.seats:
            self.remember_seats()

    async def catch_up(self) -> None:
        """Read what others have appended, publish it, and go on; raises `UserError` where seats changed hands."""
        seats = self.table.seats
        while (page := await self.services.store.read(self.log, self.table.seq)).entries:
            for entry in page.entries:
                self._lost = {wish: attempt for wish, attempt in self._lost.items() if attempt != entry.cmd}
                self._publish(*self._read(entry), codec.from_text(entry.body, Body).act)
        lag = 0.0 if self.table.closed else self.services.lag(self.log)
        if lag:
            asyncio.get_running_loop().call_later(lag, self.room.post, self._reactions.go_on)
        else:
            self.room.post(self._reactions.go_on)
        if seats != self.table.seats:  # the number of a seat may mean somebody else by now
            self.remember_seats()
            raise UserError("the seats have just changed; /table shows who sits, then try again.")

    def remember_seats(self) -> None:
        """Let everybody here know of a seat that they have taken or left without being told so."""
        self._remembered = self.table.seats
        self._reactions.remember_seats()

    def _read(self, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        with self.bugs_stop_this_table():
            return self.table.read(entry)

    # when something is broken, and when another process goes on

    @contextmanager
    def bugs_stop_this_table(self) -> Iterator[None]:
        """Let refusals and a store that is away pass; anything else that the game's code raises stops this table alone.

        Raises `UserError` then, and at once where the table has been stopped.
        """
        if self.case:
            raise self._stopped()
        try:
            yield
        except (Refused, Misread, UserError, StoreUnavailable):
            raise
        except Exception as bug:  # noqa: BLE001 - a plug-in may raise whatever it likes
            raise self.stop(bug) from None

    def _stopped(self) -> UserError:
        return UserError(f"this table is {stopped(self.case)}.")

    def stop(self, bug: Exception) -> UserError:
        """Stop this table for a bug, and return what is said to who asks something of it."""
        self.life = life.after(self.life, Life.STOPPED)
        self.case = secrets.token_hex(3)
        log.error("a table is stopped", exc_info=bug, case=self.case, log=self.log, game=self.table.game.name)
        self._reactions.stop(self.case)
        return self._stopped()

    def sleep(self) -> None:
        """Let nothing happen here by itself any more, since another process is about to go on."""
        if not self.case:
            self.life = life.after(self.life, Life.ASLEEP)

    async def wake(self) -> None:
        """Go on by oneself again: publish what others have done meanwhile, if the table was asleep."""
        if self.life is Life.ASLEEP:
            self.life = life.after(self.life, life.written(self.table))
            await self.room.do(self.follow)

    @property
    def rests(self) -> bool:
        """Whether nothing happens here by itself: the table is stopped or asleep."""
        return self.life in (Life.STOPPED, Life.ASLEEP)


class SingleTimer:
    """The one thing that a table will do by itself, some seconds from now."""

    def __init__(self, runner: Runner) -> None:
        self.busy = False
        """Whether something is to be done, or a house player thinks about it."""
        self._runner = runner

    def start(self, delay: float, job: Callable[[], Awaitable[None]]) -> None:
        """Do something some seconds from now, unless something else is to be done already."""
        if not (self.busy or self._runner.rests):
            self.busy = True
            asyncio.get_running_loop().call_later(delay, self.fire, job)

    def hold(self) -> None:
        """Let nothing else be done before `fire`, since a house player thinks about it."""
        self.busy = True

    def fire(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do now what was to be done."""
        if self._runner.life is not Life.ASLEEP:
            self._runner.room.post(job)
        self.busy = False
