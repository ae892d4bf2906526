"""Lines that people don't have to type again after a restart, because their answers were still being computed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from lilygames.chat.names import fold
from lilygames.chat.observers import Entered, PersonEvent
from lilygames.chat.people import Person
from lilygames.chat.terminal import Gone

LASTS = 120.0
"""Seconds after which a line isn't asked any more. Later, a `/hint` would be about another game."""


class AskedAgain:
    """Has these lines heard again once their people are back. People whose connections were cut come back soon."""

    observes = (Entered,)

    def __init__(
        self, hear: Callable[[Person, str], Awaitable[None]], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._hear = hear
        self._now = now
        self._until = 0.0
        self._tasks = set[asyncio.Task[None]]()
        self.lines: dict[str, Sequence[str]] = {}
        """The lines of those who aren't back yet, by folded name."""

    def take_up(self, lines: Mapping[str, Sequence[str]]) -> None:
        """Take over the lines of the process before."""
        self.lines.update(lines)
        self._until = self._now() + LASTS

    def observe(self, event: PersonEvent) -> None:
        """Hear the lines of a person who has logged in again."""
        if isinstance(event, Entered):
            self.ask(event.person)

    def ask(self, person: Person) -> None:
        """Hear a person's lines again, unless it is too late; the answers follow."""
        if self._now() > self._until:
            self.lines.clear()
        if lines := self.lines.pop(fold(person.name), ()):
            task = asyncio.get_running_loop().create_task(self._ask(person, lines))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, person: Person, lines: Sequence[str]) -> None:
        with suppress(Gone):
            for line in lines:
                await self._hear(person, line)
