"""Tables that a start leaves for later: they come back just as if they had been restored at once."""

import asyncio
from functools import partial

import pytest
from structlog.testing import capture_logs

from lilygames.chat.visits.arrivals import arrive
from lilygames.gametest.stage import Screen, Stage
from lilygames.scheduling import foreground
from lilygames.store import Damaged, StoreUnavailable
from lilygames.tables.open.forgetting import forget_names
from lilygames.tables.open.row_check import complete_rows
from lilygames.tables.restore import unrestored
from lilygames.tables.results.purses import Purses
from lilygames.tables.state.table import Table
from lilygames.text import Voice
from tests.deadline import DEADLINE


@pytest.fixture
def later(tally, store):
    """Returns a function that starts a place on the same store whose tables wait to be restored."""
    return partial(Stage.open, tally, store=store, at_once=False)


@pytest.fixture
async def two(stage, table):
    """A second table, of cat and dan, who wait for a third player."""
    for name in ("cat", "dan"):
        stage.enter(name)
    await stage.type("cat", "/new tally max=3")
    await stage.type("dan", "/sit 2")


async def test_start_replays_no_table_that_nobody_needs(later, table):
    after = await later()

    assert not after.open_tables
    assert 1 == len(after.tables.unrestored)


async def test_restored_table_is_the_same_with_the_same_hand_and_turn(later, table):
    hand = table.table.view(1).round.hand[0]
    after = await later()
    await after.host.tables.ready_for("bob")
    rows = after.enter("bob").take()

    assert table.table == after.table(1).table
    assert [f"Your hand: {hand}", "Your turn: bid 0 or 1."] == rows[-2:]


async def test_game_goes_on_at_a_restored_table(later, table):
    after = await later()
    await after.tables.unrestored.finish()
    after.enter("bob")

    assert any("bid" in row for row in await after.type("bob", "/bid 0"))
    assert table.table.seq + 1 == after.table(1).table.seq


async def test_tables_of_someone_who_logs_in_come_first(later, two):
    after = await later()
    await after.host.tables.ready_for("Dan")

    assert [2] == [*after.open_tables]
    assert 1 in after.tables.unrestored


async def test_tables_that_a_page_watched_come_with_those_of_its_person(later, two):
    after = await later()
    await after.host.tables.ready_for("dan", [1])

    assert {1, 2} == {*after.open_tables}


async def test_seats_and_rooms_are_kept_while_their_table_waits(later, two, stage):
    rooms = {stage.table(number).room.name for number in (1, 2)}
    after = await later()
    tables, host = after.tables, after.host

    assert [True, True, False] == [host.keeps_seat(name) for name in ("ANN", "dan", "eve")]
    assert tables.rooms.free(tables.game("tally")) not in rooms
    await tables.unrestored.finish()
    assert [True, True, False] == [host.keeps_seat(name) for name in ("ANN", "dan", "eve")]
    assert rooms == {after.table(number).room.name for number in (1, 2)}


@pytest.mark.parametrize(
    "line", ["/tell cat hi", "/review tally-2", "/finger dan", "/log 2", "/stats DAN", "/also cat,eve"]
)
async def test_command_about_someone_or_a_table_waits_for_those_tables_only(later, two, stage, line):
    assert "tally-2" == stage.table(2).room.name
    after = await later()
    after.enter("eve")
    await after.type("eve", line)

    assert [1] == [*after.tables.unrestored.numbers]


@pytest.mark.parametrize("line", ["/set width 70", "/blurb back", "/idle", "/emote waves", "/review", "/dicetest"])
async def test_command_about_no_table_waits_for_none(later, two, line):
    after = await later()
    after.enter("eve")
    await after.type("eve", line)

    assert 2 == len(after.tables.unrestored)


async def test_tables_are_listed_at_once_with_the_number_of_those_that_follow(later, two):
    after = await later()
    await after.host.tables.ready_for("dan")
    after.enter("eve")
    rows = await after.type("eve", "/tables")
    await after.tables.unrestored.finish()
    later_rows = await after.type("eve", "/tables")

    assert 1 == sum("Tally" in row for row in rows)
    assert "(the server has just restarted: 1 table will be back in a moment)" in rows
    assert 2 == sum("Tally" in row for row in later_rows)


async def test_person_is_told_why_a_command_waits(later, two, monkeypatch):
    monkeypatch.setattr(unrestored, "MOMENT", 0)
    after = await later()
    after.enter("eve")
    rows = await after.type("eve", "/watch 1")

    assert "(the server has just restarted: your command waits until its tables are back)" == rows[0]


