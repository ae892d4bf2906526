"""The schedule of the place's own tournaments: what a setting means, and when each series begins."""

from datetime import UTC, datetime, time
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from lilygames.tournaments.schedule import Series, read

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
DEFAULT = (
    "hourly liedie,ohell,liarsdice arena minutes=25; daily 20:00 ohell,wizard swiss rounds=3; sun 15:00 ohell knockout"
)


def at(text, zone=UTC):
    """Return a local time in seconds since 1970."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def begins(text, now, zone=UTC):
    """Return when the only series of a schedule begins after a local time, as clocks there show it."""
    (series,) = read(text)
    return f"{datetime.fromtimestamp(series.start_after(at(now, zone), zone), zone):%a %d %b %H:%M}"


def starts(text, first, number, zone):
    """Return the next starts of a series, in seconds since 1970."""
    (series,), found = read(text), [at(first, zone)]
    for _ in range(number):
        found.append(series.start_after(found[-1], zone))
    return found[1:]


def test_schedule_is_read_as_its_series():
    hourly, daily, weekly = read(DEFAULT)

    assert Series("hourly", ("liedie", "ohell", "liarsdice"), ("arena", "minutes=25"), time(0)) == hourly
    assert Series("daily", ("ohell", "wizard"), ("swiss", "rounds=3"), time(20)) == daily
    assert Series("weekly", ("ohell",), ("knockout",), time(15), 6) == weekly


@pytest.mark.parametrize("text", ["", "  ", "none", " ; ;"])
def test_schedule_can_be_off(text):
    assert () == read(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("weekly ohell arena", "“weekly ohell arena” must begin with hourly, daily or a day such as sun"),
        ("hourly ohell arena; 20:00 ohell swiss", "“20:00 ohell swiss” must begin with hourly"),
        ("daily ohell swiss", "“daily ohell swiss” needs a time such as 20:00 after daily"),
        ("sun 25:00 ohell swiss", "“sun 25:00 ohell swiss” needs a time such as 20:00 after sun"),
        ("daily 20:60 ohell swiss", "needs a time such as 20:00"),
        ("hourly", "“hourly” names no games after its time"),
        ("hourly :75 ohell arena", "names no games after its time"),
        ("daily 20:00", "names no games after its time, such as ohell,wizard"),
        ("daily 20:00 ohell,,wizard swiss", "names no games"),
    ],
)
def test_wrong_part_of_a_schedule_is_named(text, wrong):
    with pytest.raises(ValueError, match="“") as problem:
        read(text)
    assert wrong in str(problem.value)


@pytest.mark.parametrize(
    ("now", "start"), [("2026-11-30 12:29:59", "Mon 30 Nov 12:30"), ("2026-11-30 12:30:00", "Mon 30 Nov 13:30")]
)
def test_hourly_series_begins_at_its_minute_and_not_again_at_once(now, start):
    assert start == begins("hourly :30 liedie arena", now)


def test_hour_begins_an_hourly_series_without_a_minute():
    assert "Tue 01 Dec 00:00" == begins("hourly liedie arena", "2026-11-30 23:00:01")


@pytest.mark.parametrize(
    ("now", "start"),
    [
        ("2026-11-30 19:59:59", "Mon 30 Nov 20:00"),
        ("2026-11-30 20:00:00", "Tue 01 Dec 20:00"),
        ("2026-12-31 20:00:01", "Fri 01 Jan 20:00"),
    ],
)
def test_daily_series_begins_at_its_local_time(now, start):
    assert start == begins("daily 20:00 ohell swiss", now, BERLIN)


@pytest.mark.parametrize(
    ("now", "start"),
    [
        ("2026-11-30 12:00", "Sun 06 Dec 15:00"),
        ("2026-12-06 14:59", "Sun 06 Dec 15:00"),
        ("2026-12-06 15:00", "Sun 13 Dec 15:00"),
    ],
)
def test_weekly_series_begins_on_its_day(now, start):
    assert start == begins("sun 15:00 ohell knockout", now, NEW_YORK)


@pytest.mark.parametrize(
    ("now", "start"), [("2026-03-28 12:00", "Sun 29 Mar 03:30"), ("2026-03-29 03:30", "Mon 30 Mar 02:30")]
)
def test_daily_series_begins_an_hour_later_when_clocks_skip_its_time(now, start):
    """There is no 02:30 in Berlin on 29 March 2026."""
    assert start == begins("daily 02:30 ohell swiss", now, BERLIN)


def test_daily_series_begins_once_when_clocks_show_its_time_twice():
    """02:30 comes twice in Berlin on 25 October 2026: first in summer time."""
    first, second = starts("daily 02:30 ohell swiss", "2026-10-24 12:00", 2, BERLIN)

    assert at("2026-10-25 00:30") == first
    assert at("2026-10-26 01:30") == second


@pytest.mark.parametrize("change", ["2026-03-28 22:10", "2026-10-24 22:10"])
def test_hourly_series_skips_and_repeats_no_hour_when_clocks_change(change):
    found = starts("hourly :15 ohell arena", change, 12, BERLIN)

    assert [3600.0] * 11 == [later - earlier for earlier, later in pairwise(found)]


@pytest.mark.parametrize("change", ["2026-03-26 21:00", "2026-10-22 21:00"])
def test_daily_series_keeps_its_local_time_when_clocks_change(change):
    found = starts("daily 20:00 ohell swiss", change, 7, BERLIN)

    assert ["20:00"] * 7 == [f"{datetime.fromtimestamp(start, BERLIN):%H:%M}" for start in found]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("hourly liedie,ohell,liarsdice arena", "2026-03-28 12:00"),
        ("daily 02:30 liedie,ohell,liarsdice swiss", "2026-03-26 12:00"),
        ("daily 02:30 liedie,ohell,liarsdice swiss", "2026-10-22 12:00"),
        ("sun 15:00 liedie,ohell,liarsdice knockout", "2026-12-01 12:00"),
    ],
)
def test_games_of_a_series_take_turns(text, first):
    (series,) = read(text)
    played = [series.game_at(start, BERLIN) for start in starts(text, first, 24, BERLIN)]
    turn = series.games.index(played[0])

    assert [series.games[(turn + number) % 3] for number in range(24)] == played


def test_key_names_a_series_whatever_the_spaces():
    assert [one.key for one in read(DEFAULT)] == [one.key for one in read(DEFAULT.replace(" ", "  "))]
    assert 3 == len({one.key for one in read(DEFAULT)})
