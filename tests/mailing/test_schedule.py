"""Test when notifications are sent: after a while, together, not at night, and in time for events."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from lilygames.mailing.items.items import Item
from lilygames.mailing.schedule import after_quiet, next_time, reminder_at

BERLIN = ZoneInfo("Europe/Berlin")
UTC = ZoneInfo("UTC")
AUCKLAND = ZoneInfo("Pacific/Auckland")


def at(text, zone=BERLIN):
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def turn(since, key="turn 1 1"):
    return Item(key, "It's your turn.", "/at 1", since)


def send_time(*items, told=(), last=0.0, seen=0.0, now=0.0, zone=BERLIN):
    time = next_time(items, told, last=last, seen=seen, now=now, zone=zone)
    return None if time is None else datetime.fromtimestamp(time, zone).isoformat(" ", "minutes")[:16]


def test_turn_is_sent_after_15_minutes():
    assert send_time(turn(at("2026-03-02 12:00"))) == "2026-03-02 12:15"


def test_turn_in_the_evening_is_sent_in_the_morning():
    """The rule's own example: a turn at 21:50 gives one mail at 08:00."""
    assert send_time(turn(at("2026-03-02 21:50"))) == "2026-03-03 08:00"


@pytest.mark.parametrize(("came", "sent"), [("21:44", "2026-03-02 21:59"), ("21:45", "2026-03-03 08:00")])
def test_night_begins_at_22(came, sent):
    assert send_time(turn(at(f"2026-03-02 {came}"))) == sent


@pytest.mark.parametrize(("came", "sent"), [("07:44", "08:00"), ("07:45", "08:00"), ("07:46", "08:01")])
def test_night_ends_at_8(came, sent):
    assert send_time(turn(at(f"2026-03-02 {came}"))) == f"2026-03-02 {sent}"


def test_night_is_the_one_of_the_persons_zone():
    since = at("2026-03-02 12:00", UTC)

    assert send_time(turn(since), zone=UTC) == "2026-03-02 12:15"
    assert send_time(turn(since), zone=AUCKLAND) == "2026-03-03 08:00"


def test_next_message_comes_12_hours_later_at_the_earliest():
    assert send_time(turn(at("2026-03-02 09:00")), last=at("2026-03-02 08:30")) == "2026-03-02 20:30"


def test_nothing_is_sent_if_everything_was_told():
    assert send_time(turn(at("2026-03-02 09:00")), told=("turn 1 1",)) is None


def test_oldest_new_item_sets_the_time():
    first, second = turn(at("2026-03-02 09:00")), turn(at("2026-03-02 10:00"), "turn 2 1")

    assert send_time(first, second) == "2026-03-02 09:15"
    assert send_time(first, second, told=(first.key,)) == "2026-03-02 10:15"


def test_turn_that_came_while_the_person_was_connected_waits_12_hours():
    assert send_time(turn(at("2026-03-02 08:00")), seen=at("2026-03-02 09:00")) == "2026-03-02 21:00"


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-28", 9), ("2026-10-24", 11)], ids=["clocks go forward", "clocks go back"]
)
def test_morning_is_at_8_after_a_clock_change(day, hours):
    """Europe changed on 29 March and 25 October 2026."""
    evening = at(f"{day} 22:00")

    assert (after_quiet(evening, BERLIN) - evening) / 3600 == hours


def event(starts, joined="2026-03-02 00:00"):
    return Item("event 1", "Ohell night begins.", "/events", at(joined), starts=at(starts))


def test_event_is_told_an_hour_ahead_even_soon_after_another_message():
    assert send_time(event("2026-03-02 20:00"), last=at("2026-03-02 18:59")) == "2026-03-02 19:00"


@pytest.mark.parametrize("starts", ["2026-03-02 23:30", "2026-03-03 02:00", "2026-03-03 08:30"])
def test_event_with_its_hour_ahead_at_night_is_told_before_the_night(starts):
    assert datetime.fromtimestamp(reminder_at(at(starts), BERLIN), BERLIN).isoformat()[:16] == "2026-03-02T21:45"


def test_event_of_the_morning_that_was_joined_at_night_is_told_at_8():
    assert send_time(event("2026-03-03 08:30"), now=at("2026-03-02 23:00")) == "2026-03-03 08:00"


@pytest.mark.parametrize(
    ("starts", "now"), [("2026-03-02 20:00", "2026-03-02 20:01"), ("2026-03-03 02:00", "2026-03-02 23:00")]
)
def test_event_is_not_told_too_late_or_at_night(starts, now):
    assert send_time(event(starts), now=at(now)) is None