async def test_periodic_tasks_begin_when_all_tables_are_restored(later, two):
    after = await later()
    left = after.tables.unrestored
    waiting = asyncio.create_task(left.finished())
    await left.ready_for("dan")
    assert not waiting.done()

    await left.finish()
    await waiting


async def test_unrestored_tables_count_as_open_tables_of_their_game(later, two):
    after = await later()

    assert ["tally", "tally"] == [header.game for header in after.tables.unrestored.besides(())]
    assert [2] == [header.number for header in after.tables.unrestored.besides({1})]


async def test_player_can_look_and_move_before_all_tables_are_restored(later, two):
    after = await later()
    await after.host.tables.ready_for("bob")
    after.enter("bob")
    await after.type("bob", "/hand")
    rows = await after.type("bob", "/bid 0")

    assert any("bid" in row for row in rows)
    assert 2 in after.tables.unrestored


async def test_bug_in_the_restored_table_stops_it_and_holds_up_nobody(later, two, monkeypatch):
    after = await later()
    tables = after.tables
    with monkeypatch.context() as broken:
        broken.setattr(tables.duplicates, "plays_alone", lambda _: 1 / 0)
        broken.setattr(tables.rooms, "open", lambda *_: 1 / 0)
        with capture_logs() as logged:
            await tables.unrestored.finish()

    assert {1, 2} == tables.unplayable.numbers
    assert 2 == len({one["case"] for one in logged if one["event"] == "table stopped"})
    assert after.host.keeps_seat("dan")


async def test_table_that_many_wait_for_is_restored_once(later, two):
    after = await later()
    host, tables = after.host.tables, after.tables
    await asyncio.gather(
        host.ready_for("ann"), host.ready_for("", [1, 2]), host.ready_for("bob"), tables.unrestored.finish()
    )

    assert {1, 2} == {*tables.open}
    assert all(after.table(number).room.bot is after.table(number) for number in (1, 2))


async def test_damaged_log_stops_its_table_when_it_is_restored_and_no_other(later, two, store):
    del store.entries["table/1"][1]
    after = await later()
    with capture_logs() as logged:
        await after.tables.unrestored.finish()
    (case,) = [one["case"] for one in logged if one["event"] == "table stopped"]

    assert [2] == [*after.open_tables]
    assert [f"stopped table #1 tally (case {case})"] == after.tables.troubles
    assert 1 in after.tables.unplayable
    assert after.host.keeps_seat("ann")


def damaged(sound):
    """A function like this one that finds damage if it is given table 1, or the name of its log."""

    def found(asked, *more):
        if asked == "table/1" or (isinstance(asked, Table) and asked.header.number == 1):
            raise Damaged("it is damaged")
        return sound(asked, *more)

    return found


async def stopped_alone(after):
    """Restore the rest, and return the case number of table 1, which is set aside."""
    with capture_logs() as logged:
        async with asyncio.timeout(DEADLINE):
            await after.tables.unrestored.finish()
    (case,) = [one["case"] for one in logged if one["event"] == "table stopped"]

    assert [2] == [*after.open_tables]
    assert {1} == after.tables.unplayable.numbers
    return case


async def test_damage_that_is_found_after_the_replay_stops_its_table_and_no_other(later, two, monkeypatch):
    after = await later()
    monkeypatch.setattr(after.tables.purses, "settle", damaged(after.tables.purses.settle))

    await stopped_alone(after)
    assert after.host.keeps_seat("ann")


async def test_start_that_restores_all_tables_at_once_stops_a_damaged_one(tally, two, store, monkeypatch):
    sound = Purses.settle
    monkeypatch.setattr(Purses, "settle", lambda *asked: damaged(partial(sound, asked[0]))(*asked[1:]))
    after = await Stage.open(tally, store=store)

    assert [2] == [*after.open_tables]
    assert {1} == after.tables.unplayable.numbers


async def test_everyone_named_beside_a_log_that_cannot_be_read_keeps_a_seat_and_is_told(later, two, store, monkeypatch):
    after = await later()
    for name in ("ann", "eve"):
        after.enter(name).take()
    monkeypatch.setattr(store, "read", damaged(store.read))
    case = await stopped_alone(after)
    told = " ".join(after.screens["ann"].take())
    moved = " ".join(await after.type("ann", "/moves"))

    assert f"(you have a seat at #1 tally, which is stopped (case {case})" in told
    assert f"stopped (case {case})" in moved
    assert [] == after.screens["eve"].take()
    assert [True, True, False] == [after.host.keeps_seat(name) for name in ("ann", "bob", "eve")]


