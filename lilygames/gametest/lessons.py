"""A lesson played as a learner would, for the tests of our lessons and for authors of games."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from lilygames.game import Game
from lilygames.gametest.stage import Stage
from lilygames.lesson import Yours
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.table import Table
from lilygames.text import Voice

LEARNER = "ann"


@attrs.frozen
class Wrong:
    """Wrong answers to a step: another legal move (empty if there is none), and two other lines."""

    legal: str
    illegal: str
    unreadable: str = "xyzzy"


class Learner:
    """A person who takes the lesson of a game, alone on a server. `await Learner.begun(game)` makes one."""

    def __init__(self, stage: Stage, game: Game, rows: list[str]) -> None:
        self.stage = stage
        self.game = game
        self.rows = rows
        """Rows that their screen has shown since the lesson began."""

    @classmethod
    async def begun(cls, game: Game, stage: Stage | None = None, voice: Voice | None = None) -> Learner:
        """Return a person who has just typed `/learn`."""
        stage = stage or await Stage.open({game.name: game})
        stage.enter(LEARNER, voice)
        return cls(stage, game, await stage.type(LEARNER, f"/learn {game.name}"))

    @property
    def bot(self) -> TableBot | None:
        """The table of the lesson, None when it is over."""
        return next((bot for bot in self.stage.place.tables.open.values() if bot.table.lesson), None)

    @property
    def table(self) -> Table:
        """The current table of the lesson; raises `AssertionError` when it is over or stopped."""
        assert self.bot is not None, "the lesson is over"  # noqa: S101 - the kit is for tests
        assert not self.bot.case, self.rows[-3:]  # noqa: S101
        return self.bot.table

    async def type(self, line: str) -> list[str]:
        """Type a line, and return the answer."""
        shown = await self.stage.type(LEARNER, line)
        self.rows += shown
        return shown

    def step(self) -> Yours:
        """Return the step that waits for the learner; raises `AssertionError` if there is none."""
        step = self.table.step
        assert isinstance(step, Yours), f"step {self.table.made} waits for {step}"  # noqa: S101
        return step

    async def go_on(self) -> list[str]:
        """Make the right move, and return the answer."""
        return await self.type(f"/{self.step().move}")

    def legal(self) -> list[str]:
        """Return the learner's legal moves, as they are typed; the first hundred."""
        lesson, table = self.game.lesson, self.table
        moves = table.moves(lesson.learner if lesson else 0)
        return [self.game.spell(moves[place]) for place in range(min(len(moves), 100))]

    def right(self) -> str:
        """Return the right move of this step, as the game spells it."""
        scripted = self.table.scripted
        return self.game.spell(scripted[1]) if scripted else ""

    def wrong(self, every: list[str]) -> Wrong:
        """Return wrong answers to this step, from the moves that are legal at some point in the lesson."""
        legal = self.legal()
        other = next((move for move in legal if move != self.right()), "")
        return Wrong(other, next(self._illegal(every)))

    def _illegal(self, every: list[str]) -> Iterator[str]:
        seen = {*self.legal(), self.right()}
        yield from (move for move in every if move not in seen and not self._is_legal(move))

    def _is_legal(self, typed: str) -> bool:
        """Whether the rules accept a move, listed or not."""
        table, lesson = self.table, self.game.lesson
        word, _, rest = typed.partition(" ")
        command = next(command for command in self.game.commands if word in command.names)
        seat = lesson.learner if lesson else 0
        return command.run(table.view(seat), *command.read(rest)) in table.moves(seat)


async def every_move(game: Game) -> list[str]:
    """Return all moves that are legal for the learner at some point in the lesson, as they are typed."""
    learner, found = await Learner.begun(game), dict[str, None]()
    while learner.bot:
        found |= dict.fromkeys(learner.legal())
        await learner.go_on()
    return [*found]
