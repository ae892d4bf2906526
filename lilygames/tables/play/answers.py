"""Answers for which bots think a while: a command waits a moment for one, and then it follows while people go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from functools import partial

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import refusal
from lilygames.text import Line

AT_ONCE = 0.3
"""Seconds that a command waits for its answer: a person hardly notices them."""


@attrs.frozen
class Question:
    """A question to the bots, as a person has typed it."""

    line: str
    """The line that asks it again after a restart."""
    about: Hashable = None
    """Everything else that the answer depends on."""


class Answers:
    """Answers that people have asked for: one at a time for each person. A new question replaces the last one."""

    def __init__(self) -> None:
        self._sought: dict[str, tuple[Question, asyncio.Future[Sequence[Line]]]] = {}
        """By folded name, what the person has asked and the task that finds the answer."""

    @property
    def lines(self) -> Mapping[str, str]:
        """The lines for whose answers people still wait, by folded name."""
        return {name: question.line for name, (question, _) in self._sought.items()}

    async def answer(
        self,
        person: Person,
        question: Question,
        find: Callable[[], Awaitable[Sequence[Line]]],
        meanwhile: Callable[[], Line],
    ) -> Sequence[Line]:
        """Return the answer that `find` finds, or the line `meanwhile` if it takes longer. Then the answer comes later.

        Someone who repeats a question waits for the same answer. Raises what `find` raises in time; a later error is
        shown to the person.
        """
        name = fold(person.name)
        asked, task = self._sought.get(name, (None, None))
        if task and asked == question:
            return [meanwhile()]
        if task:
            task.cancel()
        task = asyncio.ensure_future(find())
        self._sought[name] = question, task
        task.add_done_callback(partial(self._forget, name))
        await asyncio.wait({task}, timeout=AT_ONCE)
        if task.done():
            return await task
        task.add_done_callback(partial(_tell, person))
        return [meanwhile()]

    def _forget(self, name: str, task: asyncio.Future[Sequence[Line]]) -> None:
        if name in self._sought and self._sought[name][1] is task:
            del self._sought[name]


def _tell(person: Person, task: asyncio.Future[Sequence[Line]]) -> None:
    """Show a person the answer that they wait for, or why it failed."""
    if task.cancelled() or not person.here:
        return
    problem = task.exception()
    person.show(*([refusal(problem, person.name)] if isinstance(problem, Exception) else task.result()))
