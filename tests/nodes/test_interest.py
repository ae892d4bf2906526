"""Test which tables a node folds: those of its people, and those that it has to run."""

from __future__ import annotations

import asyncio
import time
from unittest.mock import AsyncMock

import pytest

from lilygames.bus.local import LocalBus
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.nodes import follow
from lilygames.nodes.follow import Follower
from lilygames.nodes.membership.heartbeat import LOOKS, SILENCE
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.open import remote_tables
from lilygames.tables.sight.public_row import KIND
from tests.nodes.conftest import settled
from tests.toys import TOYS


class CountingBus(LocalBus):
    """A bus that counts the hints that each topic's subscribers get."""

    def __init__(self):
        super().__init__()
        self.heard = []

    async def publish(self, topic, hint):
        self.heard += [topic] * len(self._listening._by_topic.get(topic, ()))
        await super().publish(topic, hint)


@pytest.fixture
def bus():
    return CountingBus()


@pytest.fixture
async def three(store, bus, monkeypatch):
    """Three nodes; ann and bob play at the first one, cat is at the second one, and nobody at the third."""
    monkeypatch.setattr(remote_tables, "KEPT", 0.0)
    stages = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "abc"]
    one, other, _ = stages
    for stage, name in ((one, "ann"), (one, "bob"), (other, "cat")):
        stage.enter(name)
    await all_look(*stages)
    await one.type("ann", "/new tally first-dealer=host bob")
    await one.type("bob", "/sit tally")
    await all_look(*stages)
    yield stages
    for stage in stages:
        await stage.node.end()


async def all_look(*stages):
    """Let each node beat, and check what it follows, as it does every second or two."""
    await settled(*stages)
    for stage in stages:
        await stage.node.look()
    for stage in stages:
        stage.node.follower._checked = stage.node.follower._told = 0.0
        await stage.node.follower.look()
    await settled(*stages)


def folding(*stages):
    """Return which tables each node folds."""
    return [{*stage.open_tables} for stage in stages]


async def test_a_node_does_not_fold_a_table_where_none_of_its_people_sit(three):
    assert [{1}, set(), set()] == folding(*three)


@pytest.mark.parametrize("line", ["/sit 2", "/sit tally-2", "/watch 2", "/watch #2", "/join tally-2"])
async def test_new_table_of_another_node_is_there_for_someone_who_names_it_at_once(three, monkeypatch, line):
    monkeypatch.setattr(follow, "MOMENT", 1.0)
    one, other, _ = three
    one.enter("dan")
    await one.type("dan", "/new tally")
    await settled(*three)
    assert [{1, 2}, set(), set()] == folding(*three)
    await other.type("cat", line)

    assert [{1, 2}, {2}, set()] == folding(*three)
    assert not any("Refused" in row for row in other.screens["cat"].take())


async def test_new_table_of_another_node_is_read_for_nobody_who_does_not_name_it(three, monkeypatch):
    monkeypatch.setattr(follow, "MOMENT", 1.0)
    one, other, _ = three
    one.enter("dan")
    await one.type("dan", "/new tally")
    await settled(*three)
    for line in ("/finger ann", "/who", "/rooms", "/review lobby 5"):
        await other.type("cat", line)

    assert [{1, 2}, set(), set()] == folding(*three)


@pytest.fixture
async def seeking(three):
    """The same nodes; cat looks for two more players at table 2."""
    _, other, _ = three
    await other.type("cat", "/seek tally 3")
    await all_look(*three)
    return three


async def test_table_that_waits_for_players_is_folded_by_its_players_node_alone(seeking):
    assert [{1}, {2}, set()] == folding(*seeking)


@pytest.mark.parametrize("line", ["/seeks", "/tables", "/quick"])
async def test_table_that_waits_for_players_is_listed_alike_at_every_node(seeking, line):
    one, other, third = seeking
    one.enter("dan")
    other.enter("eve")
    third.enter("fay")
    await all_look(*seeking)
    rows = [await stage.type(name, line) for stage, name in ((one, "dan"), (other, "eve"), (third, "fay"))]

    assert rows[0] == rows[1] == rows[2]
    assert any("cat" in row for row in rows[0])
    assert not {2} & folding(third)[0]


