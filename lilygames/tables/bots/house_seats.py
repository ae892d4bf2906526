"""Seats played by bots: when bots think, how they move, and when they substitute for people."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import attrs
import structlog

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.store import StoreUnavailable
from lilygames.tables.bots.pace import Pace
from lilygames.tables.log.acts import HOUSE, Seated, Sitter
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Questions
from lilygames.tables.play.runner import RETRY, Overtaken, Runner
from lilygames.tables.play.services import Bots, Players
from lilygames.tables.play.timer import Timer
from lilygames.tables.play.turn import PLAYED_BY_BOTS
from lilygames.tables.state.life import Life
from lilygames.tables.state.strategies import in_a_hurry, in_character, move_by, seated_bot, strategy_of
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Refused, Seat

log = structlog.get_logger()
SUBSTITUTE = "club"
"""Preferred level of a bot that substitutes for someone."""
REPLACED = "A bot's strategy has changed since these cards were sealed, so this game can't continue."


@attrs.frozen
class Choice:
    """The move that a bot has chosen, None if it failed; and the iterations that it searched in a hurry, else 0."""

    move: Any = None
    budget: int = 0


class HouseSeats:
    """The bots of a table."""

    def __init__(
        self,
        runner: Runner,
        timer: Timer,
        publisher: Publisher,
        questions: Questions,
        *,
        bots: Bots,
        players: Players,
    ) -> None:
        self._runner = runner
        self._timer = timer
        self._publisher = publisher
        self._questions = questions
        self._bots, self._players = bots, players
        self._pace = Pace(runner, publisher, bots, players.people)
        self._choosing: asyncio.Task[None] | None = None
        self._suspended = False

    # idling while nobody is here

    @property
    def attended(self) -> bool:
        """Whether bots should move.

        They don't in a game that might never end while nobody is here. A duplicate table ends of itself.
        """
        table = self._runner.table
        if not table.game.joins or table.header.duplicate or not table.seats.owners:
            return True
        here = self._publisher.watched or any(map(self._publisher.is_here, table.seats.owners))
        return here or (table.clock.slow and bool(table.seats.people))

    def suspend_if_unattended(self) -> bool:
        """Suspend bots and clocks if nobody is here; return whether they are suspended."""
        self._suspended = not self.attended
        return self._suspended

    def resume(self) -> None:
        """Wake suspended bots and clocks."""
        if self._suspended and self._runner.life is not Life.ASLEEP:
            self._runner.room.post(self._runner.go_on)

    # moves

    def schedule_move(self) -> None:
        """Let the next bot choose its move now, and make it after a pause.

        It thinks during the pause, so the time until its move follows from what everyone sees, unless it needs longer.
        A node that leaves the move to others first lets it think only afterwards.
        A duplicate table waits if its bot's strategy isn't installed any more: another one would play otherwise.
        """
        seat = self._next_turn()
        if not self.attended or seat is None:
            return
        if self._is_replaced(seat):
            self._publisher.say(self._runner.table, REPLACED)
            return
        lag, pause = self._runner.services.lag(self._runner.log), self._pace.pause(seat)
        if lag:
            self._timer.start(pause + lag, self.move_now)
        else:
            self._move_in(pause)

    def _is_replaced(self, seat: Seat) -> bool:
        """Return whether a bot of a duplicate table can't play as at the other tables with the same cards."""
        table = self._runner.table
        who = table.seats[seat]
        return bool(table.header.duplicate) and who.house and strategy_of(table.game, who) is None

    async def move_now(self) -> None:
        """Let the next bot choose its move and make it at once."""
        self._move_in(0.0)

    def _move_in(self, seconds: float) -> None:
        """Compute the next bot's move in its own task, without blocking the room; make it after `seconds`."""
        table = self._runner.table
        with suppress(UserError), self._runner.bugs_stop_this_table:
            seat = self._next_turn()
            if seat is not None and not (self._timer.busy or self._runner.rests):
                due = asyncio.get_running_loop().time() + seconds
                self._timer.hold()
                self._choosing = asyncio.get_running_loop().create_task(self._choose_and_move(due, table, seat))

    def _next_turn(self) -> Seat | None:
        """Return the first bot seat with a move; in a lesson, only the seat whose step it is."""
        table = self._runner.table
        mine = (seat for seat, turn in self._questions.turns.items() if turn.state in PLAYED_BY_BOTS)
        if table.lesson:
            return table.scripted[0] if table.scripted and table.scripted[0] in mine else None
        return next(mine, None)

    async def _choose_and_move(self, due: float, table: Table, seat: Seat) -> None:
        await self._runner.services.bot_work.turn()
        try:
            with self._runner.bugs_stop_this_table:
                view, moves = table.view(seat), table.moves(seat)
        except UserError:  # nobody moves at this table any more
            self._timer.cancel()
            return
        choice = await self._choose(due, table, seat, view, moves)

        async def move() -> None:
            await self._move_unless_changed(table.seq, seat, choice, due)

        self._timer.fire_in(due - asyncio.get_running_loop().time(), move)

    async def _choose(self, due: float, table: Table, seat: Seat, view: Any, moves: Sequence[Any]) -> Choice:
        """Return a bot's move, based only on its seat's view and its own luck. It doesn't think about its only move.

        While many moves wait it thinks less, except at a duplicate table. There is no move if the bot raises an error
        or the player has left for good.
        """
        who = table.seats[seat]
        if who.gone:
            return Choice()
        if table.scripted:
            return Choice(table.scripted[1])
        if len(moves) == 1:
            return Choice(moves[0])
        for _ in range(2 if table.header.duplicate else 1):  # the same bots play at the other tables
            luck = table.luck.of_bot(seat)
            try:
                level = strategy_of(table.game, who) or table.game.players[who.level]
                share = 1.0 if table.header.duplicate else self._bots.budget_share()
                hurried = in_a_hurry(table.game, who.level, level, share)
                strategy = in_character(table.game, table.seats, seat, hurried or level)
                move = await self._bots.think(strategy, view, moves, luck, due)
                return Choice(moves[moves.index(move)], hurried.budget.iterations if hurried else 0)
            except Exception:
                log.exception("a bot failed to choose a move", log=self._runner.log, seat=seat, level=who.level)
        return Choice()

    async def _spoil(self, table: Table) -> None:
        """Take a game of a duplicate set out of the comparison, because its bot doesn't play as at the other tables.

        Raises `UserError`, `StoreUnavailable`.
        """
        case = await self._bots.spoiled(table)
        if case:
            gone = f"A bot failed here (case {case}), so this game isn't compared with others. You can play on."
            self._publisher.say(table, gone)

    async def _move_unless_changed(self, seq: int, seat: Seat, choice: Choice, due: float) -> None:
        """Play the move a bot has chosen; let it think again if the table has changed meanwhile.

        Counts how long after it was `due` (loop time) everyone had been sent the move.
        """
        if seq != self._runner.table.seq:
            self.schedule_move()
            return
        try:
            with self._runner.bugs_stop_this_table:
                await self._make(seat, choice)
                late = asyncio.get_running_loop().time() - due
                self._runner.services.activity.bot_moved(self._runner.table.game.name, max(0.0, late))
        except Overtaken:
            self.schedule_move()
        except (UserError, StoreUnavailable):
            self._timer.start(RETRY, self.move_now)
        except Refused as bug:
            self._runner.stop(bug)

    async def _make(self, seat: Seat, choice: Choice) -> None:
        """Play a seat's move, or its default move if there is none or it is refused.

        A duplicate table first leaves the comparison: no default move is ever compared.
        """
        table = self._runner.table
        who = table.seats[seat]
        if choice.move is not None:
            made = move_by(table.game, who, seat, choice.move, budget=choice.budget)
            try:
                await self._runner.act(who.writer, made, only_here=True, gives_way=True)
            except Refused:
                log.exception("a bot chose an illegal move", log=self._runner.log, seat=seat)
            else:
                await self._runner.services.bot_work.turn()
                await self._runner.go_on()
                return
        if table.header.duplicate and not who.gone:
            await self._spoil(table)
        default = table.game.rules.default(table.state, seat)
        failed = move_by(table.game, who, seat, default, default=who.house and not who.gone)
        await self._runner.act(who.writer, failed, only_here=True)
        await self._runner.go_on()

    # substituting for people

    async def substitute(self, seat: Seat, by: str) -> None:
        """Let a bot substitute for someone until they are back; raises `Refused` or `UserError`."""
        name = self._runner.table.seats[seat].name
        who = self.stand_in(name)
        kept = f"A bot, {who}, plays for {name} until {name} is back."
        yours = f"A bot, {who}, plays for you. Make a move to take your seat back."
        await self._runner.act(by, Seated(seat, who), saying=lambda reader: yours if reader.seat == seat else kept)
        await self._runner.go_on()

    def stand_in(self, name: str = "") -> Sitter:
        """Return a bot that isn't at this table yet; raises `Refused` or `UserError` if there is none."""
        levels = self._runner.table.game.players
        if not levels:
            raise Refused("no-substitute")
        free = self.free_names
        if not free:
            raise UserError("every bot already has a seat at this table, so none can take over another.")
        level = SUBSTITUTE if SUBSTITUTE in levels else next(iter(levels))
        return seated_bot(self._runner.table.game, free[0], level, stands_in=name)

    @property
    def free_names(self) -> list[str]:
        """Names still free for a bot here: not taken by a player, an account or a guest."""
        sitting = {fold(who.name) for who in self._runner.table.seats if not who.gone}
        free = (name for name in HOUSE if fold(name) not in sitting and fold(name) not in self._players.people)
        return [name for name in free if not self._players.account_like(name)]

    async def give_back(self, person: Person) -> None:
        """Return a seat from its bot to a person who is back; raises `UserError`.

        The person is asked to move afterwards.
        """
        table = self._runner.table
        seat = table.stood_in_for(person.name)
        if seat is None or table.closed:
            return
        back, stood_in = f"{person.name} is back and takes over from", table.names[seat]
        await self._runner.act(
            person.name,
            Seated(seat, Sitter(person.name)),
            saying=lambda reader: f"{'You are back and take over from' if reader.seat == seat else back} {stood_in}.",
        )
        await self._runner.go_on()

    async def take_back(self, person: Person) -> None:
        """Return a person's seat to them in the room's task, if a bot has it; raises `UserError`."""
        if self._runner.table.stood_in_for(person.name) is not None:

            async def give() -> None:
                await self.give_back(person)

            await self._runner.room.do(give)
