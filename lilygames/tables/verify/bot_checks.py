"""Checks of bots' moves in finished games. They run while the person who asked plays or talks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Think
from lilygames.tables.verify.bot_moves import BotMove, Decision, recomputed, told
from lilygames.text import Line, count

AT_ONCE = 1.0
"""Seconds that a command waits for the result. A longer check tells it later."""


class BotCheck:
    """The check of one game: how far it is, and its result."""

    def __init__(self, number: int, decisions: Sequence[Decision]) -> None:
        self.number = number
        self.decisions = decisions
        self.done: list[BotMove] = []

    @property
    def progress(self) -> str:
        """How far the check is, in a sentence."""
        moves = count(len(self.decisions), "move")
        return f"Checking the bots of game #{self.number}: {len(self.done)} of {moves} so far."

    async def run(self, person: Person, think: Think) -> str:
        """Recompute the moves while the person is here, and return what was found."""
        async for move in recomputed(self.decisions, think):
            self.done.append(move)
            if not person.here:
                break
        return told(self.done)


class BotChecks:
    """The checks that people have asked for: at most one for each person."""

    def __init__(self, think: Think) -> None:
        self._think = think
        self._running: dict[str, tuple[BotCheck, asyncio.Task[str]]] = {}

    @property
    def lines(self) -> Mapping[str, str]:
        """The lines that ask for these checks again, by folded name."""
        return {name: f"/verify {check.number}" for name, (check, _) in self._running.items()}

    def progress(self, person: Person, number: int) -> str:
        """Return how far the person's check of this game is; empty if there is none."""
        check, _ = self._running.get(fold(person.name), (None, None))
        return f"{check.progress} Type /verify stop to stop." if check and check.number == number else ""

    def stop(self, person: Person) -> str:
        """Stop a person's check, and return what was found up to now; raises `UserError` if there is none."""
        running = self._running.pop(fold(person.name), None)
        if running is None:
            raise UserError("no check of yours is running. Type /verify NUMBER to check a finished game.")
        check, task = running
        task.cancel()
        moves = count(len(check.decisions), "move")
        return f"Stopped after {len(check.done)} of {moves} of bots. {told(check.done) if check.done else ''}".strip()

    async def start(self, person: Person, number: int, decisions: Sequence[Decision]) -> str:
        """Check a game's bots instead of the person's last check; return the result, or that it follows later."""
        name, check = fold(person.name), BotCheck(number, decisions)
        if name in self._running:
            self.stop(person)
        task = asyncio.get_running_loop().create_task(check.run(person, self._think))
        self._running[name] = check, task
        done, _ = await asyncio.wait({task}, timeout=AT_ONCE)
        if done or task.cancelled():
            self._forget(name, task)
            return task.result()
        task.add_done_callback(lambda task: self._tell(person, number, task))
        moves = count(len(decisions), "move")
        return f"Checking {moves} of bots; the result follows. Type /verify {number} to see how far it is."

    def _forget(self, name: str, task: asyncio.Task[str]) -> None:
        if name in self._running and self._running[name][1] is task:
            del self._running[name]

    def _tell(self, person: Person, number: int, task: asyncio.Task[str]) -> None:
        self._forget(fold(person.name), task)
        if not task.cancelled() and person.here:
            person.show(Line(f"Game #{number}: {task.result()}"))
