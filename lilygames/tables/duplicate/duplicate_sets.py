"""Duplicate sets in the store: open, find and extend them, and publish their secrets when all tables are done."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.proofs import commitments
from lilygames.recovery.unreadable import case_of
from lilygames.store import Conflict, Draft, Effect, Entry, Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.duplicate.duplicate_set import (
    DAYS_OPEN,
    Added,
    DuplicateSet,
    Finished,
    Opened,
    SeatResult,
    SetAct,
    SetBody,
    SetHeader,
    Spoiled,
    act_of,
    ids_of,
    names_of,
    set_act_with,
)
from lilygames.tables.log.acts import Body, Committed, Forgotten, Header, Revealed, Sealing, Seated, Start, Voided
from lilygames.tables.log.names_beside import effects, is_id, is_person, people_of
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.results.results import substituted, taken_from_bots
from lilygames.tables.state.seats import Seats
from lilygames.tables.state.strategies import versions_of
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Refused

log = structlog.get_logger()
OPEN = "duplicate"
"""Kind of the records that name the sets whose secrets aren't published."""
REMEMBERED = 100
"""Maximum sets kept in memory."""


LOST = 60.0
"""Seconds after which a table that isn't open in the store is no longer expected to be."""
_NOT_ADDED = {
    "begun": "you've already started a game with these cards. Type the same line again to continue it.",
    "ended": "these cards are no longer dealt. Type /new GAME to play others.",
}


def _log(name: str) -> str:
    return f"duplicate/{name}"


def players(entries: Iterable[Entry]) -> set[str]:
    """Return the names of everyone who has had a seat since the start of a game; nobody before it."""
    seats, found, started = Seats(), set[str](), False
    for entry in entries:
        if '"Seated"' in entry.body or '"Start"' in entry.body:  # reading every entry would be slow
            match codec.from_text(entry.body, Body).act:
                case Start():
                    started = True
                case Seated(seat, who):
                    seats = Seats(seats.reseated(seat, who, started=started, limit=len(seats) + 1))
            found |= {who.name for who in seats.people} if started else set()
    return found