async def test_damaged_header_leaves_the_other_tables_for_later(later, two, store, monkeypatch):
    sound = store.entries_at

    async def entries_at(log, positions):
        if 1 in positions:
            raise Damaged("it is damaged")
        return await sound(log, positions)

    monkeypatch.setattr(store, "entries_at", entries_at)
    after = await later()

    assert [2] == [*after.tables.unrestored.numbers]


async def test_table_that_cannot_be_read_now_holds_up_no_other(later, two, store, monkeypatch):
    monkeypatch.setattr(unrestored, "RETRY", 0)
    after, sound = await later(), store.read
    first = next(iter(after.tables.unrestored.numbers))

    async def read(log, *more):
        if log == f"table/{first}" and not after.open_tables:
            raise StoreUnavailable("it is away")
        return await sound(log, *more)

    monkeypatch.setattr(store, "read", read)
    async with asyncio.timeout(DEADLINE):
        await after.tables.unrestored.finish()

    assert {1, 2} == {*after.open_tables}


async def test_finished_table_that_is_still_marked_as_open_is_finished_later(later, table, finish, store):
    await finish()
    await store.keep("open", "1", "")
    after = await later()
    await after.tables.unrestored.finish()

    assert not after.open_tables
    assert await store.find("open", "1") is None


async def test_table_waits_on_while_the_store_is_away(later, table, store, monkeypatch):
    after = await later()
    with monkeypatch.context() as away:

        async def read(*_):
            raise StoreUnavailable("it is away")

        away.setattr(store, "read", read)
        with pytest.raises(StoreUnavailable):
            await after.host.tables.ready_for("ann")
        assert after.host.keeps_seat("ann")
    await after.host.tables.ready_for("ann")

    assert table.table == after.table(1).table


async def test_tables_that_nobody_waits_for_rest_while_someone_waits_for_an_answer(later, two, monkeypatch):
    monkeypatch.setattr(foreground, "LONGEST", 1e9)
    after = await later()
    tables = after.tables
    with after.host.foreground.answering():
        rest = asyncio.create_task(tables.unrestored.finish())
        await after.quiet()
        untouched = [*tables.open]
        await after.host.tables.ready_for("dan")

        assert [] == untouched
        assert [2] == [*tables.open]
    await rest
    assert {1, 2} == {*tables.open}


async def test_table_that_rests_halfway_is_restored_for_someone_who_waits_for_it(later, two, monkeypatch):
    monkeypatch.setattr(foreground, "LONGEST", 1e9)
    after = await later()
    tables, opened = after.tables, asyncio.Event()
    entries = tables.archive.named

    async def named(number):
        await opened.wait()
        return await entries(number)

    monkeypatch.setattr(tables.archive, "named", named)
    rest = asyncio.create_task(tables.unrestored.finish())
    await after.quiet()
    with after.host.foreground.answering():
        opened.set()
        await after.quiet()
        halfway = [*tables.open]
        await after.host.tables.ready_for("", [1, 2])

        assert [] == halfway
        assert {1, 2} == {*tables.open}
    await rest


async def test_deleted_name_is_gone_from_a_table_that_waited(later, two):
    after = await later()
    await forget_names(after.tables, {"dan"})
    await after.tables.unrestored.finish()

    assert not after.host.keeps_seat("dan")
    assert ["cat", "former player"] == [who.name for who in after.table(2).table.seats]


async def test_account_can_be_deleted_whose_owner_has_left_a_table_that_waits(later, two, stage):
    await stage.type("dan", "/leave")
    after = await later()
    await after.create_account("dan", "plums and pears")
    assert after.host.keeps_seat("dan")

    assert "dan" == (await after.deletions.ask("dan")).name


async def test_restoring_ends_when_the_server_ends(later, two):
    after = await later()
    running = asyncio.create_task(after.tables.unrestored.finish())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await asyncio.sleep(0)

    assert 2 == len(after.tables.unrestored)


@pytest.fixture
async def rowless(store, two):
    """The two tables without their rows, as an earlier release left them."""
    for number in "12":
        await store.keep("open", number, "")


def listed(packet):
    """The numbers of the tables in a packet that lists them."""
    found = packet.value["tables"] if packet.name == "place" else packet.value
    return sorted(number for one in found if (number := one["table" if packet.name == "rooms" else "number"]))


