"""The turn of a seat: its states, the signals that change them, and what to do then, in one table.

A turn has three sides: the question, the time, and the reminders. Each side is a small state machine, because each is
driven by something else and has another lifetime. Nearly every combination of their states occurs. For example,
autopass is about to answer for a player who is disconnected, and late. A state belongs to one side only, so `TURN` has
the transitions of all three.

- **The question** follows from the log alone. Every process that reads a log comes to the same states, so a restart or
  a second node loses nothing. After each entry, a signal tells each seat with a legal move who answers. That is its
  player, autopass, a substitute, or a bot of its own. `turns_after` reads an entry.
- **The time** is counted only in the process that runs the table, while the question is open. It can end; the late rule
  of the table applies then, and the others may act for the seat. They do that by an act, which comes back through the
  log as a signal to the question. A restart of the server begins all turns again, because downtime costs nobody time.
  So does a late rule that can't act because nothing can be saved. An undo restores the time that a seat had.
- **The reminders** are for players who seem to have overlooked a question of a live game. There are two for each
  question. Someone who has just typed something is reminded later.

**Soft clock.** A quick table has no clock, so someone alone there has all the time they want. When another person
begins to wait for them, a minute begins, too (`WAITED_FOR`). After that the late rule lets a bot play, and the question
is `SUBSTITUTED`. Its player takes the seat back by making a move. They have a question again then, but aren't asked,
because that move is meant to answer it. A refusal of the move asks them.

Some things aren't states. A queued move is made as if it were typed when its player is asked. Grace, banks and the soft
limit belong to a seat, not to a turn: see `Clocks`.

Three transitions may look wrong, but have a reason. A player who is late stays late when they come back: only more
time changes that. Late players can get a warning, because the players can agree on a slower clock. Someone who turns
autopass off isn't asked again, because they know their question.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from enum import Enum
from typing import Any

import attrs

from lilygames.tables.log.acts import Act, Expired, Moved, Seated, Undone, UndoneUncounted
from lilygames.tables.state.table import Table, same_moves
from lilygames_rules.changed import maker
from lilygames_rules.kit import Seat


class State(Enum):
    """A state of one side of a seat's turn."""

    # the question
    FREE = "has no move to make"
    ASKED = "its player has a move to make"
    PASSING = "autopass answers for its player"
    SUBSTITUTED = "a bot answers until its player is back"
    BOT = "a bot has a move to make"
    # the time
    IDLE = "has no time running"
    RUNNING = "the time of a connected player runs"
    AWAY = "the time of a disconnected player runs"
    LATE = "the time of a connected player is up"
    LATE_AWAY = "the time of a disconnected player is up"
    # the reminders
    UNWATCHED = "isn't watched"
    WATCHED = "hasn't been reminded"
    REMINDED = "has been reminded once"
    REMINDED_TWICE = "has been reminded often enough"


class Signal(Enum):
    """Something that happens to a turn."""

    # an entry of the log, after which
    QUESTION = "its player is asked something new"
    SAME = "its player has the same question as before"
    PASSES = "autopass can answer for its player"
    SUBSTITUTE = "a substitute can move"
    BOT_MOVES = "a bot of its own can move"
    NO_MOVE = "it has no move to make"
    # the time and the reminders
    BEGINS = "a question is open, and its player is connected"
    BEGINS_AWAY = "a question is open, and its player is disconnected"
    ENDS = "the question isn't open any more"
    CAME = "its player is connected"
    WENT = "its player is disconnected"
    WARNING = "the time is nearly up"
    TIME_UP = "the time is up"
    LONGER = "its player has more time"
    RESTART = "nobody could move until now"
    WAITED_FOR = "others begin to wait at a quick table"
    ALONE = "nobody waits any more at a quick table"
    SILENT = "its player has typed nothing for a while"
    TYPED = "its player has typed something"


class Do(Enum):
    """Something to do because of a signal."""

    NOTHING = "nothing"
    ASK = "show its player the question"
    LET_GO = "let another table ask its player"
    WARN = "say how much time is left"
    APPLY_LATE_RULE = "skip the turn, let a bot play it, or ask the others"
    REMIND = "ring the player's bell and change the title of their window"
    CLEAR_TITLE = "set the title of their window back"


