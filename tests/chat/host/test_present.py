"""The people here and the rooms that one may see, as one value for all kinds of clients."""

import attrs
import pytest

from lilygames.chat.host.host_directory import HostDirectory
from lilygames.chat.host.packets import got, place
from lilygames.chat.host.present import PresentBeforeLogin, present, present_before_login
from lilygames.gametest.stage import Stage
from tests.toys import TOYS


@pytest.fixture
async def stage():
    """Ann has a private room that bob may not see; cat has left."""
    stage = await Stage.open(TOYS)
    for name in ("ann", "bob", "cat"):
        stage.enter(name).takes_packets = True
    await stage.type("ann", "/create den a quiet room")
    den = stage.rooms["den"]
    den.govern(attrs.evolve(den.charter, private=True))
    stage.drop("cat")
    return stage


def sent(stage, name, what):
    """Return what a client gets when it asks for it."""
    stage.screens[name].packets.clear()
    got(stage.host, stage.people[name], what, None)
    return stage.screens[name].packets[-1].value


async def test_room_that_one_may_not_see_is_in_no_list(stage):
    bob, ann = stage.people["bob"], stage.people["ann"]

    assert "den" in [room.name for room in present(stage.host, ann).rooms]
    assert "den" not in [room.name for room in present(stage.host, bob).rooms]
    assert "den" not in str([sent(stage, "bob", what) for what in ("people", "rooms", "players")])
    assert "den" not in str(HostDirectory(stage.host, bob).listing())


async def test_all_kinds_of_clients_are_told_of_the_same_people_and_rooms(stage):
    ann = stage.people["ann"]
    value = present(stage.host, ann)

    assert [one.name for one in value.here] == [one["name"] for one in sent(stage, "ann", "people")]
    assert [one.name for one in value.here] == [one["name"] for one in sent(stage, "ann", "players")]
    assert [room.name for room in value.rooms] == [room["name"] for room in sent(stage, "ann", "rooms")]
    assert value.people == HostDirectory(stage.host, ann).listing().people
    assert ["lobby", "den"] == [*value.rooms_of["ann"]]


async def test_stranger_is_told_only_the_names_of_those_who_are_here(stage):
    assert PresentBeforeLogin(2, ("ann",)) == present_before_login(stage.host.people, 1)
    assert ["ann", "bob"] == place(stage.host).value["who"]


async def test_value_stays_as_it_was_when_people_come_and_go(stage):
    before = present(stage.host, stage.people["ann"])
    stage.drop("bob")

    assert ["ann", "bob"] == [one.name for one in before.here]
    assert ["ann"] == [one.name for one in present(stage.host, stage.people["ann"]).here]
