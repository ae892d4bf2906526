"""A table as a value: the fold of its log. Pure; nothing here waits, writes or speaks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.names import fold
from lilygames.game import Game
from lilygames.lesson import Lesson, Theirs, Yours
from lilygames.store import Entry
from lilygames.tables import seal
from lilygames.tables.clocks import Clock
from lilygames.tables.log import (
    Act,
    Body,
    Closed,
    Cut,
    Expired,
    Header,
    Hinted,
    Joined,
    Left,
    Moved,
    Noted,
    Paced,
    Paused,
    Resumed,
    Seated,
    Sitter,
    Start,
    Undone,
    UndoneUncounted,
)
from lilygames.tables.seats import Seats
from lilygames.text import Voice
from rules.kit import Event, Join, KeyedLuck, Leave, Luck, Outcome, Refused, Seat, Step


class Diverged(Exception):
    """The log tells another story than its replay: entry `seq` is the first that differs."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"entry {seq} differs from its replay")
        self.seq = seq


def _headed(header: Header) -> str:
    """Return the digest before the first entry: of the header, so that an option is part of the story from its start.

    What stands at its default is left out: a field that a later release adds changes no older table's digest.
    """
    fields = [(field, getattr(header, field.name)) for field in attrs.fields(Header)]
    return _digest(codec.to_text({field.name: value for field, value in fields if value != field.default}))


PLAIN, SPOKEN = Voice(), Voice(spoken=True)
UNDOABLE = 50
"""Moves that can be taken back, the latest ones. It may grow and must never shrink: logs rely on it."""


def _seats(sitters: Iterable[Sitter]) -> Seats:
    """Return sitters as the seats of a table; seats are themselves, so that what was worked out is kept."""
    return sitters if isinstance(sitters, Seats) else Seats(sitters)


@attrs.frozen
class Past:
    """A move that can be taken back: who made it, and the game and its clock before it, as after entry `to`."""

    to: int
    state: Any = attrs.field(repr=False)
    clock: Clock
    who: Sitter
    act: Moved | Expired


