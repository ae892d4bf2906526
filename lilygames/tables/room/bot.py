"""A table as the bot in its room: builds the table's components and calls them in order."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import ref

import attrs

from lilygames.chat.input.grammar import Expected
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person, Question, Room
from lilygames.chat.people.terminal import Unfinished
from lilygames.commands import Command
from lilygames.errors import UserError
from lilygames.store import Entry, StoreUnavailable
from lilygames.tables.bots.characters import has_memories
from lilygames.tables.bots.habit_observer import HabitObserver
from lilygames.tables.bots.host_check import HostCheck
from lilygames.tables.bots.house_seats import HouseSeats
from lilygames.tables.bots.table_talk import StaleTalk, TableTalk
from lilygames.tables.log.acts import Act, Noted, Seated, Sitter
from lilygames.tables.play.coach import Coach
from lilygames.tables.play.invitations import Invitations
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Autopass, Questions
from lilygames.tables.play.runner import RETRY, Advanced, Observer, Runner
from lilygames.tables.play.screens import Screens
from lilygames.tables.play.services import TableServices
from lilygames.tables.play.timer import Timer
from lilygames.tables.room.end_of_game import EndOfGame, Finished
from lilygames.tables.room.newcomers import Newcomers
from lilygames.tables.room.nudges import Nudges
from lilygames.tables.room.open_seats import OpenSeats
from lilygames.tables.room.proposals import Proposals
from lilygames.tables.room.renewal import Renewal
from lilygames.tables.room.sealing import Shuffle
from lilygames.tables.room.turn_clock import TurnClock
from lilygames.tables.room.typed_moves import TypedMoves
from lilygames.tables.sight.narrate import Words
from lilygames.tables.state.life import Life, written
from lilygames.tables.state.table import Table
from lilygames.text import Line
from lilygames_rules.kit import Seat

_TOLD_ALREADY = suppress(UserError)
"""Everyone has been told of a bug that stops the table. One object serves all steps of all tables."""


@attrs.frozen
class KeptTable:
    """State of a table in one process that isn't in its log, such as queued moves."""

    number: int
    seq: int
    queued: dict[str, str]
    shown: tuple[Seat, ...]
    """Seats whose player has the focus on this table's question."""
    numbers: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    """Numbers shown to those players, by seat."""
    focused: tuple[str, ...] = ()
    """Their folded names."""

    @property
    def is_empty(self) -> bool:
        """Whether its log says everything."""
        return not (self.queued or self.shown)


@attrs.frozen
class PastStep:
    """A step that a table made before this process: its entry with names, the act in that, and the table after it."""

    entry: Entry
    act: Act
    table: Table


def _in_list(table: Table) -> tuple[bool, bool, bool]:
    """Return what lists of tables show, besides the seats."""
    return table.started, table.paused, table.frozen


def _tell_held(bot: ref[TableBot]) -> None:
    if table := bot():
        table.tell_held()


async def _give_seat(bot: ref[TableBot], seat: Seat, person: Person) -> None:
    if table := bot():
        await table.give_seat(seat, person)