@pytest.mark.parametrize("what", ["tables", "rooms", "place"])
async def test_program_that_asks_for_a_list_of_tables_gets_all_before_any_is_restored(later, two, what):
    after = await later()
    screen = after.enter("eve")
    screen.takes_packets = True
    screen.packets.clear()
    assert screen.user.get(what, None) is None

    assert [[1, 2]] == [listed(packet) for packet in screen.packets]
    assert 2 == len(after.tables.unrestored)


async def test_list_of_tables_says_the_same_before_and_after_they_are_restored(later, two, stage):
    await stage.type("dan", "/new tally private=on bob")
    after = await later()
    bob = arrive(after.host, Screen(Voice()), "bob", guest=False)

    def lists():
        return [after.host.tables.first_facts(50)[0], after.host.tables.facts(bob, 0, 100)]

    early = lists()
    await after.tables.unrestored.finish()

    assert [2, 3] == [*map(len, early)]
    assert lists() == early


async def test_private_table_is_listed_for_the_invited_only_before_it_is_restored(later, stage):
    await stage.type("ann", "/new tally private=on bob")
    after = await later()
    for name in ("bob", "eve"):
        after.people[name] = arrive(after.host, Screen(Voice()), name, guest=False)
    tables = after.host.tables

    assert ([], 0) == tables.first_facts(50)
    assert [[1], []] == [[one["number"] for one in tables.facts(after.people[name], 0, 100)] for name in ("bob", "eve")]


async def test_rows_of_an_earlier_release_are_written_once_all_tables_are_restored(later, rowless):
    after = await later()
    await after.tables.unrestored.finish()
    await complete_rows(after.tables)
    again = await later()

    assert [1, 2] == [one["number"] for one in again.host.tables.first_facts(50)[0]]
    assert 2 == len(again.tables.unrestored)


async def test_row_that_an_earlier_release_left_behind_is_corrected(later, two, store, stage):
    old = await store.find("open", "2")
    await stage.type("dan", "/leave")
    await store.keep("open", "2", old)
    after = await later()
    await after.tables.unrestored.finish()
    await complete_rows(after.tables)
    again = await later()

    (facts,) = [one for one in again.host.tables.first_facts(50)[0] if one["number"] == 2]
    assert ["cat"] == facts["players"]


@pytest.mark.parametrize("what", ["tables", "rooms", "place"])
async def test_program_that_asks_for_a_list_of_tables_without_rows_gets_it_when_all_are_restored(later, rowless, what):
    after = await later()
    screen = after.enter("eve")
    screen.takes_packets = True
    screen.packets.clear()
    assert screen.user.get(what, None) is None
    await after.quiet()
    assert not screen.packets

    await after.tables.unrestored.finish()
    await after.quiet()
    assert [[1, 2]] == [listed(packet) for packet in screen.packets]


async def test_page_gets_its_lists_again_when_all_tables_are_restored(later, rowless):
    after = await later()
    after.accounts.names["eve"] = "eve"
    screen = Screen(Voice())
    screen.page = screen.takes_packets = True
    arrive(after.host, screen, "eve", guest=False)
    first = [len(packet.value) for packet in screen.packets if packet.name == "tables"]
    await after.tables.unrestored.finish()
    await after.quiet()

    assert [0] == first
    assert [0, 2] == [len(packet.value) for packet in screen.packets if packet.name == "tables"]


async def test_page_that_asks_for_a_list_gets_what_is_known_at_once_and_all_of_it_later(later, rowless):
    after = await later()
    screen = after.enter("eve")
    screen.page = screen.takes_packets = True
    screen.packets.clear()
    assert screen.user.get("tables", None) is None
    await after.tables.unrestored.finish()
    await after.quiet()

    assert [0, 2] == [len(packet.value) for packet in screen.packets]


async def test_program_that_asks_for_a_table_gets_it_when_that_is_restored(later, two):
    after = await later()
    screen = after.enter("eve")
    screen.takes_packets = True
    screen.packets.clear()
    assert screen.user.get("table", 2) is None
    assert screen.user.get("table", 3) is not None
    await after.host.tables.ready_for("", [2])
    for _ in range(5):
        await asyncio.sleep(0)

    assert ["table"] == [packet.name for packet in screen.packets]
    assert 1 in after.tables.unrestored


async def test_private_table_is_not_there_for_a_program_of_someone_else_before_it_is_restored(later, stage):
    await stage.type("ann", "/new tally private=on bob")
    after = await later()
    screens = {}
    for name in ("bob", "eve"):
        screens[name] = Screen(Voice())
        screens[name].takes_packets = True
        after.people[name] = arrive(after.host, screens[name], name, guest=False)

    assert [False, True] == [screens[name].user.get("table", 1) is not None for name in ("bob", "eve")]
