"""People whom a restart carries over before their tables are restored: they miss nothing and read nothing twice."""

import pytest

from lilygames.chat.visits.handover_state import attach, carry, take_up
from lilygames.chat.visits.session import continue_visit
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.place.place import Before, furnish
from lilygames.store import StoreUnavailable
from tests.toys import TALLY


@pytest.fixture
async def two(stage, table):
    """A second table, of cat and dan, and eve in the lobby."""
    for name in ("cat", "dan", "eve"):
        stage.enter(name)
    await stage.type("cat", "/new tally max=3")
    await stage.type("dan", "/sit 2")
    await stage.type("cat", "/start")


@pytest.fixture(params=[1, 2], ids=["one restart", "two restarts"])
def restarted(stage, store, request):
    """A function that replaces the process, as `handover` does, and returns the stage of the last one."""

    async def restart(*absent):
        after = stage
        for _ in range(request.param):
            after = await replaced(after, store, absent)
        return after

    return restart


async def replaced(stage, store, absent):
    """Replace the process, although tables may wait to be restored in this one, too."""
    host, tables = stage.host, stage.tables
    tables.carried_over.sleep()
    await stage.quiet()
    people, kept = [carry(host, person) for person in host.people.values()], tables.carried_over.kept
    told = {**tables.carried_over.told, **{number: bot.table.seq for number, bot in tables.open.items()}}
    after = Stage(await furnish(store, SETTINGS, TALLY, before=Before(told), at_once=False))
    place = after.place
    for one in people:
        after.people[one.name] = await take_up(place.host, one)
    place.tables.carried_over.take_up(kept)
    for one in people:
        screen = None if one.name in absent else stage.screens[one.name]
        after.screens[one.name] = stage.screens[one.name]
        after.screens[one.name].take()
        attach(place.host, after.people[one.name], screen)
    await place.wake()
    return after


async def finished(after):
    """Restore all tables."""
    await after.tables.unrestored.finish()
    await after.quiet()


async def test_nobody_waits_for_tables_in_a_restart_and_nothing_is_shown_when_they_come_back(restarted, two):
    after = await restarted()
    assert not after.open_tables

    await finished(after)
    assert {1, 2} == {*after.open_tables}
    assert [[], [], [], [], []] == [screen.take() for screen in after.screens.values()]
    assert [[1], [1], [2], [2], []] == [
        [bot.table.header.number for bot in after.people[name].seats] for name in ("ann", "bob", "cat", "dan", "eve")
    ]


async def test_state_of_a_table_survives_two_restarts_whether_it_was_restored_between_or_not(stage, store, two):
    await stage.type("ann", "/queue bid 1")
    await stage.type("cat", "/queue bid 0")
    before = stage.tables.carried_over.kept
    once = await replaced(stage, store, ())
    await once.host.tables.ready_for("", [2])
    twice = await replaced(once, store, ())
    await finished(twice)

    assert [1, 2] == [kept.number for kept in before]
    assert list(before) == sorted(twice.tables.carried_over.kept, key=lambda kept: kept.number)


async def test_typed_move_waits_only_for_the_table_of_its_player(restarted, two):
    after = await restarted()
    rows = await after.type("bob", "/bid 0")

    assert any("You bid 0" in row for row in rows)
    assert any("bob bids 0" in row for row in after.screens["ann"].take())
    assert [1] == [*after.open_tables]


async def test_talk_at_a_table_stays_in_its_room_while_it_waits(restarted, two):
    after = await restarted()
    await after.type("ann", "hello bob")

    assert any("hello bob" in row for row in after.screens["bob"].take())
    assert not any("hello bob" in row for row in after.screens["eve"].take())


async def test_talk_reaches_people_whose_table_waits(restarted, two):
    after = await restarted()
    await after.type("eve", "bob;psst")

    assert any("psst" in row for row in after.screens["bob"].take())
    assert 2 == len(after.tables.unrestored)


async def test_queued_move_is_made_when_the_table_is_back(restarted, two, stage):
    await stage.type("ann", "/queue bid 1")
    after = await restarted()
    await after.type("bob", "/bid 1")

    assert any(row.startswith("You bid 1.") for row in after.screens["ann"].take())


async def test_number_picks_from_the_list_shown_before_the_restart(restarted, two, stage):
    await stage.type("bob", "/moves")
    after = await restarted()

    assert any("You bid " in row for row in await after.type("bob", "1"))


async def test_number_belongs_to_the_list_on_the_screen_although_another_table_asks_first(restarted, two, stage):
    """Bob's list is of his first table. The second one is restored before it, and then it's his turn there."""
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("eve", "/sit 3")
    await stage.type("bob", "/start")
    await stage.type("bob", "/at 1 moves")
    after = await restarted()
    await after.type("eve", "/bid 0")
    asked = after.screens["bob"].take()
    assert [3] == [*after.open_tables]
    assert any("your turn; type /next" in row for row in asked)

    await after.host.tables.ready_for("bob")
    assert 1 == after.people["bob"].focus.table().table.header.number
    await after.type("bob", "1")
    assert after.table(1).table.seq > stage.table(1).table.seq


async def test_others_get_the_focus_that_was_kept_for_a_table_which_cannot_be_restored(restarted, two, stage, store):
    await stage.type("bob", "/moves")
    del store.entries["table/1"][1]
    after = await restarted()
    assert 1 == after.people["bob"].focus.reserved

    await finished(after)
    assert 0 == after.people["bob"].focus.reserved
    assert 1 in after.tables.unplayable


async def test_private_table_stays_private_while_it_waits(restarted, stage):
    stage.enter("eve")
    await stage.type("ann", "/new tally private=on bob")
    room = stage.table(1).room.name
    after = await restarted()
    waiting = after.rooms.called(room)

    assert [True, True, False] == [waiting.may_see(after.people[name]) for name in ("ann", "bob", "eve")]


async def test_seat_of_someone_who_disconnects_before_their_table_is_back_is_kept(restarted, two):
    after = await restarted()
    for name in ("ann", "eve"):
        await continue_visit(after.host, after.place.dispatcher, after.screens[name], after.people[name])

    people = after.host.people
    assert "eve" not in people
    assert not people["ann"].here
    assert [after.table(1)] == people["ann"].seats


async def test_disconnected_person_is_looked_at_again_when_the_store_is_back(restarted, two, store, monkeypatch):
    monkeypatch.setattr("lilygames.chat.visits.session.RETRY", 0)
    after = await restarted()
    store.fail_next(StoreUnavailable("it is away"), call="read")
    await continue_visit(after.host, after.place.dispatcher, after.screens["ann"], after.people["ann"])

    assert [after.table(1)] == after.host.people["ann"].seats


async def test_absent_person_is_let_go_when_their_game_turns_out_to_be_over(restarted, two, finish, store):
    await finish(2)
    await store.keep("open", "2", "")
    after = await restarted("cat", "dan")
    assert after.host.keeps_seat("cat")

    await finished(after)
    assert {"ann", "bob", "eve"} == {*after.host.people}
