"""What an account owns beside its password: settings, blurb, info, memos, memberships, and what it wishes to hear."""

from __future__ import annotations

import asyncio

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names import fold
from lilygames.store import Store, Unavailable

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until what could not be kept is tried again."""


@attrs.frozen
class Belongings:
    """All that is kept of a person; names of people and rooms are folded."""

    settings: dict[str, str] = attrs.field(factory=dict)
    """What `/set` sets, by name."""
    blurb: str = ""
    info: tuple[str, ...] = ()
    memos: dict[str, str] = attrs.field(factory=dict)
    rooms: tuple[str, ...] = ()
    """The discussions joined, by name as written, in the order of joining."""
    sends_to: str = ""
    """Where plain text goes, as `/send` was given it; empty: to the room one is in."""
    groups: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    noise: dict[str, dict[str, bool]] = attrs.field(factory=dict)
    """Rules of `/notify`, `/signal` and `/timestamp`: by `notify event thing` parts, on or off."""
    ignored: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Whom one does not hear, and where: `private`, `public`, `all`, or names of rooms."""
    blocked: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    """What invitations are declined by themselves: `guests`, `rated`, `unrated`, `all`, or a game's name."""
    seen: float = 0.0
    """When one was last here, in seconds since 1970."""


class Keeper:
    """Keeps belongings in the store, in the background: the newest of each person, as soon as there is room."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, Belongings] = {}
        self._task: asyncio.Task[None] | None = None

    async def load(self, name: str) -> Belongings:
        """Return what somebody owns; a new name owns nothing yet."""
        if fold(name) in self._waiting:
            return self._waiting[fold(name)]
        body = await self._store.find("belongings", fold(name))
        try:
            return codec.from_text(body, Belongings) if body else Belongings()
        except ValueError:
            log.exception("belongings cannot be read", name=name)
            return Belongings()

    def keep(self, name: str, belongings: Belongings) -> None:
        """Keep what somebody owns; returns at once."""
        self._waiting[fold(name)] = belongings
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._waiting:
            name, belongings = next(iter(self._waiting.items()))
            try:
                await self._store.keep("belongings", name, codec.to_text(belongings))
            except Unavailable as problem:
                log.warning("belongings cannot be kept", name=name, why=str(problem))
                await asyncio.sleep(RETRY)
            else:
                if self._waiting.get(name) is belongings:
                    del self._waiting[name]

    async def forget(self, name: str) -> None:
        """Let go of what a name owned: it is nobody's now."""
        self._waiting.pop(fold(name), None)
        await self._store.forget("belongings", fold(name))

    async def rename(self, old: str, new: str) -> None:
        """Give what one name owned to another."""
        belongings = await self.load(old)
        await self._store.keep("belongings", fold(new), codec.to_text(belongings))
        await self.forget(old)

    async def finish(self) -> None:
        """Return once all is kept."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})