async def test_someone_who_comes_is_offered_a_table_that_waits_at_another_node(seeking):
    *_, third = seeking

    assert any("Tally with cat" in row for row in third.enter("dan").take())
    assert [{2}, set()] == folding(*seeking[1:])


async def test_someone_at_another_node_sits_down_quickly_at_a_table_that_waits(seeking):
    _, other, third = seeking
    third.enter("dan")
    await third.type("dan", "/quick tally")
    await all_look(*seeking)

    assert {"cat", "dan"} <= {*map(str, other.table(2).table.seats)}
    assert other.table(2).table == third.table(2).table
    assert [{1}, {2}, {2}] == folding(*seeking)


async def test_seek_starts_once_when_its_players_are_at_different_nodes(seeking):
    one, other, third = seeking
    one.enter("dan")
    third.enter("eve")
    await one.type("dan", "/sit 2")
    await third.type("eve", "/sit tally-2")
    await all_look(*seeking)
    entries = (await one.tables.store.read("table/2")).entries

    assert [{1, 2}, {2}, {2}] == folding(*seeking)
    assert 1 == sum('"Start"' in entry.body for entry in entries)
    assert one.table(2).table == other.table(2).table == third.table(2).table


async def test_only_games_that_have_begun_are_counted_as_played(seeking):
    assert [1, 1, 1] == [stage.host.tables.playing() for stage in seeking]


async def test_program_is_told_of_the_free_seats_of_a_table_elsewhere(seeking):
    facts = [{fact["number"]: fact for fact in stage.host.tables.first_facts(50)[0]} for stage in seeking]

    assert facts[0] == facts[1] == facts[2]
    assert ("waiting", ["cat"]) == (facts[2][2]["state"], facts[2][2]["players"])
    assert facts[2][2]["open"] > 0


async def test_table_that_waits_and_is_closed_is_forgotten_everywhere(seeking):
    _, other, third = seeking
    await other.type("cat", "/unseek")
    await other.type("cat", "/quit tally-2")
    await all_look(*seeking)

    assert [{1}, set(), set()] == folding(*seeking)
    assert [{1}] * 3 == [{*stage.tables.remote.rows} for stage in seeking]
    assert third.rooms.called("tally-2") is None


async def test_invited_person_at_another_node_answers_without_a_number(three):
    one, other, third = three
    one.enter("dan")
    await one.type("dan", "/new tally cat")
    await settled(*three)
    before = folding(*three)
    await other.type("cat", "/sit")
    await all_look(*three)

    assert [{1, 2}, {2}, set()] == before
    assert one.table(2).table.started
    assert one.table(2).table == other.table(2).table
    assert not third.open_tables


async def test_node_leaves_a_table_whose_invitation_was_declined_there(three):
    one, other, _ = three
    one.enter("dan")
    await one.type("dan", "/new tally cat")
    await settled(*three)
    await other.type("cat", "/decline tally-2")
    await all_look(*three)

    assert [{1, 2}, set(), set()] == folding(*three)
    assert () == one.tables.remote.rows[2].invited


async def test_someone_who_is_invited_and_logs_in_elsewhere_finds_the_invitation(three):
    one, _, third = three
    for name in ("dan", "eve"):
        one.enter(name)
    await one.type("dan", "/new tally eve")
    one.drop("eve")
    await all_look(*three)
    await third.host.meet("eve")
    await third.host.tables.ready_for("eve")
    screen = third.enter("eve")
    await all_look(*three)

    assert [{1, 2}, set(), {2}] == folding(*three)
    assert any("Tally with dan (invited)" in row for row in screen.take())


