"""Records of those who have detached, so that `/who` lists them at every node, and after a restart."""

from __future__ import annotations

from functools import partial

import structlog

from lilygames import codec
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.detached import KEPT, DetachedPerson
from lilygames.chat.people.observers import Arrived, Detaches, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store, StoreUnavailable

log = structlog.get_logger()
KIND = "detached"
"""The kind of the records, by the account's key."""


class DetachedRecords:
    """Observer that stores who has detached, until they come back. Guests are listed only by their own node."""

    observes = (Detaches, Arrived)

    def __init__(self, host: Host, store: Store, unreadable: UnreadableRows) -> None:
        self._host = host
        self._store = store
        self._unreadable = unreadable
        self._stored: dict[str, str] = {}
        """The folded names in the records, by key."""

    async def load(self) -> None:
        """List those who detached before this start, and delete records of those who did so too long ago."""
        for key, body in (await readable(self._store, KIND, self._unreadable)).items():
            if not self._learn(key, body):
                await self._store.forget(KIND, key)

    async def refresh(self, key: str) -> None:
        """Learn that someone has detached from another node, or is back there."""
        body = await self._store.find(KIND, key)
        if name := self._stored.pop(key, ""):
            self._host.detached.drop(name)
        if body:
            self._learn(key, body)

    def observe(self, event: PersonEvent) -> None:
        """Store that someone has detached, or forget it when they are back."""
        match event:
            case Detaches(person) if not person.guest:
                self._host.lobby.post(partial(self._keep, person))
            case Arrived(person) if (key := self._key(person)) in self._stored:
                self._host.lobby.post(partial(self._forget, key))

    def _key(self, person: Person) -> str:
        return self._host.accounts.key(person.name)

    def _learn(self, key: str, body: str) -> bool:
        """List the person of a record; return False if it is too old. One that can't be read stays."""
        try:
            one: DetachedPerson = codec.from_text(body, DetachedPerson)
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return True
        if one.at < self._host.clock() - KEPT:
            return False
        self._stored[key] = fold(one.name)
        self._host.detached.put(one)
        return True

    async def _keep(self, person: Person) -> None:
        one = self._host.detached.of(person.name)
        if one is None:
            return  # they are back
        self._stored[self._key(person)] = fold(person.name)
        try:
            await self._store.keep(KIND, self._key(person), codec.to_text(one))
        except StoreUnavailable as problem:
            log.warning("cannot save that someone has detached", name=person.name, why=str(problem))

    async def _forget(self, key: str) -> None:
        self._stored.pop(key, None)
        try:
            await self._store.forget(KIND, key)
        except StoreUnavailable as problem:
            log.warning("cannot forget that someone has detached", key=key, why=str(problem))