@attrs.frozen
class Table:
    """One game in play: header and secret, what the log has said so far, and the rules' own state once started."""

    header: Header
    game: Game
    secret: bytes = attrs.field(repr=False)
    seq: int = 0
    told: str = attrs.field(default=attrs.Factory(lambda self: _headed(self.header), takes_self=True))
    seats: Seats = attrs.field(default=Seats(), converter=_seats)
    cuts: tuple[tuple[Seat, str], ...] = ()
    purses: tuple[int, ...] = ()
    """What each seat brought; nothing where the game asks for none."""
    state: Any = None
    paused: bool = False
    closed: bool = False
    clock: Clock = attrs.field(default=attrs.Factory(lambda self: self.header.clock, takes_self=True))
    counted: bool = True
    """Whether the game counts for ratings, statistics and purses."""
    hints: bool = False
    """Whether the players may see hints."""
    owed: tuple[int, ...] = ()
    """What each seat had won or lost of its purse when the game stopped counting."""
    past: tuple[Past, ...] = attrs.field(default=(), eq=False, repr=False)
    """The latest moves that can be taken back, the last one last."""
    made: int = 0
    """How many moves have been made: where a lesson stands."""
    undone: int = attrs.field(default=0, eq=False)
    """How many moves the last act took back."""
    said: codec.Json = attrs.field(default=None, eq=False, repr=False)
    """The last act as it is kept: dumped once, for its digest and for its entry."""
    lucky: Callable[[bytes], KeyedLuck] = attrs.field(default=KeyedLuck, eq=False, repr=False)
    """What makes luck of a key: one that counts, for who looks whether it is fair."""

    @property
    def options(self) -> Any:
        """The house rules of this table."""
        return codec.load(self.header.options, self.game.rules.Options)

    @property
    def started(self) -> bool:
        """Whether the first card has been dealt."""
        return self.state is not None

    @cached_property
    def lesson(self) -> Lesson | None:
        """The lesson that is played here; None where it is a game like any other."""
        return self.game.lesson if self.header.lesson else None

    @property
    def step(self) -> Theirs | Yours | None:
        """What comes next in a lesson; None when it is over, and in any other game."""
        return self.lesson.step(self.made) if self.lesson and self.started else None

    @cached_property
    def scripted(self) -> tuple[Seat, Any] | None:
        """The one move that comes next in a lesson and whose it is; None when it is over, and in any other game."""
        step, lesson = self.step, self.lesson
        if step is None or lesson is None:
            return None
        seat = step.seat if isinstance(step, Theirs) else lesson.learner
        return seat, step.meant(self.view(seat), self.game.commands)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on or has not begun."""
        return self.game.rules.outcome(self.state) if self.started else None

    @cached_property
    def ended(self) -> bool:
        """Whether the game, or the lesson, has come to its end, so that the table is to be closed."""
        return self.outcome is not None or (self.lesson is not None and self.started and self.step is None)

    @cached_property
    def going(self) -> bool:
        """Whether moves can be made."""
        return self.started and not self.closed and not self.ended

    @cached_property
    def key(self) -> bytes:
        """What all luck of the table is drawn from."""
        return seal.key_of(self.secret, self.cuts)

    def moves(self, seat: Seat) -> Sequence[Any]:
        """Return the legal moves of a seat, none before the start and after the end."""
        if self.paused or not self.going:
            return ()
        if seat not in self._listed:
            self._listed[seat] = self.game.rules.moves(self.state, seat)
        return self._listed[seat]

    @cached_property
    def _listed(self) -> dict[Seat, Sequence[Any]]:
        """The moves of the seats that have been asked for: whoever shows, waits or thinks asks anew."""
        return {}

    @cached_property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that have a legal move now."""
        return tuple([seat for seat in range(len(self.seats)) if len(self.moves(seat))])

    def view(self, seat: Seat | None) -> Any:
        """Return what a seat, or a watcher, may know of the game."""
        if seat not in self._viewed:
            self._viewed[seat] = self.game.rules.view(self.state, seat)
        return self._viewed[seat]

    @cached_property
    def _viewed(self) -> dict[Seat | None, Any]:
        """The views of those who have been shown the game."""
        return {}

    def after(self, act: Act) -> tuple[Table, tuple[Event, ...]]:
        """Return the table after the next entry says `act`, and what happened; raises `Refused`, changing nothing."""
        if self.closed:
            raise Refused("game-over")
        self._check_lesson(act)
        match act:
            case Seated(seat, who):
                limit = self.game.rules.SEATS.stop - 1
                return self._with(act, seats=self.seats.reseated(seat, who, started=self.started, limit=limit)), ()
            case Closed() | Noted():
                return self._with(act, closed=isinstance(act, Closed)), ()
            case Cut() | Start() if self.started:
                raise Refused("started")
            case Cut(seat, word):
                return self._with(act, cuts=(*self.cuts, (seat, word))), ()
            case Start(purses):
                step = self.game.rules.start(len(self.seats), self.options, purses, self._luck)
                return self._with(act, step.events, state=step.state, purses=purses), step.events
            case _ if not self.started:
                raise Refused("not-started")
            case Paused() | Resumed() | Paced() | Undone() | UndoneUncounted() | Hinted():
                return self._with(act, **self._set(act)), ()
            case _ if self.paused:
                raise Refused("adjourned")
        step, changed = self._played(act)
        return self._with(act, step.events, state=step.state, **changed), step.events

    def _check_lesson(self, act: Act) -> None:
        """Raise `Refused` for what a lesson has no room for: it goes on by moves alone."""
        if self.lesson and self.started and not isinstance(act, Moved | Closed):
            raise Refused("lesson")

    def taken_back(self, to: int) -> tuple[Past, ...]:
        """Return the moves that are taken back if the game is to be as it was after entry `to`; raises `Refused`."""
        first = next((place for place in reversed(range(len(self.past))) if self.past[place].to <= to), None)
        if first is None:
            raise Refused("no-undo")
        return self.past[first:]

    def _set(self, act: Paused | Resumed | Paced | Undone | UndoneUncounted | Hinted) -> dict[str, Any]:
        """Return what an act about the table itself changes."""
        match act:
            case Paced(clock):
                return {"clock": clock}
            case Undone(to):
                return self._back(to)
            case Hinted():
                return {"hints": True} | self._uncounted()
            case UndoneUncounted(to):
                return self._back(to) | self._uncounted()
        if self.paused == isinstance(act, Paused):
            raise Refused("adjourned" if self.paused else "not-adjourned")
        return {"paused": not self.paused}

    def _back(self, to: int) -> dict[str, Any]:
        if self.paused:
            raise Refused("adjourned")
        moves = self.taken_back(to)
        kept = self.past[: -len(moves)]
        return {"state": moves[0].state, "clock": moves[0].clock, "past": kept, "undone": len(moves)}

    def _uncounted(self) -> dict[str, Any]:
        if not self.counted:
            return {}
        purse = self.game.purse
        return {"counted": False, "owed": tuple(purse.changes(self.view(None))) if purse else ()}

    def _played(self, act: Joined | Left | Moved | Expired) -> tuple[Step[Any], dict[str, Any]]:
        """Return what the rules make of an act in play, and what changes at the table itself."""
        move: Any
        changed: dict[str, Any]
        match act:
            case Joined() | Left() if not self.game.joins:
                raise Refused("started")
            case Joined(seat, who, purse):
                seats, purses = self.seats.joined(seat, who), (*self.purses, purse)
                move, changed = Join(purse), {"seats": seats, "purses": purses, "past": ()}
            case Left(seat):
                move, changed = Leave(), {"seats": self.seats.left(seat), "past": ()}
            case Moved(seat, kept) | Expired(seat, _, kept):
                move = codec.load(kept, self.game.rules.Move)
                if self.lesson:
                    self._check_script(seat, move)
                made = Past(self.seq, self.state, self.clock, self.seats[seat], act)
                changed = {"past": (*self.past[1 - UNDOABLE :], made), "made": self.made + 1}
        return self.game.rules.apply(self.state, seat, move, self._luck), changed

    def _check_script(self, seat: Seat, move: Any) -> None:
        """Raise `Refused` for a move that is not the lesson's next one, nor another way to type it.

        It is tried with luck that counts nowhere, as the lesson has none for it; what the rules refuse they refuse.
        """
        if (seat, move) == self.scripted:
            return
        tried = self.game.rules.apply(self.state, seat, move, KeyedLuck(b""))
        meant = self.scripted and self.game.rules.apply(self.state, *self.scripted, KeyedLuck(b""))
        if meant is None or tried.state != meant.state:
            raise Refused("off-script", typed=self.game.spell(move))

    @property
    def _luck(self) -> Luck:
        if self.lesson:
            return self.lesson.luck(self.made, started=self.started)
        return seal.luck_of(self.key, self.seq + 1, self.lucky)

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return self.seats.names

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person of that name."""
        return self.seats.by_name.get(fold(name))

    def stood_in_for(self, name: str) -> Seat | None:
        """Return the seat in which a bot sits for the person of that name, who may have it back."""
        return self.seats.kept.get(fold(name))

    def own_seat(self, name: str) -> Seat | None:
        """Return the seat that belongs to the person of that name, even if a bot sits in it for them."""
        seat = self.seat_of(name)
        return self.stood_in_for(name) if seat is None else seat

    def _with(self, act: Act, events: tuple[Event, ...] = (), **changed: Any) -> Table:
        said = codec.dump(act)
        told = _chained(self.told, said, events)
        return attrs.evolve(self, seq=self.seq + 1, told=told, said=said, **({"undone": 0} | changed))

    @property
    def body(self) -> str:
        """The body of the entry that led here."""
        return codec.encode(codec.tagged(Body, act=self.said, told=self.told))

    def read(self, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        """Return the table after a stored entry, and what happened then; raises `Diverged` where it tells otherwise."""
        try:
            body = codec.from_text(entry.body, Body)
            after, events = self.after(body.act)
        except (Refused, ValueError, LookupError, TypeError) as problem:
            raise Diverged(self.seq + 1) from problem
        if entry.seq != after.seq or body.told != after.told:
            raise Diverged(after.seq)
        return after, events


COMPARED = 64
"""How many of a long list of moves are compared to see whether a question is a new one."""


def first_moves(table: Table, seat: Seat) -> tuple[Any, ...]:
    """Return the legal moves of a seat, the first of a very long list."""
    return tuple(itertools.islice(table.moves(seat), COMPARED))


def _chained(told: str, said: codec.Json, events: tuple[Event, ...]) -> str:
    """Return the digest of the story so far, this act, and what it made happen: 16 hexadecimal digits of SHA-256."""
    return _digest(told + codec.encode([said, codec.dump(events)]))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