async def test_private_table_that_waits_is_listed_for_invited_people_only(three):
    one, other, third = three
    one.enter("dan")
    third.enter("fay")
    await one.type("dan", "/new tally private=yes cat")
    await all_look(*three)

    assert any("waiting: dan" in row for row in await other.type("cat", "/tables"))
    assert not any("dan" in row for row in await third.type("fay", "/tables"))
    assert not any("dan" in row for row in await third.type("fay", "/seeks"))
    assert [1] == [facts["number"] for facts in third.host.tables.facts(third.people["fay"], 0, 100)]


async def test_table_that_waits_at_a_dead_node_is_run_by_one_of_the_others(seeking):
    one, lost, third = seeking
    for task in lost.node._tasks:
        task.cancel()
    await all_look(one, third)
    for stage in (one, third):
        stage.node.beats._now = lambda at=stage.node.beats._now: at() + 2 * SILENCE
    for _ in range(LOOKS + 1):
        await all_look(one, third)

    assert 1 == sum(2 in tables for tables in folding(one, third))


async def test_move_is_hinted_only_to_nodes_that_fold_the_table(three, bus):
    one, other, _ = three
    await other.type("cat", "/watch 1")
    await settled(*three)
    bus.heard.clear()
    await one.type("ann", "/max 3")
    await settled(*three)

    assert {"table/1"} == {*bus.heard}
    assert 2 == len(bus.heard) / len((await one.tables.store.read("table/1", 4)).entries)


async def test_spectator_on_another_node_sees_the_table_at_once(three):
    one, other, _ = three
    shown = await other.type("cat", "/watch 1")
    await settled(*three)
    other.screens["cat"].take()
    await one.type("ann", "/max 3")
    await settled(*three)

    assert any("ann" in row and "bob" in row for row in shown)
    assert 1 == sum("ann picks 3" in row for row in other.screens["cat"].take())
    assert one.table(1).table == other.table(1).table
    assert [{1}, {1}, set()] == folding(*three)


async def test_node_leaves_a_table_when_its_last_spectator_goes(three):
    _, other, _ = three
    await other.type("cat", "/watch 1")
    await all_look(*three)
    before = folding(other)
    await other.type("cat", "/quit tally")
    await all_look(*three)

    assert ([{1}], [set()]) == (before, folding(other))
    assert other.people["cat"].room is other.host.lobby


async def test_table_is_shown_again_to_a_spectator_who_comes_back(three):
    one, other, _ = three
    for line in ("/watch 1", "/quit tally"):
        await other.type("cat", line)
        await all_look(*three)
    await one.type("ann", "/max 3")
    await other.type("cat", "/watch tally")
    await settled(*three)

    assert one.table(1).table == other.table(1).table


async def test_list_of_tables_is_the_same_at_every_node(three):
    one, other, third = three
    third.enter("dan")
    await settled(*three)
    rows = [await stage.type(name, "/tables") for stage, name in zip(three, ("ann", "cat", "dan"), strict=True)]

    assert rows[0][:2] == rows[1][:2] == rows[2][:2]
    assert [one.host.tables.playing()] * 2 == [stage.host.tables.playing() for stage in (other, third)]
    assert one.host.tables.first_facts(50)[0] == other.host.tables.first_facts(50)[0]


async def test_player_who_comes_to_another_node_is_back_at_their_table(three):
    one, other, _ = three
    one.drop("bob")
    await all_look(*three)
    await other.host.meet("bob")
    await other.host.tables.ready_for("bob")
    screen = other.enter("bob")
    await settled(*three)

    assert one.table(1).table == other.table(1).table
    assert "tally" == other.people["bob"].room.name
    assert any("ann" in row for row in screen.take())


async def test_seat_and_room_of_a_table_elsewhere_are_kept(three):
    _, other, _ = three
    host = other.host

    assert [True, False] == [host.keeps_seat(name) for name in ("ANN", "cat")]
    assert {"ann", "bob"} <= host.rooms["tally"].people.keys()
    await other.type("cat", "/new tally")
    assert "tally-2" == other.table(2).room.name


async def test_program_is_sent_a_table_of_another_node(three):
    _, other, _ = three
    other.screens["cat"].takes_packets = True
    assert other.host.tables.inform(other.people["cat"], 1)
    await settled(*three)

    assert any(packet.name == "table" and packet.value["number"] == 1 for packet in other.screens["cat"].packets)


