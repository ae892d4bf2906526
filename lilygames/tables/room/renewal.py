"""A new root for a closed seal, before the hands that the old one covers are used up.

A root covers 64 hands. Before the last of them, a running game shows a new root, and the clients that took part before
commit once more. When all have committed, everything is sealed, as for a newcomer (`newcomers.py`). Once all have
revealed, the next hand is dealt from the new root. If a client is missing, play continues, and the clients are asked
again in the next hand. Cards that no root covers are marked as unproven.

Everything but the computation of the root runs in the task of the table's room.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from lilygames.errors import UserError
from lilygames.tables.log.acts import EVERY_ACT, Committed, Rooted, Sealing, Sitter
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.room.newcomers import Newcomers
from lilygames.tables.seal.closed_deck import root_of
from lilygames.tables.seal.rounds import unproven
from lilygames.tables.sight import narrate, packets
from lilygames.tables.state.table import Table
from lilygames.tables.verify.slow_jobs import SlowJobs
from lilygames_rules.kit import Refused


class Renewal:
    """The rounds of a running game that bring a new root."""

    acts = EVERY_ACT

    def __init__(self, runner: Runner, publisher: Publisher, newcomers: Newcomers, slow: SlowJobs) -> None:
        self._runner = runner
        self._publisher = publisher
        self._newcomers = newcomers
        self._slow = slow
        self._computing: asyncio.Task[None] | None = None

    def observe(self, advanced: Advanced) -> None:
        """Show a new root, or ask the clients again, as a hand begins; say so when the round is complete."""
        before, table = advanced.before.rounds, advanced.after
        rounds = table.rounds
        if not (rounds.root and table.going):
            return
        if rounds.dealt and before.dealt and rounds.dealt.rooted != before.dealt.rooted:
            self._publisher.say(table, narrate.rooted(rounds))
        if rounds.unproven[:1] and not rounds.unproven[-1][1] and rounds.unproven != before.unproven:
            self._publisher.say(table, unproven(rounds.unproven[-1:]))
        begins = rounds.drawn != before.drawn
        if begins and rounds.wants_root and not self._computing:
            self._computing = asyncio.get_running_loop().create_task(self._compute(table))
        elif rounds.renewing and (begins or isinstance(advanced.act, Rooted)):
            self._ask_to_commit(table)
        if rounds.renewing and (isinstance(advanced.act, Rooted | Committed) or begins):
            self._runner.room.post(self._seal)

    async def _compute(self, table: Table) -> None:
        """Compute the root of the hands that follow, and show it; other nodes do so at the same time."""
        rounds, hidden = table.rounds, table.game.hidden(table.options)
        first = rounds.drawn + 1
        try:
            made = (table.secret, rounds.table, rounds.number + 1, hidden)
            root = await self._slow.soon(root_of, *made, first=first, hands=rounds.hands)
        finally:
            self._computing = None

        async def show() -> None:
            now = self._runner.table
            if now.rounds.number != rounds.number or now.rounds.sealed or self._newcomers.waiting:
                return  # another round has begun meanwhile; the next hand tries again
            with suppress(Refused, UserError):
                await self._runner.act("table", Rooted(root, first), only_here=True)

        if not self._runner.rests:
            self._runner.room.post(show)

    def _ask_to_commit(self, table: Table) -> None:
        """Send the seal to the clients that took part before, if all of them are here."""
        contributors = table.rounds.contributors(table.seats)
        if table.rounds.sealed or any(map(self._newcomers.is_away, contributors)):
            return
        for name in contributors:
            person = self._publisher.near(Sitter(name))
            if person and name not in table.rounds.commits:
                person.packet(packets.seal(self._runner.room.name, table, name))

    async def _seal(self) -> None:
        """Fix everything once all clients have committed."""
        table = self._runner.table
        rounds, contributors = table.rounds, table.rounds.contributors(table.seats)
        ready = rounds.renewing and not rounds.sealed and {*contributors} <= {*rounds.commits}
        if not ready or self._newcomers.waiting or self._runner.rests or not table.going:
            return
        sealed = rounds.proposed(table.seats, table.header.options, table.purses, contributors)
        with suppress(Refused, UserError):
            await self._runner.act("table", Sealing(sealed), only_here=True)
