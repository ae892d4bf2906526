"""Opening tables within the quotas of the people who open them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Literal

import attrs

from lilygames import codec
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import OpenedFrom
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.limits.quota import OPENING, SLOW_TABLES, TABLES, TABLES_WAITING, Quota, Who
from lilygames.proofs import commitments
from lilygames.store import Conflict, Draft, Effect, Entry, Store, StoreUnavailable
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.duplicate.duplicate_set import Added
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.log.acts import HANDS, Header
from lilygames.tables.log.names_beside import effects, hidden_header
from lilygames.tables.log.options import Frame
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.open.closing import Closing
from lilygames.tables.open.following import Following
from lilygames.tables.open.held_tables import Holding
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.rooms import TableRooms
from lilygames.tables.play.activity import TableActivity
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seal import seal
from lilygames.tables.seal.closed_deck import Hidden, root_of
from lilygames.tables.state.table import Table
from lilygames.tables.verify.slow_jobs import SlowJobs

FAIRNESS: Literal[0, 2] = 2
"""Version of the seal at which new tables open."""


@attrs.frozen
class NewSeals:
    """Secrets and salts for the seals of new tables."""

    new_secret: Callable[[], bytes]
    new_salt: Callable[[], bytes] | None
    """Makes the salts of ids; None if names are to stay inside the logs of new tables."""
    hands: int = HANDS
    """Hands that the Merkle root of a new closed seal covers."""


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
    party: str = ""
    """The code with which people join; empty if it's no party."""


def _amounts(plan: Plan) -> tuple[Quota, ...]:
    """Return the quotas of amounts that a new table counts for."""
    if plan.lesson or plan.entrant:  # it begins at once
        return (TABLES,)
    return (TABLES_WAITING, SLOW_TABLES if plan.frame.clock.slow else TABLES)


