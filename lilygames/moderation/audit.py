"""The audit log: every action of the staff, in order. Each node follows it, and so learns of sanctions in a second.

Only the first entries of a long log are ever skipped, so nothing here grows with how much has happened.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence

import structlog

from lilygames import codec, log_events
from lilygames.moderation.actions import Action, Standing
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Conflict, Damaged, Draft, Effect, Entry, Store, StoreUnavailable

log = structlog.get_logger()
LOG = "audit"
STANDING = "standing"
"""Kind of the records with a person's sanctions, by account key."""
ADDRESS = "address-ban"
"""Kind of the records with the bans of networks."""
BLANK = "null"
"""Body of the last entry after all entries were deleted because of their age."""
_TRIES = 50
Learn = Callable[[Action], Awaitable[None]]


class Audit:
    """The audit log. `learners` are told of each action, done here or on another node, in order."""

    def __init__(self, store: Store, unreadable: UnreadableRows, learners: Sequence[Learn]) -> None:
        self._store = store
        self._unreadable = unreadable
        self._learners = learners
        self._position: int | None = 0
        """The last entry that was read; None if the end of the log is damaged."""
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        """Find the end of the log. Earlier actions are in the records. Raises `StoreUnavailable`.

        If it is damaged, the staff can't do anything, and everyone else goes on.
        """
        try:
            self._position = (await self._store.heads([LOG]))[LOG]
        except Damaged as problem:
            self._unreadable.report_damage(LOG, problem)
            self._position = None

    async def follow(self, _: str = "") -> None:
        """Learn what was done since the last time. Raises `StoreUnavailable`."""
        async with self._turn:
            while self._position is not None and (entries := (await self._store.read(LOG, self._position)).entries):
                for entry in entries:
                    self._position = entry.seq
                    if action := self._read(entry):
                        await self._learn(action)

    async def _learn(self, action: Action) -> None:
        for learn in self._learners:
            try:
                await learn(action)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("an action of the staff couldn't be carried out", kind=action.kind, whom=action.whom)

    def _read(self, entry: Entry) -> Action | None:
        if entry.body == BLANK:
            return None
        try:
            action: Action = codec.from_text(entry.body, Action)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{LOG} {entry.seq}", problem)
            return None
        return action

    async def add(self, action: Action, *effects: Effect) -> None:
        """Append an action, with what follows for the person, and carry it out. Raises `StoreUnavailable`."""
        cmd = uuid.uuid4().hex
        for _ in range(_TRIES):
            await self.follow()
            if self._position is None:
                break
            written = [*effects, *await self._effects(action)]
            draft = Draft(action.by, codec.to_text(action))
            try:
                await self._store.append(LOG, self._position, [draft], cmd=cmd, effects=written)
            except Conflict:
                continue
            log_events.moderated(action.kind, by=action.by, whom=action.whom, until=action.ends if action.until else "")
            await self.follow()
            return
        raise StoreUnavailable("The audit log keeps being changed elsewhere: try again.")

    async def _effects(self, action: Action) -> list[Effect]:
        """Return the records that an action changes."""
        found = []
        if action.key:
            standing = self.standing_in(action.key, await self._store.find(STANDING, action.key))
            found.append(Effect(STANDING, action.key, codec.to_text(standing.after(action))))
        if action.everyone and action.kind in ("ban", "unban"):
            body = codec.to_text(action) if action.kind == "ban" else None
            found += [Effect(ADDRESS, address, body) for address in action.addresses]
        return found

    def standing_in(self, key: str, body: str | None) -> Standing:
        """Return a person's record from its stored form; empty if it can't be read."""
        try:
            return codec.from_text(body, Standing) if body else Standing()
        except ValueError as problem:
            self._unreadable.report(STANDING, key, problem)
            return Standing()

    async def latest(self, most: int) -> list[Action]:
        """Return the latest actions of everyone, newest first. Raises `StoreUnavailable`."""
        head = (await self._store.heads([LOG]))[LOG]
        entries = (await self._store.read(LOG, max(0, head - most), most)).entries
        return [action for entry in reversed(entries) if (action := self._read(entry))]
