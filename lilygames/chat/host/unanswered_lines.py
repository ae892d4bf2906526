"""Lines whose answers were still being computed at a restart: they are answered after it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Gone

LASTS = 120.0
"""Seconds after which a line isn't answered any more. Later, a `/hint` would be about another game."""


class UnansweredLines:
    """Observer that answers such lines once their people are back, which is soon if only their connections were cut."""

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
        """Answer the lines of a person who has logged in again."""
        if isinstance(event, Entered):
            self.answer(event.person)

    def answer(self, person: Person) -> None:
        """Answer a person's lines in a task of its own, unless it is too late."""
        if self._now() > self._until:
            self.lines.clear()
        if lines := self.lines.pop(fold(person.name), ()):
            task = asyncio.get_running_loop().create_task(self._answer(person, lines))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, person: Person, lines: Sequence[str]) -> None:
        with suppress(Gone):
            for line in lines:
                await self._hear(person, line)
