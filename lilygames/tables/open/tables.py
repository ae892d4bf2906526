"""All tables of the host: open, find and read them, and restore them after a restart."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, tzinfo
from functools import partial
from typing import Any, Literal

import attrs
import structlog

from lilygames import codec, commitments
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.chat.people.observers import OpenedFrom
from lilygames.chat.people.people import Person, Room
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.chat.visits.arrivals import come_back_word, depart, remove_silently
from lilygames.errors import NotFound, UserError
from lilygames.game import Game, Think
from lilygames.quota import OPENING, SLOW_TABLES, TABLES, TABLES_WAITING, Quota, Who
from lilygames.salvage import readable
from lilygames.store import Conflict, Damaged, Draft, Effect, Entry, Store, StoreUnavailable, is_outage
from lilygames.tables.archive.archive import INDEX, Archive
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.bots.pace import LATEST
from lilygames.tables.duplicate.daily_deals import DailyDeals
from lilygames.tables.duplicate.duplicate_set import Added
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.log.acts import HANDS, Header
from lilygames.tables.log.beacon import Beacon
from lilygames.tables.log.names_beside import effects, hidden_header
from lilygames.tables.log.options import Frame
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.open import game_names
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.held_tables import Holding
from lilygames.tables.open.leaving import Leaving
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.rooms import Homes
from lilygames.tables.open.simuls import Simuls
from lilygames.tables.open.stakes import Stakes
from lilygames.tables.play.activity import TableActivity
from lilygames.tables.play.answers import Answers
from lilygames.tables.play.services import ShuffleTimes, TableServices
from lilygames.tables.ratings.ratings import Ratings
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.tables.restore.unplayable import without_header
from lilygames.tables.restore.unrestored import groups, leave_for_later
from lilygames.tables.results.achievements import Achievements
from lilygames.tables.results.purses import Purses, Unsettled
from lilygames.tables.results.results import Results
from lilygames.tables.results.statistics import Statistics
from lilygames.tables.room.bot import PastStep, TableBot
from lilygames.tables.room.catch_up import show_again
from lilygames.tables.seal import seal
from lilygames.tables.seal.closed_deck import Hidden, root_of
from lilygames.tables.seeks.presets import Presets
from lilygames.tables.seeks.vacation import Vacations
from lilygames.tables.sight.public_row import KIND, from_text
from lilygames.tables.state.table import Table, step_of
from lilygames.tables.verify.bot_checks import BotChecks
from lilygames.tables.verify.fairness import Fairness
from lilygames.tables.verify.slow_jobs import SlowJobs
from lilygames.text import count, shortened
from lilygames.turns import OneByOne
from lilygames.unreadable import UnreadableRows
from lilygames_rules.kit import Malformed

log = structlog.get_logger()
FAIRNESS: Literal[0, 2] = 2
"""Version of the seal at which new tables open."""
NEWEST = 50
"""Tables opened lately that another node may have opened without this one having heard of it."""


@attrs.frozen
class Plan:
    """The plan for a new table: game, options, settings, invitations, and the number of seats to start with."""

    game: Game
    options: Any
    frame: Frame
    invited: tuple[str, ...] = ()
    wanted: int = 0
    lesson: int = 0
    """The version of the game's lesson to play; 0 for a normal game."""
    duplicate: str = ""
    """The name of the duplicate set whose cards are dealt; empty for cards of its own."""
    accepts: str = ""
    """The formula of those who may sit down; empty for everyone."""
    key: bytes = attrs.field(default=b"", repr=False)
    """The key of that set; empty if the table is to seal it."""
    entrant: str = ""
    """The account that plays a daily deal here; it can begin each deal once."""
    apart: bool = False
    """Whether that account's game is listed apart."""
    tournament: str = ""
    """The place in a tournament that the table is opened for: `3/2/5` for tournament 3, round 2, table 5."""
    simul: int = 0
    """When the simul that the table belongs to was opened, in seconds since 1970; 0 for none."""


def _amounts(plan: Plan) -> tuple[Quota, ...]:
    """Return the quotas of amounts that a new table counts for."""
    if plan.lesson or plan.entrant:  # it begins at once
        return (TABLES,)
    return (TABLES_WAITING, SLOW_TABLES if plan.frame.clock.slow else TABLES)


