"""The shuffle before a game: clients commit, everything is sealed, clients reveal, and the game starts.

A table asks each player's client for a commitment as soon as they sit down. At the start, it waits a moment for the
players who have just sat down. Then it seals. If a client doesn't reveal in time, that round is void, and the next one
begins.
Everything runs in the task of the table's room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.proofs import commitments
from lilygames.store import Store, StoreUnavailable
from lilygames.tables.archive.archive import secret_key, stored_secret
from lilygames.tables.log.acts import (
    OTHER_ACTS,
    Act,
    Committed,
    Revealed,
    Sealing,
    Seated,
    Sitter,
    Start,
    Voided,
)
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import RETRY, Advanced, Overtaken, Runner
from lilygames.tables.play.services import Chips, Shuffling
from lilygames.tables.play.timer import Timer
from lilygames.tables.seal.closed_deck import root_of
from lilygames.tables.seal.rounds import Rounds
from lilygames.tables.sight import narrate, packets
from lilygames.tables.state.table import PLAIN, Table, start
from lilygames.text import Packet, count
from lilygames_rules.kit import KeyedLuck, Refused

LENIENT = 2
"""Void rounds after which only clients that kept their word in the last one may commit, until too few players are left.

Otherwise people who come one after another under new names could void every round.
"""


COMMITMENTS = 20
"""Maximum commitments of a player's client before the start: each one is logged."""


