"""Delete accounts: seven days after someone asked for it, or at once for a sysop.

Each wish is a record under the account's key. One of the nodes takes it with a compare-and-set and carries it out. All
steps can be repeated, so an interrupted deletion continues. A second pass a minute later deletes what other nodes have
written meanwhile from memory.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import attrs
import structlog

from lilygames import codec, log_events
from lilygames.chat.accounts.deleted_accounts import Deletion
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.host.host import Host, SingleNode
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.talk.history import History
from lilygames.chat.tasks.periodic import regularly
from lilygames.chat.visits.arrivals import depart, remove_silently
from lilygames.errors import UserError
from lilygames.ladders.ladder import Left
from lilygames.ladders.ladder_store import Ladders
from lilygames.privacy import deletion_list, personal_data
from lilygames.privacy.export import PersonalExport
from lilygames.privacy.personal_data import WISHES
from lilygames.store import Store, StoreUnavailable
from lilygames.tables.open.forgetting import forget_names
from lilygames.tables.open.tables import Tables
from lilygames.text import Line
from lilygames.tournaments.director import Director

log = structlog.get_logger()
DELETED = "deleted"
"""Kind of the records that tell other nodes about a deletion, by its number. They hold no name."""
RESTORED = "deletions-again"
"""Kind of the record that exists while the accounts of a restored backup are deleted again."""
DAYS = 7
"""Days to reconsider."""
GLANCE = 10.0
"""Seconds between two looks for wishes that are due."""
PUT_OFF = 3600.0
"""Seconds until a deletion is tried again that a seat or a tournament keeps from happening."""
AGAIN = 60.0
"""Seconds until the second pass."""
TAKEN = 600.0
"""Seconds for which a node has a wish for itself. After that it has probably died."""
PASSES = 2
_DAY = 86400.0


@attrs.frozen
class Wish:
    """A wish to delete an account. Once it has begun it has a number, and all names that the account had."""

    name: str
    until: float
    """When to carry it out, or to continue it, in seconds since 1970."""
    sure: bool = False
    """Whether neither a seat nor a tournament keeps it from happening."""
    number: int = 0
    names: tuple[str, ...] = ()
    passes: int = 0
    taken: float = 0.0
    """Until when the node that carries it out has it for itself."""
    by: str = ""
    """A random word. It makes the records of two nodes different that take the wish at the same moment."""


class Remembers(Protocol):
    """A part of the place that keeps something about people in memory."""

    def forget_person(self, who: Identity) -> None:
        """Drop what is known about the account with this key, which had these names (folded)."""


class Deletions:
    """All wishes to delete an account, and what carries them out."""

    observes = (Entered,)

    def __init__(
        self,
        tables: Tables,
        director: Director,
        ladders: Ladders,
        history: History,
        *,
        remembering: Sequence[Remembers],
        data: Path,
    ) -> None:
        self._host: Host = tables.host
        self._store: Store = tables.store
        self._tables = tables
        self._director = director
        self._ladders = ladders
        self._history = history
        self._remembering = remembering
        self._data = data
        self._deleted = tables.host.accounts.deleted
        self.personal = PersonalExport(tables.store, tables.host.accounts)
        """Exports what is stored about people."""
        self._going: dict[int, Identity] = {}
        """The people of deletions that other nodes have begun, by number."""
        self._writing = asyncio.Lock()
        """Held while the list beside the store is written, so that no older list replaces a newer one."""
        self._writers: set[asyncio.Task[None]] = set()
        """Tasks that write the list while this node follows others."""

    async def watch(self) -> None:
        """Look for wishes that are due until cancelled. First do what is left to do after a restored backup."""
        try:
            await self._catch_up()
        except StoreUnavailable as problem:
            log.warning("the list of deletions can't be applied now", why=str(problem))
        await regularly(GLANCE, self.look, "cannot delete accounts")

    # wishes

    async def ask(self, name: str, days: float = DAYS) -> Wish:
        """Store the wish to delete an account after some days; raises `UserError` if it can't be deleted."""
        account = await self._host.accounts.get(name)
        if account is None or account.guest:
            raise UserError(f"there's no account called {name}.")
        await self._host.tables.ready_for(account.name)
        if why := self.why_not(account.name):
            raise UserError(why)
        wish = Wish(account.name, self._host.clock() + days * _DAY)
        await self._store.keep(WISHES, account.key, codec.to_text(wish))
        log_events.unregistering(account.name, days=days)
        return wish

    async def cancel(self, name: str) -> bool:
        """Cancel someone's wish; return whether there was one that hadn't begun."""
        key = self._host.accounts.key(name)
        body = await self._store.find(WISHES, key)
        wish = _read(body)
        return bool(wish and not wish.number and await self._store.swap(WISHES, key, body, None))

    def why_not(self, name: str) -> str:
        """Return why someone's account can't be deleted now; empty if it can."""
        key = self._host.accounts.key(name)
        if self._host.keeps_seat(name):
            return f"{name} has a seat at a table. End the game, or leave the table with /leave first."
        for one in self._director.open.values():
            if key in one.players or key == one.header.by:
                return f"{one.header.called} isn't over, and {name} is in it. Wait until it's over."
        return ""

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Cancel the wish of someone who logs in."""
        return self._came(event.person) if isinstance(event, Entered) and not event.person.guest else None

    async def _came(self, person: Person) -> None:
        try:
            if await self.cancel(person.name):
                person.show(Line("(You logged in, so your account won't be deleted. /unregister asks for it again.)"))
                log_events.unregistering_cancelled(person.name)
        except StoreUnavailable as problem:
            log.warning("a wish to be deleted can't be read", name=person.name, why=str(problem))

    # carrying them out

    async def look(self) -> None:
        """Carry out the wishes that are due. Raises `StoreUnavailable`."""
        for key, body in (await self._store.every(WISHES)).items():
            await self._carry_out(key, body)

    async def delete(self, name: str, *, sure: bool = False) -> int:
        """Delete an account now, and return the number of its deletion; raises `UserError`.

        If there are other nodes, the second pass follows a minute later: they may write something until then. If it is
        `sure`, a seat or a tournament doesn't keep it from happening: a former player has that seat then.
        """
        key = self._host.accounts.key(name)
        if sure:
            await self._store.keep(WISHES, key, codec.to_text(Wish(name, self._host.clock(), sure=True)))
        else:
            await self.ask(name, days=0)
        wish = None
        for _ in range(PASSES if isinstance(self._host.cluster, SingleNode) else 1):
            body = await self._store.find(WISHES, key)
            wish = await self._carry_out(key, body or "", early=True) or wish
        if wish is None:
            raise UserError(f"another server is deleting {name} right now.")
        return wish.number

    async def _carry_out(self, key: str, body: str, *, early: bool = False) -> Wish | None:
        """Do the next pass of a wish if it is due, and no other node does it; return the wish then."""
        now, wish = self._host.clock(), _read(body)
        if wish is None or wish.taken > now or (wish.until > now and not early):
            return None
        mine = attrs.evolve(wish, taken=now + TAKEN, by=secrets.token_hex(8))
        if not await self._store.swap(WISHES, key, body, codec.to_text(mine)):
            return None
        if not (mine.number or mine.sure) and self.why_not(self._host.accounts.now(mine.name)):
            await self._store.keep(WISHES, key, codec.to_text(attrs.evolve(wish, until=now + PUT_OFF)))
            return None
        mine = await self._begun(key, mine)
        await self._erase(Identity(key, frozenset(mine.names), Deletion(mine.number, 0.0, "", ()).shown))
        if mine.passes + 1 < PASSES:
            after = attrs.evolve(mine, passes=mine.passes + 1, until=now + AGAIN, taken=0.0)
            await self._store.keep(WISHES, key, codec.to_text(after))
        else:
            await self._store.forget(WISHES, key)
            log_events.account_deleted(mine.number)
        return mine

    async def _begun(self, key: str, wish: Wish) -> Wish:
        """Give a wish its number and names, and reserve the names."""
        if wish.number:
            return wish
        accounts = self._host.accounts
        names = tuple(sorted({fold(wish.name), *accounts.names_of(key)}))
        since = await accounts.since(wish.name) or 0.0
        deletion = self._deleted.deletion_of(key, since)  # it has one if a backup was restored
        deletion = deletion or await self._deleted.add(key, names, since, self._host.clock())
        begun = attrs.evolve(wish, number=deletion.number, names=names)
        await self._store.keep(WISHES, key, codec.to_text(begun))
        await self._store.keep(DELETED, str(deletion.number), "begun")
        return begun

    async def _erase(self, who: Identity) -> None:
        """Delete everything stored about a person, and what this node remembers."""
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN):
                await self._history.finish()
        self._forget_here(who)
        await forget_names(self._tables, who.marks)
        for game in self._ladders.games.values():
            if (await self._ladders.find(game)).has(who.key):
                await self._ladders.add(game, Left(who.key))
        await personal_data.erase(self._store, who)
        self._forget_here(who)
        await self._store.keep(DELETED, who.shown.rpartition(" ")[2], f"erased {secrets.token_hex(4)}")
        await self._keep_list()

    # memory

    async def follow(self, number: str) -> None:
        """Drop what this node remembers about a person whom another node deletes.

        The list beside the store is written later: on a slow disk, other hints would wait for it.
        """
        await self._deleted.load()
        deletion = self._deleted.deletions[int(number) - 1]
        if who := self._going.get(deletion.number) or self._known(deletion):
            self._going[deletion.number] = who
            self._forget_here(who)
        writer = asyncio.get_running_loop().create_task(self._keep_list())
        self._writers.add(writer)
        writer.add_done_callback(self._writers.discard)

    def _known(self, deletion: Deletion) -> Identity | None:
        """Return who was deleted, as far as this node still knows."""
        accounts = self._host.accounts
        for key in accounts.keys:
            if self._deleted.who(key) == deletion.who:
                return Identity(key, frozenset(accounts.names_of(key)), deletion.shown)
        return None

    def _forget_here(self, who: Identity) -> None:
        for name in who.names:
            person = self._host.people.get(name)
            if person and person.local:
                self._part(person)
            elif person and not (person.here or self._host.keeps_seat(name)):
                remove_silently(self._host, person)
        self._host.profiles.keep(who.key, None)  # something may be queued to be saved
        for part in self._remembering:
            part.forget_person(who)
        for person in self._host.people.values():
            profile = person.profile.without(who.names)
            if profile != person.profile:
                person.set_profile(profile)
                if person.local:
                    self._host.keep(person)

    def _part(self, person: Person) -> None:
        """Disconnect someone whose account is deleted while they're here."""
        terminal = person.terminal
        person.show(Line("(Your account was deleted, so you're disconnected.)"))
        depart(self._host, person, goodbye=True)
        remove_silently(self._host, person)  # otherwise they'd be kept here, and saved again, until their seat is free
        if terminal:
            terminal.close()

    # the list beside the store

    async def _keep_list(self) -> None:
        """Write the list of deletions beside the store, so that a restored backup is deleted from again."""
        if not self._deleted.deletions:
            return
        try:
            async with self._writing:
                await asyncio.to_thread(deletion_list.write, self._data, self._deleted.key, [*self._deleted.deletions])
        except OSError as problem:
            log.error("the list of deletions can't be written", folder=str(self._data), why=problem.strerror)  # noqa: TRY400

    async def _catch_up(self) -> None:
        """Apply the list if it has more than the store: someone has put back an older data file."""
        file = self._data / deletion_list.NAME
        try:
            key, deletions = await asyncio.to_thread(deletion_list.read, file)
            if len(deletions) > len(self._deleted.deletions) or await self._store.find(RESTORED, ""):
                await self.apply_again(key, deletions)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as problem:
            log.error("the list of deletions isn't used", file=str(file), why=str(problem))  # noqa: TRY400
            return
        await self._keep_list()

    async def apply_again(self, key: bytes, deletions: Sequence[Deletion]) -> int:
        """Delete again those whom a restored backup still has, and return how many.

        Raises `ValueError` for another place's list, and `StoreUnavailable`.
        """
        await self._store.keep(RESTORED, "", "not done yet")
        await self._deleted.take_over(key, deletions)
        accounts, again = self._host.accounts, 0
        for name in [*accounts.names.values()]:
            since = await accounts.since(name) or 0.0
            if self._deleted.deletion_of(accounts.key(name), since):
                await self.delete(name, sure=True)
                again += 1
        await self._store.forget(RESTORED, "")
        return again


def _read(body: str | None) -> Wish | None:
    """Return the wish of a record; None if there is none, or it can't be read."""
    try:
        wish: Wish | None = codec.from_text(body, Wish) if body else None
    except ValueError:
        log.exception("a wish to be deleted can't be read")
        return None
    return wish
