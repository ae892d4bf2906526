"""Duplicate sets in the store: open, find and extend them, and publish their secrets when all tables are done."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import attrs
import structlog

from lilygames import codec, commitments
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.store import Conflict, Draft, Entry, Store
from lilygames.tables.archive import Archive
from lilygames.tables.duplicates import (
    Added,
    DuplicateSet,
    Finished,
    Opened,
    SeatResult,
    SetAct,
    SetBody,
    SetHeader,
    Spoiled,
)
from lilygames.tables.log import Body, Committed, Revealed, Sealing, Start, Voided
from lilygames.tables.results import parts
from lilygames.tables.table import Table
from lilygames.unreadable import case_of
from rules.kit import Refused

log = structlog.get_logger()
OPEN = "duplicate"
"""Kind of the records that name the sets whose secrets aren't published."""
REMEMBERED = 100
"""Maximum sets kept in memory."""


def _log(name: str) -> str:
    return f"duplicate/{name}"


class DuplicateSets:
    """All duplicate sets of a place."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        *,
        new_secret: Callable[[], bytes],
        now: Callable[[], float],
        key_of: Callable[[str], str],
    ) -> None:
        self._store = store
        self._archive = archive
        self._new_secret = new_secret
        self.now = now
        """The time in seconds since 1970."""
        self._key_of = key_of
        """Returns the account key of a name."""
        self._known: dict[str, DuplicateSet] = {}
        """Sets as last read, by name, so that a long log is read once; the latest one last."""

    # find and extend

    async def find(self, name: str) -> DuplicateSet | None:
        """Return the set with this name, or None; raises `ValueError` if its log can't be read."""
        found = self._known.pop(name, None)
        new = await self.bodies(name, found.seq if found else 0)
        if found is None and new:
            found = DuplicateSet.folded(*new)
        elif found is not None:
            found = found.extended(*new)
        if found is not None:
            self._known[name] = found
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]
        return found

    async def bodies(self, name: str, after: int = 0) -> list[codec.Json]:
        """Return a set's log as JSON: its header, then the body of each entry; empty if there is no such set."""
        bodies: list[codec.Json] = []
        while (page := await self._store.read(_log(name), after + len(bodies))).entries:
            bodies += [json.loads(entry.body) for entry in page.entries]
        return bodies

    async def add(self, name: str, *acts: SetAct, by: str = "table") -> DuplicateSet:
        """Append acts to a set's log, and return the set; raises `Refused`, or `UserError` if there is no such set."""
        while True:
            found = await self.find(name)
            if found is None:
                raise UserError(f"there is no set called “{name}”.")
            after = found
            for act in acts:
                after = after.after(act)
            drafts = [Draft(by, codec.to_text(SetBody(act))) for act in acts]
            try:
                await self._store.append(_log(name), found.seq, drafts, cmd=secrets.token_hex(16))
            except Conflict:
                continue
            return after

    # open

    async def opened_by_table(self, table: Table, name: str, until: float) -> DuplicateSet:
        """Open a set that this table, its first, seals; raises `UserError` if the name has been used."""
        header = SetHeader(
            name=name,
            game=table.game.name,
            version=table.header.version,
            options=table.header.options,
            seal=table.header.seal,
            by=table.header.host,
            until=until,
            first=table.header.number,
        )
        await self._open(header)
        return await self.add(name, Added(table.header.number, self.now()), by=table.header.host)

    async def sealed_by_server(
        self, name: str, game: Game, options: Any, seats: Iterable[tuple[str, str]], until: float
    ) -> DuplicateSet:
        """Return the set with this name; open and seal it, without anyone's help, if there is none."""
        found = await self.find(name)
        if found is None:
            secret = await self._secret_for(name)
            header = SetHeader(
                name=name,
                game=game.name,
                version=game.rules.VERSION,
                options=codec.dump(options),
                seal=commitments.seal_of(secret),
                by="table",
                until=until,
            )
            try:
                await self._open(header)
            except UserError:  # another node was faster
                found = await self.find(name)
            else:
                found = DuplicateSet(header, seq=1)
        if found is None or found.sealed:
            return found or await self.sealed_by_server(name, game, options, seats, until)
        sealing = found.rounds.proposed((), found.header.options, (), ())
        try:
            return await self.add(name, Sealing(attrs.evolve(sealing, seats=tuple(seats))))
        except Refused:  # as above
            return await self.add(name)

    async def _secret_for(self, name: str) -> bytes:
        """Return the secret stored for a new set; the first one that is stored counts."""
        fresh = self._new_secret().hex()
        if await self._store.swap("secret", _log(name), None, fresh):
            return bytes.fromhex(fresh)
        return bytes.fromhex(await self._store.find("secret", _log(name)) or "")

    async def _open(self, header: SetHeader) -> None:
        draft = Draft(header.by, codec.to_text(header))
        try:
            await self._store.append(_log(header.name), 0, [draft], cmd=f"{_log(header.name)} {header.seal}")
        except Conflict:
            raise UserError(
                f"the name “{header.name}” has been used for other cards. Please choose another name."
            ) from None
        await self._store.keep(OPEN, header.name, "")

    # keys

    async def key(self, found: DuplicateSet) -> bytes:
        """Return the key of all luck of a sealed set's tables."""
        return found.key(await self._secret(found))

    async def _secret(self, found: DuplicateSet) -> bytes:
        if found.secret:
            return bytes.fromhex(found.secret)
        if found.header.first:
            entries = await self._archive.entries(found.header.first)
            return await self._archive.secret(found.header.first, entries)
        return bytes.fromhex(await self._store.find("secret", _log(found.header.name)) or "")

    async def sealed(self, found: DuplicateSet) -> DuplicateSet:
        """Return a set with the seal of its first table copied, if that has begun; otherwise as it is."""
        if found.sealed or not found.header.first:
            return found
        acts = [codec.from_text(entry.body, Body).act for entry in await self._archive.entries(found.header.first)]
        begun = next((place for place, act in enumerate(acts) if isinstance(act, Start)), None)
        if begun is None:
            return found
        rounds = [act for act in acts[:begun] if isinstance(act, Committed | Sealing | Revealed | Voided)]
        try:
            return await self.add(found.header.name, *rounds)
        except Refused:  # another node was faster
            return await self.add(found.header.name)

    # the end of tables and sets

    async def finished(self, table: Table) -> None:
        """Record the result of a finished table in its set, once."""
        name, number = table.header.duplicate, table.header.number
        found = await self.find(name) if name else None
        if found is None or number not in found.tables or found.tables[number].finished:
            return
        entries = await self._archive.entries(number)
        at = entries[-1].at if entries else self.now()
        await self.add(name, Finished(number, at, self._results(table, entries)))

    def _results(self, table: Table, entries: list[Entry]) -> tuple[SeatResult, ...]:
        """Return the result at each seat; none if the game was broken off."""
        if table.outcome is None:
            return ()
        left = {self._key_of(part.name) for part in parts(table, entries, self._key_of) if part.name and part.left}
        deals = table.game.deals(table.view(None)) if table.game.deals else [table.outcome.scores]
        found = []
        for seat, who in enumerate(table.seats):
            key = "" if who.house else self._key_of(who.name)
            points = tuple(deal[seat] for deal in deals)
            found.append(SeatResult(who.name, key, points, who.level, key in left))
        return tuple(found)

    async def spoiled(self, table: Table) -> str:
        """Take a table whose bot failed out of the comparison, and return the case number."""
        case = case_of(f"table/{table.header.number}")
        log.error("a game leaves the standings because a bot failed", case=case, table=table.header.number)
        found = await self.find(table.header.duplicate)
        if found and table.header.number in found.tables and not found.tables[table.header.number].case:
            await self.add(table.header.duplicate, Spoiled(table.header.number, case))
        return case

    async def dropped(self, name: str, number: int) -> None:
        """Record that a table was closed before its start."""
        found = await self.find(name)
        if found and number in found.tables and not found.tables[number].finished:
            await self.add(name, Finished(number, self.now()))

    async def look(self) -> None:
        """Publish the secret of each set whose tables are all done; raises `StoreUnavailable`."""
        for name in await self._store.every(OPEN):
            try:
                found = await self.find(name)
            except ValueError as problem:
                log.warning("a duplicate set can't be read", name=name, why=str(problem))
                continue
            if found is None or found.opened:
                await self._store.forget(OPEN, name)
            elif found.done(self.now()):
                await self._publish(await self.sealed(found))

    async def _publish(self, found: DuplicateSet) -> None:
        """Publish a set's secret, so that every table can be verified against it."""
        if not found.sealed:  # its first table never began
            await self._store.forget(OPEN, found.header.name)
            return
        with suppress(Refused):  # another node was faster
            await self.add(found.header.name, Opened((await self._secret(found)).hex()))
        await self._store.forget(OPEN, found.header.name)
