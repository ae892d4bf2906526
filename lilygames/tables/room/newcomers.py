"""Newcomers to a running game: their clients take part in sealing the deck before they sit down.

Otherwise those who play already could seal the deck alone, and rig the hand that a newcomer walks into. So a round runs
during play: the newcomer's client commits, then those of all seated players who took part before. Once all have
revealed, the newcomer joins, and the next hand is dealt from this round. If a player's client is missing, the newcomer
is asked whether to sit down all the same. A newcomer without such a client sits down at once. Each newcomer has a round
of their own, so others wait in a queue.

Everything runs in the task of the table's room.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import AgainstRules, UserError
from lilygames.store import StoreUnavailable
from lilygames.tables.log.acts import (
    EVERY_ACT,
    Act,
    Committed,
    Joined,
    Resumed,
    Revealed,
    Sealing,
    Sitter,
    Unfrozen,
    Voided,
)
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import RETRY, Advanced, Runner, SeatsChanged
from lilygames.tables.play.services import Chips, Players, Shuffling
from lilygames.tables.play.timer import Timer
from lilygames.tables.room.welcome import sat_down
from lilygames.tables.sight import narrate, packets
from lilygames.tables.state.table import Table, free_seats
from lilygames.text import listing
from lilygames_rules.kit import Refused


@attrs.frozen
class _Waiting:
    """A newcomer whose round isn't sealed yet, and whether their client has committed since they wanted to sit down."""

    name: str
    committed: bool = False


