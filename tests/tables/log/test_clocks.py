"""A clock as a value: its reading, its charges and its warnings. Tests pass in the seconds and never wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames import codec
from lilygames.tables.log.clocks import Clock, spoken
from lilygames.tables.play.turn import Do
from lilygames.tables.play.turn_timers import Clocks, Due


@pytest.mark.parametrize(
    ("text", "clock", "words"),
    [
        ("none", Clock(), "none"),
        ("60", Clock(move=60), "1 minute per move"),
        ("3d", Clock(move=3 * 86400), "3 days per move"),
        ("10m+5", Clock(bank=600, gain=5), "10 minutes for the game, plus 5 seconds per move"),
        ("bank:10m", Clock(bank=600), "10 minutes for the game"),
        ("10m+0", Clock(bank=600), "10 minutes for the game"),
    ],
)
def test_clock_is_read_and_said(text, clock, words):
    assert (clock, words) == (Clock.parse(text), Clock.parse(text).said)


@given(
    st.builds(Clock, move=st.integers(1, 9999)) | st.builds(Clock, bank=st.integers(1, 9999), gain=st.integers(0, 99))
)
def test_clock_is_kept_as_it_is_typed(clock):
    """A clock in a table's log is read back exactly, to the second."""
    assert clock == Clock.parse(str(clock)) == codec.from_text(codec.to_text(clock), Clock)


@pytest.mark.parametrize("text", ["", "soon", "0", "-5", "5x", "10m+", "99999", "1 2", "³"])
def test_invalid_clock_is_refused(text):
    with pytest.raises(ValueError, match="not a time span"):
        Clock.parse(text)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (1, "1 second"),
        (59.6, "1 minute"),
        (90, "90 seconds"),
        (120, "2 minutes"),
        (86400 * 3, "3 days"),
        (-4, "no time"),
    ],
)
def test_duration_is_said_in_its_largest_unit(span, words):
    assert spoken(span) == words


def asked(clock, **limits):
    """Return clocks on which seat 0 was asked at second 0 and is connected."""
    clocks = Clocks(clock, **limits)
    clocks.ask(0, 7, 0.0, here=True)
    return clocks


def test_player_is_warned_at_thirty_and_ten_seconds_and_then_time_is_up():
    clocks = asked(Clock(move=60))

    assert [*clocks.due(29)] == []
    assert [*clocks.due(31)] == [Due(0, Do.WARN, 29)]
    assert [*clocks.due(51)] == [Due(0, Do.WARN, 9)]
    assert [*clocks.due(60)] == [Due(0, Do.APPLY_LATE_RULE)]
    assert [*clocks.due(70)] == []


def test_clock_says_when_to_check_again():
    clocks = asked(Clock(move=60))
    waits = [clocks.wait(0)]
    for now in (30, 50, 60):
        list(clocks.due(now))
        waits.append(clocks.wait(now))

    assert waits == [30, 20, 10, None]


def test_answer_in_time_ends_the_turn():
    clocks = asked(Clock(move=60))
    clocks.answer(0, 59)

    assert ([], None) == ([*clocks.due(1000)], clocks.wait(1000))


def test_bank_is_spent_over_all_moves_and_gains_with_each():
    clocks = asked(Clock(bank=100, gain=5))
    clocks.answer(0, 40)
    clocks.ask(0, 9, 50, here=True)

    assert clocks.left(0, 50) == 65


def test_disconnect_uses_its_grace_first_and_once_per_game():
    clocks = asked(Clock(move=60), grace=30)
    clocks.presence(0, 10, here=False)

    assert clocks.left(0, 35) == 50
    assert clocks.left(0, 50) == 40
    clocks.presence(0, 50, here=True)
    clocks.presence(0, 50, here=False)
    assert clocks.left(0, 60) == 30


def test_without_a_clock_an_absent_player_is_late_after_a_minute():
    clocks = asked(Clock(), patience=600, absence=60)
    clocks.presence(0, 10, here=False)

    assert [*clocks.due(69)] == []
    assert [*clocks.due(70)] == [Due(0, Do.APPLY_LATE_RULE)]


def test_without_a_clock_a_connected_player_is_late_when_patience_ends():
    clocks = asked(Clock(), patience=600)

    assert ([], [Due(0, Do.APPLY_LATE_RULE)]) == ([*clocks.due(599)], [*clocks.due(600)])


def test_clock_set_back_takes_no_time_from_anyone():
    """A system clock may jump; elapsed time is never negative."""
    clocks = asked(Clock(move=60))

    assert clocks.left(0, -3600) == 60


def test_more_time_brings_warnings_again():
    clocks = asked(Clock(move=60))
    list(clocks.due(60))
    clocks.longer(0, 60)

    assert ([Due(0, Do.WARN, 30)], 30) == ([*clocks.due(90)], clocks.left(0, 90))


def test_empty_readings_take_no_memory():
    """Every table keeps a reading for each of its last moves, and most tables have no clock."""
    clocks = Clocks(Clock())
    first, second = clocks.reading(0), clocks.reading(1)

    assert first == second
    assert first.banks is second.banks is second.turns
