"""The runner of a table: it applies an act, appends it to the log, and only then publishes the events.

Everything that changes the table is a job of its room.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from hashlib import sha256
from types import TracebackType
from typing import Any, ClassVar, Protocol
from weakref import ref

import attrs
import structlog

from lilygames import codec, log_events
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Room
from lilygames.commands import Misread
from lilygames.errors import NOTHING_SAVED, UserError
from lilygames.store import Append, Conflict, Draft, Effect, Entry, Replaced, StoreUnavailable
from lilygames.tables.archive.archive import Archive, stored_secret
from lilygames.tables.log.acts import (
    Act,
    Acts,
    Body,
    Committed,
    Forgotten,
    Moved,
    Note,
    Noted,
    Revealed,
    Sitter,
    Voided,
)
from lilygames.tables.log.names_beside import all_known, effects, names_in, people_of, shown_entries
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.play.services import LogServices
from lilygames.tables.sight.narrate import Words
from lilygames.tables.sight.public_row import row_changed
from lilygames.tables.state import life
from lilygames.tables.state.life import RESTING, Life, stopped
from lilygames.tables.state.table import Table, after_entries, knowing
from lilygames_rules.changed import maker
from lilygames_rules.kit import Event, Refused, Seat

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until something that failed is retried automatically."""
_EXPECTED = (Refused, Misread, UserError, StoreUnavailable)
"""Errors that aren't bugs."""
_STORED = frozenset((Voided, Forgotten))
"""Acts after which the table has something that only the store knows."""
BY_NAME = (Committed, Revealed)
"""Acts that name a player, not a seat: they stay right when the seats change."""
_MOVED_ON = "the game has just moved on. Type /status to see what it is waiting for."
_PROCESS, _ATTEMPTS = secrets.token_hex(16), itertools.count()
"""Together they name an attempt to append. To draw each name at random would cost a tenth of a bot's move."""


@attrs.frozen
class Advanced:
    """One step of a table: the table before and after it, the act, and the events."""

    before: Table
    after: Table
    act: Act
    events: tuple[Event, ...]
    typed_by: Seat | None = None
    """The seat whose player has just typed this move, and so needn't read who made it."""


_advanced, _draft = maker(Advanced), maker(Draft)


class Waits(Protocol):
    """Something that waits until a move is stored."""

    def made(self) -> None:
        """Learn that the move is stored and everyone has been told."""

    def failed(self, why: UserError | None) -> None:
        """Learn that the move isn't stored, or with None that it has to be made again, in the slow way."""


@attrs.frozen
class BegunMove:
    """A move that was handed to the store, and what to do with the answer."""

    runner: Runner
    by: str
    step: Advanced
    attempt: str
    """The name of the attempt to append it."""
    named: SeatIds
    """The people whose names are stored with it."""
    row: Sequence[Effect]
    waits: Waits

    def finish(self, answer: tuple[Entry, ...] | Exception) -> None:
        """Take the store's answer."""
        self.runner.finish(self, answer)


class Overtaken(UserError):
    """The table has moved on since an act was requested that was meant only for its earlier state."""

    code = "changed"


class SeatsChanged(UserError):
    """Another node has changed the seats, so a seat number may belong to someone else now."""

    code = "changed"


class Shortened(Exception):
    """The store has lost acknowledged log entries: it was restored to an earlier state."""

    def __init__(self, seq: int, head: int) -> None:
        super().__init__(f"entry {seq} was acknowledged, but the log ends with entry {head}")


class Observer(Protocol):
    """Something that is called at the steps of a table whose act is of the kinds that it declares."""

    acts: ClassVar[Acts]
    """The kinds of acts that it observes."""

    def observe(self, advanced: Advanced) -> None:
        """Handle a step at once; a bug here stops the table."""


class Reactions(Protocol):
    """Callbacks that a runner uses when its table changes."""

    def say(self, words: Words, aloud: str = "") -> None:
        """Show a notice to everyone at the table, before the events it is about."""

    def advance(self, advanced: Advanced) -> None:
        """Pass a step to the table's observers of such acts."""

    @property
    def waits_for_people(self) -> bool:
        """Whether nothing happens next unless a person does something."""

    async def go_on(self) -> None:
        """Do what happens next without a player: bots and clocks."""

    def remember_seats(self) -> None:
        """Update which seats the people here have, without a message."""

    def stop(self, case: str) -> None:
        """Tell everyone that a bug has stopped the table."""