class Newcomers:
    """The newcomers whose clients take part in sealing the deck of a running game: one after the other."""

    acts = EVERY_ACT

    def __init__(
        self, runner: Runner, publisher: Publisher, shuffling: Shuffling, chips: Chips, players: Players
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._times, self._cut_off = shuffling.times, shuffling.cut_off
        self._chips = chips
        self._players = players
        self.waiting: _Waiting | None = None
        """The newcomer whose round isn't sealed yet."""
        self._queue: list[str] = []
        """People on this node who sit down after the newcomer whose round is open."""
        self._asked: dict[str, int] = {}
        """The round in which people, by folded name, were asked whether to sit down under the old seal."""
        self._prolonged = 0
        """The round that got more time, because a player's node may have died."""
        self._timer = Timer(runner)
        self._resumed = False
        """Whether a round that another process began has been taken up."""

    # wanting to sit down

    def seals(self, person: Person) -> bool:
        """Begin to seal the deck with the client of someone who wants to sit down, or ask them to sit down without.

        Someone who comes while another newcomer's client takes part waits in the queue. Returns False if they sit down
        at once: their client takes no part, or they have agreed to sit without it. Raises `Refused` if their own round
        is open.
        """
        rounds, name = self._runner.table.rounds, person.name
        if (self.waiting and self.waiting.name == name) or rounds.is_newcomer(Sitter(name)):
            raise Refused("sealing")
        queued = name in self._queue
        self._queue = [one for one in self._queue if one != name]
        if queued or self._asked.pop(fold(name), 0) == rounds.number:
            return False
        if self._takes_part(person) and (self.waiting or rounds.missing):
            self._queue.append(name)
            person.go(self._runner.room)
            person.show(self._publisher.line(_queued(len(self._queue))))
            return True
        return self._begins(person)

    def _takes_part(self, person: Person) -> bool:
        """Return whether a newcomer's client can take part in sealing the deck now."""
        table = self._runner.table
        able = table.rounds.used and table.going and person.supports("seal")
        return able and not (table.paused or table.frozen)

    def _begins(self, person: Person) -> bool:
        """Begin someone's round, or ask them to sit down without; return False if they sit down at once."""
        table = self._runner.table
        if not self._takes_part(person):
            return False
        if table.rounds.sealed or any(map(self.is_away, self._needed(person.name))):
            self._ask_anyway(person)
            return True
        if self._times.commit <= 0:
            return False
        self.waiting = _Waiting(person.name)
        person.go(self._runner.room)
        person.show(self._publisher.line("Your client takes part in sealing the next hands. You sit down in a moment."))
        self._runner.introduce(person.name)
        person.packet(packets.seal(self._runner.room.name, self._runner.table, person.name))
        self._timer.restart(self._times.commit, self._close_commitments)
        return True

    def _call_next(self) -> None:
        """Begin the next newcomer's round soon, if none is open now."""
        if self._queue and not (self.waiting or self._runner.table.rounds.missing):
            self._runner.room.post(self._seat_next)

    async def _seat_next(self) -> None:
        """Begin the round of the next person in the queue who still wants to sit down."""
        while self._queue and not (self.waiting or self._runner.table.rounds.missing):
            person = self._person(self._queue.pop(0))
            if person and self._runner.table.seat_of(person.name) is None:
                await self._seated_or_told(person, self._begin_round)

    async def _begin_round(self, person: Person) -> None:
        """Begin the round of someone who waited, or let them sit down at once; raises `UserError`, `Refused`."""
        if not free_seats(self._runner.table):
            raise Refused("table-full")
        if not self._begins(person):
            await self._sit_at_once(person)

    def _needed(self, newcomer: str) -> list[str]:
        """Return the players whose clients must take part: the newcomer, and those who took part before."""
        table = self._runner.table
        return [*table.rounds.contributors(table.seats), newcomer]

    def is_away(self, name: str) -> bool:
        """Return whether a player's client can't take part: none is connected, or it once failed to reveal."""
        person = self._person(name)
        here = person.supports("seal") if person else self._publisher.is_here(name)
        return not here or name in self._runner.table.rounds.barred

    def _ask_anyway(self, person: Person) -> None:
        """Ask someone whether to sit down although their client takes no part."""
        table = self._runner.table
        self._asked[fold(person.name)] = table.rounds.number
        sealed = f"Sealed by {listing(table.rounds.sealed_by)} without you." if table.rounds.sealed_by else ""
        again = f"Sit anyway? Type /sit {self._runner.room.name} again."
        person.show(self._publisher.line(f"{sealed or 'Sealed without you.'} {again}"))

    def _person(self, name: str) -> Person | None:
        """Return the person with this name if they are connected to this node."""
        return self._publisher.near(Sitter(name))

    # the table's steps

    def observe(self, advanced: Advanced) -> None:
        """Ask the clients for what the step makes them owe."""
        table, rounds = advanced.after, advanced.after.rounds
        newcomer = advanced.before.rounds.newcomer
        match advanced.act:
            case _ if not (table.started and rounds.used):
                return
            case Committed(name):
                if name not in rounds.contributors(table.seats):
                    self._ask_to_commit(table)
                if self.waiting and not self._uncommitted:
                    self._timer.restart(0, self._close_commitments)
            case Sealing():
                self._stop_waiting(rounds.newcomer)
                self._ask_to_reveal(rounds.missing)
                self._timer.restart(self._times.reveal, self.close_round)
            case Revealed() | Resumed() | Unfrozen() if rounds.sealed and not rounds.missing:
                self._timer.restart(0, self.close_round)
            case Voided() as void:
                self._timer.cancel()
                self._tell_void(table, void, newcomer)
            case Joined(_, who) if newcomer and advanced.before.rounds.is_newcomer(who):
                self._timer.cancel()
                self._runner.room.post(_welcome, self._runner, self._publisher, who, self._players)
        if not table.going and advanced.before.going:
            self._give_up(newcomer)
        self._call_next()

    def _stop_waiting(self, newcomer: Sitter | None) -> None:
        """End the wait for commitments; if another round was faster, the newcomer here comes next."""
        if self.waiting and (newcomer is None or self.waiting.name != newcomer.name):
            self._queue.insert(0, self.waiting.name)
        self.waiting = None

    def _ask_to_commit(self, table: Table) -> None:
        """Send the seal to the clients of those who took part before, as a newcomer's client has just committed."""
        for name in table.rounds.contributors(table.seats):
            person = self._person(name)
            if person and name not in table.rounds.commits:
                person.packet(packets.seal(self._runner.room.name, table, name))

    def _ask_to_reveal(self, names: Iterable[str]) -> None:
        for person in filter(None, map(self._person, names)):
            person.packet(packets.sealing(self._runner.room.name, self._runner.table))

    def _tell_void(self, table: Table, void: Voided, newcomer: Sitter | None) -> None:
        """Tell the clients that a round is void, and the newcomer, if any, what that means for them."""
        packet = packets.voided(self._runner.room.name, table, void)
        for person in filter(None, map(self._publisher.near, (*table.seats.people, *filter(None, [newcomer])))):
            person.packet(packet)
        theirs = self._publisher.near(newcomer) if newcomer else None
        if theirs and theirs.name in void.missing:
            theirs.show(self._publisher.line("Your client didn't reveal its number in time, so you weren't seated."))
        elif theirs:
            self._ask_anyway(theirs)

    def _give_up(self, newcomer: Sitter | None) -> None:
        """Tell newcomers that the game has ended before they could sit down."""
        names = {*self._queue, self.waiting.name if self.waiting else "", newcomer.name if newcomer else ""}
        self.waiting, self._queue = None, []
        self._timer.cancel()
        for person in filter(None, map(self._person, sorted(names - {""}))):
            person.show(self._publisher.line("The game has ended before you could sit down."))

    def run(self) -> None:
        """Take up a round that another process began: ask all clients again, and give them more time."""
        table = self._runner.table
        if self._resumed or self._runner.rests or table.closed:
            return
        self._resumed = True
        if table.started and table.rounds.sealed:
            self._ask_to_reveal(table.rounds.missing)
            self._timer.restart(self._times.resumed(table.rounds), self.close_round)
            if table.rounds.missing and not table.rounds.resumed:
                self._runner.room.post(self._runner.note_resumed)

    def came_or_went(self, person: Person) -> None:
        """Forget a newcomer who has disconnected, or ask the client of one who has reconnected to reveal again."""
        if not person.here:
            self._queue = [name for name in self._queue if name != person.name]
        if self.waiting and self.waiting.name == person.name and not person.here:
            self.waiting = None
            self._timer.cancel()
            self._call_next()
        elif person.here and self._runner.table.started and person.name in self._runner.table.rounds.missing:
            self._ask_to_reveal([person.name])

    # what clients answer

    async def commit(self, person: Person, digits: str) -> None:
        """Log the commitment of a client that was asked for it; raises `UserError`, `Refused`."""
        table = self._runner.table
        rounds, name, waiting = table.rounds, person.name, self.waiting
        newcomer = waiting is not None and waiting.name == name
        asked = (rounds.commits or rounds.renewing) and name in rounds.contributors(table.seats)
        if not (newcomer or asked):
            raise Refused("started")
        if waiting and newcomer and not waiting.committed:
            self.waiting = _Waiting(name, committed=True)
            self._timer.restart(self._times.commit, self._close_commitments)
        elif rounds.commits.get(name) == digits and rounds.sealed is None:
            return
        await self._runner.act(name, Committed(name, digits))

    @property
    def _uncommitted(self) -> list[str]:
        """The players whose clients must take part in the newcomer's round and haven't committed yet."""
        needed = self._needed(self.waiting.name) if self.waiting else []
        return [name for name in needed if name not in self._runner.table.rounds.commits]

    async def reveal(self, person: Person, digits: str) -> None:
        """Log the number of a client; with the last one the newcomer joins. Raises `UserError`, `Refused`."""
        table = self._runner.table
        commits = table.rounds.sealed.commits if table.rounds.sealed else ()
        name = next((name for name, _ in commits if fold(name) == fold(person.name)), person.name)
        act = Revealed(name, digits)
        after, _ = table.after(act)
        if table.rounds.newcomer and not (after.rounds.missing or table.paused or table.frozen):
            with suppress(UserError):  # the number is logged below, and the newcomer joins a moment later
                await self._join(person.name, act)
                return
        await self._runner.act(person.name, act)

    # sealing

    async def _close_commitments(self) -> None:
        """End the commitments, and tell the newcomer if they can't sit down."""
        waiting, table = self.waiting, self._runner.table
        person = self._person(waiting.name) if waiting else None
        complete = not self._uncommitted
        self.waiting = None
        if waiting is None or person is None or not table.going or table.seat_of(person.name) is not None:
            return
        await self._seated_or_told(person, partial(self._decide, committed=waiting.committed, complete=complete))
        self._call_next()

    async def _seated_or_told(self, person: Person, step: Callable[[Person], Awaitable[None]]) -> None:
        """Take a step to seat a newcomer, and tell them if that is refused."""
        try:
            await step(person)
        except Refused as no:
            reader = self._publisher.reader_of(self._runner.table, person)
            person.show(
                self._publisher.refused(narrate.refusal(self._runner.table, no, reader), AgainstRules.code, no.code)
            )
        except UserError as no:
            person.show(self._publisher.refused(no, no.code))
        except StoreUnavailable:
            person.show(self._publisher.refused("nothing can be saved right now. Try again in a moment.", "not-saved"))

    async def _decide(self, person: Person, *, committed: bool, complete: bool) -> None:
        """Seal the deck if every client has committed; without the newcomer's, let them sit down at once."""
        table = self._runner.table
        if not free_seats(table):
            raise Refused("table-full")
        if not committed:
            await self._sit_at_once(person)
        elif complete and table.rounds.sealed is None:
            await self._seal_or_queue(person)
        else:
            self._ask_anyway(person)

    async def _seal_or_queue(self, person: Person) -> None:
        """Seal the newcomer's round; if another node has just opened one or changed the seats, they come next."""
        try:
            await self._seal(person)
        except SeatsChanged:
            self._queue.insert(0, person.name)
        except Refused:
            if not self._runner.table.rounds.sealed:
                raise
            self._queue.insert(0, person.name)

    async def _seal(self, person: Person) -> None:
        """Fix everything for the newcomer's round: the seats with their own, and what each brings."""
        table = self._runner.table
        who = Sitter(person.name)
        purses = (*table.purses, await self._chips.brought(table, who)) if table.purses else ()
        seats = (*table.seats, who)
        sealed = table.rounds.proposed(seats, table.header.options, purses, self._needed(person.name))
        await self._runner.act(person.name, Sealing(sealed))

    async def _sit_at_once(self, person: Person) -> None:
        """Let a newcomer join whose client takes no part; raises `UserError`, `Refused`."""
        table = self._runner.table
        who = Sitter(person.name)
        purse = await self._chips.brought(table, who)
        await self._runner.act(person.name, Joined(len(table.seats), who, purse))
        self._runner.remember_seats()
        await sat_down(self._runner, self._publisher, person, self._players)

    async def close_round(self) -> None:
        """End the reveals of a running game: a newcomer joins if all are there, otherwise the round is void."""
        table = self._runner.table
        if not (table.started and table.rounds.sealed) or self._runner.rests or table.closed:
            return
        if self._prolonged < table.rounds.number and any(map(self._cut_off, table.rounds.missing)):
            self._prolonged = table.rounds.number
            self._timer.restart(self._times.again, self.close_round)
            return
        try:
            if table.rounds.missing:
                void = Voided(table.rounds.number, table.rounds.missing, "", "")
                await self._runner.act("table", void, narrate.voided_in_play(void))
            elif not (table.paused or table.frozen) and table.going:
                await self._join("table")
        except (Refused, UserError, StoreUnavailable):
            self._timer.restart(RETRY, self.close_round)

    async def _join(self, by: str, *acts: Act) -> None:
        """Let the newcomer join, in one append with the last number; raises `UserError`, `Refused`."""
        table = self._runner.table
        sealed, who = table.rounds.sealed, table.rounds.newcomer
        if sealed is None or who is None:
            return
        join = Joined(len(table.seats), who, sealed.purses[-1] if sealed.purses else 0)
        await self._runner.acts(by, (*acts, join), narrate.sealed_in_play(table.rounds, sealed))
        self._runner.remember_seats()
        self._runner.room.post(self._runner.go_on)  # the newcomer is welcomed before that


def _queued(place: int) -> str:
    """Return what someone at this place of the queue reads."""
    before = "Another player sits" if place == 1 else f"{place} other players sit"
    return f"{before} down first, so please wait a moment. Type /sit again to sit down without your client."


async def _welcome(runner: Runner, publisher: Publisher, who: Sitter, players: Players) -> None:
    """Tell a newcomer on this node that they sit, whichever node logged the last number."""
    if person := publisher.near(who):
        await sat_down(runner, publisher, person, players)