class Shuffle:
    """The commitments and reveals of a table's clients, and the start that waits for them."""

    acts = OTHER_ACTS

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        shuffling: Shuffling,
        chips: Chips,
        *,
        store: Store,
        watch: Callable[[], float],
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._times, self._slow, self._cut_off = shuffling.times, shuffling.slow, shuffling.cut_off
        self._chips = chips
        self._store, self._watch = store, watch
        self._asked: dict[str, float] = {}
        """When each player's client was asked to commit in this round."""
        self._earlier: frozenset[str] | None = None
        """Players whose clients committed in the round before this one and weren't missing; None if there was none."""
        self._wanted = ""
        """The player who wants the start, while it waits for commitments."""
        self._latest = 0.0
        """When the wanted start stops waiting, whoever still sits down or reconnects."""
        self._timer = Timer(runner)
        self._resumed = False
        """Whether a shuffle that another process began has been taken up."""
        self._replaced: dict[str, int] = {}
        """How many commitments each player's client has made here."""
        self._awaits_absent = False
        """Whether a start after a void round waits for players who were disconnected by a restart."""
        self._prolonged = 0
        """The round that got more time, because a player's node may have died."""
        self._told: set[str] = set()
        """Players who know that their commitment was left out."""

    # the table's steps

    def observe(self, advanced: Advanced) -> None:
        """Ask the clients for what the step makes them owe."""
        table = advanced.after
        match advanced.act:
            case Seated(_, who) if who and table.rounds.used and not table.started:
                self._ask_to_commit([who])
            case Sealing() | Voided() if table.started:
                return  # a newcomer's round
            case Committed() if self._wanted and not self._expected:
                self._timer.restart(0, self._begin_wanted)
            case Sealing():
                self._ask_to_reveal(table.rounds.missing)
                self._wanted = ""
                self._timer.restart(self._times.reveal, self.close_round)
            case Revealed() if table.rounds.sealed and not (table.rounds.missing or table.started):
                self._timer.restart(0, self.close_round)
            case Voided() as void:
                self.remember(advanced)
                self._inform(packets.voided(self._runner.room.name, table, void))
                self._ask_to_commit(table.seats)
                self._begin_later("table")
            case Start():
                self._wanted = ""
                self._timer.cancel()

    def remember(self, advanced: Advanced) -> None:
        """Note whose clients kept their word in a round that is void."""
        if isinstance(advanced.act, Voided) and not advanced.after.started:
            self._earlier = frozenset(advanced.before.rounds.commits) - {*advanced.act.missing}

    def run(self) -> None:
        """Take up a shuffle that another process began: ask all clients again, and give them more time."""
        table = self._runner.table
        if self._resumed or self._runner.rests or table.closed:
            return
        self._resumed = True
        if table.rounds.sealed and not table.started:
            self._ask_to_reveal(table.rounds.missing)
            self._timer.restart(self._times.resumed(table.rounds), self.close_round)
            if table.rounds.missing and not table.rounds.resumed:
                self._runner.room.post(self._runner.note_resumed)
        elif table.rounds.used and not table.started:
            self._ask_to_commit(table.seats)
            if wanted := "table" if table.rounds.voids else table.rounds.wanted:
                self._awaits_absent = True
                self._begin_later(wanted)

    def came_or_went(self, person: Person) -> None:
        """Ask the client of a player who has reconnected again, or tell them that they were left out."""
        table = self._runner.table
        seat = table.seat_of(person.name)
        if seat is None or not person.here or not table.rounds.used:
            return
        who = table.seats[seat]
        if who.name in table.rounds.missing:
            self._ask_to_reveal([who.name])
        elif not (table.started or table.rounds.sealed):
            self._ask_to_commit([who])
            if self._wanted:
                self._timer.restart(self._wait(), self._begin_wanted)
        elif who.name in table.rounds.left_out and who.name not in self._told:
            self._told.add(who.name)
            person.show(self._publisher.line(_LEFT_OUT))

    # what clients are asked

    def _ask_to_commit(self, players: Iterable[Sitter]) -> None:
        """Send the seal to the clients of these players, unless they may not commit again."""
        table, now = self._runner.table, self._watch()
        for who in players:
            if who.person and may_commit(table.rounds, self._earlier, who.name):
                self._asked[who.name] = now
                if person := self._publisher.near(who):
                    person.packet(packets.seal(self._runner.room.name, table, who.name))

    def _ask_to_reveal(self, names: Iterable[str]) -> None:
        """Send the sealing to the clients of these players, and words to those whose client takes no packets."""
        table, wanted = self._runner.table, {*names}
        span = count(round(self._times.reveal), "second")
        for who in table.seats.people:
            person = self._publisher.near(who)
            if person is None or who.name not in wanted:
                continue
            if person.supports("sealing"):
                person.packet(packets.sealing(self._runner.room.name, table))
            else:
                person.show(self._publisher.line(f"Shuffling: type /reveal and your number within {span}."))

    def _inform(self, packet: Packet) -> None:
        """Send a packet to the client of every player."""
        for person in filter(None, map(self._publisher.near, self._runner.table.seats.people)):
            person.packet(packet)

    def show_what_to_hash(self, person: Person) -> None:
        """Show a player what their commitment hashes besides their number; raises `Refused`."""
        table = self._runner.table
        if not table.rounds.used:
            raise Refused("no-commitments")
        id_ = table.header.people.id_of(self._player(person))
        person.show(
            self._publisher.line("Your commitment hashes T, the round, your id and 32 bytes: /help seal programs."),
            self._publisher.line(f"T: {table.rounds.table}"),
            self._publisher.line(f"Round {table.rounds.number}, id {id_}"),
        )

    # what clients answer

    async def commit(self, person: Person, digits: str) -> None:
        """Log a client's commitment; the same one again changes nothing. Raises `UserError`, `Refused`."""
        table = self._runner.table
        name = self._player(person)
        if table.started:
            raise Refused("started")
        before = table.rounds.commits.get(name)
        if before == digits and table.rounds.sealed is None:
            return
        if name not in table.rounds.barred and not may_commit(table.rounds, self._earlier, name):
            raise UserError(_TOO_LATE)
        if self._replaced.get(name, 0) >= COMMITMENTS:
            raise UserError(f"you have committed {COMMITMENTS} times here already, and that's the limit.")
        self._replaced[name] = self._replaced.get(name, 0) + 1
        await self._runner.act(person.name, Committed(name, digits))
        if before:
            person.show(self._publisher.line("Your new commitment replaces the one before."))

    async def reveal(self, person: Person, digits: str) -> None:
        """Log the number of a player's client, and start the game with the last one; raises `UserError`, `Refused`."""
        act = Revealed(self._player(person), digits)
        table = self._runner.table
        sealed = table.rounds.sealed
        after, _ = table.after(act)
        if sealed and not after.rounds.missing:
            acts = (act, self._start(after, sealed.purses))
            with suppress(Overtaken):  # another node was faster: the number is logged below, and the start follows
                await self._runner.acts(person.name, acts, narrate.begins(table), only_here=True)
                await self._runner.go_on()
                return
        await self._runner.act(person.name, act)

    def _player(self, person: Person) -> str:
        """Return the name in a person's seat; raises `Refused` without one."""
        seat = self._runner.table.seat_of(person.name)
        if seat is None:
            raise Refused("no-seat")
        return self._runner.table.seats[seat].name

    # the start

    async def begin(self, by: str) -> None:
        """Start the game, as soon as the players' clients have committed and revealed.

        Raises `UserError`, `Refused`.
        """
        table = self._runner.table
        if not table.rounds.used:
            await self._seal(by)
            return
        if table.started or table.rounds.sealed:
            raise Refused("started" if table.started else "sealing")
        self._check_options(table)
        self._awaits_absent = self._awaits_absent and by == "table"
        if self._wait() > 0:
            if not (self._wanted or table.rounds.wanted or by == "table"):
                await self._runner.note("starts", by)
            self._begin_later(by)
            return
        try:
            await self._seal(by)
        except Overtaken:  # by a client's commitment at another node, or by a start there
            self._begin_later(by)

    def _check_options(self, table: Table) -> None:
        """Raise `Refused` if the rules don't allow this start: after the reveals it would be too late."""
        with self._runner.bugs_stop_this_table:
            table.game.rules.start(len(table.seats), table.options, (), KeyedLuck(b""))

    def _begin_later(self, by: str) -> None:
        """Start when the expected commitments are there, or their time is up."""
        if not self._wanted:
            times = self._times
            self._latest = self._watch() + 2 * times.commit
        self._wanted = by
        self._timer.restart(self._wait(), self._begin_wanted)

    def _wait(self) -> float:
        """Return the seconds left to wait for commitments; newcomers can prolong a wanted start only once."""
        now = self._watch()
        return max(map(self._wait_ends, self._expected), default=now) - now

    def _wait_ends(self, name: str) -> float:
        """Return when the wait for a player's commitment ends; a player who is coming back gets more time."""
        times, asked = self._times, self._asked.get(name, 0)
        if self._comes_back(name):
            return asked + times.again
        return min(asked + times.commit, self._latest) if self._wanted else asked + times.commit

    def _comes_back(self, name: str) -> bool:
        """Return whether a player was disconnected by a restart, or by the end of a node."""
        restarted = self._awaits_absent and not self._publisher.is_here(name)
        return restarted or self._cut_off(name)

    @property
    def _expected(self) -> list[str]:
        """Players whose clients can commit, or committed in the last round, and haven't yet, or are coming back."""
        rounds = self._runner.table.rounds
        names = []
        for who in self._runner.table.seats.people:
            person = self._publisher.near(who)
            able = who.name in (self._earlier or ()) or (person is not None and person.supports("seal"))
            here, back = self._publisher.is_here(who.name), self._comes_back(who.name)
            if who.name in rounds.commits:
                late = back and not here  # the sealing would leave them out
            else:
                late = able and (here or back) and may_commit(rounds, self._earlier, who.name)
            names += [who.name] if late else []
        return names

    async def _begin_wanted(self) -> None:
        """Start a game that was waiting for commitments."""
        table, by = self._runner.table, self._wanted
        if not by or table.started or table.rounds.sealed or table.closed or self._runner.rests:
            self._wanted = ""
            return
        if len(table.seats) < table.game.rules.SEATS.start:
            self._wanted, self._earlier = "", None
            self._publisher.say(table, "There are too few players now. Type /house to add a bot, then /start.")
            return
        try:
            await self.begin(by)
        except Refused as no:
            self._wanted = ""
            self._publisher.say(table, f"The game can't start: {narrate.refusal(table, no, _anyone(table))}")
        except UserError as problem:
            self._wanted = ""
            self._publisher.say(table, f"The game can't start: {problem}")
        except StoreUnavailable:
            self._timer.restart(RETRY, self._begin_wanted)

    async def _seal(self, by: str) -> None:
        """Fix everything, and start at once if nobody's client has committed."""
        table = self._runner.table
        purses = tuple([await self._chips.brought(table, who) for who in table.seats]) if table.game.purse else ()
        if not table.rounds.used:
            await self._runner.act(by, Start(purses), narrate.begins(table))
            await self._runner.go_on()
            return
        here = [name for name in table.rounds.commits if self._publisher.is_here(name)]
        sealing = Sealing(table.rounds.proposed(table.seats, table.header.options, purses, here))
        if sealing.sealing.commits:
            await self._runner.act(by, sealing, only_here=True)
            return
        after, _ = table.after(sealing)
        begins = self._start(after, purses)
        await self._runner.acts(by, (sealing, begins), narrate.begins(table), only_here=True)
        await self._runner.go_on()

    def _start(self, table: Table, purses: tuple[int, ...]) -> Start:
        """Return the act that starts the game; raises `Refused`, `UserError`."""
        with self._runner.bugs_stop_this_table:
            return start(table, purses)

    # a round that isn't complete in time

    async def close_round(self) -> None:
        """End the reveals: start the game if all are there, otherwise void the round."""
        table = self._runner.table
        sealed = table.rounds.sealed
        if sealed is None or self._runner.rests or table.closed:
            return
        if self._prolonged < table.rounds.number and any(map(self._cut_off, table.rounds.missing)):
            self._prolonged = table.rounds.number
            self._timer.restart(self._times.again, self.close_round)
            return
        try:
            if table.rounds.missing:
                await self._void(table)
            else:
                begins = self._start(table, sealed.purses)
                await self._runner.act("table", begins, narrate.begins(table), only_here=True)
                await self._runner.go_on()
        except (UserError, StoreUnavailable):
            if self._runner.table.rounds.sealed:  # not if another node was faster
                self._timer.restart(RETRY, self.close_round)

    async def _void(self, table: Table) -> None:
        """Void the round by name, with the next secret stored first; raises `UserError`, `StoreUnavailable`."""
        secret = await self._next_secret(table)
        root = await self._next_root(table, secret) if table.rounds.root else ""
        seal = commitments.seal_of(secret)
        void = Voided(table.rounds.number, table.rounds.missing, table.secret.hex(), seal, root)
        after, _ = table.after(void)
        acts, words = list[Act]([void]), [narrate.voided(void)]
        for name in void.missing:
            seat = after.seat_of(name)
            if seat is not None and loses_seat(after, name):
                acts.append(Seated(seat, None))
                words.append(f"{name} loses the seat, because the game is rated or played for {_stake(table)}.")
                after, _ = after.after(acts[-1])
        await self._runner.acts("table", acts, " ".join(words), only_here=True)
        self._runner.remember_seats()

    async def _next_root(self, table: Table, secret: bytes) -> str:
        """Return the root of the hidden half of the round after this one."""
        rounds, hidden = table.rounds, table.game.hidden(table.options)
        made = (secret, rounds.table, rounds.number + 1, hidden)
        return await self._slow.soon(root_of, *made, hands=rounds.hands)

    async def _next_secret(self, table: Table) -> bytes:
        """Return the secret of the next round; if several nodes or a crash interfere, the first one stored counts."""
        store, fresh = self._store, commitments.fresh()
        number, round_ = table.header.number, table.rounds.number + 1
        if await store.swap("secret", secret_key(number, round_), None, fresh.hex()):
            return fresh
        return await stored_secret(store, number, round_)