class Nobody:
    """The reactions of a table that nobody has any more: a job that was queued before it closed changes nothing."""

    def say(self, words: Words, aloud: str = "") -> None:
        """Show nothing."""

    def advance(self, advanced: Advanced) -> None:
        """Tell nobody."""

    @property
    def waits_for_people(self) -> bool:
        """Return True, as nothing happens next."""
        return True

    async def go_on(self) -> None:
        """Do nothing next."""

    def remember_seats(self) -> None:
        """Remember nothing."""

    def stop(self, case: str) -> None:
        """Tell nobody."""


_NOBODY = Nobody()


class BugsStop:
    """A block in which a bug stops the table, as `Runner.bugs_stop_this_table` says.

    A move enters five of them. One object costs less than half of what a generator for each would.
    """

    __slots__ = ("_runner",)

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def __enter__(self) -> None:
        if self._runner.case:
            self._runner.check_works()

    def __exit__(self, _: type[BaseException] | None, problem: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(problem, Exception) and not isinstance(problem, _EXPECTED):
            raise self._runner.stop(problem) from None


class Runner:
    """A table and its log. A bug in its game stops this table and no other."""

    def __init__(
        self, table: Table, room: Room, services: LogServices, reactions: Reactions, *, asleep: bool = False
    ) -> None:
        self.table = table
        self.log = f"table/{table.header.number}"
        """The name of the table's log."""
        self.life = Life.ASLEEP if asleep else life.written(table)
        self.case = ""
        """The case number of the bug that stopped this table; empty if there is none."""
        self.room = room
        self.services = services
        self._reacting = ref(reactions)
        """Weak, since the table's bot owns this runner: see `TableBot`."""
        self._remembered: tuple[Sitter, ...] = ()
        """The seats when `remember_seats` last ran."""
        self._lost: dict[tuple[str, str], str] = {}
        """The unconfirmed append attempt of each act, so that a retry doesn't append it twice."""
        self._named = table.header.people
        """The people whose names are stored beside the log."""

    # apply, append, publish

    @property
    def bugs_stop_this_table(self) -> BugsStop:
        """A block that passes on refusals and store outages; any other error in the game's code stops this table alone.

        Raises `UserError` in that case, and at once if the table is already stopped.
        """
        return BugsStop(self)

    @property
    def _reactions(self) -> Reactions:
        return self._reacting() or _NOBODY

    async def make(self, seat: Seat, move: Any, by: str, once: str = "", *, typed: bool = False) -> None:
        """Make a move for a seat and continue the game; raises `Refused` or `UserError`, as `act` does.

        If it was `typed`, its player needn't read who made it. With `once` it is made only once, however often its
        author sends it with that text: see `has_made`.

        Bots are called on in a later turn of the event loop, so that others' lines don't wait for that, too. If the
        caller is cancelled, the room's task does the rest.
        """
        try:
            moved = Moved.of(self.table.game.rules, seat, move)
            await self.acts(by, (moved,), once=once, typed_by=seat if typed else None)
            await self.go_on_after_move()
        except asyncio.CancelledError:
            self.room.post(self._reactions.go_on)
            raise

    async def go_on_after_move(self) -> None:
        """Do what happens next without a player after a move, if anything does."""
        if self.table.seats.levels:
            await self.services.bot_work.later_turn()
        if not self.waits_for_people:
            await self._reactions.go_on()

    @property
    def waits_for_people(self) -> bool:
        """Whether nothing happens next unless a person does something."""
        return self._reactions.waits_for_people

    def begin(self, seat: Seat, move: Any, by: str, once: str, waits: Waits) -> bool:
        """Begin a move that was typed: check it, apply it and hand it to the store, which calls `finish`.

        Return False if it has to be made in the slow way, by `make`: an earlier attempt to make it is lost. Raises
        `Refused` or `UserError`; the table is then unchanged. The caller holds the room's jobs until `waits` is told.
        """
        if self._lost:
            return False
        moved = Moved.of(self.table.game.rules, seat, move)
        self.introduce(*names_in(by, (moved,)))
        (step,) = self._applied((moved,), seat)
        people = self.table.header.people
        attempt = self._attempt_of(by, once) if once else f"{_PROCESS}.{next(_ATTEMPTS)}"
        row = row_changed(self.table, step.after, self.services.node, forgets=False)
        changed = (*effects(self.table.header.number, self._named, people), *row)
        drafts = (_draft(people.id_of(by), step.after.body),)
        self.services.store.append_soon(
            Append(self.log, self.table.seq, drafts, attempt, effects=changed),
            BegunMove(self, by, step, attempt, people, row, waits),
        )
        return True

    def finish(self, begun: BegunMove, answer: tuple[Entry, ...] | Exception) -> None:
        """Finish a move when the store has answered: tell everyone, or leave it to the slow way.

        That knows the attempt by its name, so it finds a move that was stored although the answer was lost.
        """
        step = begun.step
        if isinstance(answer, StoreUnavailable):
            begun.waits.failed(self._not_saved(begun.by, (step.act,), begun.attempt, answer))
            return
        if isinstance(answer, Exception) or not self._is_next(answer[0], step.after.body):
            self._lost[_wish(begun.by, (step.act,))] = begun.attempt
            begun.waits.failed(None)
            return
        self._named = begun.named
        self.services.row_written(begun.row)
        try:
            self.services.activity.appended(step.before, step.after, step.act)
            self._publish(step)
        finally:  # a bug there mustn't hold the room and the player's next lines for ever
            begun.waits.made()

    async def has_made(self, by: str, once: str) -> bool:
        """Return whether a move is in the log that its author sent with this text; raises `UserError`.

        The text is stored in the log, as the name of the attempt to append the move. So every node and every later
        process knows it. Only a move that would be refused is looked up.
        """
        if not once:
            return False
        try:
            return bool(await self.services.store.append(self.log, None, (), cmd=self._attempt_of(by, once)))
        except StoreUnavailable:
            raise UserError(NOTHING_SAVED) from None

    def _attempt_of(self, by: str, once: str) -> str:
        """Return the name of an attempt to make a move that is known by this text; it is like any other attempt's."""
        return sha256(f"{self.table.header.people.id_of(by)} {once}".encode()).hexdigest()[:32]

    async def go_on(self) -> None:
        """Do what happens next without a player; nobody gets a refusal from it."""
        await self._reactions.go_on()

    async def note(self, what: Note, name: str, more: str = "", saying: Words = "") -> None:
        """Log a note about someone at the table; raises `UserError` or `Refused`."""
        await self.act(name, Noted(what, name, more), saying)

    async def note_resumed(self) -> None:
        """Log that a restart has given the clients more time; if that fails, the next restart gives as much."""
        with suppress(Refused, UserError):
            await self.note("again", "table")

    async def act(
        self,
        by: str,
        act: Act,
        saying: Words = "",
        *,
        aloud: str = "",
        only_here: bool = False,
        gives_way: bool = False,
    ) -> None:
        """Apply an act, append it to the log, then publish its events after the notice `saying`.

        Screen readers get `aloud` instead. With `only_here` the act is valid only for the table's current state. With
        `gives_way` its events are published in a turn of the event loop that does nothing else for bots. Raises
        `Refused` or `UserError`; the table is then unchanged.
        """
        await self.acts(by, (act,), saying, aloud=aloud, only_here=only_here, gives_way=gives_way)

    async def acts(
        self,
        by: str,
        acts: Sequence[Act],
        saying: Words = "",
        *,
        aloud: str = "",
        only_here: bool = False,
        gives_way: bool = False,
        once: str = "",
        typed_by: Seat | None = None,
    ) -> None:
        """Apply several acts and append them together: all of them are stored, or none. Otherwise like `act`.

        The player in the seat `typed_by` has just typed them.
        """
        lost = self._lost.pop(_wish(by, acts), "") if self._lost else ""
        attempt = lost or (self._attempt_of(by, once) if once else f"{_PROCESS}.{next(_ATTEMPTS)}")
        is_stored = not _STORED.isdisjoint(map(type, acts))  # then the steps after it have it, too
        while True:
            self.introduce(*names_in(by, acts))
            steps = self._applied(acts, typed_by)
            try:
                author = self.table.header.people.id_of(by)
                drafts = [_draft(author, step.after.body) for step in steps]
                forgotten = [fold(act.name) for act in acts if isinstance(act, Forgotten)] if is_stored else []
                named = self.table.header.people.without(forgotten) if forgotten else self.table.header.people
                row = row_changed(self.table, steps[-1].after, self.services.node, forgets=bool(forgotten))
                kept = await self._append(drafts, named, attempt, row, only_here=only_here, gives_way=gives_way)
            except asyncio.CancelledError:
                self._lost[_wish(by, acts)] = attempt
                self.room.post(self._append_again, self.table.seq, by, acts, saying, aloud)
                raise
            except SeatsChanged:
                if only_here or not all(isinstance(act, BY_NAME) for act in acts):
                    raise
                continue
            except StoreUnavailable as problem:
                raise self._not_saved(by, acts, attempt, problem) from None
            if kept:
                if saying:
                    self._reactions.say(saying, aloud)
                for step in steps:
                    self.services.activity.appended(step.before, step.after, step.act)
                    self._publish(await self._from_store(step) if is_stored else step)
                return

    def _not_saved(self, by: str, acts: Sequence[Act], attempt: str, problem: StoreUnavailable) -> UserError:
        """Remember an attempt that may be stored or not, and return the error to show."""
        self._lost[_wish(by, acts)] = attempt
        if isinstance(problem, Replaced):  # already logged, once for all tables
            return UserError(NOTHING_SAVED)
        log.warning("cannot append", log=self.log, why=str(problem))
        return UserError("nothing can be saved right now, so nothing was done. Try again in a moment.")

    async def _append_again(self, seq: int, by: str, acts: Sequence[Act], saying: Words, aloud: str) -> None:
        """Append acts after entry `seq` whose caller was cancelled meanwhile.

        It is the same attempt, so they are in the log once, whether they had reached it or not. If other acts were
        first, these are dropped: nobody has been told of them.
        """
        if self.table.seq == seq:
            with suppress(Refused, UserError):
                await self.acts(by, acts, saying, aloud=aloud, only_here=True)

    def introduce(self, *names: str) -> None:
        """Give ids to people who have none yet in this log; the names are stored with the next append."""
        people = self.table.header.people
        if self.table.header.ids and not people.have(names):
            self.table = knowing(self.table, people.with_people(names, self.services.new_salt))

    async def forget(self, names: Collection[str]) -> None:
        """Delete people's names (folded) beside the log of this open table; raises `UserError`."""
        gone = [Forgotten(pair.name) for pair in self.table.header.people.pairs if fold(pair.name) in names]
        if gone and not self.table.closed:
            await self.acts("table", gone)
            self.remember_seats()

    def _applied(self, acts: Sequence[Act], typed_by: Seat | None) -> list[Advanced]:
        """Return the steps that the acts make; raises `Refused` or `UserError`."""
        steps, table = list[Advanced](), self.table
        with self.bugs_stop_this_table:
            for act in acts:
                after, events = table.after(act)
                steps.append(_advanced(table, after, act, events, typed_by))
                table = after
        return steps

    async def _append(
        self,
        drafts: Sequence[Draft],
        named: SeatIds,
        attempt: str,
        row: Sequence[Effect],
        *,
        only_here: bool,
        gives_way: bool,
    ) -> bool:
        """Append drafts and return whether they are stored; if others appended first, read on or raise `Overtaken`.

        The names beside the log are stored in the same transaction, if they have changed, and so is the public `row`.
        """
        changed = (*effects(self.table.header.number, self._named, named), *row)
        try:
            kept = await self.services.store.append(self.log, self.table.seq, drafts, cmd=attempt, effects=changed)
        except Conflict as conflict:
            if conflict.head < self.table.seq:
                raise self.stop(Shortened(self.table.seq, conflict.head)) from None
            await self.catch_up()
            if only_here:
                raise Overtaken(_MOVED_ON) from None
            return False
        if not self._is_next(kept[0], drafts[0].body):  # another node has appended it before
            await self.catch_up()
            raise Overtaken(_MOVED_ON)
        if gives_way:
            await self.services.bot_work.turn()
        self._named = named
        self.services.row_written(row)
        return True

    def _is_next(self, entry: Entry, body: str) -> bool:
        """Return whether an entry with this body is the next one of the log."""
        return entry.seq == self.table.seq + 1 and entry.body == body

    def _publish(self, step: Advanced) -> None:
        self.table = step.after
        self.life = life.next_life(self.life, step.after)
        self._reactions.advance(step)

    # entries from other nodes

    async def follow(self) -> None:
        """Read and publish entries from other nodes, unless the table is asleep."""
        if self.life is Life.ASLEEP:
            return
        with suppress(UserError, StoreUnavailable):
            await self.catch_up()
        if self._remembered != self.table.seats:
            self.remember_seats()

    async def catch_up(self) -> None:
        """Read and publish entries from other nodes, then continue; raises `SeatsChanged`, `UserError`."""
        seats = self.table.seats
        while True:
            page = await self.services.store.read(self.log, self.table.seq)
            for entry in await self._with_names(page.entries) if page.entries else ():
                self._lost = {wish: attempt for wish, attempt in self._lost.items() if attempt != entry.cmd}
                self._publish(await self._read(entry))
            if self.table.seq >= page.head or not page.entries:
                break
        lag = 0.0 if self.table.closed else self.services.lag(self.log)
        if lag:
            asyncio.get_running_loop().call_later(lag, self.room.post, self._reactions.go_on)
        else:
            self.room.post(self._reactions.go_on)
        if seats != self.table.seats:  # a seat number may belong to someone else now
            self.remember_seats()
            raise SeatsChanged("the seats have just changed. Type /table to see them, then try again.")

    def remember_seats(self) -> None:
        """Update which seats the people here have, without a message."""
        self._remembered = self.table.seats
        self._reactions.remember_seats()

    async def _with_names(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return stored entries with names. People are known from then on whom another node has named."""
        people = self.table.header.people
        if not all_known(entries, people):
            self._named = await people_of(self.services.store, self.table.header.number)
            people = self._named.joined_with(people)
        people, shown = shown_entries(entries, people)
        self.table = knowing(self.table, people)
        return shown

    async def _read(self, entry: Entry) -> Advanced:
        """Return the step that an entry makes."""
        with self.bugs_stop_this_table:
            after, events = self.table.read(entry)
            act = codec.from_text(entry.body, Body).act
        step = Advanced(self.table, after, act, events)
        return await self._from_store(step) if type(act) in _STORED else step

    async def _from_store(self, step: Advanced) -> Advanced:
        """Return a step whose table has what only the store knows.

        A void round before the start brings the next secret. If a name is deleted, the table has the names that are
        left.
        """
        secret = self.table.secret
        if isinstance(step.act, Voided) and step.act.next_seal:
            number, round_ = step.after.header.number, step.after.rounds.number
            secret = await stored_secret(self.services.store, number, round_)
        if isinstance(step.act, Forgotten):
            step = attrs.evolve(step, after=await self._read_again(step.after))
        if secret == step.after.secret:
            return step
        return attrs.evolve(step, after=attrs.evolve(step.after, secret=secret))

    async def _read_again(self, table: Table) -> Table:
        """Return a table as its log tells it with the names that are left."""
        header, entries = await Archive(self.services.store).read(table.header.number)
        self._named = header.people
        again = Table(header, table.game, self.table.secret)
        again = await asyncio.to_thread(after_entries, again, entries[: table.seq])
        return knowing(again, header.people.joined_with(table.header.people))

    # bugs, and handing over to another process

    def check_works(self) -> None:
        """Raise `UserError` if a bug has stopped this table."""
        if self.case:
            raise self._stopped()

    def _stopped(self) -> UserError:
        return UserError(f"this table is {stopped(self.case)}.")

    def stop(self, bug: Exception) -> UserError:
        """Stop this table after a bug, and return the error to show to people who try to use it."""
        self.life = life.after(self.life, Life.STOPPED)
        self.case = secrets.token_hex(3)
        log_events.table_stopped(self.table.header.number, self.table.game.name, case=self.case, bug=bug)
        self._reactions.stop(self.case)
        return self._stopped()

    def sleep(self) -> None:
        """Stop bots and clocks on this node: another process is about to take over."""
        if not self.case:
            self.life = life.after(self.life, Life.ASLEEP)

    async def wake(self) -> None:
        """Run the table on this node again: if it was asleep, first publish what others have done."""
        if self.life is Life.ASLEEP:
            self.life = life.after(self.life, life.written(self.table))
            await self.room.do(self.follow)

    @property
    def rests(self) -> bool:
        """Whether bots and clocks do nothing here, because the table is stopped or asleep."""
        return self.life in RESTING


def _wish(by: str, acts: Sequence[Act]) -> tuple[str, str]:
    """Return what an attempt to append is known by until its outcome is certain."""
    return by, "".join(map(codec.to_text, acts))