class Opening:
    """Opens tables."""

    def __init__(
        self,
        host: Host,
        store: Store,
        open_tables: OpenTables,
        duplicates: DuplicateSets,
        *,
        rooms: TableRooms,
        following: Following,
        closing: Closing,
        seals: NewSeals,
        slow: SlowJobs,
        activity: TableActivity,
    ) -> None:
        self._host, self._store = host, store
        self._held = open_tables.held
        self._duplicates = duplicates
        self._rooms, self._following, self._closing = rooms, following, closing
        self._seals, self._slow = seals, slow
        self._activity = activity
        self._rooting = asyncio.Lock()
        """Held while a closed seal is opened: otherwise each new table makes the others compute their roots again."""

    def check_may_open(self, plan: Plan, person: Person, number: int = 1) -> None:
        """Raise `UserError` if a person can't open so many tables of a plan now."""
        who = self._opener(plan, person)
        for amount in _amounts(plan):
            self._host.quotas.check(amount, who, self._held_by, number=number)
        self._host.quotas.check(OPENING, who)

    def _opener(self, plan: Plan, person: Person) -> Who:
        """Return whose quotas a new table uses: lessons, daily deals, and more tables of a simul only an address's."""
        who, held = self._host.quotas.who(person), self._held
        return attrs.evolve(who, person="") if plan.entrant or plan.lesson or held.has(who.person, plan.simul) else who

    def _held_by(self, amount: Quota, who: Who) -> Sequence[int]:
        """Return the numbers of the tables that someone holds."""
        return self._held.of(amount.name, "person", who.person)

    async def new(self, plan: Plan, person: Person) -> TableBot:
        """Open a table within the quotas of a person; tables of tournaments have no quota.

        Raises `StoreUnavailable`, and `UserError` if its duplicate set or a quota doesn't take it.
        """
        if plan.tournament:
            return await self._opened(plan, person)
        self.check_may_open(plan, person)
        who = self._opener(plan, person)
        self._host.quotas.use(OPENING, who)
        held, origin = self._held, person.origin
        name = fold(person.name) if who.person or plan.simul else ""
        with held.opening(Holding(name, waits=True, slow=plan.frame.clock.slow, simul=plan.simul), origin):
            bot = await self._opened(plan, person)
        held.opened_from(bot.table.header.number, origin)
        self._host.publish(OpenedFrom(bot.table.header.number, origin))
        return bot

    async def _opened(self, plan: Plan, person: Person) -> TableBot:
        """Open a table: store its secret apart from the logs, append its header, and take its room.

        Raises `StoreUnavailable`, and `UserError` if its duplicate set doesn't take it.
        """
        game, secret = plan.game, plan.key or self._seals.new_secret()
        fairness: Literal[0, 2] = 2 if plan.duplicate else 0 if plan.lesson else FAIRNESS
        await self._closing.finish()
        room = await self._rooms.claimed(game, private=plan.frame.private, look=self._following.read_newest)
        names, salt = (person.name, *plan.invited), self._seals.new_salt
        people = SeatIds().with_people(names, salt) if salt else SeatIds()
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
            open_seats=plan.frame.open_seats,
            wanted=plan.wanted,
            lesson=plan.lesson,
            fairness=fairness,
            duplicate=plan.duplicate,
            keyed=bool(plan.key),
            accepts=plan.accepts,
            tournament=plan.tournament,
            simul=plan.simul,
            party=plan.party,
            hands=self._seals.hands,
            ids=salt is not None,
            people=people,
        )
        try:
            header = await self._written(header, plan, secret)
            bot = self._rooms.open(room, Table(header, game, secret))
        except (StoreUnavailable, UserError):
            self._host.cluster.release(f"room {fold(room)}")
            raise
        finally:
            self._rooms.let_go(room)
        self._activity.table_opened(bot.table)
        return bot

    async def _written(self, header: Header, plan: Plan, secret: bytes) -> Header:
        """Return the header with its number from the index, once everything is stored; raises as `new` does."""
        game = plan.game
        if header.duplicate and not header.keyed:
            await self._duplicates.opened_for_table(header, game)
        hidden = game.hidden(codec.load(header.options, game.rules.Options)) if header.sealed else ()
        if hidden and header.fairness and not header.duplicate:
            async with self._rooting:
                header, entry = await self._indexed_with_root(header, hidden, secret)
        else:
            entry = await _indexed(self._store, header, None)
        header = attrs.evolve(header, number=entry.seq)
        records = [
            Effect("secret", str(entry.seq), secret.hex()),
            *effects(entry.seq, SeatIds(), header.people),
            Effect("open", str(entry.seq), ""),
        ]
        if header.duplicate:
            added = Added(header.number, self._host.now(), plan.entrant, plan.apart)
            await self._duplicates.add_table(header, added, records)
            return header
        *before, opened = records
        await asyncio.gather(*(self._store.keep(one.kind, one.key, one.body or "") for one in before))
        await self._store.keep(opened.kind, opened.key, "")
        return header

    async def _indexed_with_root(self, header: Header, hidden: Hidden, secret: bytes) -> tuple[Header, Entry]:
        """Append the header of a closed seal to the index, with the root of its hidden half.

        The root depends on the table's number. So it's computed for the next one, and again if that is taken meanwhile.
        """
        head = (await self._store.heads([INDEX]))[INDEX]
        while True:
            table = commitments.table_id(head + 1, header.game, header.version, header.seal)
            root = await self._slow.soon(root_of, secret, table, 1, hidden, hands=header.hands)
            rooted = attrs.evolve(header, root=root)
            try:
                return rooted, await _indexed(self._store, rooted, head)
            except Conflict as taken:
                head = taken.head


async def _indexed(store: Store, header: Header, head: int | None) -> Entry:
    """Append a header to the index, after position `head` unless it is None; raises `Conflict`."""
    stored = hidden_header(header)
    draft = Draft(stored.host, codec.to_text(stored))
    (entry,) = await store.append(INDEX, head, [draft], cmd=f"open {secrets.token_hex(16)}")
    return entry
