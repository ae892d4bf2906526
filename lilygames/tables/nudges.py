"""Reminders for players who seem to have overlooked that it is their turn."""

from __future__ import annotations

import asyncio

import attrs

from lilygames.chat.people import Person
from lilygames.tables.publish import Publisher
from lilygames.tables.questions import Asked, Questions
from lilygames.tables.runner import Advanced, Runner
from rules.kit import Seat

AFTER = 20.0
"""Seconds without typing until a reminder."""
TIMES = 2
"""Reminders for one question."""


@attrs.frozen
class _Watch:
    """An open question, the timer for its next reminder, and whom it reminded, if anyone."""

    asked: Asked
    timer: asyncio.TimerHandle | None = None
    reminded: Person | None = None


class Nudges:
    """Rings the bell and changes the window's title for players who are asked to move and type nothing."""

    def __init__(self, runner: Runner, publisher: Publisher, questions: Questions) -> None:
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._watches: dict[Seat, _Watch] = {}

    def observe(self, _: Advanced) -> None:
        """Follow a step of the table."""
        self.run()

    def run(self) -> None:
        """Watch the open questions of a live game, and forget those that were answered."""
        asked = {} if self._runner.table.clock.slow or self._runner.rests else self._questions.open
        for seat, watch in [*self._watches.items()]:
            if asked.get(seat) is not watch.asked:
                self._forget(seat)
        for seat in asked.keys() - self._watches.keys():
            self._wait(seat, asked[seat], TIMES, AFTER)

    def _forget(self, seat: Seat) -> None:
        watch = self._watches.pop(seat)
        if watch.timer:
            watch.timer.cancel()
        if watch.reminded and watch.reminded.terminal:
            watch.reminded.terminal.entitle("")

    def _wait(self, seat: Seat, asked: Asked, times: int, seconds: float, reminded: Person | None = None) -> None:
        """Look at the seat's player again in some seconds, if any reminder is left."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        timer = loop.call_at(due, self._look, seat, times, due) if times else None
        self._watches[seat] = _Watch(asked, timer, reminded)

    def _look(self, seat: Seat, times: int, due: float) -> None:
        """Remind the seat's player if they have typed nothing for long enough; else look again later."""
        watch, person = self._watches[seat], self._publisher.near(self._runner.table.seats[seat])
        if person is None or self._questions.open.get(seat) is not watch.asked:
            self._forget(seat)  # whoever comes back is watched from then on
            return
        typed = AFTER - person.activity.idle_seconds
        if typed > 0 and typed > due - asyncio.get_running_loop().time():
            self._wait(seat, watch.asked, times, typed, watch.reminded)
            return
        reminded = watch.reminded
        if person.terminal and person.profile.settings.get("nudge", "on") == "on" and not person.voice.each:
            person.terminal.ring()
            person.terminal.entitle(f"Your turn: {self._runner.room.name}")
            reminded = person
        self._wait(seat, watch.asked, times - 1, AFTER, reminded)
