"""The coach of a lesson: comments before each step, on wrong answers, and at the end."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people.people import Person
from lilygames.lesson import Yours
from lilygames.tables.log.acts import EVERY_ACT
from lilygames.tables.play import next_steps
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced
from lilygames.tables.state.table import Table
from lilygames.text import Line, Voice
from lilygames_rules.kit import Refused

NOT_A_MOVE = "That isn't a move in this game."


def _lines(table: Table, text: str, voice: Voice) -> tuple[Line, ...]:
    rows = table.lesson.lines(text, voice) if table.lesson else ()
    return tuple([Line(f"Coach: {row}", "game") for row in rows])


def reminder(table: Table, voice: Voice) -> Sequence[Line]:
    """Return what the coach has said since the learner's last move; empty without a lesson."""
    return _lines(table, table.lesson.since_asked(table.made), voice) if table.lesson and table.step else ()


def comment(table: Table, no: Refused | None, voice: Voice) -> Sequence[Line]:
    """Return the coach's comment on a refused or unreadable line; empty without a lesson."""
    step = table.step
    if not isinstance(step, Yours):
        return ()
    typed = no.facts["typed"] if no and no.code == "off-script" else ""
    return _lines(table, step.wrong.get(typed, step.hint), voice)


def unread(table: Table, voice: Voice) -> str:
    """Return the reply to a line in a lesson that is neither a move nor a command."""
    said = " ".join(line.text.removeprefix("Coach: ") for line in comment(table, None, voice))
    return f"{NOT_A_MOVE} {said or 'Wait for the others.'}"


class Coach:
    """Announces each step of a lesson and what to do after it."""

    acts = EVERY_ACT

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    def observe(self, advanced: Advanced) -> None:
        """Introduce the step that has just started."""
        table = advanced.after
        if table.lesson is None:
            return
        moved_on = advanced.before.made != table.made or advanced.before.started != table.started
        person = self._learner(table)
        if person and table.step and moved_on:
            person.show(*_lines(table, table.step.say, person.voice))

    def say_farewell(self, table: Table) -> None:
        """Tell the learner what to do after a finished lesson. If another table waits for them, it gets the numbers."""
        person = self._learner(table)
        if person is None or table.lesson is None or table.step:
            return
        ways = next_steps.steps(self._publisher.tag.room, table, guest=person.guest)
        end = _lines(table, table.lesson.end, person.voice)
        if person.focus.waiting():
            person.show(*end, Line(f"Next: {', '.join(ways)}", "game", aloud=""))
            person.focus.answered()
            return
        listed = ", ".join(f"{number}. {words}" for number, words in enumerate(ways.values(), 1))
        spoken = ", ".join(f"{number} {words}" for number, words in enumerate(ways.values(), 1))
        row = Line(f"Next: {listed}.", "game", aloud=f"Next: {spoken}.")
        person.focus.offer(ways, rows=(row,))
        person.show(*end, row)

    def _learner(self, table: Table) -> Person | None:
        """Return the learner if they are connected to this node, else None."""
        lesson = table.lesson
        return self._publisher.near(table.seats[lesson.learner]) if lesson and table.started else None
