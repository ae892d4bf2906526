"""Open tables by player and room, those that people can join, and their order: as if each were asked."""

import asyncio
import gc
from weakref import ref

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.errors import UserError
from lilygames.gametest.stage import Stage
from lilygames.tables.open.table_index import spectators

PEOPLE = ("ann", "bob", "cat")


@pytest.fixture
async def stage(stage):
    for name in PEOPLE:
        if name not in stage.people:
            stage.enter(name)
    return stage


@pytest.fixture
async def tables(stage):
    """Returns a function that compares the lookups with a look at every table."""

    def compared(stage=stage):
        tables = stage.tables
        for name in PEOPLE:
            each = [number for number, bot in sorted(tables.open.items()) if bot.keeps_seat(name)]
            assert each == [bot.table.header.number for bot in tables.seating(name)]
            assert bool(each) == stage.host.keeps_seat(name)
        waiting = {number for number, bot in tables.open.items() if not bot.table.started}
        joined = {number for number, bot in tables.open.items() if bot.table.game.joins}
        assert waiting | joined == {*tables.joinable}
        assert len(tables.open) - len(waiting) == stage.host.playing()
        return {name: [bot.table.header.number for bot in tables.seating(name)] for name in PEOPLE}

    return compared


async def test_seats_are_known_as_people_sit_down_and_leave(stage, tables):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit 1")
    await stage.type("cat", "/new tally")
    assert {"ann": [1], "bob": [1], "cat": [2]} == tables()
    await stage.type("bob", "/sit 2")
    await stage.type("ann", "/leave")

    assert {"ann": [], "bob": [1, 2], "cat": [2]} == tables()


async def test_seat_that_a_bot_keeps_is_known_and_one_given_up_is_not(stage, tables):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await stage.quiet()

    assert [1] == tables()["ann"]
    assert tables()["bob"] == ([1] if stage.table(1).keeps_seat("bob") else [])


async def test_seats_are_known_after_a_restart(stage, tables, store, tally):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    again = await Stage.open(tally, store=store)

    assert {"ann": [1], "bob": [1], "cat": []} == tables(again)


async def test_finished_table_keeps_no_seat_and_leaves_its_room(stage, tables, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    assert [1] == [*stage.tables.joinable]
    await stage.type("ann", "/start")
    tables()
    assert not stage.tables.joinable
    room = stage.table(1).room.name
    assert stage.table(1) is stage.tables.find(room.upper())
    await finish()

    assert {"ann": [], "bob": [], "cat": []} == tables()
    with pytest.raises(UserError, match="no table is open"):
        stage.tables.find(room)


async def test_person_knows_the_rooms_they_are_in(stage):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/join tally")
    bob, rooms = stage.people["bob"], stage.rooms
    assert {room for room in rooms.values() if "bob" in room.people} == {*bob.rooms}
    assert 2 == len(bob.rooms)
    stage.drop("bob")

    assert not bob.rooms
    assert not any("bob" in room.people for room in rooms.values())


async def test_room_of_a_table_that_is_over_is_closed_when_its_last_member_logs_out(stage, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/sit 2")
    await stage.type("bob", "/start")
    room = stage.table(2).room
    assert not room.lasting
    await stage.type("cat", f"/join {room.name}")
    await finish(2)
    for name in ("ann", "bob"):
        await stage.type(name, f"/quit {room.name}")
    assert room in stage.rooms.values()
    stage.drop("cat")

    assert room not in stage.rooms.values()


def listed(stage, name):
    """Compare a person's list with a look at every table, and return the numbers."""
    person = stage.people[name]
    order = sorted(
        (not bot.table.started, -len(spectators(bot)), number)
        for number, bot in stage.open_tables.items()
        if bot.room.may_see(person) and not bot.table.lesson
    )
    numbers = [number for *_, number in order]
    for first in range(len(order) + 2):
        for most in (1, 2, 18):
            page = stage.tables.listed.page(person, first, most)
            assert numbers[first : first + most] == [*page.numbers]
            assert len(numbers[first + most :]) == page.more
    inviting = [number for number, bot in sorted(stage.open_tables.items()) if bot.invitations.invites(name)]
    assert inviting == [bot.table.header.number for bot in stage.tables.inviting(person)]
    return numbers


async def test_list_follows_spectators_who_come_go_and_stop_watching(stage):
    for name in ("ann", "bob"):
        await stage.type(name, "/new tally max=3")
        await stage.type(name, "/house")
        await stage.type(name, "/start")
    assert [1, 2] == listed(stage, "cat")
    await stage.type("cat", "/watch 2")
    assert [2, 1] == listed(stage, "cat")
    stage.drop("cat")
    assert [1, 2] == listed(stage, "ann")
    stage.enter("cat")
    await stage.type("cat", "/watch 2")
    assert [2, 1] == listed(stage, "ann")
    stage.table(2).room.stop_watching(["cat"])
    assert [1, 2] == listed(stage, "ann")
    stage.table(2).room.watch(stage.people["cat"])
    assert [2, 1] == listed(stage, "ann")
    await stage.type("cat", f"/quit {stage.table(2).room.name}")

    assert [1, 2] == listed(stage, "ann")


async def test_private_table_is_listed_for_those_who_may_see_it(stage):
    await stage.type("ann", "/new tally private=on")
    await stage.type("bob", "/new tally")
    assert [[1, 2], [2], [2]] == [listed(stage, name) for name in PEOPLE]
    await stage.type("ann", "/invite cat")
    assert [[1, 2], [2], [1, 2]] == [listed(stage, name) for name in PEOPLE]
    stage.table(1).room.govern(attrs.evolve(stage.table(1).room.charter, private=False))

    assert [[1, 2]] * 3 == [listed(stage, name) for name in PEOPLE]


OPEN, SHUT = "/new tally max=3", "/new tally max=3 private=on"
MOVES = ("/sit 1", "/sit 2", "/watch 1", "/watch 2", "/watch 3", "/house", "/start", "/leave", "/adjourn")
LINES = (OPEN, SHUT, *MOVES, "/invite ann", "/invite cat", "/decline")


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from((*LINES, "drop", "come"))), max_size=25))
def test_list_is_in_order_whatever_people_do(tally, did):
    async def play():
        stage = await Stage.open(tally)
        for name in PEOPLE:
            stage.enter(name)
        for name, what in did:
            here = stage.people[name].here
            if what == "drop" and here:
                stage.drop(name)
            elif what == "come" and not here:
                await stage.come(name)
            elif what.startswith("/") and here:
                await stage.type(name, what)
            for reader in PEOPLE:
                listed(stage, reader)

    asyncio.run(play())


async def test_table_that_is_over_is_freed_although_its_players_stay(stage, finish):
    await stage.type("cat", "/new tally max=3")  # the room of a game keeps its last table
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit 2")
    await stage.type("ann", "/start")
    table = ref(stage.table(2))
    await finish(2)
    for name in ("ann", "bob"):
        await stage.type(name, "/leave")
    await stage.quiet()
    gc.collect()

    assert table() is None
