"""The message of the day: a line from the sysop for everyone who logs in. Every node reads it from the store."""

from __future__ import annotations

from collections.abc import Awaitable

import structlog

from lilygames.chat.observers import Entered, PersonEvent
from lilygames.chat.people import Person
from lilygames.store import Store, StoreUnavailable
from lilygames.text import Line

log = structlog.get_logger()
_KIND, _KEY = "place", "motd"
LONGEST = 300
"""Maximum characters of the message."""


class MessageOfTheDay:
    """Stores the message, and shows it to everyone who arrives."""

    observes = (Entered,)

    def __init__(self, store: Store) -> None:
        self._store = store

    async def text(self) -> str:
        """Return the message; empty if there is none. Raises `StoreUnavailable`."""
        return await self._store.find(_KIND, _KEY) or ""

    async def write(self, text: str) -> None:
        """Replace the message; an empty text removes it. Raises `StoreUnavailable`."""
        await (self._store.keep(_KIND, _KEY, text) if text else self._store.forget(_KIND, _KEY))

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Show the message to a person who has arrived."""
        return self._show(event.person) if isinstance(event, Entered) else None

    async def _show(self, person: Person) -> None:
        try:
            text = await self.text()
        except StoreUnavailable as problem:
            log.warning("the message of the day can't be read", why=str(problem))
        else:
            person.show(*([line(text)] if text else []))


def line(text: str) -> Line:
    """Return the line that shows the message. The words are the sysop's, so they never begin a row."""
    return Line(f"Today: {text}", by="sysop")