_TOO_LATE = "several shuffles were void here, so only clients that took part in the last one can commit."
_LEFT_OUT = "You were disconnected when the deck was sealed, so your client's number isn't part of it."


def _anyone(table: Table) -> Reader:
    return narrate.reader(table, None, PLAIN)


def _stake(table: Table) -> str:
    return f"{table.game.purse.unit}s" if table.game.purse else "rating"


def may_commit(rounds: Rounds, kept: frozenset[str] | None, name: str) -> bool:
    """Return whether a player's client may commit now; `kept` are those who kept their word in the last round."""
    strict = len(rounds.voids) >= LENIENT and rounds.dealt is None and kept is not None
    return name not in rounds.barred and (not strict or name in (kept or ()))


def loses_seat(table: Table, name: str) -> bool:
    """Return whether a player whose client didn't reveal loses the seat: in a rated game, or one for chips.

    Someone else must be there who can play on. Otherwise nobody gains by it.
    """
    others = [who for who in table.seats.people if fold(who.name) != fold(name) and who.name not in table.rounds.barred]
    at_stake = table.header.rated or (table.game.purse is not None and table.game.purse.staked)
    return at_stake and bool(others)


def lost_seat(table: Table, name: str) -> bool:
    """Return whether a person has lost their seat here before the start, so that they can't sit down again."""
    missed = any(fold(one) == fold(name) for one in table.rounds.barred)
    return missed and not table.started and table.seat_of(name) is None and loses_seat(table, name)
