"""Times that people type and read, in their zone, with a clock that the test sets and clocks that change."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from lilygames.chat.names import time_text, times
from lilygames.errors import UserError

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 25, 12, 0, 20, tzinfo=BERLIN).timestamp()
"""Wednesday noon."""


def at(text, zone=BERLIN, fold=0):
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp()


def read(text, now=NOW, zone=BERLIN):
    return times.read(text, now, zone)


# Reading.


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("20:00", "2026-11-25 20:00"),
        ("11:59", "2026-11-26 11:59"),
        ("8pm", "2026-11-25 20:00"),
        ("8:30 PM", "2026-11-25 20:30"),
        ("12am", "2026-11-26 00:00"),
        ("fri 20:00", "2026-11-27 20:00"),
        ("Friday, 20:00", "2026-11-27 20:00"),
        ("20:00 fri", "2026-11-27 20:00"),
        ("fri_20:00", "2026-11-27 20:00"),
        ("wed 20:00", "2026-11-25 20:00"),
        ("wed 11:00", "2026-12-02 11:00"),
        ("tomorrow 19:30", "2026-11-26 19:30"),
        ("tonight at 22:00", "2026-11-25 22:00"),
        ("24 dec 18:00", "2026-12-24 18:00"),
        ("Dec 24th 18:00", "2026-12-24 18:00"),
        ("24 nov 18:00", "2027-11-24 18:00"),
        ("2026-12-24 18:00", "2026-12-24 18:00"),
        ("Fri 27 Nov 20:00", "2026-11-27 20:00"),
        ("in 2h", "2026-11-25 14:00"),
        ("in 1 hour and 30 minutes", "2026-11-25 13:30"),
        ("in 2d", "2026-11-27 12:00"),
    ],
)
def test_time_is_read_in_the_persons_zone(typed, meant):
    assert (at(meant), "") == (read(typed).at, read(typed).repeats)


def test_same_words_mean_another_time_in_another_zone():
    assert at("2026-11-27 20:00", NEW_YORK) == read("fri 20:00", zone=NEW_YORK).at


@pytest.mark.parametrize("typed", ["fri 20:00 weekly", "every fri 20:00", "weekly fri 20:00"])
def test_time_can_be_repeated(typed):
    local = datetime.fromisoformat("2026-11-27 20:00")

    assert times.When(at("2026-11-27 20:00"), local, BERLIN, "weekly") == read(typed)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "type a time, such as 20:00"),
        ("fri", "“fri” has no time of day"),
        ("25:00", "I can't read “25:00” as a time. Type it like 20:00"),
        ("13pm", "I can't read"),
        ("20:00 21:00", "I can't read"),
        ("mon tue 20:00", "I can't read"),
        ("today 24 dec 18:00", "I can't read"),
        ("24.12. 18:00", "I can't read"),
        ("in 2 5m", "I can't read"),
        ("in 2 fortnights", "I can't read"),
        ("ｆｒｉ 20:00", "I can't read"),
        ("x" * 5000, "I can't read “x{40}” as a time"),
        ("in 0m", "no time at all"),
        ("today 11:00", "Wed 25 Nov 11:00 was 60 minutes ago. Type a time to come"),
        ("2026-11-24 20:00", "Tue 24 Nov 20:00 was 16 hours ago"),
        ("31 feb 20:00", "there's no 31 February then"),
        ("thu 27 nov 20:00", "27 Nov 2026 is a Friday"),
        ("1 jan 2099 20:00", "more than a year away"),
        ("in 9999w", "more than a year away"),
    ],
)
def test_wrong_time_is_refused_with_what_to_type_instead(typed, answer):
    with pytest.raises(UserError, match=answer.replace("?", r"\?")):
        read(typed)


# Clock changes. In Berlin, 2026-03-29 has no 02:30, and 2026-10-25 has it twice.


def test_skipped_time_is_read_as_if_clocks_had_not_changed():
    """RFC 5545, 3.3.5: it takes the offset from before the change, so 02:30 is 03:30."""
    when = read("sun 02:30", at("2026-03-28 12:00"))

    assert at("2026-03-29 03:30") == when.at
    assert "Sun 29 Mar 03:30" == time_text.day_and_time(when.at, when.at, BERLIN)


def test_time_that_comes_twice_is_the_first_one():
    assert at("2026-10-25 02:30", fold=0) == read("02:30", at("2026-10-25 01:00")).at


def test_time_that_comes_twice_is_the_second_one_after_the_first():
    assert at("2026-10-25 02:30", fold=1) == read("02:30", at("2026-10-25 02:45", fold=0)).at


def test_time_that_comes_twice_is_tomorrow_after_the_second():
    assert at("2026-10-26 02:30") == read("02:30", at("2026-10-25 02:45", fold=1)).at


def test_hours_ahead_are_counted_and_days_ahead_keep_the_local_time():
    saturday = at("2026-03-28 12:00")

    assert [saturday + 24 * 3600, saturday + 23 * 3600] == [read(typed, saturday).at for typed in ("in 24h", "in 1d")]


def test_repeated_time_keeps_its_local_time_across_both_changes():
    """20:00 in Berlin is 19:00 UTC in winter and 18:00 in summer."""
    first = read("fri 20:00 weekly")
    found = [times.occurrence(first.local, BERLIN, "weekly", number) for number in range(53)]
    local = [datetime.fromtimestamp(one, BERLIN) for one in found]

    assert [first.local + number * timedelta(weeks=1) for number in range(53)] == [
        one.replace(tzinfo=None) for one in local
    ]
    assert {18, 19} == {datetime.fromtimestamp(one, ZoneInfo("UTC")).hour for one in found}


def test_repeated_time_that_is_skipped_once_comes_back_to_its_time():
    first = read("sun 02:30 weekly", at("2026-03-21 12:00"))
    found = [times.occurrence(first.local, BERLIN, "weekly", number) for number in range(3)]

    assert [at("2026-03-22 02:30"), at("2026-03-29 03:30"), at("2026-04-05 02:30")] == found


# Writing.


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("2026-11-27 20:00", "Fri 27 Nov 20:00, in 2 days"),
        ("2026-11-25 12:25", "Wed 25 Nov 12:25, in 25 minutes"),
        ("2026-11-25 12:01", "Wed 25 Nov 12:01, in 40 seconds"),
        ("2026-11-25 11:00", "Wed 25 Nov 11:00, 60 minutes ago"),
        ("2027-01-01 09:05", "Fri 1 Jan 2027 09:05, in 37 days"),
    ],
)
def test_time_is_written_with_its_distance(shown, text):
    assert text == time_text.written(at(shown), NOW, BERLIN)


def test_time_is_written_in_the_readers_zone():
    assert "Fri 27 Nov 14:00, in 2 days" == time_text.written(at("2026-11-27 20:00"), NOW, NEW_YORK)


def test_time_that_comes_twice_is_written_with_the_zone():
    both = [time_text.day_and_time(at("2026-10-25 02:30", fold=fold), NOW, BERLIN) for fold in (0, 1)]

    assert ["Sun 25 Oct 02:30 CEST", "Sun 25 Oct 02:30 CET"] == both


@pytest.mark.parametrize("month", range(1, 13))
def test_written_time_can_be_typed_again(month):
    later = at(f"2027-{month:02}-11 18:45") if month < 11 else at(f"2026-{month:02}-28 18:45")

    assert later == read(time_text.day_and_time(later, NOW, BERLIN)).at


def test_event_now_is_written_as_now():
    assert "now" == time_text.distance(0)
