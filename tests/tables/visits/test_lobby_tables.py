"""The tables of the lobby: those that someone can join, and those with people to watch."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage

OLGA, BOB = "Olga", "bob"


@pytest.fixture
async def stage(store):
    found = {name: games()[name] for name in ("ohell", "liarsdice", "lilypoker")}
    stage = await Stage.open(found, store=store)
    for name in (OLGA, BOB):
        stage.enter(name)
    return stage


def lists(stage):
    """Return the lists for someone who hasn't logged in: those to join, and those to watch."""
    facts = stage.host.notices.facts()
    return facts["waiting"], facts["playing"]


def numbers(stage):
    waiting, playing = lists(stage)
    return [one["table"] for one in waiting], [one["number"] for one in playing]


async def test_bots_seats_of_a_quick_table_can_be_joined_and_it_can_be_watched(stage):
    await stage.type(OLGA, "/quick ohell seats=3")
    await stage.quiet()
    waiting, playing = lists(stage)

    assert [
        {"table": 1, "game": "ohell", "names": [OLGA], "bots": 2, "free": 2, "now": False},
    ] == waiting
    assert "round 1 of 5" == playing[0]["part"]
    assert 0 == playing[0]["turn"]
    assert [OLGA, False] == playing[0]["seats"][0]
    assert [True, True] == [bot for _, bot in playing[0]["seats"][1:]]


async def test_table_that_waits_can_be_joined_at_once_and_comes_first(stage):
    await stage.type(OLGA, "/quick ohell seats=3")
    await stage.type(BOB, "/new liarsdice")
    waiting, playing = lists(stage)

    assert [(2, True), (1, False)] == [(one["table"], one["now"]) for one in waiting]
    assert [1] == [one["number"] for one in playing]


async def test_tables_of_bots_alone_are_not_listed(stage):
    """Someone has lost the connection, or has left: nobody is there to play with or to watch."""
    await stage.type(OLGA, "/quick ohell seats=3")
    stage.drop(OLGA)

    assert ([], []) == numbers(stage)


async def test_private_tables_lessons_and_daily_deals_are_not_listed(stage):
    await stage.type(OLGA, "/new ohell private=on")
    await stage.type(BOB, "/daily ohell")
    stage.enter("cat")
    await stage.type("cat", "/learn ohell")

    assert ([], []) == numbers(stage)


async def test_table_whose_seats_others_wait_for_cannot_be_joined(stage):
    stage.enter("cat")
    await stage.type(OLGA, "/quick ohell seats=2")
    await stage.type(BOB, "/sit 1")

    assert ([], [1]) == numbers(stage)


async def test_table_for_some_people_is_not_offered_to_all(stage):
    await stage.type(OLGA, "/seek ohell rating>30")

    assert ([], []) == numbers(stage)


async def test_middle_says_what_everyone_there_sees(stage):
    """The standing claim of Liars Dice, in quotation marks; never a hand."""
    await stage.type(OLGA, "/quick liarsdice seats=2")
    await stage.quiet()
    seen = [lists(stage)[1][0]["middle"]]
    for _ in range(6):
        if 1 in stage.open_tables and stage.table(1).question(stage.people[OLGA]):
            await stage.type(OLGA, f"/{stage.table(1).words(stage.people[OLGA])[0]}")
            await stage.quiet()
            seen += [one["middle"] for one in lists(stage)[1]]

    assert any(text.startswith("“") for text in seen)


async def test_people_who_watch_are_counted(stage):
    await stage.type(OLGA, "/quick ohell seats=3")
    await stage.type(BOB, "/watch 1")

    assert 1 == lists(stage)[1][0]["watching"]
