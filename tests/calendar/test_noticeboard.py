"""The notices for programs and the page, even before anyone logs in: today's deals, and what is coming."""

from lilygames.chat.host.packets import place
from tests.calendar.conftest import at
from tests.calendar.test_events import planned
from tests.schemas import misfits


def notices(stage, name=""):
    packet = place(stage.host, name)
    assert [] == [*misfits({"place": packet.value})]
    return packet.value


async def test_games_with_a_deal_today_are_listed_with_the_date(stage, clock):
    assert "2026-11-25" == notices(stage)["daily"]["day"]
    clock.set("2026-11-26 12:00")

    assert {"day": "2026-11-26", "games": ["high", "tally"]} == notices(stage)["daily"]


async def test_stranger_sees_the_coming_events_soonest_first(stage):
    await planned(stage)
    await stage.type("bob", "/event new “Dice” in 2h")

    dice, ohell = notices(stage)["events"]
    assert {
        "kind": "event",
        "number": 1,
        "title": "Ohell night",
        "by": "ann",
        "at": int(at("2026-11-27 20:00")),
        "joined": 1,
        "mine": False,
        "game": None,
        "state": "open",
    } == ohell
    assert ("Dice", "bob") == (dice["title"], dice["by"])


async def test_person_sees_which_events_they_have_joined(stage):
    await planned(stage)

    assert [True] == [one["mine"] for one in notices(stage, "ann")["events"]]
    assert [False] == [one["mine"] for one in notices(stage, "bob")["events"]]
    await stage.type("bob", "/event join 1")
    assert [(True, 2)] == [(one["mine"], one["joined"]) for one in notices(stage, "bob")["events"]]


async def test_cancelled_event_is_not_listed(stage):
    await planned(stage)
    await stage.type("ann", "/event cancel 1")

    assert [] == notices(stage)["events"]
