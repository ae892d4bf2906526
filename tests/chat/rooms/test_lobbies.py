"""Lobbies: newcomers enter the next one when those before are full."""

from __future__ import annotations

import attrs
import pytest

from lilygames.chat.rooms.lobbies import Lobbies
from lilygames.chat.visits.handover_state import attach, carry, take_up
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

NAMES = ("ann", "bob", "cat", "dan", "eve")


def most(people, **more):
    return attrs.evolve(SETTINGS, lobby_people=people, **more)


@pytest.fixture
async def stage():
    """Five people, and lobbies for two each."""
    stage = await Stage.open(TOYS, settings=most(2))
    for name in NAMES:
        stage.enter(name)
    for screen in stage.screens.values():
        screen.take()
    return stage


def lobbies(stage):
    """Return the people of each lobby."""
    return {name: [*room.people] for name, room in stage.rooms.items() if name.startswith("lobby")}


async def test_newcomer_enters_the_next_lobby_when_all_are_full(stage):
    assert {"lobby": ["ann", "bob"], "lobby-2": ["cat", "dan"], "lobby-3": ["eve"]} == lobbies(stage)
    assert ["lobby", "lobby-2", "lobby-3"] == [stage.people[name].room.name for name in ("bob", "dan", "eve")]


async def test_newcomer_reads_which_lobby_they_are_in(stage):
    rows = stage.enter("fay").take()

    assert "You're in lobby-3 with eve." in rows


async def test_free_place_in_an_earlier_lobby_is_taken_first(stage):
    stage.drop("ann")
    stage.enter("fay")

    assert {"lobby": ["bob", "fay"], "lobby-2": ["cat", "dan"], "lobby-3": ["eve"]} == lobbies(stage)


async def test_other_lobby_closes_when_its_last_person_leaves(stage):
    stage.drop("eve")
    assert ["lobby", "lobby-2"] == [*lobbies(stage)]
    stage.enter("fay")

    assert ["fay"] == lobbies(stage)["lobby-3"]


async def test_first_lobby_stays_when_it_is_empty(stage):
    for name in NAMES:
        stage.drop(name)

    assert {"lobby": []} == lobbies(stage)


async def test_nobody_is_moved_when_a_place_is_free(stage):
    stage.drop("ann")
    await stage.type("eve", "hello")

    assert ["eve"] == lobbies(stage)["lobby-3"]


@pytest.mark.parametrize("people", [0, 5])
async def test_everyone_enters_one_lobby_if_it_is_never_full(people):
    stage = await Stage.open(TOYS, settings=most(people))
    for name in NAMES:
        stage.enter(name)

    assert {"lobby": [*NAMES]} == lobbies(stage)


async def test_talk_in_a_lobby_is_heard_only_there(stage):
    await stage.type("cat", "hello")

    assert [" - hello"] == [row for row in stage.screens["dan"].take() if "hello" in row]
    assert [] == stage.screens["ann"].take()


async def test_people_in_other_lobbies_get_messages_and_are_listed(stage):
    await stage.type("ann", "eve;psst")
    assert " - psst" in stage.screens["eve"].take()
    rows = await stage.type("eve", "/who")

    assert "(5 people are here)" == rows[-1]
    assert ["lobby", "lobby", "lobby-2", "lobby-2", "lobby-3"] == [row.split()[-1] for row in rows[1:-1]]
    assert ["cat", "dan"] == [row.split()[0] for row in (await stage.type("eve", "/who lobby-2"))[1:-1]]


async def test_seek_and_announcement_reach_everyone(stage):
    await stage.type("eve", "/seek tally 2")
    stage.host.announce("*** restarting soon ***")
    for name in NAMES[:-1]:
        rows = stage.screens[name].take()
        assert [1, 1] == [sum(what in row for row in rows) for what in ("/sit tally", "restarting soon")]


async def test_login_of_a_friend_is_read_in_another_lobby(stage):
    stage.enter("fay")
    await stage.type("ann", "/friend add fay")
    stage.drop("fay")
    stage.screens["ann"].take()
    stage.enter("fay")

    assert 1 == sum("fay" in row for row in stage.screens["ann"].take())


async def test_person_comes_back_to_a_kept_seat_where_they_were(stage):
    await stage.type("cat", "/new tally")
    await stage.type("cat", "/join lobby-2")
    stage.drop("cat")
    stage.enter("fay")
    stage.enter("cat")

    assert {"cat", "dan", "fay"} == {*lobbies(stage)["lobby-2"]}
    assert "lobby-2" not in stage.people["ann"].rooms


async def test_person_who_reconnects_at_once_is_where_they_were():
    stage = await Stage.open(TOYS, settings=most(2, patience=600))
    for name in NAMES:
        stage.enter(name)
    stage.drop("ann")
    stage.drop("eve")
    stage.enter("eve")

    assert {"lobby": ["bob"], "lobby-2": ["cat", "dan"], "lobby-3": ["eve"]} == lobbies(stage)
    for dropped in stage.host.going.values():
        dropped.timer.cancel()


async def test_own_lobby_cannot_be_left_but_another_one_can(stage):
    refused = "Refused: you can't leave the lobby."
    assert (await stage.type("eve", "/quit"))[0].startswith(refused)
    await stage.type("eve", "/join lobby")
    assert ["(you have left lobby and are in lobby-3)"] == await stage.type("eve", "/quit lobby")
    assert (await stage.type("ann", "/quit lobby"))[0].startswith(refused)


async def test_player_who_leaves_a_table_is_in_their_own_lobby_again(stage):
    for line in ("/new tally", "/leave", "/quit"):
        await stage.type("eve", line)

    assert "lobby-3" == stage.people["eve"].room.name


async def test_name_of_a_lobby_is_reserved(stage):
    stage.people["ann"].set_guest(guest=False)

    assert ["Refused: “lobby-9” is a reserved name. Please choose another."] == await stage.type(
        "ann", "/create lobby-9"
    )


async def test_person_handed_over_is_in_the_same_lobby(stage):
    after = await Stage.open(TOYS, store=MemoryStore(), settings=most(2))
    for name in ("eve", "cat"):
        kept = carry(stage.host, stage.people[name])
        attach(after.host, await take_up(after.host, kept), None)

    assert {"lobby": [], "lobby-3": ["eve"], "lobby-2": ["cat"]} == lobbies(after)


async def test_room_with_a_similar_name_is_not_a_lobby(stage):
    named = [stage.host.lobbies.called(name) for name in ("lobby-0", "lobby-", "lobby2", "lobby-x", "cafe")]

    assert [None] * 5 == named
    assert isinstance(stage.host.lobbies, Lobbies)
