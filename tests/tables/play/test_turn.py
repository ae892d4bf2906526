"""The turn of a seat as a table of transitions: what it says is what the flags of clocks, questions and bells say."""

import ast
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.tables.log.acts import (
    Header,
    Moved,
    Noted,
    Paused,
    Resumed,
    Seated,
    Sitter,
    Start,
    UndoneUncounted,
)
from lilygames.tables.log.clocks import Clock
from lilygames.tables.play import turn
from lilygames.tables.play.turn import TURN, Asked, Do, Signal, State, WrongTurn, after, turns_after
from lilygames.tables.play.turn_timers import Clocks
from lilygames.tables.seal import seal
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Refused
from tests.toys import TALLY

NAMES = ("ann", "bob", "cat")
PEOPLE = (State.ASKED, State.PASSING)


def test_every_state_lists_what_can_happen():
    assert {*State} == {*TURN}


def test_every_signal_and_everything_to_do_is_used():
    rows = [row for rows in TURN.values() for row in rows.items()]

    assert {*Signal} == {signal for signal, _ in rows}
    assert {*Do} == {do for _, (_, do) in rows}


@pytest.mark.parametrize(
    ("state", "signal"),
    [
        (State.FREE, Signal.SAME),
        (State.LATE, Signal.TIME_UP),
        (State.IDLE, Signal.ENDS),
        (State.REMINDED_TWICE, Signal.SILENT),
        (State.RUNNING, Signal.QUESTION),
    ],
)
def test_signal_that_cannot_come_is_refused(state, signal):
    with pytest.raises(WrongTurn):
        after(state, signal)


def states_named():
    """Yield each use of a state outside the module of the table, as the kind of expression that it is part of."""
    for path in Path(turn.__file__).parents[1].rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in around if "from lilygames.tables.play.turn import" in path.read_text("utf-8") else ():
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "State":
                outer = around[node]
                outer = around[outer] if isinstance(outer, ast.Tuple) else outer
                yield outer.func.id if isinstance(outer, ast.Call) else type(outer).__name__


def test_only_the_table_changes_the_state_of_a_turn():
    """Elsewhere a state is compared, or it is the one before the first signal."""
    assert {"Compare", "after"} == {*states_named()}


# The question.


def begun():
    """Return a table of three people at which a Tally has begun, and the people whose autopass is on: none."""
    options = codec.dump(TALLY["tally"].rules.Options(max=3, first_dealer="host"))
    header = Header(1, "tally", 1, "tally", options, seal.seal_of(bytes(32)), NAMES[0])
    table = Table(header, TALLY["tally"], bytes(32))
    for act in (*(Seated(seat, Sitter(name)) for seat, name in enumerate(NAMES)), Start()):
        table, _ = table.after(act)
    return table


def act_of(table, way, number):
    """Return the act that someone wants; it may be refused."""
    seat = number % len(NAMES)
    mover = table.to_move[number % len(table.to_move)] if table.to_move else seat
    moves = table.moves(mover) or (None,)
    past = table.past[-1 - number % len(table.past)].to if table.past else 0
    return {
        "move": Moved(mover, codec.dump(moves[number % len(moves)])),
        "substitute": Seated(seat, Sitter("Ada", "club", stands_in=NAMES[seat])),
        "leave": Seated(seat, Sitter("Max", "club", left=True)),
        "back": Seated(seat, Sitter(NAMES[seat])),
        "passes": Noted("passes", NAMES[seat]),
        "plays": Noted("plays", NAMES[seat]),
        "undo": UndoneUncounted(past),
        "pause": Paused(),
        "resume": Resumed(),
    }[way]


@attrs.define
class Flags:
    """The questions of a table and its autopass as flags, without states."""

    open: dict = attrs.field(factory=dict)
    passing: set = attrs.field(factory=set)

    def follow(self, before, table, act):
        """Return the seats whose players are shown a question, and those whose players another table may ask."""
        match act:
            case Noted("passes", name):
                self.passing.add(fold(name))
            case Noted("plays", name):
                self.passing.discard(fold(name))
        earlier, self.open = self.open, self.open_after(table, act)
        new = {seat for seat, asked in self.open.items() if asked is not earlier.get(seat)}
        back = isinstance(act, Seated) and bool(before.seats[act.seat].stands_in) and act.who.person
        shown = {seat for seat in new if not (self.passes(table, seat) or (back and seat == act.seat))}
        return shown, earlier.keys() - self.open.keys()

    def open_after(self, table, act):
        """Return the open questions after an act, by the seats and moves of the table alone."""
        match act:
            case Moved(seat) | Seated(seat):
                again = {seat}
            case UndoneUncounted():
                again = {*range(len(NAMES))}
            case _:
                again = set()
        asked = {}
        for seat in table.to_move:
            if table.seats[seat].person:
                moves, kept = table.moves(seat), None if seat in again else self.open.get(seat)
                asked[seat] = kept if kept and kept.moves == moves else Asked(moves, table.seq, 0.0)
        return asked

    def passes(self, table, seat):
        return fold(table.seats[seat].name) in self.passing


