"""Open tournaments among the notices for programs and the page."""

from tests.calendar.test_noticeboard import notices


async def test_open_tournament_is_listed_with_its_game_and_start(club):
    club.enter("ann", "bob")
    await club.new()
    await club.type("bob", "/tournament join")

    (one,) = notices(club.stage, "bob")["events"]
    assert {
        "kind": "tournament",
        "number": 1,
        "title": "ohell-swiss",
        "by": "ann",
        "at": int(club.now_in.starts),
        "joined": 1,
        "mine": True,
        "away": False,
        "game": "ohell",
        "state": "open",
    } == one
    assert [False] == [one["mine"] for one in notices(club.stage)["events"]]


async def test_cancelled_tournament_is_not_listed(club):
    club.enter("ann")
    await club.new()
    await club.type("ann", "/tournament cancel nobody came")

    assert [] == notices(club.stage)["events"]
