"""Moves that wait for the next bots' moves, so that one row tells them together; and remarks that follow that row."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import takewhile

import attrs

from lilygames.chat.people.people import Person, Room
from lilygames.tables.log.acts import Expired, Moved
from lilygames.tables.play.runner import Advanced
from lilygames.tables.state.table import Table
from lilygames.text import Line
from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Event, Seat


def _asked(step: Step) -> frozenset[Seat]:
    before = () if step.before is step.after else step.before.to_move
    return frozenset([seat for seat in step.after.to_move if seat == step.person or seat not in before])


def _asks_people(step: Step) -> bool:
    people = [seat for seat in step.after.to_move if step.after.seats[seat].person]
    if step.by_bot and step.asked.isdisjoint(people):
        return bool(people) and len(people) == len(step.after.to_move)
    return bool(people)


@attrs.frozen
class Step:
    """Events to tell, with the table before and after them."""

    before: Table
    after: Table
    events: tuple[Event, ...]
    person: Seat | None = None
    """The seat of the person who moved; None if a bot moved, or if it isn't a move."""
    merges: bool = True
    """Whether it may share a row with others."""
    by_bot: bool = False
    """Whether it is a bot's move."""
    typed_by: Seat | None = None
    """The seat whose player has just typed it; None once it waits for a later row."""
    asked: frozenset[Seat] = attrs.field(default=attrs.Factory(_asked, takes_self=True))
    """The seats that are asked to move after it, and weren't asked before or have moved."""

    asks_people: bool = attrs.field(default=attrs.Factory(_asks_people, takes_self=True))
    """Whether people are to move now; other bots' moves come first if the people had been asked before a bot's."""

    @property
    def awaited(self) -> Seat | None:
        """The other person who moves next, if a person's move does nothing but hand them the turn."""
        if self.person is None or len(self.after.to_move) != 1 or not self.events:
            return None
        for event in self.events:
            if getattr(event, "seat", None) != self.person:
                return None
        (seat,) = self.after.to_move
        asked_now = seat in self.asked and seat != self.person
        return seat if asked_now and self.after.seats[seat].person else None


_step = maker(Step)


def played(advanced: Advanced) -> tuple[Event, ...]:
    """Return the events of a step, without the next deal if it's the last step of a lesson: nobody plays that deal."""
    table, merging = advanced.after, advanced.after.game.merging
    if merging is None or not (table.lesson and table.started and table.step is None) or table.outcome is not None:
        return advanced.events
    dealt = [*takewhile(lambda event: isinstance(event, merging.waits), reversed(advanced.events))]
    return advanced.events[: len(advanced.events) - len(dealt)] or advanced.events


def step_of(advanced: Advanced) -> Step:
    """Return all events of a step that are told; those of a move may share a row with others."""
    act, after, person = advanced.act, advanced.after, mover(advanced)
    is_moved = isinstance(act, Moved)
    is_move = is_moved or isinstance(act, Expired)
    by_bot = is_moved and person is None
    return _step(advanced.before, after, played(advanced), person, is_move, by_bot, advanced.typed_by)


def parts(whole: Step) -> tuple[Step, Step | None]:
    """Return what has to be told at once, and what may wait for the next move; the last part of a step may.

    It may if the game lets these events wait, and if only bots are to move. The start of a game always has such a part.
    A part without the move itself has the table after the step as the one before it, too.
    """
    after, events, is_move = whole.after, whole.events, whole.merges
    merging = after.game.merging
    if merging is None or not after.to_move or (is_move and whole.asks_people):
        return whole, None
    waiting = [*takewhile(lambda event: isinstance(event, merging.waits), reversed(events))]
    told = len(events) - len(waiting)
    if not told and is_move:
        return changed(whole, events=()), whole
    if not waiting:
        return whole, None
    return changed(whole, events=events[:told]), Step(after, after, events[told:], typed_by=whole.typed_by)


def mover(advanced: Advanced) -> Seat | None:
    """Return the seat of the person who moved; None if a bot moved, or if the step isn't a move."""
    match advanced.act:
        case Moved(seat) | Expired(seat) if advanced.after.seats[seat].person:
            return seat
    return None


def is_repeated(step: Step) -> bool:
    """Return whether a later row repeats a move, so that the player who has just typed it needs no row at once."""
    merging = step.after.game.merging
    return merging is not None and all(isinstance(event, merging.repeated) for event in step.events)


class HeldMoves:
    """The steps that haven't been told, oldest first."""

    def __init__(self, late: Callable[[], object], latest: float | None) -> None:
        self._late = late
        """Called when the moves have waited for `latest` seconds; None means that they may wait for any time."""
        self._latest = latest
        self._since = 0.0
        self._steps: list[Step] = []
        self._seq = 0
        self._timer: asyncio.TimerHandle | None = None
        self._typed_by: Seat | None = None

    @property
    def waits(self) -> bool:
        """Whether any step hasn't been told."""
        return bool(self._steps)

    @property
    def moves(self) -> int:
        """How many bots' moves they are."""
        return sum(step.by_bot for step in self._steps)

    @property
    def has_moves(self) -> bool:
        """Whether any step is a move. Others are what follows from one, such as the next deal."""
        return any(step.by_bot or step.person is not None for step in self._steps)

    @property
    def age(self) -> float:
        """Seconds since steps were last told."""
        return time.monotonic() - self._since

    @property
    def seq(self) -> int | None:
        """The last log entry before these moves; None without any."""
        return self._seq if self._steps else None

    def add(self, step: Step, typed_by: Seat | None = None) -> None:
        """Add a step. `typed_by` is the seat that typed it, if all others have been told."""
        if not self._steps:
            self._seq, self._typed_by = step.after.seq - 1, typed_by
        self._steps.append(step if step.typed_by is None else changed(step, typed_by=None))
        if self._timer is None and self._latest is not None:
            self._timer = asyncio.get_running_loop().call_later(self._latest, self._late)

    def take(self, last: Step | None = None) -> tuple[tuple[Step, ...], Seat | None]:
        """Return the steps, and hold none; `last` is one more step that doesn't wait.

        The second result is the seat that typed the first of them, if all others have been told that one.
        """
        self._since = time.monotonic()
        if not self._steps:
            return ((last,) if last else ()), None
        steps, self._steps = (*self._steps, *([last] if last else ())), []
        if self._timer:
            self._timer.cancel()
            self._timer = None
        return steps, self._typed_by


class HeldRemarks:
    """Remarks of bots that wait for the row about the moves before them, oldest first."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lines: list[tuple[Line, Callable[[Person], bool], bool]] = []

    def add(self, line: Line, wants: Callable[[Person], bool], *, small: bool = False) -> None:
        """Hold a remark for the people in the room who want to hear it; `small` marks small talk."""
        self._lines.append((line, wants, small))

    @property
    def holds_small_talk(self) -> bool:
        """Whether small talk waits."""
        return any(small for _, _, small in self._lines)

    def drop_small_talk(self) -> None:
        """Leave out small talk that waits: since then, something has happened that it isn't about."""
        self._lines = [one for one in self._lines if not one[2]]

    def say(self) -> None:
        """Show the remarks."""
        lines, self._lines = self._lines, []
        for line, wants, _ in lines:
            for person in [*self._room.people.values()]:
                if wants(person):
                    person.overhear(self._room, line)