class TableBot:
    """A table in a room, built from its components.

    They know it by weak references: a table that nobody has any more is freed at once, with all it remembers. The
    garbage collector looks at old objects too seldom for that, because it stops everyone meanwhile.
    """

    def __init__(self, table: Table, room: Room, services: TableServices, *, asleep: bool = False) -> None:
        self.room = room
        self.services = services
        people, bots = services.players.people, services.bots
        tell_held = partial(_tell_held, ref(self))
        self.publisher = Publisher(
            room, table.header.number, people, services.televisions, late=tell_held, latest=bots.latest
        )
        self.runner = Runner(table, room, services.log, self, asleep=asleep)
        self.timer = Timer(self.runner)
        self.invitations = Invitations(self.runner)
        self.autopass = Autopass(self.runner)
        self.questions = Questions(self, self.runner, self.publisher, self.autopass, services.clocked.now)
        self.screens = Screens(self.runner, self.publisher, self.questions, self.invitations, services.log.store)
        self.house = HouseSeats(
            self.runner, self.timer, self.publisher, self.questions, bots=bots, players=services.players
        )
        self.typed = TypedMoves(self.runner, self.publisher, self.questions, self.house, self.screens, people=people)
        self.clock = TurnClock(
            self.runner, self.publisher, self.questions, self.house, self.typed, clocked=services.clocked
        )
        self.shuffle = Shuffle(
            self.runner,
            self.publisher,
            services.shuffling,
            services.chips,
            store=services.log.store,
            watch=services.clocked.watch,
        )
        self.newcomers = Newcomers(self.runner, self.publisher, services.shuffling, services.chips, services.players)
        self.renewal = Renewal(self.runner, self.publisher, self.newcomers, services.shuffling.slow)
        self.nudges = Nudges(self.runner, self.publisher, self.questions)
        self.proposals = Proposals(self.runner, self.publisher, self.clock)
        self.open_seats = OpenSeats(self.runner, partial(_give_seat, ref(self)))
        self.talk = TableTalk(self.runner, self.publisher, talks=bots.talk)
        self.finished = Finished(room, self.publisher)
        self.coach = Coach(self.publisher)
        self.host_check = HostCheck(self.runner, bots)
        self.end_of_game = EndOfGame(
            self.runner,
            self.publisher,
            self.coach,
            self.host_check,
            at_the_end=services.at_the_end,
            purses=services.chips.purses,
            players=services.players,
        )
        self._seated = table.seats.owners | table.seats.holders
        """The folded names of everyone who has had a seat since `remember_seats` last ran."""
        self.stale_talk = StaleTalk(self.publisher)
        self.habits = HabitObserver(self.runner, services.players, services.clocked.watch)
        self._told: dict[type[Act], tuple[Observer, ...]] = {}
        """The observers of each kind of act since the seats last changed."""

    # called by the runner

    @property
    def observers(self) -> tuple[Observer, ...]:
        """Return everyone who observes this table as it is, in calling order."""
        table = self.table
        bots = bool(table.seats.bots)
        return (
            self.invitations,
            self.autopass,
            self.proposals,
            *([self.stale_talk] if bots else ()),
            self.publisher,
            *([self.talk] if bots else ()),
            *([self.coach] if table.header.lesson else ()),
            self.questions,
            self.finished,
            self.clock,
            self.nudges,
            *([self.open_seats] if table.header.open_seats else ()),
            self.shuffle,
            self.newcomers,
            *([self.renewal] if table.header.root else ()),
            *([self.host_check] if table.header.sealed else ()),
            *([self.habits] if bots and has_memories(table) else ()),
        )

    def _observers_of(self, act: type[Act]) -> tuple[Observer, ...]:
        """Return those of them who observe this kind of act."""
        observers = self._told.get(act)
        if observers is None:
            observers = self._told[act] = tuple([one for one in self.observers if act in one.acts])
        return observers

    def say(self, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a line to everyone who watches this table; `by` is the person quoted in it."""
        self.publisher.say(self.table, words, aloud, by)

    def advance(self, advanced: Advanced) -> None:
        """Notify the observers of a new entry; a bug in one stops the table."""
        before, after = advanced.before, advanced.after
        if after.seats is not before.seats:
            self._seated |= after.seats.owners | after.seats.holders
            self._told.clear()
        if after.seats is not before.seats or _in_list(after) != _in_list(before):
            self.services.changed(self.table.header.number)
        with _TOLD_ALREADY, self.runner.bugs_stop_this_table:
            for observer in self._observers_of(type(advanced.act)):
                observer.observe(advanced)
        if self.runner.life is Life.ASLEEP:
            self.tell_held()

    def tell_held(self) -> None:
        """Tell the moves that wait for others; a bug in their words stops the table."""
        with suppress(UserError), self.runner.bugs_stop_this_table:
            self.publisher.flush()

    @property
    def waits_for_people(self) -> bool:
        """Whether nothing happens next unless a person does something: a game of people runs, and isn't over."""
        table = self.runner.table
        return (
            self.runner.life is Life.RUNNING
            and not table.ended
            and len(table.seats.people) == len(table.seats)
            and table.game.purse is None
            and not self.questions.may_pass
        )

    async def go_on(self) -> None:
        """Close the table if the game has ended; otherwise autopass or let bots move.

        Errors are not raised. If the store is unavailable, it retries later. An asleep table does nothing.
        """
        if self.runner.life is Life.ASLEEP:
            return
        try:
            with self.runner.bugs_stop_this_table:
                await self.end_of_game.go_on()
                if self.questions.may_pass:
                    self.room.post(self.autopass.pass_for_all)
                self.house.schedule_move()
        except (UserError, StoreUnavailable):
            self.timer.start(RETRY, self.go_on)
        self.clock.run()
        self.nudges.run()
        self.shuffle.run()
        self.newcomers.run()

    async def give_seat(self, seat: Seat, person: Person) -> None:
        """Give a bot's seat in a running game to a person, who goes to this room; raises `UserError`."""
        before = self.table.names[seat]
        person.go(self.room)
        self.room.watch(person)
        await self.runner.act(person.name, Seated(seat, Sitter(person.name)))
        self.room.show(self.line(f"{person.name} takes over from {before}."), but=person)
        person.seats.append(self)
        if self.table.rounds.sealed_by:
            person.show(self.line("The deck was sealed before you sat down."))
        person.show(*self.screens.catch_up_on(person))
        await self.go_on()

    def remember_seats(self) -> None:
        """Update the seats that each connected person is known to have."""
        seats, before = self.table.seats, self._seated
        self._seated = seats.owners | seats.holders
        for name in before | self._seated:
            person, sits = self.services.players.people.known(name), name in seats.owners
            knows = person is not None and any(bot is self for bot in person.seats)
            if person and sits and not knows:
                person.seats.append(self)
            elif person and knows and not sits:
                person.seats.remove(self)

    def stop(self, case: str) -> None:
        """Tell everyone here that a bug has stopped the table.

        Players asked by another table can now answer it.
        """
        for person in filter(None, map(self.publisher.near, self.table.seats.people)):
            person.focus.answered()
        broken = f"Something is broken here (case {case}), so the table is stopped. Everything up to here is saved."
        self.publisher.say_near(self.table, f"{broken} Type /feedback TEXT to tell the sysop what happened.")

    # state

    @property
    def table(self) -> Table:
        """The current state of the table."""
        return self.runner.table

    @property
    def case(self) -> str:
        """Case number of the bug that stopped the table; empty if there is none."""
        return self.runner.case

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.closed

    @property
    def live(self) -> bool:
        """Whether a live game is running, as opposed to a slow one."""
        table = self.runner.table
        return not self.case and written(table) is Life.RUNNING and not table.clock.slow

    @property
    def absent(self) -> tuple[str, ...]:
        """The players who are disconnected, in seat order. Nobody is expected to stay at a table with days for a move.

        If bots play all seats of people, those people are meant.
        """
        seats = self.table.seats
        if self.table.clock.slow:
            return ()
        people = [who.name for who in seats.people] or [
            who.stands_in for who in seats if who.stands_in and not who.gone
        ]
        return tuple(name for name in people if not self.publisher.is_here(name))

    @property
    def open_to_all(self) -> bool:
        """Whether anyone may join: not started, no open invitations, and all players connected."""
        waits = written(self.table) is Life.WAITING and not self.invitations.unanswered
        return waits and all(self.publisher.is_here(who.name) for who in self.table.seats.people)

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person with this name."""
        return self.table.seat_of(name)

    def keeps_seat(self, name: str) -> bool:
        """Return whether someone owns a seat here, even if a bot is substituting for them."""
        return self.table.own_seat(name) is not None

    @property
    def position(self) -> tuple[int, int]:
        """The table's number, and the last entry of its log."""
        return self.table.header.number, self.table.seq

    def line(self, text: str, aloud: str = "", by: str = "") -> Line:
        """Return a line of this table, as `narrate.line` does."""
        return self.publisher.line(text, aloud=aloud, by=by)

    def finished_seats(self) -> set[Seat]:
        """Return the seats of people who are out of a game that is still running."""
        with suppress(UserError), self.runner.bugs_stop_this_table:
            return self.finished.seats(self.table)
        return set()

    # screens and typed moves

    def question(self, person: Person) -> Question | None:
        """Return the question the person must answer here, or None."""
        return self.questions.question(person)

    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and give it the focus; empty out of turn."""
        return self.questions.turn(person)

    def remind(self, person: Person) -> Sequence[Line]:
        """Return the person's reminder: their hand and whose turn it is."""
        return self.screens.remind(person)

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands for all moves of the game; empty without a seat."""
        return self.typed.commands(person)

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands for the person's legal moves.

        Spelling out all of them is slow.
        """
        return self.typed.legal(person)

    def words(self, person: Person) -> Sequence[str]:
        """Return the person's legal moves as typed, in menu order."""
        return self.typed.words(person)

    def plays(self, person: Person) -> bool:
        """Return whether the person has a seat here and the game isn't over."""
        return self.typed.plays(person)

    def expected(self, person: Person) -> Expected | None:
        """Return what the table expects the person to type; None if nothing that they type counts there."""
        return self.typed.expected(person)

    def begin_answer(self, person: Person, digits: str, line: Unfinished) -> bool:
        """Begin to answer the table's question with a number; return False if `answer` has to do it."""
        return self.typed.begin_number(person, digits, line)

    def begin_move(self, person: Person, command: Command, text: str, line: Unfinished) -> bool:
        """Begin the move given by a game command; return False if `move` has to make it or refuse it."""
        return self.typed.begin_move(person, command, text, line)

    def answer(self, person: Person, digits: str) -> Coroutine[Any, Any, None]:
        """Answer the table's question with a number."""
        return self.typed.number(person, digits)

    def move(self, person: Person, command: Command, text: str) -> Coroutine[Any, Any, None]:
        """Play the move given by a game command and its arguments."""
        return self.typed.move(person, command, text)

    # disconnects and restarts

    def room_changed(self) -> None:
        """Learn that who is in the room, or may see it, has changed."""
        self.services.changed(self.table.header.number)

    def sleep(self) -> None:
        """Stop bots and clocks on this node, and tell everything: other processes run the table from now on."""
        self.runner.sleep()
        self.tell_held()

    def came_or_went(self, person: Person) -> None:
        """Handle a player's disconnect or reconnect."""
        if person.here and fold(person.name) in self.table.seats.owners:
            self.house.resume()
        self.clock.came_or_went(person)
        if fold(person.name) in self.table.seats.owners:
            self.publisher.tell_roster(self.table)
        self.shuffle.came_or_went(person)
        self.newcomers.came_or_went(person)
        self.nudges.run()

    def replay_past(self, past: Iterable[PastStep]) -> None:
        """Replay a game from its past steps without telling anyone.

        Open turns restart, so server downtime is not charged to any player.
        """
        before = Table(self.table.header, self.table.game, self.table.secret)
        for step in past:
            advanced = Advanced(before, step.table, step.act, ())
            if isinstance(step.act, Noted):
                for observer in (self.invitations, self.autopass, self.proposals):
                    observer.observe(advanced)
            self.questions.remember(advanced, step.entry.at)
            self.clock.remember(advanced, step.entry.at)
            self.shuffle.remember(advanced)
            self.host_check.remember(advanced)
            before = step.table
        self.clock.begin_turns_anew()
        self.finished.remember(self.table)

    def carry(self) -> KeptTable:
        """Return the state to hand over to the next process."""
        people = [self.publisher.near(who) for who in self.table.seats]
        shown = {
            seat: tuple(sorted(person.focus.numbers))
            for seat, person in enumerate(people)
            if person and person.focus.table() is self
        }
        numbers = {str(seat): shown[seat] for seat in shown}
        focused = tuple(fold(self.table.seats[seat].name) for seat in shown)
        return KeptTable(
            self.table.header.number, self.table.seq, dict(self.typed.queued), tuple(shown), numbers, focused
        )

    def take_up(self, kept: KeptTable) -> None:
        """Restore the state from the previous process."""
        self.typed.take_up(kept.queued)
        for seat in kept.shown:
            person = self.services.players.people.get(fold(self.table.seats[seat].name))
            asked = self.questions.open.get(seat)
            if person and asked:
                shown = kept.numbers.get(str(seat), ())
                numbers = partial(frozenset, shown) if shown else self.questions.numbers(seat)
                person.focus.restore(self, asked.seq, numbers, lesson=self.table.lesson is not None)
