"""Reminders on the clock, the greeting and the message of the day."""

import asyncio

import pytest

from lilygames.bus.local import LocalBus
from lilygames.text import Voice
from tests.calendar.conftest import enter

NEW = '/event new "Ohell night" fri 20:00 weekly'


async def test_those_who_joined_are_reminded_15_and_2_minutes_before(stage, clock, shown):
    await stage.type("ann", NEW)
    told = []
    for minute in ("19:00", "19:30", "19:45", "19:45", "19:50", "19:58", "19:59", "20:00"):
        clock.set(f"2026-11-27 {minute}")
        told += [(minute, row) for row in await shown(stage, "ann")]

    assert [
        ("19:45", "*** Event 1, “Ohell night”, begins in 15 minutes. ***"),
        ("19:58", "*** Event 1, “Ohell night”, begins in 2 minutes. ***"),
    ] == told


async def test_people_who_have_not_joined_are_not_reminded(stage, clock, shown):
    await stage.type("ann", NEW)
    clock.set("2026-11-27 19:45")

    assert [] == await shown(stage, "bob")


async def test_reminders_come_at_the_local_time_after_a_clock_change(stage, clock, shown):
    """Clocks go back on 25 October 2026. A clock in UTC would remind an hour late."""
    clock.set("2026-10-23 12:00")
    await stage.type("ann", NEW)
    told = []
    for day in ("2026-10-23", "2026-10-30"):
        for minute in ("18:45", "19:45", "20:45", "22:00"):
            clock.set(f"{day} {minute}")
            told += [(day, minute) for _ in await shown(stage, "ann")]

    assert [("2026-10-23", "19:45"), ("2026-10-30", "19:45")] == told


async def test_late_reminder_says_how_long_is_left_and_is_sent_once(stage, clock, shown):
    """The server was down 15 minutes before."""
    await stage.type("ann", NEW)
    clock.set("2026-11-27 19:51")

    assert ["*** Event 1, “Ohell night”, begins in 9 minutes. ***"] == await shown(stage, "ann")
    assert [] == await shown(stage, "ann")


async def test_reminder_is_not_repeated_after_a_restart(stage, open_stage, clock, shown):
    await stage.type("ann", NEW)
    clock.set("2026-11-27 19:45")
    await shown(stage, "ann")
    after = await open_stage()

    assert [] == await shown(after, "ann")


async def test_event_planned_a_few_minutes_ahead_has_no_late_reminder(stage, clock, shown):
    await stage.type("ann", '/event new "Dice" in 10m')
    assert [] == await shown(stage, "ann")
    clock.now += 8 * 60
    assert ["*** Event 1, “Dice”, begins in 2 minutes. ***"] == await shown(stage, "ann")


async def test_moved_event_is_reminded_of_again(stage, clock, shown):
    await stage.type("ann", NEW)
    clock.set("2026-11-27 19:45")
    await shown(stage, "ann")
    await stage.type("ann", "/event move 1 22:00")
    clock.set("2026-11-27 21:45")

    assert ["*** Event 1, “Ohell night”, begins in 15 minutes. ***"] == await shown(stage, "ann")


async def test_reminder_is_sent_once_by_several_nodes(open_stage, store, clock):
    """Both look at once; ann is at one node and bob at the other."""
    bus = LocalBus()
    here, there = await open_stage("ann", bus=bus), await open_stage("bob", bus=bus)
    await settled(here, there)
    await here.type("ann", NEW)
    await there.type("bob", "/event join 1")
    await settled(here, there)
    for stage, name in ((here, "ann"), (there, "bob")):
        stage.screens[name].take()
    clock.set("2026-11-27 19:45")
    await asyncio.gather(here.look("reminders"), there.look("reminders"))
    await settled(here, there)

    once = ["*** Event 1, “Ohell night”, begins in 15 minutes. ***"]
    assert [once, once] == [here.screens["ann"].take(), there.screens["bob"].take()]
    for stage in (here, there):
        await stage.node.end()


async def settled(*stages):
    """Return when no node has anything left to announce."""
    for _ in range(40):
        await asyncio.sleep(0)
        for stage in stages:
            await stage.quiet()
            await stage.node.roster.finish()


# The greeting.


async def test_greeting_tells_of_two_events_of_the_next_day(stage):
    await stage.type("ann", '/event new "Late" tomorrow 11:00')
    await stage.type("ann", '/event new "Later" tomorrow 11:30')
    await stage.type("ann", '/event new "Ohell night" in 25m')
    await stage.type("ann", '/event new "Next week" tomorrow 12:30')
    await stage.type("bob", "/event join 3")
    stage.drop("bob")
    rows = (await stage.come("bob")).take()

    assert [
        "Event 3, “Ohell night”, begins in 25 minutes. 2 people have joined.",
        "Event 1, “Late”, begins in 23 hours. 1 person has joined.",
    ] == [row for row in rows if row.startswith("Event")]