def _steps(table: Table, entries: Iterable[Entry]) -> Iterator[PastStep]:
    """Yield the steps of a table that some entries make."""
    for entry in entries:
        act, table, _ = step_of(table, entry)
        yield PastStep(entry, act, table)


class Tables:
    """The open tables by number, and access to finished ones."""

    def __init__(
        self,
        host: Host,
        store: Store,
        open_tables: OpenTables,
        purses: Purses,
        *,
        pause: tuple[float, float],
        talk: bool,
        shuffle: ShuffleTimes,
        new_secret: Callable[[], bytes],
        new_salt: Callable[[], bytes] | None,
        think: Think,
        rethink: Think,
        budget_share: Callable[[], float],
        bot_work: OneByOne,
        added: Callable[[Game, str], str | None],
        unreadable: UnreadableRows,
        told: Mapping[int, int] | None = None,
        zone: tzinfo = UTC,
        beacon: Beacon | None = None,
        hands: int = HANDS,
        node: str = "",
    ) -> None:
        self.host, self.store = host, store
        self.unreadable = unreadable
        """Records that could not be read from the store."""
        self.games = open_tables.games
        self._open_tables, self.open = open_tables, open_tables.bots
        self.seating, self.inviting, self.joinable = open_tables.seating, open_tables.inviting, open_tables.joinable
        self.waiting, self.listed, self.unplayable, self.unrestored = (
            open_tables.waiting,
            open_tables.listed,
            open_tables.unplayable,
            open_tables.unrestored,
        )
        self.remote, self.absent_elsewhere, self.held, self.purses = (
            open_tables.remote,
            open_tables.absent_elsewhere,
            open_tables.held,
            purses,
        )
        self.leaving = Leaving(host, open_tables, self.let_go)
        self.lag = self.leaving.lag
        """Return the seconds this node leaves other nodes to act on a log first, when any node may act."""
        self.told = {**(told or {})}
        """The last entry of each table that the previous process published; empty if there was no such process."""
        self.carried_over = CarriedOver(host, open_tables, asleep=told is not None)
        self._orphans: set[int] = set()
        """Tables found by the last sweep that are open in the store but not on this node."""
        self._closing: set[Room] = set()
        """Rooms of tables that are over but still marked as open in the store."""
        self.homes = Homes(host, self._taken, partial(_read_newest, self))
        self.archive = Archive(store)
        self.duplicates = DuplicateSets(
            store, self.archive, new_secret=new_secret, new_salt=new_salt, now=host.now, key_of=host.accounts.key
        )
        self.daily_deals = DailyDeals(
            self.duplicates, self.games, store, host.accounts, seniority=host.seniority, zone=zone, beacon=beacon
        )
        self.stakes = Stakes(purses, open_tables)
        self.vacations = Vacations(store, host.accounts.key, self.unreadable)
        self.results = Results(
            store,
            host.accounts,
            Ratings(
                store,
                host.accounts,
                now=host.now,
                zone=zone,
                unreadable=self.unreadable,
                games=self.games,
                here=host.people.keys,
            ),
            self.unreadable,
        )
        self.fairness = Fairness(store, self.unreadable)
        self.presets = Presets(store, host.accounts, self.unreadable)
        self.finished = FinishedTables(self.archive, self.games)
        """Finished tables, replayed."""
        self.statistics = Statistics(store, host.accounts, self.finished, self.unreadable)
        self.achievements = Achievements(store, host.accounts, self.finished, host.people, self.unreadable)
        self.simuls = Simuls(store, host.accounts, host.people, open_tables, self.unreadable)
        self.replays: dict[str, Any] = {}
        """The finished game each person is replaying, by folded name."""
        self.activity = TableActivity()
        """Counts of what this node has done at its tables."""
        self._added = added
        """The text that the sysop has added to a game under a name."""
        self._new_secret = new_secret
        self._hands = hands
        """Hands that the Merkle root of a new closed seal covers."""
        self.slow, self.bot_checks = SlowJobs(), BotChecks(rethink)
        self.hints, self.reviews = Answers(), Answers()
        self._new_salt = new_salt
        """Makes the salts of ids; None if names are to stay inside the logs of new tables."""
        self._rooting = asyncio.Lock()
        """Held while a closed seal is opened: otherwise each new table makes the others compute their roots again."""
        self._services = TableServices(
            store=store,
            node=node,
            row_written=self.remote.written,
            people=host.people,
            keep=host.keep,
            now=host.now,
            watch=time.monotonic,
            is_taken=lambda name: bool(host.accounts.look_alike(name)),
            new_salt=new_salt or commitments.fresh,
            come_back_word=partial(come_back_word, host),
            purses=self.purses,
            purse_of=self.stakes.brought,
            vacation_ends=self.vacations.ends,
            rating_of=self.results.ratings.one,
            think=think,
            rethink=rethink,
            budget_share=budget_share,
            pause=lambda: random.uniform(*pause),  # noqa: S311 - only a pause
            bot_work=bot_work,
            talk=talk,
            shuffle=shuffle,
            slow=self.slow,
            latest=LATEST if pause[1] else None,
            lag=self.lag,
            cut_off=self._is_cut_off,
            spoiled=self.duplicates.spoiled,
            activity=self.activity,
            effects=(
                self.results.finished,
                self.fairness.finished,
                self.statistics.finished,
                self.achievements.finished,
                self.duplicates.finished,
                self.simuls.finished,
            ),
            changed=open_tables.changed,
            ended=lambda number: self._over(self.open[number]),
        )
        for game in self.games.values():
            host.open_room(game.name, f"{game.title} tables")

    async def think(self, strategy: Any, view: Any, moves: Sequence[Any], luck: Any, due: float = 0.0, /) -> Any:
        """Run a strategy where bots think; any error is raised."""
        return await self._services.think(strategy, view, moves, luck, due)

    def game(self, word: str) -> Game:
        """Return the game with this name or prefix; raises `UserError`."""
        return game_names.find_game(self.games, word)

    async def filled(self, game: Game, options: Any) -> Any:
        """Return options completed from the sysop's text files; raises `UserError` for an invalid text."""
        if game.fills is None:
            return options
        try:
            return await asyncio.to_thread(game.fills, options, partial(self._added, game))
        except Malformed as wrong:
            raise UserError(f"the text added to {game.title} can't be used: {wrong}. Please tell the sysop.") from None

    def find(self, word: str) -> TableBot:
        """Return the table with this room or number (`ohell-2`, `12`, `#12`); raises `UserError`."""
        digits = word.removeprefix("#")
        if digits.isascii() and digits.isdigit():
            bot = self.open.get(int(digits[:9]))
        else:
            bot = self._open_tables.in_room(word)
        if bot is None:
            if game := self.games.get(fold(word)):
                raise UserError(
                    f"no table is open at {game.name}. Type /quick {game.name} to play, or /tables to list all tables."
                )
            raise NotFound(f"there is no table “{shortened(word, 20)}” now. Type /tables to list the open tables.")
        return bot

    def _is_cut_off(self, name: str) -> bool:
        """Return whether someone was served by another node that may have died."""
        person = self.host.people.get(fold(name))
        return person is not None and bool(person.node) and self.host.cluster.is_silent(person.node)

    def _taken(self) -> set[str]:
        """Return the names of the rooms that have a table."""
        waiting = self.unplayable.rooms | self.unrestored.rooms | self.remote.rooms
        return waiting | {bot.room.name for bot in self.open.values()}

    def check_may_open(self, plan: Plan, person: Person, number: int = 1) -> None:
        """Raise `UserError` if a person can't open so many tables of a plan now."""
        who = self._opener(plan, person)
        for amount in _amounts(plan):
            self.host.quotas.check(amount, who, self._held_by, number=number)
        self.host.quotas.check(OPENING, who)

    def _opener(self, plan: Plan, person: Person) -> Who:
        """Return whose quotas a new table uses: lessons, daily deals, and more tables of a simul only an address's."""
        who, held = self.host.quotas.who(person), self._open_tables.held
        return attrs.evolve(who, person="") if plan.entrant or plan.lesson or held.has(who.person, plan.simul) else who

    def _held_by(self, amount: Quota, who: Who) -> Sequence[int]:
        """Return the numbers of the tables that someone holds."""
        return self._open_tables.held.of(amount.name, "person", who.person)

    async def new(self, plan: Plan, person: Person) -> TableBot:
        """Open a table within the quotas of a person; tables of tournaments have no quota.

        Raises `StoreUnavailable`, and `UserError` if its duplicate set or a quota doesn't take it.
        """
        if plan.tournament:
            return await self._opened(plan, person)
        self.check_may_open(plan, person)
        who = self._opener(plan, person)
        self.host.quotas.use(OPENING, who)
        held, origin = self._open_tables.held, person.origin
        name = fold(person.name) if who.person or plan.simul else ""
        with held.opening(Holding(name, waits=True, slow=plan.frame.clock.slow, simul=plan.simul), origin):
            bot = await self._opened(plan, person)
        held.opened_from(bot.table.header.number, origin)
        self.host.publish(OpenedFrom(bot.table.header.number, origin))
        return bot

    async def _opened(self, plan: Plan, person: Person) -> TableBot:
        """Open a table: store its secret apart from the logs, append its header, and take its room.

        Raises `StoreUnavailable`, and `UserError` if its duplicate set doesn't take it.
        """
        game, secret = plan.game, plan.key or self._new_secret()
        fairness: Literal[0, 2] = 2 if plan.duplicate else 0 if plan.lesson else FAIRNESS
        for closing in [*self._closing]:
            await closing.finish()
        room = await self.homes.claimed(game, private=plan.frame.private)
        people = SeatIds().with_people((person.name, *plan.invited), self._new_salt) if self._new_salt else SeatIds()
        header = Header(
            number=0,
            game=game.name,
            version=game.rules.VERSION,
            room=room,
            options=codec.dump(plan.options),
            seal=commitments.seal_of(secret) if fairness else seal.seal_of(secret),
            host=person.name,
            sealed=plan.frame.sealed,
            invited=plan.invited,
            clock=plan.frame.clock,
            late=plan.frame.late,
            private=plan.frame.private,
            rated=plan.frame.rated,
            soft=plan.frame.soft,
            wanted=plan.wanted,
            lesson=plan.lesson,
            fairness=fairness,
            duplicate=plan.duplicate,
            keyed=bool(plan.key),
            accepts=plan.accepts,
            tournament=plan.tournament,
            simul=plan.simul,
            hands=self._hands,
            ids=self._new_salt is not None,
            people=people,
        )
        try:
            header = await self._written(header, plan, secret)
            bot = self._at(room, Table(header, game, secret), self.host.clock())
        except (StoreUnavailable, UserError):
            self.host.cluster.release(f"room {fold(room)}")
            raise
        finally:
            self.homes.let_go(room)
        self.activity.table_opened(bot.table)
        return bot

    async def _written(self, header: Header, plan: Plan, secret: bytes) -> Header:
        """Return the header with its number from the index, once everything is stored; raises as `new` does."""
        game = plan.game
        if header.duplicate and not header.keyed:
            await self.duplicates.opened_for_table(header, game)
        hidden = game.hidden(codec.load(header.options, game.rules.Options)) if header.sealed else ()
        if hidden and header.fairness and not header.duplicate:
            async with self._rooting:
                header, entry = await self._indexed_with_root(header, hidden, secret)
        else:
            entry = await _indexed(self.store, header, None)
        header = attrs.evolve(header, number=entry.seq)
        records = [
            Effect("secret", str(entry.seq), secret.hex()),
            *effects(entry.seq, SeatIds(), header.people),
            Effect("open", str(entry.seq), ""),
        ]
        if header.duplicate:
            added = Added(header.number, self.host.now(), plan.entrant, plan.apart)
            await self.duplicates.add_table(header, added, records)
            return header
        *before, opened = records
        await asyncio.gather(*(self.store.keep(one.kind, one.key, one.body or "") for one in before))
        await self.store.keep(opened.kind, opened.key, "")
        return header

    async def _indexed_with_root(self, header: Header, hidden: Hidden, secret: bytes) -> tuple[Header, Entry]:
        """Append the header of a closed seal to the index, with the root of its hidden half.

        The root depends on the table's number. So it's computed for the next one, and again if that is taken meanwhile.
        """
        head = (await self.store.heads([INDEX]))[INDEX]
        while True:
            table = commitments.table_id(head + 1, header.game, header.version, header.seal)
            root = await self.slow.soon(root_of, secret, table, 1, hidden, hands=header.hands)
            rooted = attrs.evolve(header, root=root)
            try:
                return rooted, await _indexed(self.store, rooted, head)
            except Conflict as taken:
                head = taken.head

    def _at(self, name: str, table: Table, since: float) -> TableBot:
        room = self.host.open_room(name, f"{table.game.title} table", lasting=name == table.game.name)
        asleep = self.carried_over.asleep or table.header.number in self.told
        bot = TableBot(table, room, self._services, asleep=asleep)
        people = (table.header.host, *table.header.invited, *(who.name for who in table.seats))
        cleared = 0.0 if room.lasting else since  # hide what was said at an earlier table in a room with the same name
        permitted = frozenset(map(fold, people))
        room.open_table(bot, Charter(private=table.header.private, permitted=permitted, cleared=cleared))
        self._open_tables.add(bot)
        return bot

    def _over(self, bot: TableBot) -> None:
        number = bot.table.header.number
        self._open_tables.drop(number)
        self.remote.forget(number)
        sat = [person for person in self.host.people.nearby() if bot in person.seats]
        for person in sat:
            person.seats.remove(bot)
        names = {*bot.table.seats.owners, *(fold(person.name) for person in sat)}
        self.let_go(names, told=bot.table.outcome is not None)
        self.host.close_room(bot.room)
        self._closing.add(bot.room)
        bot.room.post(self._forget, number, bot.room)

    def let_go(self, names: Iterable[str], *, told: bool = False) -> None:
        """Let disconnected people (by folded name) leave, unless a seat is still kept for them.

        With `told` the others are told. That is for the end of a game, not for a long absence.
        """
        for person in [self.host.people[name] for name in names if name in self.host.people]:
            if person.here or self.host.keeps_seat(person.name):
                continue
            if person.node:
                remove_silently(self.host, person)
            else:
                depart(self.host, person, goodbye=True, told=told)

    async def _forget(self, number: int, room: Room) -> None:
        """Remove a table from the open ones in the store; if that fails now, a later sweep does it.

        Only then may another table have its room. Otherwise other nodes would find two tables there.
        """
        try:
            await self.store.forget("open", str(number))
        except StoreUnavailable as problem:
            log.warning("a finished table stays marked as open for now", table=number, why=str(problem))
        self._closing.discard(room)
        self.host.cluster.release(f"room {fold(room.name)}")

    def close(self, bot: TableBot) -> None:
        """Close a table that everyone left before the start."""
        if bot.table.header.duplicate:
            bot.room.post(self.duplicates.dropped, bot.table.header.duplicate, bot.table.header.number)
        bot.room.close_table()
        self._over(bot)

    async def restore(self, *, at_once: bool = True, known: KnownHeaders = KnownHeaders()) -> None:  # noqa: B008 - frozen
        """Reopen every table that was open when the host stopped; tables that can't be played are stopped.

        No bot or clock runs there until `wake`. Unless `at_once`, nearly all tables are left for later; the headers
        `known` needn't be read for that. Raises `StoreUnavailable`.
        """
        await self.vacations.load()
        marks = await self.kept_open(whole=False)
        for row in filter(None, map(from_text, marks.values())):
            self.remote.learn(row)
        numbers = sorted(marks)
        if not at_once:
            await leave_for_later(self.unrestored, self.store, self.games, numbers, known)
            self._open_tables.hold_later()
        for group in groups([number for number in numbers if number not in self.unrestored]):
            for found in await asyncio.gather(*map(self._replayed, group)):
                if found:
                    await self._resumed(*found)

    async def restore_later(self, number: int) -> None:
        """Reopen a table that was left for later, with the people who are here, and resume it.

        Those who turn out to have no seat any more are let go. Raises `StoreUnavailable`.
        """
        header = self.unrestored.header(number)
        try:
            if self._services.node:
                await self._mirror(number)
            elif found := await self._replayed(number):
                await self._resumed(*found)
        except Exception as bug:
            if is_outage(bug):
                raise
            self.unplayable.stop(header, None, bug)  # everyone's commands wait for this table
        names = self.unrestored.people_of(number)
        self.unrestored.drop(number)
        if bot := self.open.get(number):
            with suppress(UserError), bot.runner.bugs_stop_this_table:
                self.carried_over.settle(bot)
            if not self.carried_over.asleep:
                await asyncio.sleep(0)
                await _resume(bot, self.lag)
        self.carried_over.release(number)
        if number not in self.open and (room := self.host.rooms.called(header.room)):
            self.host.close_room(room)
        if number not in self.open and number not in self.unplayable:
            self._open_tables.drop(number)
        here = filter(None, map(self.host.people.known, names))
        self.unplayable.tell(number, [person for person in here if person.local])
        self.told.pop(number, None)
        self.let_go(names - self.host.going.keys())

    async def kept_open(self, *, whole: bool = True) -> dict[int, str]:
        """Return the marks of the tables that are open in the store, by number; raises `StoreUnavailable`.

        Unless they must be `whole`, damaged ones are left out.
        """
        read = self.store.every(KIND) if whole else readable(self.store, KIND, self.unreadable)
        marks = {}
        for key, body in (await read).items():
            try:
                marks[int(key)] = body
            except ValueError as problem:
                self.unreadable.report(KIND, key, problem)
        return marks

    async def _resumed(self, table: Table, past: list[PastStep]) -> None:
        """Reopen a table that has been replayed, or finish it if it is over. Stop it if that can't be done.

        Raises `StoreUnavailable`.
        """
        number = table.header.number
        try:
            await self._finish(table)
            if await _is_open(self, table):
                await self.unrestored.rest(number)  # reopening takes a millisecond, as the replay before did
                self._reopened(table, past)
        except Exception as bug:
            if is_outage(bug):
                raise
            self.unplayable.stop(table.header, [step.entry for step in past], bug)  # a plug-in may raise anything

    async def wake(self) -> None:
        """Resume every table: publish what other nodes have done, then start bots and clocks."""
        self.carried_over.wake()
        self.told = {number: seq for number, seq in self.told.items() if number in self.unrestored}
        for bot in [*self.open.values()]:
            await _resume(bot, self.lag)

    async def _replayed(self, number: int) -> tuple[Table, list[PastStep]] | None:
        """Return a table as its log left it, with all its earlier states; None if it can't be played here.

        Raises `StoreUnavailable`.
        """
        header: Header | None = None
        entries: list[Entry] | None = None
        try:
            people, entries = await self.archive.named(number)
            header = await self.archive.header(number, people)
            game = header.game_in(self.games)
            if game:
                table = Table(header, game, await self.archive.sealed_secret(header, entries))
                await self.unrestored.rest(number)
                past = await run_in_slices(_steps(table, entries[: self.told.get(number)]), "replays")
                return past[-1].table if past else table, past
            if header.lesson:
                await self.store.forget("open", str(number))  # it has changed since, so start again
                return None
            self.unplayable.wait(header, entries)
        except Exception as bug:
            if is_outage(bug):
                raise
            self.unplayable.stop(header or await _known_header(self, number), entries, bug)
        return None

    def _reopened(self, table: Table, past: list[PastStep]) -> TableBot:
        header = table.header
        there = self._open_tables.in_room(header.room)
        taken = there is not None and not there.over
        room = self.homes.free(table.game, private=header.private) if taken else header.room
        bot = self._at(room, table, past[0].entry.at if past else self.host.clock())
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            bot.replay_past(past)
        return bot

    @property
    def troubles(self) -> list[str]:
        """Problems for the sysop: stopped tables with their case numbers, and unreadable parts of the store."""
        cases = {number: (bot.room.name, bot.case) for number, bot in self.open.items() if bot.case}
        cases |= {table.header.number: (table.header.room, table.case) for table in self.unplayable.stopped}
        tables = [f"stopped table #{number} {room} (case {case})" for number, (room, case) in sorted(cases.items())]
        unread = count(len(self.unreadable), "unreadable row") if self.unreadable else ""
        return [*tables, *([f"{unread} in the store"] if unread else [])]

    # following other nodes

    async def follow(self, number: int) -> None:
        """Follow another node's change: update a table, or open or close it here."""
        await self.unrestored.ready_for("", [number])
        if number in self.unplayable:
            await self.unplayable.follow(number)
            if number not in self.unplayable:
                self._open_tables.drop(number)
                self.remote.forget(number)
        elif number not in self.open:
            await self._mirror(number)
        bot = self.open.get(number)
        if bot is None or self.carried_over.asleep:
            return
        before = bot.table.seats.owners
        seq = bot.table.seq
        await bot.room.do(bot.runner.follow)
        going = bot.over or (
            bot.table.seq > seq and bot.table.seats.owners
        )  # a table that has just advanced was open, unless everyone left
        if number in self.open and not going and await self.store.find("open", str(number)) is None:
            self._open_tables.drop(number)
            self.remote.forget(number)
            bot.room.close_table()
            self.host.close_room(bot.room)
        self.let_go(before - bot.table.seats.owners)

    def read_to(self, number: int) -> int:
        """Return the number of the last entry this node has read of a table; 0 if it doesn't know the table.

        For a table that a start has left for later, it's the one that was the last then.
        """
        if number in self.unrestored:
            return self.unrestored.length(number)
        bot = self.open.get(number)
        return bot.table.seq if bot else self.unplayable.read_to(number)

    async def _mirror(self, number: int) -> None:
        if number not in self.told and await self.store.find("open", str(number)) is None:
            return
        found = await self._replayed(number)
        if number in self.unplayable:
            self._open_tables.add_unplayable(number)
        if found and not found[0].closed:
            await self.unrestored.rest(number)
            self.remote.take(number)
            await self._emptied(found[0].header.room)
            if number not in self.open:
                bot = self._reopened(*found)
                with suppress(Unsettled):  # those stakes count until the account can be read
                    await bot.end_of_game.learn_settled()
                if number not in self.unrestored:
                    self._catch_up_on(bot)

    async def _emptied(self, room: str) -> None:
        """Follow the tables of a room up to now: one that is over or closed there leaves it."""
        for number, bot in [(number, bot) for number, bot in self.open.items() if bot.room.name == room]:
            await self.follow(number)
            await bot.room.finish()
        for number in self.remote.in_room(room):
            if await self.store.find(KIND, str(number)) is None:
                self.leaving.ended(number)

    def _catch_up_on(self, bot: TableBot) -> None:
        """Show a table to players who sit there and haven't been told here that it has started."""
        for who in bot.table.seats.people:
            person = self.host.people.known(fold(who.name))
            if person and person.local and bot.table.started:
                show_again(bot, person)

    async def sweep(self) -> None:
        """Finish tables that are still open in the store although they ended along with their node."""
        remote = {row.number for row in self.remote if self.lag(f"table/{row.number}")}
        known = {*self.open, *self.unplayable.numbers, *self.unrestored.numbers}
        orphans = {*await self.kept_open()} - known - remote
        for number in orphans & self._orphans:
            if found := await self._replayed(number):
                await self._resumed(*found)
        self._orphans = orphans

    async def _finish(self, table: Table) -> None:
        """Complete the end of a game that the host was stopped in."""
        await self.purses.settle(table, set())
        for effect in self._services.effects if table.closed and not table.lesson else ():
            await effect(table)


