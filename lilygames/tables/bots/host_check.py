"""The host's own check of the bots in a game whose seal stays closed: nobody else can recompute their moves.

The moves are recomputed during the game, after everything that games wait for, so few are left at the end.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque

import structlog

from lilygames.tables.log.acts import MOVES, Checked, Moved
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.services import Bots
from lilygames.tables.state.table import Table
from lilygames.tables.verify.bot_moves import Check, decision, is_decision, recompute, summed

log = structlog.get_logger()
LAST = 3.0
"""Seconds that the end of a game waits for the moves that haven't been checked yet."""
MOST = 2000
"""Decisions that wait for their check. After a restart in a long game, the oldest ones are left out."""


class HostCheck:
    """Recomputes the bots' moves of a table whose seal stays closed."""

    acts = MOVES

    def __init__(self, runner: Runner, bots: Bots) -> None:
        self._runner = runner
        self._bots = bots
        self._waiting: deque[tuple[Table, Moved]] = deque(maxlen=MOST)
        self._found: Counter[Check] = Counter()
        """How many moves had each result. The moves aren't kept, because a game may last for days."""
        self._moves = 0
        self._checking: asyncio.Task[None] | None = None

    def observe(self, advanced: Advanced) -> None:
        """Check a bot's move that has just been made, and those made before a restart."""
        if self.remember(advanced):
            self._go_on()

    def remember(self, advanced: Advanced) -> bool:
        """Keep a bot's move for its check; return whether the step is one that only the host can check."""
        table, act = advanced.before, advanced.act
        if not table.header.sealed or not is_decision(act, table):
            return False
        self._moves += 1
        self._waiting.append((table, act))
        return True

    async def result(self) -> Checked | None:
        """Return the result at the end of the game; None if no bot has moved, or if everyone can check the moves.

        Moves that haven't been checked in time are left out.
        """
        if not self._moves:
            return None
        self._go_on()
        if self._checking:
            await asyncio.wait({self._checking}, timeout=LAST)
            self._checking.cancel()
            self._checking = None  # else its CancelledError would keep this, and the table, until a full collection
        self._waiting.clear()
        return summed(self._found, self._moves)

    def _go_on(self) -> None:
        if self._waiting and (self._checking is None or self._checking.done()):
            self._checking = asyncio.get_running_loop().create_task(self._check())

    async def _check(self) -> None:
        while self._waiting:
            await self._bots.work.later_turn()
            made = decision(*self._waiting.popleft())
            found = await recompute(made, self._bots.rethink)
            self._found[found] += 1
            if found is Check.OTHER:
                log.error("a bot's move isn't the one that its strategy chooses", log=self._runner.log, entry=made.seq)