TURN: Mapping[State, Mapping[Signal, tuple[State, Do]]] = {
    # the question
    State.FREE: {
        Signal.QUESTION: (State.ASKED, Do.ASK),
        Signal.PASSES: (State.PASSING, Do.NOTHING),
        Signal.SUBSTITUTE: (State.SUBSTITUTED, Do.NOTHING),
        Signal.BOT_MOVES: (State.BOT, Do.NOTHING),
        Signal.NO_MOVE: (State.FREE, Do.NOTHING),
    },
    State.ASKED: {
        Signal.QUESTION: (State.ASKED, Do.ASK),  # after their own move, an undo, or a change of their legal moves
        Signal.SAME: (State.ASKED, Do.NOTHING),  # others moved
        Signal.PASSES: (State.PASSING, Do.NOTHING),  # they turned autopass on
        Signal.SUBSTITUTE: (State.SUBSTITUTED, Do.LET_GO),
        Signal.BOT_MOVES: (State.BOT, Do.LET_GO),  # they left
        Signal.NO_MOVE: (State.FREE, Do.LET_GO),
    },
    State.PASSING: {
        Signal.QUESTION: (State.ASKED, Do.ASK),
        Signal.SAME: (State.ASKED, Do.NOTHING),  # they turned autopass off
        Signal.PASSES: (State.PASSING, Do.NOTHING),
        Signal.SUBSTITUTE: (State.SUBSTITUTED, Do.LET_GO),
        Signal.BOT_MOVES: (State.BOT, Do.LET_GO),
        Signal.NO_MOVE: (State.FREE, Do.LET_GO),
    },
    State.SUBSTITUTED: {
        Signal.QUESTION: (State.ASKED, Do.NOTHING),  # its player is back, and is shown the table by what they typed
        Signal.PASSES: (State.PASSING, Do.NOTHING),
        Signal.SUBSTITUTE: (State.SUBSTITUTED, Do.NOTHING),
        Signal.BOT_MOVES: (State.BOT, Do.NOTHING),  # its player left for good
        Signal.NO_MOVE: (State.FREE, Do.NOTHING),
    },
    State.BOT: {
        Signal.QUESTION: (State.ASKED, Do.ASK),  # someone took over the seat
        Signal.PASSES: (State.PASSING, Do.NOTHING),
        Signal.SUBSTITUTE: (State.SUBSTITUTED, Do.NOTHING),
        Signal.BOT_MOVES: (State.BOT, Do.NOTHING),
        Signal.NO_MOVE: (State.FREE, Do.NOTHING),
    },
    # the time
    State.IDLE: {
        Signal.BEGINS: (State.RUNNING, Do.NOTHING),
        Signal.BEGINS_AWAY: (State.AWAY, Do.NOTHING),
    },
    State.RUNNING: {
        Signal.CAME: (State.RUNNING, Do.NOTHING),
        Signal.WENT: (State.AWAY, Do.NOTHING),
        Signal.WARNING: (State.RUNNING, Do.WARN),
        Signal.TIME_UP: (State.LATE, Do.APPLY_LATE_RULE),
        Signal.LONGER: (State.RUNNING, Do.NOTHING),
        Signal.RESTART: (State.RUNNING, Do.NOTHING),
        Signal.WAITED_FOR: (State.RUNNING, Do.NOTHING),
        Signal.ALONE: (State.RUNNING, Do.NOTHING),
        Signal.ENDS: (State.IDLE, Do.NOTHING),
    },
    State.AWAY: {
        Signal.CAME: (State.RUNNING, Do.NOTHING),
        Signal.WENT: (State.AWAY, Do.NOTHING),
        Signal.WARNING: (State.AWAY, Do.WARN),
        Signal.TIME_UP: (State.LATE_AWAY, Do.APPLY_LATE_RULE),
        Signal.LONGER: (State.AWAY, Do.NOTHING),
        Signal.RESTART: (State.AWAY, Do.NOTHING),
        Signal.WAITED_FOR: (State.AWAY, Do.NOTHING),
        Signal.ALONE: (State.AWAY, Do.NOTHING),
        Signal.ENDS: (State.IDLE, Do.NOTHING),
    },
    State.LATE: {
        Signal.CAME: (State.LATE, Do.NOTHING),
        Signal.WENT: (State.LATE_AWAY, Do.NOTHING),
        Signal.WARNING: (State.LATE, Do.WARN),
        Signal.LONGER: (State.RUNNING, Do.NOTHING),
        Signal.RESTART: (State.RUNNING, Do.NOTHING),
        Signal.WAITED_FOR: (State.RUNNING, Do.NOTHING),
        Signal.ALONE: (State.RUNNING, Do.NOTHING),
        Signal.ENDS: (State.IDLE, Do.NOTHING),
    },
    State.LATE_AWAY: {
        Signal.CAME: (State.LATE, Do.NOTHING),
        Signal.WENT: (State.LATE_AWAY, Do.NOTHING),
        Signal.WARNING: (State.LATE_AWAY, Do.WARN),
        Signal.LONGER: (State.AWAY, Do.NOTHING),
        Signal.RESTART: (State.AWAY, Do.NOTHING),
        Signal.WAITED_FOR: (State.AWAY, Do.NOTHING),
        Signal.ALONE: (State.AWAY, Do.NOTHING),
        Signal.ENDS: (State.IDLE, Do.NOTHING),
    },
    # the reminders
    State.UNWATCHED: {
        Signal.BEGINS: (State.WATCHED, Do.NOTHING),
    },
    State.WATCHED: {
        Signal.SILENT: (State.REMINDED, Do.REMIND),
        Signal.TYPED: (State.WATCHED, Do.NOTHING),
        Signal.ENDS: (State.UNWATCHED, Do.NOTHING),
    },
    State.REMINDED: {
        Signal.SILENT: (State.REMINDED_TWICE, Do.REMIND),
        Signal.TYPED: (State.REMINDED, Do.NOTHING),
        Signal.ENDS: (State.UNWATCHED, Do.CLEAR_TITLE),
    },
    State.REMINDED_TWICE: {
        Signal.ENDS: (State.UNWATCHED, Do.CLEAR_TITLE),
    },
}
"""The next state for each signal in each state, and what there is to do. Anything else raises `WrongTurn`."""


