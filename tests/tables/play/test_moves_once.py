"""A move with a text of its own is made once, however often and wherever it is sent."""

import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.nodes.conftest import settled
from tests.tables.callers import Caller
from tests.toys import TALLY

BID = {"move": "bid 1", "table": 1, "seq": 3}


def made(stage, number=1):
    """Return who made how many moves at a table."""
    table = stage.table(number).table
    return dict(zip(table.names, (*table.moved, 0, 0), strict=False))


async def seated(stage, *, program=True):
    """Return Ann, who deals, and the guest Bob, who bids first, at a private table."""
    ann, bob = Caller(stage, "Ann"), Caller(stage, "Bob", guest=True, program=program)
    await ann.asks(line="/new tally max=3 first-dealer=host private=on")
    await ann.asks(line="/invite Bob")
    await bob.types("/sit 1\n")
    await ann.asks(line="/start")
    return ann, bob


@pytest.fixture
async def opened():
    """A stage, with Ann and Bob at a table that asks Bob for a bid."""
    stage = await Stage.open(TALLY)
    return stage, *await seated(stage)


def last(stage):
    """Return the last entry of the table's log."""
    return stage.table(1).table.seq


async def test_move_sent_twice_is_made_once_and_acknowledged_twice(opened):
    stage, _, bob = opened
    move = {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}

    assert [None, None] == [await bob.asks(**move), await bob.asks(**move)]
    assert 1 == made(stage)["Bob"]


async def test_move_whose_answer_was_lost_is_made_once(opened):
    stage, _, bob = opened
    move = {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}
    await bob.asks(**move)
    bob.leave()
    bob.come()

    assert await bob.asks(**move) is None
    assert 1 == made(stage)["Bob"]


@pytest.mark.parametrize("line", ["bid 1", "/bid 1", "1", "/at 1 bid 1", "/at 1 1", "/pick 1"])
async def test_typed_move_sent_twice_is_made_once(opened, line):
    stage, _, bob = opened
    seen = {"1": last(stage)}

    assert await bob.asks(line=line, once="k", seen=seen) is None
    assert await bob.asks(line=line, once="k", seen=seen) is None
    assert 1 == made(stage)["Bob"]


async def test_move_with_another_text_is_another_move(opened):
    stage, _, bob = opened
    seq = last(stage)
    await bob.asks(move="bid 1", table=1, seq=seq, once="a")
    refused = await bob.asks(move="bid 1", table=1, seq=seq, once="b")

    assert "stale" == refused["code"]


async def test_text_of_another_player_means_nothing(opened):
    stage, ann, bob = opened
    await bob.asks(move="bid 1", table=1, seq=last(stage), once="a")
    await ann.asks(move="bid 1", table=1, seq=last(stage), once="a")

    assert {"Ann": 1, "Bob": 1} == made(stage)


async def test_refused_move_can_be_sent_again_with_its_text(opened):
    stage, _, bob = opened
    refused = await bob.asks(move="bid 9", table=1, seq=last(stage), once="a")

    assert "against-rules" == refused["code"]
    assert await bob.asks(move="bid 1", table=1, seq=last(stage), once="a") is None
    assert 1 == made(stage)["Bob"]


async def test_move_is_known_after_a_restart():
    store = MemoryStore()
    stage = await Stage.open(TALLY, store=store)
    _, bob = await seated(stage)
    move = {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}
    await bob.asks(**move)
    again = await Stage.open(TALLY, store=store)
    Caller(again, "Ann")
    bob.come(again)

    assert await bob.asks(**move) is None
    assert 1 == made(again)["Bob"]


async def test_move_is_known_at_another_node():
    store, bus = MemoryStore(), LocalBus()
    one, other = [await Stage.open(TALLY, store=store, seed=seed, bus=bus) for seed in "ab"]
    _, bob = await seated(one)
    move = {"move": "bid 1", "table": 1, "seq": last(one), "once": "a-1"}
    await bob.asks(**move)
    bob.leave()
    await settled(one, other)
    bob.come(other)
    await settled(one, other)

    assert await bob.asks(**move) is None
    assert 1 == made(other)["Bob"]
    for stage in (one, other):
        await stage.node.end()


async def test_move_that_this_node_has_not_heard_of_is_made_once(opened):
    """The table here is still at the position before the move when the move comes again."""
    stage, _, bob = opened
    runner = stage.table(1).runner
    before, move = runner.table, {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}
    await bob.asks(**move)
    after, runner.table = runner.table, before

    assert await bob.asks(**move) is None
    assert (after.seq, after.told) == (runner.table.seq, runner.table.told)


async def test_move_that_this_node_would_append_elsewhere_is_made_once(opened):
    """Since then the log has more than the move."""
    stage, ann, bob = opened
    runner = stage.table(1).runner
    before, move = runner.table, {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}
    await ann.asks(line="/invite Cat")
    await bob.asks(**move | {"seq": last(stage)})
    after, runner.table = runner.table, before

    assert await bob.asks(**move) is None
    assert (after.seq, after.told) == (runner.table.seq, runner.table.told)


async def test_move_that_cannot_be_looked_up_is_not_acknowledged():
    store = MemoryStore()
    stage = await Stage.open(TALLY, store=store)
    _, bob = await seated(stage)
    move = {"move": "bid 1", "table": 1, "seq": last(stage), "once": "a-1"}
    await bob.asks(**move)
    store.fail_next(StoreUnavailable("no disk"), call="append")

    assert await bob.asks(**move) is not None
    assert await bob.asks(**move) is None


@pytest.mark.parametrize("once", ["", "x" * 41, "a b", 7, None, "é"])
async def test_bad_text_is_refused(opened, once):
    _, _, bob = opened
    error = await bob.asks(move="bid 1", table=1, seq=3, once=once)

    assert ("stale" if once == "" else "bad-request") == error["code"]


async def test_text_is_told_to_nobody(opened):
    stage, ann, bob = opened
    ann.take()
    await bob.asks(move="bid 1", table=1, seq=last(stage), once="tell-nobody")
    heard = ann.take()
    await ann.types("/log\n/get:export 1\n")

    assert "tell-nobody" not in "\n".join([*heard, *ann.take()])
    assert "tell-nobody" not in f"{await stage.tables.archive.entries(1)}"