async def test_table_of_a_dead_node_is_run_by_one_of_the_others(three):
    one, *others = three
    for stage in others:
        stage.node.beats._now = lambda at=stage.node.beats._now: at() + 2 * SILENCE
    for task in one.node._tasks:
        task.cancel()
    for _ in range(LOOKS + 1):
        await all_look(*others)

    assert [set(), {1}] == sorted(folding(*others), key=len)
    (runs,) = [stage for stage in others if 1 in stage.open_tables]
    assert [0.0] == [stage.tables.lag("table/1") for stage in (runs,)]


async def test_game_ends_at_all_nodes(three):
    one, *others = three
    await one.type("ann", "/leave")
    await one.type("bob", "/leave")
    await all_look(*three)

    assert [set()] * 3 == folding(*three)
    assert [0, 0] == [len(stage.tables.remote) for stage in others]
    assert {} == await one.tables.store.every("open")
    assert [{}, {}] == [stage.tables.remote.rows for stage in others]


async def test_missing_row_is_written_by_the_node_that_runs_the_table(three, store):
    """The one that should have written it may have died."""
    await store.keep("open", "1", "")
    for stage in three:
        stage.tables.remote.forget(1)
    await all_look(*three)
    await all_look(*three)

    assert [{1}, set(), set()] == folding(*three)


async def test_private_table_of_another_node_is_not_listed(three):
    one, other, _ = three
    for name in ("dan", "eve"):
        one.enter(name)
    await one.type("dan", "/new tally private=yes eve")
    await one.type("eve", "/sit tally-2")
    await all_look(*three)

    assert [{1, 2}, set()] == folding(one, other)
    assert not any("tally-2" in row or "#2" in row or " 2 " in row for row in await other.type("cat", "/tables"))
    assert [1] == [facts["number"] for facts in other.host.tables.facts(other.people["cat"], 0, 100)]
    assert "Refused" in (await other.type("cat", "/watch 2"))[0]


async def test_late_invitation_reaches_someone_at_a_node_that_left_the_table(three):
    one, other, _ = three
    await one.type("ann", "/invite cat")
    await one.type("bob", "/invite cat")
    await all_look(*three)

    assert [{1}, {1}, set()] == folding(*three)
    assert other.table(1).invitations.invites("cat")


async def test_hint_that_was_lost_costs_a_moment(three, monkeypatch):
    """The heads of folded tables are checked each second."""
    one, other, _ = three
    await other.type("cat", "/watch 1")
    await settled(*three)
    monkeypatch.setattr(Follower, "_soon", lambda *_: None)
    await one.type("ann", "/max 3")
    await settled(*three)
    behind = other.table(1).table.seq
    monkeypatch.undo()
    await other.node.follower.look()
    await settled(*three)

    assert behind < other.table(1).table.seq == one.table(1).table.seq


async def test_moves_are_told_once_while_nodes_leave_and_take_a_table(three):
    """Nothing is lost or told twice, whenever a spectator comes and goes."""
    one, other, third = three
    third.enter("dan")
    await asyncio.gather(*(stage.type(name, "/watch 1") for stage, name in ((other, "cat"), (third, "dan"))))
    await all_look(*three)
    await other.type("cat", "/quit tally")
    third.screens["dan"].take()
    await one.type("ann", "/max 3")
    await all_look(*three)

    assert 1 == sum("ann picks 3" in row for row in third.screens["dan"].take())
    assert [{1}, set(), {1}] == folding(*three)


async def test_someone_who_joins_the_room_of_a_table_is_at_a_node_that_folds_it(three):
    _, other, _ = three
    other.rooms["tally"].enter(other.people["cat"])
    await all_look(*three)

    assert [{1}] == folding(other)


async def test_player_who_left_a_table_elsewhere_is_forgotten_with_their_connection(three):
    one, other, _ = three
    one.people["bob"].set_guest(guest=True)
    await one.type("bob", "/leave")
    one.drop("bob")
    await all_look(*three)

    assert not other.host.keeps_seat("bob")
    assert "bob" not in other.host.people


