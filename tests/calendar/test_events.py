"""Plan, join and change events, as people type them."""

import pytest

from tests.calendar.conftest import at, enter

NEW = '/event new "Ohell night" fri 20:00 weekly'


async def planned(stage):
    await stage.type("ann", NEW)
    stage.screens["bob"].take()


async def test_calendar_is_empty_at_first(stage):
    assert ['(no events are planned; /event new "Ohell night" fri 20:00 weekly plans one)'] == await stage.type(
        "ann", "/events"
    )


async def test_event_is_planned_joined_and_announced(stage):
    assert [
        "(You've planned event 1, “Ohell night”: Fri 27 Nov 20:00, in 2 days, weekly.)",
        "(You've joined it, too. /event move 1 TIME and /event cancel 1 change it.)",
    ] == await stage.type("ann", NEW)
    assert [
        "*** ann has planned event 1, “Ohell night”: Fri 27 Nov 20:00, in 2 days,",
        " - weekly; /event join 1 ***",
    ] == stage.screens["bob"].take()


async def test_events_are_listed_soonest_first_with_those_joined_marked(stage):
    await stage.type("ann", NEW)
    await stage.type("bob", "/event new “Dice” in 2h")

    assert [
        "   2  Wed 25 Nov 14:00, in 2 hours: “Dice”, 1 joined",
        "*  1  Fri 27 Nov 20:00, in 2 days: “Ohell night”, weekly, 1 joined",
        "(type /event join NUMBER, or /event show NUMBER for more)",
    ] == await stage.type("ann", "/events")


async def test_event_is_shown_in_the_readers_zone_and_repeats_in_its_own(stage, store):
    await planned(stage)
    await enter(stage, store, "cat", "America/New_York")

    assert [
        "Event 1, “Ohell night”, planned by ann",
        "  Fri 27 Nov 14:00, in 2 days, in your time zone",
        "  Weekly, at 20:00 in Europe/Berlin",
        "  1 joined: ann",
    ] == await stage.type("cat", "/event show 1")


async def test_event_is_joined_once_and_left(stage):
    await planned(stage)

    assert [
        "(You've joined event 1, “Ohell night”: Fri 27 Nov 20:00, in 2 days, weekly.)",
        "(You'll be reminded here 15 and 2 minutes before.)",
    ] == await stage.type("bob", "/event join 1")
    assert ["Refused: you've already joined event 1. Type /event leave 1 to undo it."] == await stage.type(
        "bob", "/event join #1"
    )
    assert "  2 joined: ann and bob" in await stage.type("bob", "/event show 1")
    assert ["(You've left event 1, “Ohell night”. You won't be reminded.)"] == await stage.type("bob", "/event leave 1")
    assert "  1 joined: ann" in await stage.type("bob", "/event show 1")


async def test_those_who_joined_are_told_of_a_new_time(stage):
    await planned(stage)
    await stage.type("bob", "/event join 1")
    stage.screens["bob"].take()

    assert ["(You've moved event 1, “Ohell night”, to Sat 28 Nov 20:00, in 3 days, weekly.)"] == await stage.type(
        "ann", "/event move 1 sat 20:00"
    )
    assert [
        "*** ann has moved event 1, “Ohell night”, to Sat 28 Nov 20:00, in 3 days,",
        " - weekly. ***",
    ] == stage.screens["bob"].take()


async def test_date_of_a_repeated_event_can_be_skipped(stage):
    await planned(stage)

    assert " - 20:00, in 9 days, weekly.)" == (await stage.type("ann", "/event skip 1"))[-1]
    await stage.type("ann", '/event new "Once" in 2h')
    assert ["Refused: event 2 has only one date. Type /event cancel 2 to remove it."] == await stage.type(
        "ann", "/event skip 2"
    )


async def test_cancelled_event_is_gone_and_those_who_joined_are_told(stage):
    await planned(stage)
    await stage.type("bob", "/event join 1")
    stage.screens["bob"].take()
    await stage.type("ann", "/event cancel 1")

    assert ["*** ann has cancelled event 1, “Ohell night”. ***"] == stage.screens["bob"].take()
    assert ["Refused: there's no event 1. Type /events to list them."] == await stage.type("bob", "/event join 1")


async def test_number_of_a_cancelled_event_is_not_used_again(stage):
    await planned(stage)
    await stage.type("ann", "/event cancel 1")

    assert "event 2" in " ".join(await stage.type("ann", NEW))


# Permissions.


async def test_only_the_planner_or_a_sysop_changes_an_event(stage, store):
    await planned(stage)
    await enter(stage, store, "sam")

    for line in ("move 1 sat 20:00", "skip 1", "cancel 1"):
        assert [
            "Refused: only ann or a sysop can change event 1. Type /tell ann and your",
            "  question.",
        ] == await stage.type("bob", f"/event {line}")
    assert ["(You've cancelled event 1, “Ohell night”.)"] == await stage.type("sam", "/event cancel 1")
    assert "*** sam has cancelled event 1, “Ohell night”. ***" in stage.screens["ann"].rows


async def test_new_account_waits_seven_days_to_plan_events(stage, store, clock):
    await store.keep("since", "ann", repr(clock.now - 6 * 86400))

    assert [
        "Refused: you can plan events once your account is 7 days old: Thu 26 Nov",
        "  12:00, in 24 hours. Until then, ask a sysop.",
    ] == await stage.type("ann", NEW)
    clock.now += 86400
    assert "You've planned" in " ".join(await stage.type("ann", NEW))


async def test_sysop_with_a_new_account_plans_events(stage, store, clock):
    await enter(stage, store, "sam")
    await store.keep("since", "sam", repr(clock.now))

    assert "You've planned" in " ".join(await stage.type("sam", NEW))


