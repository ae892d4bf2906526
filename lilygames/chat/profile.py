"""What an account owns beside its password: settings, blurb, info, memos, memberships, and what it wishes to hear."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import ClassVar

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names import fold
from lilygames.store import Store, StoreUnavailable
from lilygames.unreadable import UnreadableRows

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until what could not be kept is tried again."""
TOGETHER = 100
"""How many people's profiles are written at the same time, so that the store keeps them as a group."""


@attrs.frozen
class Profile:
    """All that is kept of a person; names of people and rooms are folded."""

    STORED_AS: ClassVar = "Belongings"

    settings: dict[str, str] = attrs.field(factory=dict)
    """What `/set` sets, by name."""
    blurb: str = ""
    info: tuple[str, ...] = ()
    memos: dict[str, str] = attrs.field(factory=dict)
    rooms: tuple[str, ...] = ()
    """The discussions joined, by name as written, in the order of joining."""
    sends_to: str = ""
    """Where plain text goes, `~NAME` and `-ROOM` with commas between; empty: to the room one is in."""
    groups: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Whom one's own names for several stand for, each `~NAME` or `-ROOM`."""
    noise: dict[str, dict[str, bool]] = attrs.field(factory=dict)
    """Rules of `/notify`, `/signal` and `/timestamp`: by `notify event thing` parts, on or off."""
    ignored: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Whom one does not hear, and where: `private`, `public`, `all`, or names of rooms."""
    blocked: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    """What invitations are declined by themselves: `guests`, `rated`, `unrated`, `all`, or a game's name."""
    seen: float = 0.0
    """When one was last here, in seconds since 1970."""

    def with_names(self, now: Callable[[str], str]) -> Profile:
        """Return the same, with people by the names that they have now."""

        def called(name: str) -> str:
            return fold(now(name))

        def marked(mark: str) -> str:
            return f"~{now(mark[1:])}" if mark.startswith("~") else mark

        return attrs.evolve(
            self,
            sends_to=",".join(map(marked, self.sends_to.split(","))),
            groups={name: tuple(map(marked, marks)) for name, marks in self.groups.items()},
            noise={
                sense: {_about(key, called): on for key, on in rules.items()} for sense, rules in self.noise.items()
            },
            ignored={called(name): where for name, where in self.ignored.items()},
            blocked=tuple(map(called, self.blocked)),
        )


def _about(rule: str, called: Callable[[str], str]) -> str:
    event, space, thing = rule.partition(" ")
    return f"{event}{space}{called(thing)}"


class ProfileStore:
    """Keeps profiles in the store, by the key of whose they are; in the background, as soon as there is room."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._waiting: dict[str, Profile | None] = {}
        self._task: asyncio.Task[None] | None = None

    async def load(self, key: str) -> Profile:
        """Return what somebody owns; who is new owns nothing yet.

        What cannot be read is set aside, as the record `unreadable` of that kind and key, before it is overwritten.
        """
        if key in self._waiting:
            return self._waiting[key] or Profile()
        body = await self._store.find("belongings", key)
        try:
            return codec.from_text(body, Profile) if body else Profile()
        except ValueError as problem:
            self._unreadable.report("belongings", key, problem)
            await self._store.keep("unreadable", f"belongings/{key}", body or "")
            return Profile()

    def case(self, key: str) -> str:
        """Return the case number of a profile that could not be read; empty if it could."""
        return self._unreadable.case("belongings", key)

    def keep(self, key: str, profile: Profile | None) -> None:
        """Keep what somebody owns, or let go of it (None); returns at once."""
        self._waiting[key] = profile
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._waiting:
            await asyncio.gather(*(self._written(*one) for one in [*islice(self._waiting.items(), TOGETHER)]))

    async def _written(self, key: str, profile: Profile | None) -> None:
        try:
            if profile is None:
                await self._store.forget("belongings", key)
            else:
                await self._store.keep("belongings", key, codec.to_text(profile))
        except StoreUnavailable as problem:
            log.warning("belongings cannot be kept", key=key, why=str(problem))
            await asyncio.sleep(RETRY)
        else:
            if self._waiting.get(key) is profile:
                del self._waiting[key]

    async def finish(self) -> None:
        """Return once all is kept."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})
