"""Test how a node follows tables of the others, and what it logs."""

import asyncio

import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.nodes.follow import Follower
from lilygames.nodes.hints.topic_hints import TopicHints
from lilygames.store import StoreUnavailable
from tests.deadline import DEADLINE
from tests.holding import hold
from tests.tables.play.test_table_news import Program, leave
from tests.toys import TOYS


async def test_table_is_logged_once_if_it_cannot_be_followed(two):
    """During an outage of the store each table is logged once, and once more in the next outage."""
    place = two[0].place
    bus = place.node._bus
    follower = Follower(
        place.tables, place.node.roster, place.node.beats, bus, records={}, table_hints=TopicHints(bus, "table")
    )
    away = iter((True, True, False, True))

    async def follow(number):
        if next(away):
            raise StoreUnavailable("it is away")

    place.tables.following.follow = follow
    with capture_logs() as logged:
        for _ in range(4):
            await follower._table(1)

    assert ["cannot follow a table"] * 2 == [row["event"] for row in logged]


@pytest.fixture
async def newcomer(two, store, quiet):
    """A third node, on which the tables of ann and bob wait to come back.

    They have no rows, so every node needs them.
    """
    for name in ("ann", "bob"):
        two[0].enter(name)
        await two[0].type(name, "/new tally max=3")
    await quiet(*two)
    for number in (1, 2):
        await store.keep("open", str(number), "")
    stage = await Stage.open(TOYS, store=store, seed="c", bus=two[0].node._bus, at_once=False)
    assert [1, 2] == [*stage.tables.unrestored.numbers]
    yield stage
    await stage.node.end()


async def test_look_for_lost_hints_leaves_the_tables_that_wait_to_their_turn(newcomer, two, quiet):
    newcomer.node.follower._checked = newcomer.node.follower._told = 0.0
    await newcomer.node.follower.look()
    await quiet(newcomer, *two)

    assert [1, 2] == [*newcomer.tables.unrestored.numbers]
    assert not newcomer.open_tables


@pytest.mark.parametrize("line", ["/quick high", "/new tally", "/seeks", "/rooms", "/how", "/join lobby", "/who"])
async def test_command_at_a_node_waits_for_no_table_of_others(newcomer, monkeypatch, store, line):
    hold(monkeypatch, store, 1, 2)
    newcomer.enter("eve").take()
    async with asyncio.timeout(DEADLINE):
        rows = await newcomer.type("eve", line)

    assert rows
    assert not any("Refused" in row for row in rows)


async def test_table_that_waits_is_known_by_its_row_when_someone_sits_down_there_at_another_node(newcomer, two, quiet):
    two[1].enter("cat")
    await two[1].type("cat", "/sit 2")
    await quiet(newcomer, *two)

    assert newcomer.tables.remote.keeps_seat("cat")
    assert 2 not in newcomer.open_tables


async def test_table_that_waits_comes_back_when_its_log_changes_at_another_node(newcomer, two, quiet):
    await two[0].type("bob", "/cut pips")
    await quiet(newcomer, *two)

    assert 1 == len(newcomer.table(2).table.cuts)
    assert [1] == [*newcomer.tables.unrestored.numbers]


async def test_table_that_waits_comes_back_although_the_hint_of_its_change_was_lost(newcomer, two, quiet, monkeypatch):
    monkeypatch.setattr(newcomer.node.follower, "_heard", lambda *_: None)
    await two[0].type("bob", "/cut pips")
    await quiet(newcomer, *two)
    assert [1, 2] == [*newcomer.tables.unrestored.numbers]

    await newcomer.node.follower.look()
    await quiet(newcomer, *two)
    assert 1 == len(newcomer.table(2).table.cuts)
    assert [1] == [*newcomer.tables.unrestored.numbers]


async def test_games_elsewhere_whose_players_are_away_come_last(two, quiet):
    """The node lists them by their rows, and knows who is connected to the other one."""
    here, there = two
    for name in ("Dan", "Eve", "Fay", "Guy"):
        here.enter(name)
    there.enter("Cat")
    for opener, other in (("Dan", "Eve"), ("Fay", "Guy")):
        number = await opened(here, opener)
        await here.type(other, f"/sit {number}")
        await here.type(opener, "/start")
    await quiet(*two)
    assert [1, 2] == order(there)

    here.drop("Dan")
    await quiet(*two)
    assert [1, 2] == sorted(row.number for row in there.tables.remote)
    assert [2, 1] == order(there)
    rows = await there.type("Cat", "/tables")
    assert any("Dan is away" in row for row in rows)
    assert "/watch 2" in rows[-1]

    here.enter("Dan")
    await quiet(*two)
    assert [1, 2] == order(there)


async def test_table_elsewhere_that_waits_says_who_is_away(two, quiet):
    here, there = two
    for name in ("Dan", "Eve"):
        here.enter(name)
        await opened(here, name)
    there.enter("Cat")
    here.drop("Dan")
    await quiet(*two)
    rows = await there.type("Cat", "/tables")

    assert [2, 1] == order(there)
    assert any("Dan is away, waiting: Dan" in row for row in rows), rows
    assert "/sit 2 to join" in rows[-1]


async def opened(stage, name):
    """Open a table for someone, and return its number."""
    await stage.type(name, "/new tally max=3")
    return max(stage.open_tables)


def order(stage):
    """Return the numbers of the public tables in the order of /tables."""
    return [number for *_, number in stage.tables.listed.public(9)]


async def test_table_at_another_node_is_news(two, quiet):
    here, there = two
    there.enter("cat")
    for name in ("ann", "bob", "dan"):
        here.enter(name)
    program = Program(there, "cat")
    await here.type("ann", "/new tally max=3")
    await quiet(*two)
    assert [("table-opened", 1)] == program.news()
    await here.type("bob", "/sit 1")
    await here.type("ann", "/start")
    await quiet(*two)
    assert [("table-changed", 1)] == program.news()
    await here.type("dan", "/new tally private=on max=3")
    await leave(here, "ann", "bob")
    await quiet(*two)
    assert [("table-closed", 1)] == program.news()
