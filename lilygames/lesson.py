"""A lesson: a game explained while it is played, as data that the game brings along.

A lesson states its deal and every move. The learner has to type the move of the script; the coach comments on any other
line and asks again. So the number of moves made alone determines where a lesson stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.commands import Command
from lilygames.text import Voice
from lilygames_rules.kit import Luck, Scripted, Seat

Draws = tuple[Any, ...]
"""Results of luck in order, as `Scripted` takes them."""
_SHOWN = re.compile(r"\{([^}]*)\}")


@attrs.frozen
class Theirs:
    """A move that a bot makes, as it is typed; `say` is what the coach says before it, a line each."""

    seat: Seat
    move: str
    say: str = ""
    luck: Draws = ()
    """Results of luck that the move needs."""

    def meant(self, view: Any, commands: Sequence[Command]) -> Any:
        """Return the move."""
        return _meant(self.move, view, commands)


@attrs.frozen
class Yours:
    """A move that the learner has to find, as it is typed; `say` is what the coach says before it, a line each."""

    move: str
    hint: str
    """The move to type, and why: the answer to any other line."""
    say: str = ""
    wrong: Mapping[str, str] = attrs.field(factory=dict)
    """The coach's answers to other legal moves, by how they are typed."""
    luck: Draws = ()
    """Results of luck that the move needs."""

    def meant(self, view: Any, commands: Sequence[Command]) -> Any:
        """Return the move."""
        return _meant(self.move, view, commands)


def _meant(move: str, view: Any, commands: Sequence[Command]) -> Any:
    """Return the move that the text gives the owner of a view, with seats as numbers; raises `Misread`."""
    word, _, rest = move.partition(" ")
    command = next(command for command in commands if word in command.names)
    return command.run(view, *command.read(rest))


Step = Theirs | Yours


def _as_it_is(text: str, voice: Voice) -> str:  # noqa: ARG001 - a card would look different in another voice
    return text


@attrs.frozen
class Lesson:
    """A lesson at a table with `seats` seats; `learner` is the learner's seat, and bots have the others.

    `deal` is what the start draws. `end` is what the coach says after the last step, one row per item. Then the table
    closes, whether or not the game is over. `shown` words the parts in braces of the coach's sentences, such as a card.
    """

    minutes: int
    options: Any
    seats: int
    deal: Draws
    steps: tuple[Step, ...]
    end: str
    learner: Seat = 0
    purses: tuple[int, ...] = ()
    shown: Callable[[str, Voice], str] = _as_it_is
    version: int = 1
    """The version of the lesson, raised when the deal or a move changes; learners in the middle then start again."""

    def step(self, made: int) -> Step | None:
        """Return the step after this many moves, None when the lesson is over."""
        return self.steps[made] if made < len(self.steps) else None

    def luck(self, made: int, *, started: bool) -> Luck:
        """Return the luck of the start, or of the step after this many moves."""
        step = self.step(made)
        return Scripted(*(self.deal if not started else step.luck if step else ()))

    def lines(self, text: str, voice: Voice) -> list[str]:
        """Return the coach's text in a voice."""
        return [_SHOWN.sub(lambda found: self.shown(found[1], voice), row) for row in text.split("\n") if row]

    def since_asked(self, made: int) -> str:
        """Return what the coach has said since the learner's last move before this step, one row per item."""
        before = (place for place in range(made - 1, -1, -1) if isinstance(self.steps[place], Yours))
        return "\n".join(step.say for step in self.steps[next(before, -1) + 1 : made + 1] if step.say)
