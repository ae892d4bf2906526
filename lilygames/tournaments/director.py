"""The director of all tournaments: begins rounds, opens their tables, and records their results.

Everything follows from the tournament's log and the tables, so it continues after a crash at any point. A table that
was opened is recognised by its header. Every node reads the logs and tells its own people. One node acts on each log;
if two do, the log takes one entry and the other node looks again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from weakref import WeakSet

import attrs
import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person, Room
from lilygames.chat.tasks.periodic import regularly
from lilygames.errors import UserError
from lilygames.store import Damaged, StoreUnavailable
from lilygames.tables.open.tables import Tables
from lilygames.tables.ratings.ratings import size_of
from lilygames.text import Line
from lilygames.tournaments import words
from lilygames.tournaments.pairing import pairing
from lilygames.tournaments.pairing.lengths import round_limit, usual_length
from lilygames.tournaments.pairing.log import (
    Act,
    Cancelled,
    CheckedIn,
    Delayed,
    Finished,
    Header,
    Lengthened,
    NoShow,
    TableAdded,
    TableOpened,
    tag,
)
from lilygames.tournaments.pairing.points import lots_hash
from lilygames.tournaments.pairing.tournament import Event, RoundTable, Tournament
from lilygames.tournaments.store import TournamentStore
from lilygames.tournaments.table_seats import RoundTables
from lilygames.tournaments.timetable import Timetable, free_name
from lilygames_rules.kit import Refused

log = structlog.get_logger()
GLANCE = 1.0
"""Seconds between two looks."""
SEEN_EVERY = 30.0
"""Seconds between two records that a tournament is being directed; a longer gap is downtime."""


class Overtaken(Exception):
    """The tournament has changed since something was decided. The next look decides again."""


class Director:
    """The open tournaments of a place, as this node knows them."""

    def __init__(
        self,
        tables: Tables,
        known: dict[int, Tournament],
        timetable: Timetable,
        *,
        no_show: float,
        new_secret: Callable[[], bytes],
    ) -> None:
        self.tables = tables
        self._timetable = timetable
        self._new_secret = new_secret
        self.host: Host = tables.host
        self.store = TournamentStore(tables.store, tables.unreadable)
        self.open = known
        """The tournaments that aren't over, by number."""
        self._round_tables = RoundTables(tables, no_show=no_show)
        self._shown: set[tuple[int, str]] = set()
        """Tables to which people here were taken, with the people's keys."""
        self._lengths: dict[tuple[int, int], float] = {}
        """The usual length of a game, by tournament and round."""
        self._seen: dict[int, float] = {}
        """When this node last recorded that it directs a tournament."""
        self._left_rooms: WeakSet[Room] = WeakSet()
        """Rooms of tournaments that are over. People may still be there."""
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Held, by tournament, while someone's decision is appended: 200 people may join at once."""

    # following the logs

    async def load(self) -> None:
        """Read all open tournaments, and tell nobody. Raises `StoreUnavailable`."""
        for number in await self.store.open_numbers():
            await self._learn(number)

    async def _learn(self, number: int) -> Tournament | None:
        """Read a tournament that this node doesn't know yet; return it if it isn't over. Raises `StoreUnavailable`."""
        try:
            found = await self.store.find(number)
        except (ValueError, Refused, Damaged) as problem:
            log.error("a tournament can't be read", number=number, why=str(problem))  # noqa: TRY400 - as it says
            return None
        if found and found.going and number not in self.open:
            self.open[number] = found
            self._open_room(found)
            return found
        if found and not found.going:
            await self.store.close(number)
        return None

    async def follow(self, known: Tournament) -> Tournament:
        """Read what is new since a state, tell people here, and return the latest; raises `StoreUnavailable`.

        Another task may have been faster, and have told people. It may even have closed the tournament.
        """
        number, latest = known.header.number, known
        for now_in, events in await self.store.news(known):
            latest = now_in
            here = self.open.get(number)
            if here and now_in.seq == here.seq + 1:
                self.open[number] = now_in
                for event in events:
                    self._tell(now_in, event)
        here = self.open.get(number, latest)
        return max(here, latest, key=lambda one: one.seq)

    async def add(self, known: Tournament, act: Act, by: str = "director") -> Tournament:
        """Append an act that was decided in a state, and return the new state; raises `Overtaken` or `Refused`."""
        if not await self.store.append(known, act, by):
            await self.follow(known)
            raise Overtaken
        return await self.follow(known)

    async def enter(self, number: int, act: Act, by: str) -> Tournament:
        """Append what someone decided, whatever has changed meanwhile; raises `Refused` and `StoreUnavailable`."""
        async with self._turns[number]:
            while number in self.open:
                try:
                    now_in = await self.add(self.open[number], act, by)
                except Overtaken:
                    continue
                if not now_in.going:
                    await self._ended(now_in)
                return now_in
        raise Refused("over")

    # people

    def _name(self, now_in: Tournament, key: str) -> str:
        """Return the current name of the person with an account key."""
        return self.host.accounts.now(now_in.players[key].name if key in now_in.players else key)

    def reading(self, now_in: Tournament, person: Person) -> words.Reading:
        """Return what the words that a person reads about a tournament depend on."""
        key = self.host.accounts.key(person.name)
        return words.Reading(key, partial(self._name, now_in), person.profile.zone, self.host.now())

    def _near(self, now_in: Tournament, keys: Iterable[str]) -> list[tuple[str, Person]]:
        """Return the players with these keys who are connected to this node."""
        found = [(key, self.host.people.get(fold(self._name(now_in, key)))) for key in keys]
        return [(key, person) for key, person in found if person and person.local]

    def _tell(self, now_in: Tournament, event: Event) -> None:
        """Tell people here: those at the table, or all players, the organizer and the room."""
        keys = words.hearers(now_in, event)
        playing = [key for key, one in now_in.players.items() if one.playing]
        told = dict(self._near(now_in, [*playing, now_in.header.by] if keys is None else keys))
        room = self.host.rooms.get(fold(now_in.header.name))
        for person in [*room.people.values()] if room and keys is None else ():
            if person.local:
                told.setdefault(self.host.accounts.key(person.name), person)
        for person in told.values():
            by = self.reading(now_in, person)
            person.show(Line(words.told(now_in, event, by), "notice", by=words.author(event, by.called)))

    def _announce(self, now_in: Tournament) -> None:
        """Tell everyone here but the organizer of a new tournament. Each node learns of it and tells its own people."""
        for person in self.host.people.nearby():
            by = self.reading(now_in, person)
            if person.local and by.reader != now_in.header.by:
                person.show(Line(words.planned(now_in, by), "notice"))

    def _open_room(self, now_in: Tournament) -> None:
        header = now_in.header
        title = f"{header.game} {words.FORM[header.form]} tournament"
        room = self.host.open_room(header.name, title, lasting=False)
        room.retitle(title)
        self._left_rooms.discard(room)

    # what is due

    async def watch(self) -> None:
        """Look after all tournaments until cancelled."""
        await regularly(GLANCE, self.look, "cannot look after the tournaments")

    async def look(self) -> None:
        """Follow all tournaments, and do what is due where it is this node's turn. Raises `StoreUnavailable`."""
        if self.tables.carried_over.asleep:
            return
        numbers = await self.store.open_numbers()
        for number in [number for number in numbers if number not in self.open]:
            if (planned := await self._learn(number)) and not planned.header.of_place:
                self._announce(planned)
        for one in [*self.open.values()]:
            number = one.header.number
            try:
                await self._look_at(one)
            except Overtaken:
                continue
            except (UserError, Refused) as problem:
                log.warning("a tournament must wait", number=number, why=repr(problem))
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("cannot direct a tournament", number=number)
        self._round_tables.close_strays(self.open)

    async def _look_at(self, known: Tournament) -> None:
        now_in, number = await self.follow(known), known.header.number
        if not now_in.going:
            await self._ended(now_in)
            return
        self._open_room(now_in)
        if not self._has_tables(number):
            return
        now_in = await self._check_in(now_in)
        self._take_to_tables(now_in)
        if not self.tables.lag(f"tournament/{number}") and await self._follows_tables(number):
            await self._count_downtime(now_in)
            await self._direct(self.open.get(number, now_in))

    def _has_tables(self, number: int) -> bool:
        """Return whether a start has restored all tables of a tournament; those that it has left for later come next.

        Before, a table that is open in the store would be opened again.
        """
        waiting = self.tables.unrestored.of_tournament(number)
        self.tables.unrestored.put_first(waiting)
        return not waiting

    async def _follows_tables(self, number: int) -> bool:
        """Follow all tables of a tournament; return whether this node still directs it. Raises `StoreUnavailable`.

        A node that directs one from now on knows only the rows of tables that others have opened.
        """
        await self.tables.remote.ready(self.tables.remote.of_tournament(number))
        return not self.tables.lag(f"tournament/{number}")

    async def _ended(self, now_in: Tournament) -> None:
        """Forget a tournament that is over."""
        number = now_in.header.number
        await self.store.close(number)
        self.open.pop(number, None)
        self._seen.pop(number, None)
        self._turns.pop(number, None)
        self._shown = {(table, key) for table, key in self._shown if table in self.tables.open}
        self._lengths = {place: length for place, length in self._lengths.items() if place[0] in self.open}
        name = fold(now_in.header.name)
        self.host.cluster.release(f"room {name}")
        if room := self.host.rooms.get(name):
            self.host.close_room(room)
            self._left_rooms.add(room)

    async def _check_in(self, now_in: Tournament) -> Tournament:
        """Check in the people here who are in the tournament's room shortly before the start."""
        room = self.host.rooms.get(fold(now_in.header.name))
        if room is None or now_in.status != "open" or self.host.now() < now_in.starts - pairing.CHECK_IN:
            return now_in
        for person in [*room.people.values()]:
            player = now_in.players.get(self.host.accounts.key(person.name))
            if person.local and player and player.playing and not player.checked_in:
                now_in = await self.enter(now_in.header.number, CheckedIn(player.key), by=person.name)
        return now_in

    def _take_to_tables(self, now_in: Tournament) -> None:
        """Take people here to the tables of the round, once."""
        for table in now_in.round.tables if now_in.round else ():
            bot = self.tables.open.get(table.number) if table.number and not table.done else None
            for key, person in self._near(now_in, table.paired.people) if bot else ():
                if bot and (table.number, key) not in self._shown and bot.keeps_seat(person.name):
                    self._shown.add((table.number, key))
                    person.go(bot.room)
                    bot.room.watch(person)
                    if bot.table.started:
                        person.show(*bot.remind(person))

    async def _count_downtime(self, now_in: Tournament) -> None:
        """Add the time in which no node directed a running tournament to its times."""
        number, now = now_in.header.number, self.host.now()
        if now - self._seen.get(number, 0.0) < SEEN_EVERY:
            return
        if number not in self._seen and now_in.status == "running":
            down = await self.store.downtime(number, now)
            if down > 2 * SEEN_EVERY:
                await self.add(now_in, Lengthened(down))
        await self.store.seen(number, now)
        self._seen[number] = now

    async def _direct(self, now_in: Tournament) -> None:
        """Do what is due; raises `Overtaken`, `UserError`, `Refused`, `StoreUnavailable`."""
        there = now_in.without(self._absent(now_in)) if now_in.status == "open" else now_in
        match pairing.due(there, self.host.now()):
            case "delay":
                await self.add(now_in, Delayed(now_in.starts + pairing.GRACE))
            case "call off":
                await self._ended(await self.add(now_in, Cancelled("", "fewer than 4 players came")))
            case "pair":
                await self._pair(now_in)
            case "tend":
                await self._tend(now_in)
            case "finish":
                await self._round_tables.end_of_cards(now_in)
                await self._ended(await self.add(now_in, Finished()))

    async def _pair(self, now_in: Tournament) -> None:
        """Begin the next round: its pairings are one entry, which is there whole or not at all."""
        await self._round_tables.end_of_cards(now_in)
        there = now_in if now_in.rounds else now_in.without(self._absent(now_in))
        await self.tables.results.ratings.read_of(*(self._name(now_in, key) for key in there.present))
        seed = now_in.seed or await self.store.seed(now_in.header)
        legal = self._round_tables.legal(now_in)
        ratings = self._ratings(there) if now_in.header.seeding == "rating" and not now_in.rounds else pairing.UNRATED
        entry = await asyncio.to_thread(pairing.next_round, there, seed, legal, ratings)
        await self._tend(await self.add(now_in, entry))

    def _absent(self, now_in: Tournament) -> set[str]:
        """Return the players of one of the place's own tournaments who aren't connected; none of any other.

        Nobody checks in there, so those who aren't here don't play.
        """
        if not now_in.header.of_place:
            return set()
        return {key for key, one in now_in.players.items() if one.playing and not self._is_here(now_in, key)}

    def _is_here(self, now_in: Tournament, key: str) -> bool:
        person = self.host.people.get(fold(self._name(now_in, key)))
        return person is not None and person.here

    def _ratings(self, now_in: Tournament) -> dict[str, float]:
        """Return the rating of everyone who is there, as rank lists sort by it."""
        ratings, kind = self.tables.results.ratings, f"{now_in.header.game} {size_of(now_in.header.seats)}"
        return {key: ratings.one(kind, self._name(now_in, key)).sure for key in now_in.present}

    async def _tend(self, now_in: Tournament) -> None:
        """Open, start and finish the tables of the round."""
        latest = now_in.round
        if latest is None:
            return
        usual = await self._usual(now_in)
        if now_in.header.form == "arena":
            legal, there = self._round_tables.legal(now_in), now_in.without(self._absent(now_in))
            for paired in pairing.arena_tables(there, self.host.now(), legal, usual):
                now_in = await self.add(now_in, TableAdded(paired))
            latest = now_in.round or latest
        for number, table in enumerate(latest.tables, 1):
            if not table.done:
                now_in = await self._tend_table(now_in, number, usual)

    async def _usual(self, now_in: Tournament) -> float:
        place = now_in.header.number, len(now_in.rounds)
        if place not in self._lengths:
            usual = await usual_length(self.tables.store, self._round_tables.game(now_in))
            self._lengths[place] = pairing.longest(now_in, usual)
        return self._lengths[place]

    async def _tend_table(self, now_in: Tournament, number: int, usual: float) -> Tournament:
        """Bring a table one step further: open it, give away the seats of absent players, start it, or finish it."""
        latest = now_in.round
        if latest is None:
            return now_in
        table, round_ = latest.tables[number - 1], latest.number
        found = self._round_tables.find(tag(now_in.header.number, round_, number), table)
        if table.number == 0 or (found is None and await self._round_tables.is_lost(table)):
            bot = found or await self._round_tables.opened(now_in, round_, number)
            await self._round_tables.seat(now_in, round_, number, bot)
            return await self.add(now_in, TableOpened(round_, number, bot.table.header.number))
        if found is None or found.case:
            return await self._finished(now_in, number, table)
        if not found.table.started:
            return await self._started(now_in, number, table)
        opened = latest.began if now_in.header.form != "arena" else table.opened
        ends = opened + latest.added + self._round_tables.no_show + round_limit(usual)
        if self.host.now() >= ends:
            await self._round_tables.end(found)
        return now_in

    async def _started(self, now_in: Tournament, number: int, table: RoundTable) -> Tournament:
        """Start a table if everyone is there, or 3 minutes after it was opened, with bots for those who aren't."""
        latest, bot = now_in.round, self.tables.open[table.number]
        missing = self._round_tables.missing(now_in, table, bot)
        if latest is None:
            return now_in
        if missing and self.host.now() < table.opened + latest.added + self._round_tables.no_show:
            return now_in
        for key in missing:
            cause = f"{tag(now_in.header.number, latest.number, number)} {key}"
            if now_in.players[key].playing and not now_in.header.of_place:
                await self.store.add_no_show(key, cause, self.host.now())
            now_in = await self.add(now_in, NoShow(latest.number, number, key))
        await self._round_tables.start(now_in, now_in.table(latest.number, number), bot)
        return now_in

    async def _finished(self, now_in: Tournament, number: int, table: RoundTable) -> Tournament:
        """Record the result of a table that is over."""
        latest = now_in.round
        if latest is None:
            return now_in
        result = await self._round_tables.result(table, latest.number, number)
        if result is None:
            return now_in
        for seat in result.seats:
            if seat.key and not seat.left and await self.store.ban(seat.key):
                await self.store.lift_ban(seat.key)
        return await self.add(now_in, result)

    # creating

    def coming(self) -> Sequence[Header]:
        """Return the place's own tournaments that come next and nobody has joined."""
        return self._timetable.coming(self.host.now(), self.open.values())

    async def begin(self, coming: Header) -> Tournament:
        """Store one of the place's own tournaments, because someone wants to join it; raises `StoreUnavailable`."""
        name, refused = coming.name, set[str]()
        while self._is_taken(name) or not await self.host.cluster.claim(f"room {fold(name)}"):
            refused.add(name)
            name = free_name(coming.name, refused.__contains__)
        made = await self.store.create_coming(attrs.evolve(coming, name=name), self._new_secret().hex())
        if made.header.name != name:  # another node was faster
            self.host.cluster.release(f"room {fold(name)}")
        return self._opened(made)

    def _opened(self, made: Tournament) -> Tournament:
        """Open a new tournament here, unless a look at the store was faster; return it as it is now."""
        number = made.header.number
        if number not in self.open:
            self.open[number] = made
            self._open_room(made)
        return self.open[number]

    def _is_taken(self, name: str) -> bool:
        """Whether a room or a person has a name, or one that looks like it."""
        rooms = [room for room in self.host.rooms.twins(name) if room not in self._left_rooms]
        return bool(rooms or self.host.people.twins(name))

    async def create(self, header: Header, by: Person) -> Tournament:
        """Create a tournament with a room of its own; raises `UserError` if its name is taken."""
        host, name = self.host, header.name
        host.check_allowed(name)
        if self._is_taken(name) or not await host.cluster.claim(f"room {fold(name)}"):
            raise UserError(f"{name} is taken. Choose another name with name=NAME.")
        seed = self._new_secret().hex()
        made = await self.store.create(attrs.evolve(header, seed=lots_hash(seed)), by.name, seed)
        if made.header.number not in self.open:
            self._announce(self._opened(made))
        return made