async def test_guests_neither_plan_nor_join_events(stage):
    await planned(stage)
    stage.people["bob"].set_guest(guest=True)
    stage.accounts.names.pop("bob")

    assert ["Refused: guests can't plan events. Type /register PASSWORD to keep your name."] == await stage.type(
        "bob", NEW
    )
    assert "Refused: guests can't join events." in " ".join(await stage.type("bob", "/event join 1"))


async def test_person_plans_five_events_at_most(stage):
    for number in range(5):
        await stage.type("ann", f'/event new "Night {number}" fri 20:00')

    assert ["Refused: you already have 5 events. Type /event cancel NUMBER to remove one."] == await stage.type(
        "ann", NEW
    )


async def test_renamed_person_keeps_their_events(stage):
    """The account's key is the same under its new name."""
    await planned(stage)
    accounts = stage.accounts
    accounts._keys["zoe"] = accounts.key("ann")
    stage.people["ann"].rename("zoe")
    stage.host.people["zoe"] = stage.host.people.pop("ann")

    assert "(You've cancelled event 1" in " ".join(await stage.type("ann", "/event cancel 1"))


# Bad input.


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/event new Ohell night fri 20:00", 'type /event new "Ohell night" fri 20:00 weekly: the title in quotes'),
        ('/event new "Ohell night"', "type a time, such as 20:00, fri 20:00"),
        ('/event new "Ohell night" fri', "“fri” has no time of day"),
        ('/event new "Ohell night" today 11:00', "Wed 25 Nov 11:00 was 60 minutes ago. Type a time to come"),
        ('/event new "  " fri 20:00', "give the event a title"),
        ('/event new "***" fri 20:00', "give the event a title"),
        ('/event new "' + "x" * 41 + '" fri 20:00', "that title is 41 columns wide. Use at most 40."),
        ('/event new "DICE" fri 20:00', "there's already an event “Dice”: /event show 1"),
        ("/event join", "type /event join and the event's number"),
        ("/event join dice", "type /event join and the event's number"),
        ("/event join 7", "there's no event 7. Type /events to list them."),
        ("/event move 1", "type /event move 1 and a time"),
        ("/event leave 1", "you haven't joined event 1"),
        ("/event dance 1", "type /event and one of new, show, join, leave, move, skip or cancel"),
    ],
)
async def test_bad_input_is_refused_with_what_to_type(stage, line, answer):
    await stage.type("ann", '/event new "Dice" fri 20:00')

    assert answer in " ".join(await stage.type("bob", line)).replace("   ", " ").replace("  ", " ")


@pytest.mark.parametrize("title", ["Dice\x1b[2J", "Di\u202ece", "Dice\x07\u2028"])
async def test_title_has_no_control_characters(stage, title):
    await stage.type("ann", f'/event new "{title}" fri 20:00')

    assert "Dice" == (await stage.events.all())[0].title


async def test_event_never_begins_a_row_with_a_persons_words(stage):
    """Even a title that looks like a notice follows the server's words or a mark."""
    await stage.type("ann", "/set width 20")
    for title in ("Your turn: bid", "*** bob has left", "Refused: no no no no"):
        await stage.type("ann", f'/event new "{title}" fri 20:00')
    rows = [row for line in ("/events", "/event show 1") for row in await stage.type("ann", line)]

    assert [] == [row for row in rows if row.startswith(("Your turn", "***", "Refused"))]


# Time and restarts.


async def test_events_survive_a_restart(stage, open_stage):
    await planned(stage)
    after = await open_stage()

    assert "*  1  Fri 27 Nov 20:00, in 2 days: “Ohell night”, weekly, 1 joined" in await after.type("ann", "/events")


async def test_event_that_is_over_leaves_the_calendar_after_an_hour(stage, clock, shown):
    await stage.type("ann", '/event new "Dice" fri 20:00')
    clock.set("2026-11-27 20:59")
    await shown(stage, "ann")
    assert 1 == len(await stage.events.all())
    clock.set("2026-11-27 21:00")
    await shown(stage, "ann")
    assert 0 == len(await stage.events.all())


async def test_repeated_event_keeps_its_local_time_across_a_clock_change(stage, clock, shown):
    """In Berlin, clocks go forward on 28 March 2027: 20:00 is 19:00 UTC before, and 18:00 UTC after."""
    clock.set("2027-03-26 12:00")
    await stage.type("ann", NEW)
    found = []
    for day in ("2027-03-26", "2027-03-27", "2027-04-03"):
        clock.set(f"{day} 12:00")
        await shown(stage, "ann")
        found.append((await stage.events.get(1)).at)

    assert [at("2027-03-26 20:00"), at("2027-04-02 20:00"), at("2027-04-09 20:00")] == found
    assert 7 * 86400 - 3600 == found[1] - found[0]


async def test_repeated_event_catches_up_after_the_server_was_down_for_weeks(stage, clock, shown):
    await planned(stage)
    clock.set("2026-12-24 12:00")
    await shown(stage, "ann")

    assert at("2026-12-25 20:00") == (await stage.events.get(1)).at


@pytest.mark.parametrize("broken", ["not JSON", "{}", "no date"])
async def test_unreadable_event_is_left_out(stage, store, broken):
    await planned(stage)
    body = await store.find("event", "1")
    await store.keep("event", "9", body.replace("2026-11-27T20:00", "tomorrow") if broken == "no date" else broken)

    assert [1] == [one.number for one in await stage.events.all()]
    assert ["Refused: there's no event 9. Type /events to list them."] == await stage.type("ann", "/event show 9")
