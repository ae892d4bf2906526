"""The daily deal's times, standings and streaks, with a clock that the test sets."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_rules import Entrant, Streak, streak
from lilygames.tables.duplicate.matchpoints import Placed, Result

BERLIN = ZoneInfo("Europe/Berlin")
DAY = date(2026, 11, 22)


def at(text, zone=BERLIN):
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def days(first, last):
    return [date(2026, 11, 1) + timedelta(days=n - 1) for n in range(first, last + 1)]


# Times.


def test_deal_is_played_from_midnight_to_midnight_in_the_places_time_zone():
    assert at("2026-11-22 00:00") == daily_rules.opens(DAY, BERLIN)
    assert DAY == daily_rules.today(at("2026-11-22 00:00"), BERLIN)
    assert DAY == daily_rules.today(at("2026-11-22 23:59:59"), BERLIN)
    assert date(2026, 11, 23) == daily_rules.today(at("2026-11-23 00:00"), BERLIN)


def test_deal_is_made_public_when_the_following_day_ends():
    assert at("2026-11-24 00:00") == daily_rules.closes(DAY, BERLIN)


def test_game_begun_at_the_last_moment_has_24_hours_and_ends_before_the_deal_is_public():
    began = at("2026-11-22 23:59:59")

    assert at("2026-11-23 23:59:59") == daily_rules.due(began)
    assert daily_rules.due(began) < daily_rules.closes(DAY, BERLIN)


def test_deal_stays_closed_for_24_hours_although_the_following_day_is_shorter():
    """In Berlin, 28 March 2027 has 23 hours."""
    day = date(2027, 3, 27)

    assert at("2027-03-29 01:00") == daily_rules.closes(day, BERLIN)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Havana", "Asia/Beirut", "Pacific/Apia"])
def test_each_moment_belongs_to_the_day_whose_deal_can_be_begun(zone):
    """That holds where midnight comes twice (Havana), is skipped (Beirut), or a whole day is (Apia in 2011)."""
    zone = ZoneInfo(zone)
    for first in (date(2011, 12, 27), date(2026, 3, 6), date(2026, 10, 22), date(2026, 10, 30)):
        for hour in range(24 * 6):
            now = daily_rules.opens(first, zone) + 3600 * hour
            day = daily_rules.today(now, zone)
            assert daily_rules.opens(day, zone) <= now < daily_rules.opens(day + timedelta(days=1), zone)


def test_set_of_each_day_and_game_has_its_own_name():
    assert "daily-ohell-2026-11-22" == daily_rules.set_name("ohell", DAY)


# Standings.


BEGAN = at("2026-11-22 10:00")
WEEK = timedelta(days=7).total_seconds()


def entrant(table, points, *, apart=False, case=""):
    result = None if points is None else Result(table, f"player{table}", (points,))
    return Entrant(f"player{table}", apart, result, case)


def tables(placed):
    return [one.result.table for one in placed]


def test_standings_compare_the_finished_games():
    found = daily_rules.day_standings([entrant(1, 45), entrant(2, 52), entrant(3, None)])

    assert [2, 1] == tables(found.listed)
    assert [Fraction(1), Fraction(0)] == [one.share for one in found.listed]


@pytest.mark.parametrize(("ready", "apart"), [(None, True), (BEGAN + 1, True), (BEGAN, False)])
def test_guests_and_new_accounts_are_listed_apart(ready, apart):
    assert apart == daily_rules.is_apart(BEGAN, ready)


def test_games_listed_apart_change_nothing_for_the_others():
    alone = daily_rules.day_standings([entrant(1, 45), entrant(2, 30)])
    found = daily_rules.day_standings(
        [entrant(1, 45), entrant(2, 30), entrant(3, 60, apart=True), entrant(4, 0, apart=True)]
    )

    assert alone.listed == found.listed
    assert [(3, 1), (4, 0)] == [(one.result.table, one.share) for one in found.apart]


def test_game_that_a_bug_in_a_bot_spoiled_leaves_the_standings():
    found = daily_rules.day_standings([entrant(1, 45), entrant(2, 99, case="a1b2")])

    assert [1] == tables(found.listed)
    assert found.of(2) is None


def test_standing_of_a_table_is_found_in_either_list():
    found = daily_rules.day_standings([entrant(1, 45), entrant(2, 30, apart=True)])

    assert [1, 2] == [found.of(table).result.table for table in (1, 2)]


def test_week_begins_on_monday():
    assert date(2026, 11, 16) == daily_rules.monday(DAY)
    assert date(2026, 11, 23) == daily_rules.monday(date(2026, 11, 23))


def test_best_five_days_of_the_week_count():
    """Seven days at a half, or five days better than that."""
    half, better = Fraction(1, 2), Fraction(3, 5)
    rows = daily_rules.week_standings({"ann": [half] * 7, "bob": [better] * 5, "carol": [Fraction(1)]})

    assert [("bob", 3, 5), ("ann", Fraction(5, 2), 7), ("carol", 1, 1)] == [
        (row.key, row.points, row.days) for row in rows
    ]


# Streaks.


def test_seven_days_played_earn_a_free_miss_which_is_used_by_itself():
    """Monday to Sunday played: 7, one free miss. Monday missed, Tuesday: 8. Wednesday missed, Thursday: 1."""
    week = streak(days(2, 8))
    tuesday = week.played(date(2026, 11, 10))
    thursday = tuesday.played(date(2026, 11, 12))

    assert (7, 1) == (week.days, week.misses)
    assert (8, 0) == (tuesday.days, tuesday.misses)
    assert (1, 8) == (thursday.days, thursday.best)


def test_two_free_misses_are_held_at_most():
    assert Streak(28, 2, 28, date(2026, 11, 28), bits=(1 << 28) - 1) == streak(days(1, 28))


def test_streak_stands_until_a_day_without_a_free_miss_has_ended():
    """The day that is still going on can be played, so nothing is missed yet."""
    three = streak(days(1, 3))

    assert 3 == three.on(date(2026, 11, 3))
    assert 3 == three.on(date(2026, 11, 4))
    assert 0 == three.on(date(2026, 11, 5))


def test_free_misses_keep_a_streak_standing():
    week = streak(days(2, 8))

    assert 7 == week.on(date(2026, 11, 10))
    assert 0 == week.on(date(2026, 11, 11))


def test_day_counts_once_in_a_streak():
    assert 1 == streak([DAY, DAY]).days
    assert 0 == streak([]).on(DAY)


def test_streak_knows_which_days_were_played_for_fifteen_weeks():
    """Its lowest bit is the last day played. A day played after a later one counts as played, and changes no length."""
    first = streak([DAY, DAY + timedelta(days=2)])
    filled = first.played(DAY + timedelta(days=1))
    later = filled.played(DAY + timedelta(days=105))

    assert (0b101, 0b111) == (first.bits, filled.bits)
    assert (True, False) == (first.has(DAY), first.has(DAY + timedelta(days=1)))
    assert (1 << 104 | 1 << 103 | 1) == later.bits
    assert not later.has(DAY)


# The line to paste.


def test_line_to_paste_tells_the_result_without_spoilers():
    placed = Placed(Result(12, "ann", (60, 2)), 5, Fraction(7, 10), 10, 14)

    assert "lilygames daily 22 Nov, ohell: 62 points, better than 71% of 14, streak 8" == daily_rules.line_to_paste(
        DAY, "ohell", placed, 8
    )


def test_line_to_paste_of_a_lone_player_compares_with_nobody():
    placed = Placed(Result(12, "ann", (7,)), 1, Fraction(1, 2), 0, 0)

    assert "lilygames daily 22 Nov, ohell: 7 points" == daily_rules.line_to_paste(DAY, "ohell", placed, 0)


def test_time_zone_of_the_tests_is_not_that_of_the_machine():
    assert at("2026-11-22 00:00") != at("2026-11-22 00:00", UTC)
