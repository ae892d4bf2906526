"""A large place: only people of the same room hear that someone comes or goes, or has changed something."""

from __future__ import annotations

import attrs
import pytest

from lilygames.chat.commands import presence
from lilygames.gametest.stage import SETTINGS, Stage
from tests.toys import TOYS


@pytest.fixture
async def stage(monkeypatch):
    """Lobbies for two people each, and more people than anybody can keep track of: ann and bob, cat and dan, eve."""
    monkeypatch.setattr("lilygames.chat.host.host.MANY", 3)
    stage = await Stage.open(TOYS, settings=attrs.evolve(SETTINGS, lobby_people=2))
    for name in ("ann", "bob", "cat", "dan", "eve"):
        stage.enter(name)
    heard(stage)
    return stage


def heard(stage):
    """Return who has read anything, and what."""
    rows = {name: screen.take() for name, screen in stage.screens.items()}
    return {name: said for name, said in rows.items() if said}


async def test_login_is_told_to_those_in_the_same_room(stage):
    stage.enter("fay").take()

    assert {"eve": ["*** fay has entered lily ***"]} == heard(stage)


async def test_logout_is_told_to_those_who_were_in_the_same_room(stage):
    stage.drop("ann")

    assert {"bob": ["*** ann has left lily (connection lost) ***"]} == heard(stage)


async def test_news_about_a_person_is_told_once_to_everyone_in_any_of_their_rooms(stage):
    await stage.type("ann", "/new coin")
    await stage.type("bob", f"/join {stage.people['ann'].room.name}")
    await stage.type("cat", f"/join {stage.people['ann'].room.name}")
    heard(stage)
    await stage.type("ann", "/away")
    news = ["*** ann is away ***"]

    assert {"ann": ["(you are now away)"], "bob": news, "cat": news} == heard(stage)


async def test_friend_hears_of_a_login_in_any_room(stage):
    await stage.type("ann", "/friend add eve")
    stage.drop("eve")
    heard(stage)
    stage.enter("eve").take()

    assert {"ann": ["*** eve, your friend, has entered lily ***", "(bell)"]} == heard(stage)


async def test_message_to_everyone_is_read_in_every_room(stage):
    host = stage.host
    host.tell_all(stage.people["ann"].did("pa", text="dinner"), but=stage.people["ann"])

    assert {"bob", "cat", "dan", "eve"} == heard(stage).keys()


async def test_everyone_is_listed_and_can_be_written_to(stage):
    assert ["ann", "bob", "cat", "dan", "eve"] == [
        name for name in stage.people if name in " ".join(await stage.type("eve", "/who"))
    ]
    await stage.type("eve", "ann;hello")

    assert " - hello" in stage.screens["ann"].take()


@pytest.mark.parametrize("page", [1, 2])
async def test_members_of_a_large_room_are_listed_like_those_of_a_small_one(stage, monkeypatch, page):
    """A large room's page is picked from the order of everyone, and a small room's members are sorted."""
    for number in range(40):
        stage.enter(f"zoe{number:02}")
        await stage.type(f"zoe{number:02}", "/join lobby")
    small = await stage.type("eve", f"/who lobby {page}")
    monkeypatch.setattr(presence, "_SMALL", 0)

    assert small == await stage.type("eve", f"/who lobby {page}")
    assert 20 < len(small)


async def test_idle_people_are_listed_by_how_long_they_have_typed_nothing(stage):
    for name, seconds in (("cat", 600), ("ann", 300)):
        stage.people[name].activity.last -= seconds

    rows = await stage.type("eve", "/idle")

    assert ["   10m  cat", "    5m  ann"] == rows[:2]
    assert {"   now  bob", "   now  dan", "   now  eve"} == {*rows[2:]}
