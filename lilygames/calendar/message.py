"""The message of the day: a line from the sysop for everyone who logs in."""

from __future__ import annotations

import attrs

from lilygames import codec
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged, Store
from lilygames.text import Line

KIND = "motd"
_KEY = "text"
LONGEST = 300
"""Maximum characters of the message."""


@attrs.frozen
class Message:
    """A message of the day, and the sysop who wrote it."""

    by: str
    text: str

    @property
    def line(self) -> Line:
        """The line that shows it."""
        return Line(f"Today: {self.text}", by=self.by)


class MessageOfTheDay:
    """Stores the message, and shows it to everyone who arrives."""

    observes = (Entered,)

    def __init__(self, store: Store, unreadable: UnreadableRows) -> None:
        self._store = store
        self._unreadable = unreadable
        self.message: Message | None = None

    async def load(self) -> None:
        """Read the message; leave it out if it is unreadable. Raises `StoreUnavailable`."""
        try:
            body = await self._store.find(KIND, _KEY)
            self.message = codec.from_text(body, Message) if body else None
        except Damaged as problem:
            self._unreadable.report_damage(KIND, problem)
        except ValueError as problem:
            self._unreadable.report(KIND, _KEY, problem)

    async def refresh(self, _: str) -> None:
        """Read the message again after another node changed it."""
        await self.load()

    def forget_person(self, who: Identity) -> None:
        """Drop the message of a deleted person."""
        if self.message and fold(self.message.by) in who.names:
            self.message = None

    async def write(self, message: Message | None) -> None:
        """Replace or remove the message. Raises `StoreUnavailable`."""
        if message:
            await self._store.keep(KIND, _KEY, codec.to_text(message))
        else:
            await self._store.forget(KIND, _KEY)
        self.message = message

    def observe(self, event: PersonEvent) -> None:
        """Show the message to a person who has arrived."""
        if isinstance(event, Entered) and self.message:
            event.person.show(self.message.line)