WAYS = ("move",) * 6 + ("substitute", "back", "leave", "passes", "plays", "undo", "pause", "resume")


@given(st.lists(st.tuples(st.sampled_from(WAYS), st.integers(0, 99)), max_size=40))
@settings(max_examples=200)
def test_question_is_what_the_log_says(wishes):
    """No log brings a signal that isn't in the table, and each seat is asked when it always was."""
    table, turns, flags = begun(), {}, Flags()
    for way, number in [("resume", 0), *wishes]:
        act, before = act_of(table, way, number), table
        try:
            table, _ = table.after(act)
        except Refused:
            continue
        shown, let_go = flags.follow(before, table, act)
        turns, todo = turns_after(turns, table, act, 0.0, flags.passes)

        assert list(table.to_move) == list(turns)
        assert flags.open == {seat: one.asked for seat, one in turns.items() if one.state in PEOPLE}
        assert shown == {seat for seat, do in todo.items() if do is Do.ASK}
        assert let_go == {seat for seat, do in todo.items() if do is Do.LET_GO}
        for seat, one in turns.items():
            who = table.seats[seat]
            if who.person:
                assert flags.passes(table, seat) == (one.state is State.PASSING)
            else:
                assert (State.SUBSTITUTED if who.stands_in else State.BOT) is one.state


# The time.

TIME = st.one_of(
    st.tuples(st.just("passes"), st.sampled_from([0.0, 1.0, 9.5, 15.0, 31.0, 61.0])),
    st.tuples(st.just("asked"), st.booleans()),
    st.tuples(st.just("answered"), st.none()),
    st.tuples(st.just("presence"), st.booleans()),
    st.tuples(st.just("longer"), st.sampled_from([0.0, 30.0])),
    st.tuples(st.just("restart"), st.none()),
    st.tuples(st.just("limit"), st.sampled_from([None, 60.0, 120.0])),
    st.tuples(st.just("clock"), st.sampled_from(["none", "60", "1m+5"])),
)


@attrs.define
class Player:
    """The player of the only seat as flags, without states: whether they are connected, and whether they are late."""

    clocks: Clocks
    here: bool = True
    late: bool = False

    def happen(self, what, how, now):
        """Let something happen to the seat's turn."""
        before = self.clocks._soft.get(0)
        match what:
            case "clock":
                self.clocks.change(Clock.parse(how))
            case "asked":
                self.clocks.ask(0, 1, now, here=how)
                self.here, self.late = how, False
            case "answered":
                self.clocks.answer(0, now)
            case "presence":
                self.clocks.presence(0, now, here=how)
                self.here = how
            case "longer":
                self.clocks.longer(0, how)
                self.late = False
            case "restart":
                self.clocks.restart_turns(now)
                self.late = False
            case "limit" if 0 in self.clocks.turns:
                self.clocks.soften(0, how, now)
                self.late = self.late and not ((before is None) != (how is None) or (before and how > before))
            case "passes":
                for due in self.clocks.due(now):
                    assert not (self.late and due.do is Do.APPLY_LATE_RULE)
                    self.late = self.late or due.do is Do.APPLY_LATE_RULE


@given(st.lists(TIME, max_size=40))
@settings(max_examples=200)
def test_time_is_what_the_clock_says(steps):
    """Whether a player is connected, and whether they are late, follows from what has happened to them."""
    clocks, now = Clocks(Clock(), patience=90, absence=30), 0.0
    player = Player(clocks)
    for what, how in steps:
        now += how if what == "passes" else 0.0
        player.happen(what, how, now)

        if 0 in clocks.turns:
            assert (player.here, player.late) == (clocks.turns[0].here, clocks.turns[0].late)


# The reminders.


@given(st.lists(st.sampled_from([Signal.BEGINS, Signal.ENDS, Signal.SILENT, Signal.TYPED]), max_size=30))
def test_player_is_reminded_twice_a_question(signals):
    state, left = State.UNWATCHED, 0
    for signal in signals:
        if signal is Signal.BEGINS:
            if state is not State.UNWATCHED:
                continue
            left = 2
        elif state is State.UNWATCHED or (signal is not Signal.ENDS and not left):
            continue  # nobody looks
        reminded = left < 2
        state, do = after(state, signal)
        left -= signal is Signal.SILENT

        assert (signal is Signal.SILENT) == (do is Do.REMIND)
        assert (signal is Signal.ENDS and reminded) == (do is Do.CLEAR_TITLE)
        assert (signal is Signal.ENDS) == (state is State.UNWATCHED)