async def test_hint_that_cannot_be_read_does_not_end_the_following_of_tables(three, bus):
    one, other, _ = three
    await other.type("cat", "/watch 1")
    await settled(*three)
    await bus.publish("table/1", b"not JSON")
    await one.type("ann", "/max 3")
    await settled(*three)

    assert one.table(1).table == other.table(1).table


async def test_slow_game_is_followed_by_its_players_node_alone(three):
    one, *_ = three
    for name in ("ann", "bob"):
        await one.type(name, "/pace 2d")
    await all_look(*three)

    assert one.table(1).table.clock.slow
    assert one.tables.remote.rows[1].slow
    assert [{1}, set(), set()] == folding(*three)


@pytest.fixture
async def slow(three):
    """The same nodes; ann and bob play a slow game and are gone, so that nobody at its table is here."""
    one, *_ = three
    for name in ("ann", "bob"):
        await one.type(name, "/pace 2d")
    for name in ("ann", "bob"):
        one.drop(name)
    await all_look(*three)
    return three


async def test_slow_game_is_run_by_one_node_while_nobody_at_its_table_is_here(slow):
    one, *_ = slow

    assert [{1}, set(), set()] == folding(*slow)
    assert [0.0] == [stage.tables.lag("table/1") for stage in slow if 1 in stage.open_tables]
    assert one.table(1).table.to_move


async def test_slow_game_whose_node_dies_is_run_by_one_of_the_others(slow):
    lost, *others = slow
    for task in lost.node._tasks:
        task.cancel()
    await all_look(*others)
    for stage in others:
        stage.node.beats._now = lambda at=stage.node.beats._now: at() + 2 * SILENCE
    for _ in range(LOOKS + 1):
        await all_look(*others)

    assert [set(), {1}] == sorted(folding(*others), key=len)
    assert [0.0] == [stage.tables.lag("table/1") for stage in others if 1 in stage.open_tables]


async def test_deadline_of_a_slow_game_expires_once_while_nobody_at_its_table_is_here(three):
    one, *_ = three
    await one.type("ann", "/new tally clock=2d late=skip first-dealer=host bob")
    await one.type("bob", "/sit 2")
    for name in ("ann", "bob"):
        one.drop(name)
    await all_look(*three)
    before, after = one.table(2).table.seq, time.monotonic() + 3 * 86400.0
    for bot in [stage.table(2) for stage in three if 2 in stage.open_tables]:
        bot.clock.now = lambda: after
        await bot.room.do(bot.clock.tick)
    await all_look(*three)
    entries = (await one.tables.store.read("table/2", before)).entries

    assert 1 == sum('"Expired"' in entry.body for entry in entries)
    assert [1, 0, 0] == [2 in tables for tables in folding(*three)]


async def test_player_who_comes_to_another_node_is_back_in_their_slow_game(slow):
    one, other, _ = slow
    await other.host.meet("bob")
    await other.host.tables.ready_for("bob")
    other.enter("bob")
    await all_look(*slow)

    assert one.table(1).table == other.table(1).table
    assert [bot.table.header.number for bot in other.people["bob"].seats] == [1]


async def test_deleted_name_is_in_no_row(three, store):
    one, *_ = three
    bot = one.table(1)
    await bot.room.do(lambda: bot.runner.forget({"bob"}))
    await all_look(*three)
    await all_look(*three)

    assert "bob" not in (await store.every("open"))["1"]
    assert [{1}, set(), set()] == folding(*three)


async def test_table_of_a_duplicate_set_is_followed_by_its_players_node_alone(three):
    one, other, _ = three
    await other.type("cat", "/new tally duplicate=friday")
    await all_look(*three)

    assert [{1}, {2}, set()] == folding(*three)
    assert not any("cat" in row for row in await one.type("ann", "/tables"))


