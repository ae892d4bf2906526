"""Tournaments in the store: create them, read what is new in their logs, and append to them."""

from __future__ import annotations

import secrets

import attrs

from lilygames import codec
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Conflict, Draft, Store
from lilygames.tournaments.bans import Ban, after_no_show
from lilygames.tournaments.pairing.log import Act, Body, Header
from lilygames.tournaments.pairing.points import lots_hash
from lilygames.tournaments.pairing.tournament import Event, Tournament

INDEX = "tournaments"
"""Log of all headers. A tournament's number is its header's position in this log."""
OPEN = "tournament"
"""Kind of the records that name the tournaments which aren't over."""
NAMED = 500
"""Tournaments that can be found by their name when they are over."""
_SECRET, _BAN, _SEEN = "secret", "tournament-ban", "tournament-seen"


def log_of(number: int) -> str:
    """Return the name of a tournament's log."""
    return f"tournament/{number}"


Step = tuple[Tournament, tuple[Event, ...]]
"""A tournament after an entry, and what happened."""


@attrs.frozen
class StoredBan:
    """A ban in the store. `cause` names the no-show, so that one no-show counts once."""

    ban: Ban
    cause: str


class TournamentStore:
    """The logs and records of all tournaments of a place."""

    def __init__(self, store: Store, unreadable: UnreadableRows) -> None:
        self._store = store
        self._unreadable = unreadable

    async def create(self, header: Header, by: str, seed: str) -> Tournament:
        """Store a new tournament with the seed of its lots, and return it with its number."""
        draft = Draft(by, codec.to_text(header))
        (entry,) = await self._store.append(INDEX, None, [draft], cmd=f"create {secrets.token_hex(16)}")
        await self._store.keep(_SECRET, log_of(entry.seq), seed)
        await self._store.keep(OPEN, str(entry.seq), "")
        return Tournament(attrs.evolve(header, number=entry.seq))

    async def create_coming(self, header: Header, seed: str) -> Tournament:
        """Store the next tournament of a series, and return it; two nodes that store it get the same one.

        The seed that was stored first is the tournament's, and has a record before the header names its hash.
        """
        key = _secret_of(header)
        await self._store.swap(_SECRET, key, None, seed)
        kept = await self._store.find(_SECRET, key) or seed
        draft = Draft("director", codec.to_text(attrs.evolve(header, seed=lots_hash(kept))))
        (entry,) = await self._store.append(INDEX, None, [draft], cmd=key)
        await self._store.keep(OPEN, str(entry.seq), "")
        stored: Header = codec.from_text(entry.body, Header)
        return Tournament(attrs.evolve(stored, number=entry.seq))

    async def seed(self, header: Header) -> str:
        """Return the seed of a tournament's lots."""
        return await self._store.find(_SECRET, _secret_of(header)) or ""

    async def open_numbers(self) -> list[int]:
        """Return the numbers of the tournaments that aren't over, without damaged ones."""
        found = await readable(self._store, OPEN, self._unreadable)
        for key in found:
            if not key.isdecimal():
                self._unreadable.report(OPEN, key, ValueError("not a number"))
        return sorted(int(key) for key in found if key.isdecimal())

    async def close(self, number: int) -> None:
        """Take a tournament that is over out of the open ones."""
        await self._store.forget(OPEN, str(number))

    async def latest(self, most: int) -> list[int]:
        """Return the numbers of the latest tournaments, the newest first."""
        head = (await self._store.heads([INDEX]))[INDEX]
        return [*range(head, max(0, head - most), -1)]

    async def called(self, name: str) -> int | None:
        """Return the number of the latest tournament of this name, among the last `NAMED`; None if there is none."""
        head = (await self._store.heads([INDEX]))[INDEX]
        entries = (await self._store.read(INDEX, max(0, head - NAMED), NAMED)).entries
        return next((entry.seq for entry in reversed(entries) if _name(entry.body) == name.casefold()), None)

    async def find(self, number: int) -> Tournament | None:
        """Return a tournament as its log has left it, or None. Raises `ValueError` if it is unreadable."""
        entries = (await self._store.read(INDEX, number - 1, 1)).entries if number > 0 else ()
        if not entries or entries[0].seq != number:
            return None
        header: Header = codec.from_text(entries[0].body, Header)
        found = Tournament(attrs.evolve(header, number=number))
        steps = await self.news(found)
        return steps[-1][0] if steps else found

    async def news(self, known: Tournament) -> list[Step]:
        """Return the steps after the state that is known."""
        steps: list[Step] = []
        while True:
            now = steps[-1][0] if steps else known
            page = await self._store.read(log_of(known.header.number), now.seq)
            if not page.entries:
                return steps
            steps += now.extended((entry.body, entry.at) for entry in page.entries)

    async def behind(self, known: list[Tournament]) -> list[Tournament]:
        """Return those whose logs have new entries."""
        heads = await self._store.heads([log_of(one.header.number) for one in known])
        return [one for one in known if heads[log_of(one.header.number)] > one.seq]

    async def append(self, known: Tournament, act: Act, by: str) -> bool:
        """Append an act that was decided in this state; return False if others appended first.

        Raises `Refused` if the act doesn't fit, and `StoreUnavailable`.
        """
        known.after(act, 0.0)
        draft = Draft(by, codec.to_text(Body(act)))
        try:
            await self._store.append(log_of(known.header.number), known.seq, [draft], cmd=secrets.token_hex(16))
        except Conflict:
            return False
        return True

    # bans

    async def ban(self, key: str) -> StoredBan | None:
        """Return someone's ban, or None."""
        body = await self._store.find(_BAN, key)
        return codec.from_text(body, StoredBan) if body else None

    async def add_no_show(self, key: str, cause: str, now: float) -> None:
        """Ban someone after a no-show; the same no-show again changes nothing."""
        old = await self.ban(key)
        if old is None or old.cause != cause:
            new = StoredBan(after_no_show(old.ban if old else None, now), cause)
            await self._store.keep(_BAN, key, codec.to_text(new))

    async def lift_ban(self, key: str) -> None:
        """Forget someone's bans."""
        await self._store.forget(_BAN, key)

    # downtime

    async def seen(self, number: int, now: float) -> None:
        """Record that a tournament is being directed now."""
        await self._store.keep(_SEEN, str(number), repr(now))

    async def downtime(self, number: int, now: float) -> float:
        """Return the seconds in which nobody directed a tournament; only the first who asks gets them."""
        before = await self._store.find(_SEEN, str(number))
        if before is None or not await self._store.swap(_SEEN, str(number), before, repr(now)):
            return 0.0
        return now - float(before)


def _secret_of(header: Header) -> str:
    """Return the key of the record with a tournament's seed."""
    return f"series {header.series} {int(header.starts)}" if header.series else log_of(header.number)


def _name(body: str) -> str:
    """Return the folded name in a stored header; empty if it can't be read."""
    try:
        header: Header = codec.from_text(body, Header)
    except ValueError:
        return ""
    return header.name.casefold()