class DuplicateSets:
    """All duplicate sets of a place."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        *,
        new_secret: Callable[[], bytes],
        new_salt: Callable[[], bytes] | None,
        now: Callable[[], float],
        key_of: Callable[[str], str],
    ) -> None:
        self._store = store
        self._archive = archive
        self._new_secret = new_secret
        self._new_salt = new_salt
        self.now = now
        """The time in seconds since 1970."""
        self._key_of = key_of
        """Returns the account key of a name."""
        self._known: dict[str, DuplicateSet] = {}
        """Sets as last read, by name, so that a long log is read once; the latest one last."""

    # find and extend

    async def find(self, name: str) -> DuplicateSet | None:
        """Return the set with this name, or None; raises `ValueError` or `Refused` if its log can't be read."""
        found = self._known.pop(name, None)
        if found is not None:
            found = await self._extended(found, await self._entries(name, found.seq))
        if found is None and (entries := await self._entries(name)):
            bodies = [json.loads(entry.body) for entry in entries]
            found = DuplicateSet.folded(*bodies, people=await people_of(self._store, _log(name)))
        if found is not None:
            self._known[name] = found
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]
        return found

    async def readable(self, name: str) -> DuplicateSet | None:
        """Return the set with this name, or None if there is none or its log can't be read."""
        try:
            return await self.find(name) if name else None
        except (ValueError, Refused) as problem:
            log.warning("a duplicate set can't be read", name=name, why=repr(problem))
            return None

    async def _extended(self, found: DuplicateSet, entries: Sequence[Entry]) -> DuplicateSet | None:
        """Return a set after more entries of its log; None if a name is deleted, so that all must be read again."""
        acts = [act_of(json.loads(entry.body)) for entry in entries]
        if any(isinstance(act, Forgotten) for act in acts):
            return None
        ids = [*filter(is_id, (entry.by for entry in entries)), *(id_ for act in acts for id_ in ids_of(act))]
        if not all(map(found.people.knows, ids)):
            found = found.knowing(await people_of(self._store, _log(found.header.name)))
        return found.extended(*acts)

    async def bodies(self, name: str) -> list[codec.Json]:
        """Return a set's log as stored JSON: its header, then the body of each entry; empty if there is none."""
        return [json.loads(entry.body) for entry in await self._entries(name)]

    async def _entries(self, name: str, after: int = 0) -> list[Entry]:
        entries: list[Entry] = []
        while (page := await self._store.read(_log(name), after + len(entries))).entries:
            entries += page.entries
        return entries

    async def add(
        self,
        name: str,
        *acts: SetAct,
        by: str = "table",
        records: Sequence[Effect] = (),
        knowing: SeatIds | None = None,
    ) -> DuplicateSet:
        """Append acts to a set's log with some records, and return the set. People keep the ids they have in `knowing`.

        Raises `Refused`, or `UserError` if the set doesn't exist.
        """
        while True:
            found = await self.find(name)
            if found is None:
                raise UserError(f"there is no set called “{name}”.")
            known = found.people.joined_with(knowing or SeatIds())
            people = self._naming(found.header, by, acts, known)
            after = found.knowing(people)
            for act in acts:
                after = after.after(act)
            stored = [set_act_with(act, people.id_of) for act in acts]
            drafts = [Draft(people.id_of(by), codec.to_text(SetBody(act))) for act in stored]
            kept = people.without(fold(act.name) for act in acts if isinstance(act, Forgotten))
            named = (*records, *effects(_log(name), found.people, kept))
            try:
                await self._store.append(_log(name), found.seq, drafts, cmd=secrets.token_hex(16), effects=named)
            except Conflict:
                continue
            return after

    def _naming(self, header: SetHeader, by: str, acts: Iterable[SetAct], people: SeatIds) -> SeatIds:
        """Return the ids with new ones for people whom these acts are the first to name."""
        if not (header.ids and self._new_salt):
            return people
        names = [by, *(name for act in acts for name in names_of(act))]
        return people.with_people([name for name in names if is_person(name)], self._new_salt)

    async def forget(self, log: str, names: Collection[str]) -> None:
        """Delete people's names (folded) beside the log of a set; raises `StoreUnavailable`."""
        found = await self.find(log.removeprefix(_log("")))
        if found is None:
            return
        gone = [pair.name for pair in found.people.pairs if fold(pair.name) in names]
        if gone:
            await self.add(found.header.name, *map(Forgotten, gone))

    # open

    async def opened_for_table(self, header: Header, game: Game) -> None:
        """Open the set that a new table is to seal, before that has a number; raises `UserError` if the name is used.

        So of two people who choose a name at the same moment, one gets it before any table is open. A name whose table
        was never opened is used up.
        """
        await self._open(
            SetHeader(
                name=header.duplicate,
                game=header.game,
                version=header.version,
                options=header.options,
                seal=header.seal,
                by=header.host,
                until=self.now() + timedelta(days=DAYS_OPEN).total_seconds(),
                by_table=True,
                strategies=versions_of(game),
                ids=header.ids,
                people=header.people,
            )
        )

    async def add_table(self, header: Header, added: Added, records: Sequence[Effect]) -> None:
        """Add a new table to its set, and open it with these records: both are stored, or neither.

        Raises `UserError` if the set takes no more tables, or none of this account.
        """
        try:
            await self.add(header.duplicate, added, by=header.host, records=records)
        except Refused as no:
            raise UserError(_NOT_ADDED[no.code]) from None

    async def opened_by_server(
        self, name: str, game: Game, options: Any, until: float, *, beacon: str = "", opens: float = 0.0
    ) -> DuplicateSet:
        """Return the set with this name; open it, with a secret of the server's own, if there is none.

        With a `beacon`, it is sealed with the number that the beacon draws as the set `opens`.
        """
        found = await self.find(name)
        if found is not None:
            return found
        header = SetHeader(
            name=name,
            game=game.name,
            version=game.rules.VERSION,
            options=codec.dump(options),
            seal=commitments.seal_of(await self._secret_for(name)),
            by="table",
            until=until,
            strategies=versions_of(game),
            beacon=beacon,
            opens=opens if beacon else 0.0,
            ids=self._new_salt is not None,
        )
        with suppress(UserError):  # another node was faster
            await self._open(header)
        return await self.add(name)

    async def sealed_by_server(
        self, found: DuplicateSet, seats: Iterable[tuple[str, str]], words: tuple[tuple[str, str], ...] = ()
    ) -> DuplicateSet:
        """Return a set of the server's own, sealed with these seats and words unless it was sealed before."""
        if found.sealed:
            return found
        name = found.header.name
        sealing = found.rounds.proposed((), found.header.options, (), ())
        try:
            return await self.add(name, Sealing(attrs.evolve(sealing, seats=tuple(seats), words=words)))
        except Refused:  # another node was faster
            return await self.add(name)

    async def _secret_for(self, name: str) -> bytes:
        """Return the secret stored for a new set; the first one that is stored counts."""
        fresh = self._new_secret().hex()
        if await self._store.swap("secret", _log(name), None, fresh):
            return bytes.fromhex(fresh)
        return bytes.fromhex(await self._store.find("secret", _log(name)) or "")

    async def _open(self, header: SetHeader) -> None:
        name, by = _log(header.name), header.people.id_of(header.by)
        draft = Draft(by, codec.to_text(attrs.evolve(header, by=by)))
        records = [Effect(OPEN, header.name, ""), *effects(name, SeatIds(), header.people)]
        try:
            await self._store.append(name, 0, [draft], cmd=f"{name} {header.seal}", effects=records)
        except Conflict:
            raise UserError(
                f"the name “{header.name}” has been used for other cards. Please choose another name."
            ) from None

    # keys

    async def key(self, found: DuplicateSet) -> bytes:
        """Return the key of all luck of a sealed set's tables."""
        return found.key(await self._secret(found))

    async def _secret(self, found: DuplicateSet) -> bytes:
        if found.secret:
            return bytes.fromhex(found.secret)
        if found.first:
            entries = await self._archive.entries(found.first)
            return await self._archive.secret(found.first, entries)
        return bytes.fromhex(await self._store.find("secret", _log(found.header.name)) or "")

    async def sealed(self, found: DuplicateSet) -> DuplicateSet:
        """Return a set with the seal of its first table copied, if that has begun; otherwise as it is."""
        if found.sealed or not found.first:
            return found
        people, entries = await self._archive.named(found.first)
        acts = [codec.from_text(entry.body, Body).act for entry in entries]
        begun = next((place for place, act in enumerate(acts) if isinstance(act, Start)), None)
        if begun is None:
            return found
        rounds = [act for act in acts[:begun] if isinstance(act, Committed | Sealing | Revealed | Voided)]
        try:
            return await self.add(found.header.name, *rounds, knowing=people)
        except Refused:  # another node was faster
            return await self.add(found.header.name)

    # the end of tables and sets

    async def finished(self, table: Table) -> None:
        """Record the result of a finished table in its set, once."""
        name, number = table.header.duplicate, table.header.number
        found = await self.find(name) if name else None
        if found is None or not found.plays(number):
            return
        entries = await self._archive.entries(number)
        at = entries[-1].at if entries else self.now()
        seen = tuple(sorted({*map(self._key_of, players(entries))}))
        with suppress(Refused):  # another node was faster
            await self.add(name, Finished(number, at, self._results(table, entries), seen))

    def _results(self, table: Table, entries: list[Entry]) -> tuple[SeatResult, ...]:
        """Return the result at each seat; none if the game was broken off.

        A player who left, or who took over a bot's seat, is marked: their result isn't compared.
        """
        if table.outcome is None:
            return ()
        owners, taken = substituted(entries), taken_from_bots(entries)
        deals = table.game.deals(table.view(None)) if table.game.deals else [table.outcome.scores]
        found = []
        for seat, who in enumerate(table.seats):
            points = tuple(deal[seat] for deal in deals)
            name = owners.get(seat, "" if who.house else who.name)
            if name:
                left = who.gone or seat in taken or self._key_of(who.name) != self._key_of(name)
                found.append(SeatResult(name, self._key_of(name), points, left=left))
            else:
                found.append(SeatResult(who.name, "", points, who.level))
        return tuple(found)

    async def spoiled(self, table: Table) -> str:
        """Take a table whose bot failed out of the comparison, and return the case number; empty if it was out."""
        number = table.header.number
        found = await self.find(table.header.duplicate)
        if not found or not found.plays(number) or found.tables[number].case:
            return ""
        case = case_of(f"table/{number}")
        with suppress(Refused):  # another node was faster
            await self.add(table.header.duplicate, Spoiled(number, case))
        log.error("a game leaves the standings because a bot failed", case=case, table=number)
        return case

    async def plays_alone(self, header: Header) -> bool:
        """Return whether a table of a set belongs to one account, which can begin there at any time."""
        found = await self.readable(header.duplicate) if header.keyed else None
        return found is not None and found.plays(header.number) and bool(found.tables[header.number].added.key)

    async def dropped(self, name: str, number: int) -> None:
        """Record that a table was closed before its start."""
        found = await self.readable(name)
        if found and found.plays(number):
            with suppress(Refused):  # another node was faster
                await self.add(name, Finished(number, self.now()))

    async def saw_cards(self, found: DuplicateSet, key: str, *, but: int = 0) -> bool:
        """Return whether an account has seen cards of a set: it has a seat at a table there, or had one.

        The table `but` is left out if it still plays.
        """
        playing = [number for number in found.tables if found.plays(number) and number != but]
        for number in playing:
            if key in map(self._key_of, players(await self._archive.entries(number))):
                return True
        return found.has_played(key)

    async def look(self) -> None:
        """Publish the secret of each set whose tables are all done; raises `StoreUnavailable`."""
        open_tables = await self._store.every("open")
        for name in await self._store.every(OPEN):
            try:
                await self._look_at(name, open_tables)
            except (ValueError, Refused) as problem:  # the others are still looked at
                log.warning("a duplicate set can't be read", name=name, why=repr(problem))

    async def _look_at(self, name: str, open_tables: Mapping[str, str]) -> None:
        """Leave out a set's lost tables, and publish its secret if all are done; raises as `find` does."""
        found = await self.find(name)
        for number in found.tables if found else ():
            if found and found.plays(number) and str(number) not in open_tables:
                await self._drop_lost(found, number)
        found = await self.find(name)
        if found is None or found.opened:
            await self._store.forget(OPEN, name)
        elif found.done(self.now()):
            await self._publish(await self.sealed(found))

    async def _drop_lost(self, found: DuplicateSet, number: int) -> None:
        """Record that a table is no longer open, if a crash has prevented that. One that has just opened is spared."""
        if found.tables[number].added.at < self.now() - LOST:
            await self.dropped(found.header.name, number)

    async def _publish(self, found: DuplicateSet) -> None:
        """Publish a set's secret, so that every table can be verified against it."""
        if not found.sealed:  # its first table never began
            await self._store.forget(OPEN, found.header.name)
            return
        with suppress(Refused):  # another node was faster
            await self.add(found.header.name, Opened((await self._secret(found)).hex()))
        await self._store.forget(OPEN, found.header.name)