async def test_daily_deal_is_followed_by_its_players_node_alone(three):
    _, other, _ = three
    await other.type("cat", "/daily tally")
    await all_look(*three)
    (number,) = other.open_tables.keys() - {1}

    assert other.table(number).table.started
    assert [{1}, {number}, set()] == folding(*three)
    assert [number in stage.tables.remote.rows for stage in three] == [True, True, True]


async def test_lesson_is_followed_by_its_learners_node_alone(store, bus, monkeypatch):
    monkeypatch.setattr(remote_tables, "KEPT", 0.0)
    stages = [await Stage.open(games(), store=store, seed=seed, bus=bus) for seed in "ab"]
    one, other = stages
    one.enter("ann")
    other.enter("cat")
    await one.type("ann", "/learn ohell")
    await all_look(*stages)

    assert [True] == [bot.table.lesson is not None for bot in one.open_tables.values()]
    assert [{1}, set()] == folding(*stages)
    assert not any("Ohell" in row for row in await other.type("cat", "/tables"))
    for stage in stages:
        await stage.node.end()


async def test_game_that_begins_at_once_is_never_read_by_other_nodes(three, monkeypatch, bus):
    """Most games with bots begin in the moment in which they are opened."""
    one, other, third = three
    monkeypatch.setattr(follow, "MOMENT", 0.01)
    one.enter("dan")
    await settled(*three)
    bus.heard.clear()
    for line in ("/new tally", "/house 1", "/start"):
        await one.type("dan", line)
    await asyncio.sleep(0.02)
    await settled(*three)

    assert [{1, 2}, set(), set()] == folding(*three)
    assert [{1, 2}] * 2 == [{row.number for row in stage.tables.remote} for stage in (other, third)]
    assert {topic for topic in bus.heard if topic.startswith("table/")} == {"table/2"}
    assert bus.heard.count("table/2") <= one.table(2).table.seq


async def reads_of_all(stage, monkeypatch):
    """Return how often a node reads all open tables in two checks, as two seconds apart."""
    follower, read = stage.node.follower, []
    look_at_all = follower._look_at_all

    async def counted():
        read.append(stage)
        await look_at_all()

    monkeypatch.setattr(follower, "_look_at_all", counted)
    for _ in range(2):
        await stage.node.look()
        await follower.look()
    return len(read)


async def test_open_tables_are_not_read_again_when_all_hints_came(three, monkeypatch):
    one, other, third = three
    one.enter("dan")
    await one.type("dan", "/new tally")
    await one.type("ann", "/leave")
    await settled(*three)
    await one.node.look()

    assert [0, 0] == [await reads_of_all(stage, monkeypatch) for stage in (other, third)]


async def test_open_tables_are_read_when_the_hint_about_a_row_was_lost(three, bus, monkeypatch):
    one, other, _ = three
    monkeypatch.setattr(bus, "publish", AsyncMock())
    await one.type("ann", "/leave")
    await settled(one)
    monkeypatch.undo()
    before = other.tables.remote.rows[1].holders
    await one.node.look()
    await reads_of_all(other, monkeypatch)

    assert "ann" in before
    assert 1 not in other.tables.remote.rows or "ann" not in other.tables.remote.rows[1].holders


async def test_open_tables_are_read_when_a_row_was_perhaps_written(three, store, monkeypatch):
    """The database is away after it has stored a row, so no node sends a hint."""
    one, other, _ = three

    async def keep(kind, key, body):
        await MemoryStore.keep(store, kind, key, body)
        if kind == KIND:
            raise StoreUnavailable("not now")

    monkeypatch.setattr(store, "keep", keep)
    with pytest.raises(StoreUnavailable):
        await one.tables.store.keep(KIND, "1", store.records[KIND]["1"])
    await one.node.look()

    assert 1 == await reads_of_all(other, monkeypatch)


async def test_open_tables_are_read_when_a_node_has_come(three, store, bus, monkeypatch):
    _, other, _ = three
    fourth = await Stage.open(TOYS, store=store, seed="d", bus=bus)

    assert 1 == await reads_of_all(other, monkeypatch)
    await fourth.node.end()