async def test_greeting_says_that_an_event_has_begun(stage, clock):
    await stage.type("ann", NEW)
    clock.set("2026-11-27 20:05")
    stage.drop("bob")

    assert "Event 1, “Ohell night”, began 5 minutes ago. 1 person has joined." in (await stage.come("bob")).rows


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("cancel 1", "Event 1, “Ohell night”, was cancelled. It was planned for Fri 27 Nov 20:00."),
        ("move 1 sat 21:00", "Event 1, “Ohell night”, has a new time: Sat 28 Nov 21:00."),
        ("skip 1", "Event 1, “Ohell night”, has a new time: Fri 4 Dec 20:00."),
    ],
)
async def test_those_who_joined_read_of_a_change_at_their_next_login(stage, clock, change, expected):
    await stage.type("ann", NEW)
    await stage.type("bob", "/event join 1")
    stage.drop("bob")
    clock.now += 60
    await stage.type("ann", f"/event {change}")
    clock.now += 60
    assert expected in (await stage.come("bob")).rows
    stage.drop("bob")
    clock.now += 60

    assert expected not in (await stage.come("bob")).rows


async def test_those_who_are_here_are_told_of_a_change_once(stage, clock):
    await stage.type("ann", NEW)
    await stage.type("bob", "/event join 1")
    stage.screens["bob"].take()
    await stage.type("ann", "/event cancel 1")
    assert ["*** ann has cancelled event 1, “Ohell night”. ***"] == stage.screens["bob"].take()
    clock.now += 60
    stage.drop("bob")
    clock.now += 60

    assert "cancelled" not in " ".join((await stage.come("bob")).rows)


async def test_cancelled_event_is_listed_nowhere_and_forgotten_after_its_date(stage, clock, store, shown):
    await stage.type("ann", NEW)
    await stage.type("bob", "/event join 1")
    await stage.type("ann", "/event cancel 1")

    assert "no events are planned" in " ".join(await stage.type("bob", "/events"))
    for line in ("/event show 1", "/event join 1", "/event cancel 1", "/event leave 1"):
        assert "there's no event 1" in " ".join(await stage.type("ann", line))
    clock.set("2026-11-27 19:45")
    assert [] == await shown(stage, "bob")
    assert 1 == len(await store.every("event"))
    clock.set("2026-11-27 21:01")
    await shown(stage, "bob")
    assert {} == await store.every("event")


async def test_cancelled_events_leave_room_for_new_ones(stage):
    for number in range(1, 7):
        await stage.type("ann", f'/event new "Night {number}" fri 20:00')
        await stage.type("bob", f"/event join {number}")
        await stage.type("ann", f"/event cancel {number}")

    assert "You've planned event 7" in " ".join(await stage.type("ann", '/event new "Ohell night" fri 20:00'))


async def test_cancelled_events_that_others_have_joined_have_a_limit(stage):
    """Each is kept for a while, so that those who joined can be told."""
    for number in range(1, 12):
        rows = await stage.type("ann", f'/event new "Night {number}" fri 20:00')
        await stage.type("bob", f"/event join {number}")
        await stage.type("ann", f"/event cancel {number}")

    assert "you've cancelled 10 events lately" in " ".join(rows)


async def test_event_cancelled_long_before_its_date_is_forgotten_after_a_month(stage, clock, store, shown):
    await stage.type("ann", '/event new "Spring" 2027-05-01 20:00')
    await stage.type("bob", "/event join 1")
    await stage.type("ann", "/event cancel 1")
    for days, expected in ((29, 1), (1, 0)):
        clock.now += days * 86400
        await shown(stage, "bob")
        assert expected == len(await store.every("event"))


async def test_event_that_nobody_else_has_joined_is_deleted_at_once(stage, store):
    await stage.type("ann", NEW)
    await stage.type("ann", "/event cancel 1")

    assert {} == await store.every("event")


async def test_screen_reader_hears_an_event_as_words(stage, store):
    await stage.type("ann", '/event new "Your turn: bid" in 25m')
    stage.screens["ann"].set_voice(Voice(spoken=True))

    assert [
        "*, 1, Wed 25 Nov 12:25, in 25 minutes: “Your turn: bid”, 1 joined",
        "Type /event join NUMBER, or /event show NUMBER for more",
    ] == await stage.type("ann", "/events")


# The message of the day.


async def test_message_of_the_day_is_set_by_a_sysop_and_shown_to_all_who_arrive(stage, store):
    await enter(stage, store, "sam")

    assert ["(there's no message of the day)"] == await stage.type("ann", "/motd")
    assert ["Today: League night on Friday!"] == await stage.type("sam", "/motd League night\x1b[2J on Friday!")
    stage.drop("bob")
    assert "Today: League night on Friday!" in (await stage.come("bob")).rows
    assert ["(there's no message of the day)"] == await stage.type("sam", "/motd off")
    stage.drop("bob")
    assert "Today" not in " ".join((await stage.come("bob")).rows)


async def test_message_of_the_day_survives_a_restart(stage, store, open_stage):
    await enter(stage, store, "sam")
    await stage.type("sam", "/motd Hello")
    after = await open_stage()

    assert ["Today: Hello"] == await after.type("ann", "/motd")


async def test_message_of_the_day_reaches_another_node(open_stage, store):
    bus = LocalBus()
    here, there = await open_stage("ann", bus=bus), await open_stage("bob", bus=bus)
    await enter(here, store, "sam")
    await here.type("sam", "/motd Hello")
    await settled(here, there)

    assert ["Today: Hello"] == await there.type("bob", "/motd")
    for stage in (here, there):
        await stage.node.end()


async def test_only_sysops_set_a_short_message_of_the_day(stage, store):
    await enter(stage, store, "sam")

    assert "only sysops can change the message" in " ".join(await stage.type("ann", "/motd Hi"))
    assert "that's 301 characters, and the limit is 300" in " ".join(await stage.type("sam", "/motd " + "x" * 301))
