"""Reminders for players who seem to have overlooked that it is their turn."""

from __future__ import annotations

import asyncio

import attrs

from lilygames.chat.people.people import Person
from lilygames.tables.log.acts import EVERY_ACT
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Questions
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.turn import Asked, Do, Open, Signal, State, after, may_happen
from lilygames_rules.changed import maker
from lilygames_rules.kit import Seat

AFTER = 20.0
"""Seconds without typing until a reminder."""


@attrs.frozen
class _Watch:
    """An open question, the loop's time of its next reminder, its state, and whom it reminded, if anyone."""

    asked: Asked
    due: float
    state: State
    reminded: Person | None = None

    @property
    def done(self) -> bool:
        """Whether there will be no more reminders of this question."""
        return not may_happen(self.state, Signal.SILENT)


_watch = maker(_Watch)
_NOBODY: Open = {}


class Nudges:
    """Rings the bell and changes the window's title for players who are asked to move and type nothing."""

    acts = EVERY_ACT

    def __init__(self, runner: Runner, publisher: Publisher, questions: Questions) -> None:
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._watches: dict[Seat, _Watch] = {}
        self._followed: Open = _NOBODY
        """The open questions that `run` saw last."""
        self._timer: asyncio.TimerHandle | None = None
        """For the next look at the watches. Most questions are answered before, so all of them share it."""

    def observe(self, _: Advanced) -> None:
        """Follow a step of the table."""
        self.run()

    def run(self) -> None:
        """Watch the open questions of a live game, and forget those that were answered."""
        asked = _NOBODY if self._runner.table.clock.slow or self._runner.rests else self._questions.open
        if asked is self._followed and len(asked) == len(self._watches):
            return
        self._followed = asked
        for seat, watch in [*self._watches.items()]:
            if asked.get(seat) is not watch.asked:
                self._forget(seat)
        due = asyncio.get_running_loop().time() + AFTER
        for seat in asked.keys() - self._watches.keys():
            state, _ = after(State.UNWATCHED, Signal.BEGINS)
            self._watches[seat] = _watch(asked[seat], due, state)
        if self._timer is None:  # an earlier one looks at these, too
            self._look_later()

    def _forget(self, seat: Seat) -> None:
        watch = self._watches.pop(seat)
        _, do = after(watch.state, Signal.ENDS)
        if do is Do.CLEAR_TITLE and watch.reminded and watch.reminded.terminal:
            watch.reminded.terminal.entitle("")

    def _look_later(self) -> None:
        """Look at the players again when a reminder may be due, unless that happens before anyway."""
        due = min((watch.due for watch in self._watches.values() if not watch.done), default=None)
        if due is not None and (self._timer is None or due < self._timer.when()):
            if self._timer:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(due, self._look)

    def _look(self) -> None:
        """Remind the players whose reminders are due."""
        self._timer = None
        now = asyncio.get_running_loop().time()
        for seat, watch in [*self._watches.items()]:
            if not watch.done and watch.due <= now:
                self._remind(seat, watch, now)
        self._look_later()

    def _remind(self, seat: Seat, watch: _Watch, now: float) -> None:
        """Remind the seat's player if they have typed nothing for long enough; else they are looked at again later."""
        person = self._publisher.near(self._runner.table.seats[seat])
        if person is None or self._questions.open.get(seat) is not watch.asked:
            self._forget(seat)  # whoever comes back is watched from then on
            return
        typed = AFTER - person.activity.idle_seconds
        if typed > 0 and typed > watch.due - now:
            state, _ = after(watch.state, Signal.TYPED)
            self._watches[seat] = attrs.evolve(watch, due=now + typed, state=state)
            return
        state, do = after(watch.state, Signal.SILENT)
        reminded = watch.reminded
        wanted = person.profile.settings.get("nudge", "on") == "on" and not person.voice.each
        if do is Do.REMIND and wanted and person.terminal:
            person.terminal.ring()
            person.terminal.entitle(f"Your turn: {self._runner.room.name}")
            reminded = person
        self._watches[seat] = _watch(watch.asked, now + AFTER, state, reminded)