async def _resume(bot: TableBot, lag: Callable[[str], float]) -> None:
    """Resume a table, unless other nodes are to act first. Errors are not raised."""
    try:
        await bot.runner.wake()
        if not lag(bot.runner.log):
            await bot.room.do(bot.go_on)
    except Exception:
        log.exception("cannot resume a table", table=bot.table.header.number)


async def _is_open(tables: Tables, table: Table) -> bool:
    """Return whether a replayed table is still open; if it isn't, remove its mark. Raises `StoreUnavailable`."""
    header = table.header
    waits = any(not who.house for who in table.seats) or await tables.duplicates.plays_alone(header)
    if not table.closed and (table.started or waits):
        return True
    if header.duplicate and not table.closed:
        await tables.duplicates.dropped(header.duplicate, header.number)
    await tables.store.forget("open", str(header.number))
    return False


async def _known_header(tables: Tables, number: int) -> Header:
    """Return the header of a table whose log can't be read; a placeholder if that can't be read either."""
    if number in tables.unrestored:
        return tables.unrestored.header(number)
    with suppress(UserError, Damaged):
        return await tables.archive.header(number)
    return without_header(number)


async def _read_newest(tables: Tables, room: str) -> None:
    """Read a room's newest tables if this node doesn't know them yet. Raises `StoreUnavailable`."""
    for number in await tables.archive.latest(room, NEWEST):
        known = (tables.open, tables.unplayable, tables.unrestored, tables.remote)
        if not any(number in those for those in known):
            await tables.follow(number)


async def _indexed(store: Store, header: Header, head: int | None) -> Entry:
    """Append a header to the index, after position `head` unless it is None; raises `Conflict`."""
    stored = hidden_header(header)
    draft = Draft(stored.host, codec.to_text(stored))
    (entry,) = await store.append(INDEX, head, [draft], cmd=f"open {secrets.token_hex(16)}")
    return entry