PLAYED_BY_BOTS = (State.SUBSTITUTED, State.BOT)
"""The states in which a bot makes the seat's move."""


class WrongTurn(Exception):
    """A signal that can't come in a state."""

    def __init__(self, state: State, signal: Signal) -> None:
        super().__init__(f"a turn is in state {state.name}, where {signal.name} can't happen")


def after(state: State, signal: Signal) -> tuple[State, Do]:
    """Return the next state, which may be the same, and what there is to do; raises `WrongTurn`."""
    following = TURN[state].get(signal)
    if following is None:
        raise WrongTurn(state, signal)
    return following


def may_happen(state: State, signal: Signal) -> bool:
    """Return whether a signal can come in a state."""
    return signal in TURN[state]


@attrs.frozen
class Asked:
    """A seat's open question: its legal moves, the log entry that asked it, and the time."""

    moves: Sequence[Any]
    seq: int
    at: float


Open = Mapping[Seat, Asked]
"""Open questions of a table's people, by seat. The same log always gives the same questions."""


@attrs.frozen
class Turn:
    """A seat's turn according to the log: who answers, and the question if that is a person."""

    state: State = State.FREE
    asked: Asked | None = None


Turns = Mapping[Seat, Turn]
"""The turns of the seats that have a move to make, in their order; all other seats are free."""
_FREE = Turn()
_asked, _turn = maker(Asked), maker(Turn)


def turns_after(
    before: Turns, table: Table, act: Act, at: float, passes: Callable[[Table, Seat], bool]
) -> tuple[Turns, Mapping[Seat, Do]]:
    """Return the turns after an act, and what there is to do for each seat that has a turn now or had one before.

    A question that stays open keeps its value. A seat that just moved or changed players is asked again even if its
    moves are the same. After an undo, everyone is asked again. `passes` says whether autopass can answer for a seat.
    """
    match act:
        case Moved(seat) | Expired(seat) | Seated(seat):
            anew: Container[Seat] = (seat,)
        case Undone() | UndoneUncounted():
            anew = before
        case _:
            anew = ()
    turns, todo = dict[Seat, Turn](), dict[Seat, Do]()
    for seat in table.to_move:
        turn = before.get(seat, _FREE)
        kept = None if seat in anew else turn.asked
        asked = _question(kept, table, seat, at)
        state, todo[seat] = after(turn.state, _signal(table, seat, kept, asked, passes))
        turns[seat] = _turn(state, asked)
    for seat, turn in before.items():
        if seat not in turns:
            _, todo[seat] = after(turn.state, Signal.NO_MOVE)
    return turns, todo


def _question(kept: Asked | None, table: Table, seat: Seat, at: float) -> Asked | None:
    """Return the question to a seat's player: the one that is `kept`, if its moves are the same; None for a bot."""
    if not table.seats[seat].person:
        return None
    moves = table.moves(seat)
    return kept if kept and same_moves(kept.moves, moves) else _asked(moves, table.seq, at)


def _signal(
    table: Table, seat: Seat, kept: Asked | None, asked: Asked | None, passes: Callable[[Table, Seat], bool]
) -> Signal:
    """Return what an entry means to a seat that has a move to make after it."""
    who = table.seats[seat]
    if asked is None:
        return Signal.SUBSTITUTE if who.stands_in and not who.gone else Signal.BOT_MOVES
    if passes(table, seat):
        return Signal.PASSES
    return Signal.SAME if asked is kept else Signal.QUESTION
