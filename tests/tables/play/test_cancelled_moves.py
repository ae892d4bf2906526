"""A player's task may be cancelled in the middle of a move, as at a shutdown: the move is made once, or not at all."""

import asyncio

import pytest

BID = "bob bids 1."


@pytest.fixture
def held(store, monkeypatch):
    """Hold the next append back, before or after it has reached the log, until the event that is returned is set."""
    append = store.append

    def hold(*, landed):
        let_go, left = asyncio.Event(), [True]

        async def appends(*args, **how):
            if not left:
                return await append(*args, **how)
            left.clear()
            if not landed:
                await let_go.wait()
            entries = await append(*args, **how)
            if landed:
                await let_go.wait()
            return entries

        monkeypatch.setattr(store, "append", appends)
        return let_go

    return hold


async def begun(stage, name, line):
    """Return the task of a player's line once it waits for the store."""
    task = asyncio.create_task(stage.hear(name, line))
    for _ in range(5):
        await asyncio.sleep(0)
    stage.screens["ann"].take()
    return task


@pytest.mark.parametrize("landed", [False, True])
async def test_move_of_a_cancelled_player_is_made_and_told_once(stage, table, store, held, landed):
    held(landed=landed)
    before = table.table.seq
    task = await begun(stage, "bob", "bid 1")
    task.cancel()
    await asyncio.wait([task])
    await stage.quiet()

    assert [BID, "Your turn: bid 1."] == stage.screens["ann"].take()
    assert before + 1 == table.table.seq == len(store.entries["table/1"])
    assert task.cancelled()


@pytest.mark.parametrize("landed", [False, True])
async def test_game_goes_on_after_the_move_of_a_cancelled_player(stage, table, held, finish, landed):
    held(landed=landed)
    (await begun(stage, "bob", "bid 1")).cancel()
    await stage.quiet()
    await finish()

    assert "Match: " in (await stage.type("ann", "/verify 1"))[0]


async def test_job_that_waited_comes_before_what_a_cancelled_player_began(stage, table, store, held):
    """The act of another job was first, and an append that reached nothing has been told to nobody."""
    held(landed=False)
    task = await begun(stage, "bob", "bid 1")
    other = asyncio.ensure_future(table.room.do(lambda: table.runner.note("passes", "ann")))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task, other])
    await stage.quiet()

    assert "passes" in store.entries["table/1"][-1].body
    assert not any(BID in row for row in stage.screens["ann"].take())
    assert "You bid 1. Waiting for ann." in await stage.type("bob", "bid 1")


async def test_line_of_another_player_waits_until_a_move_is_in_the_log(stage, table, held):
    let_go = held(landed=True)
    task = await begun(stage, "bob", "bid 1")
    other = asyncio.create_task(stage.hear("ann", "/bid 1"))
    await asyncio.sleep(0)
    assert table.room.busy
    let_go.set()
    await asyncio.wait([task, other])
    await stage.quiet()

    assert [BID, "Your turn: bid 1.", "You bid 1. Waiting for bob."] == stage.screens["ann"].take()[:3]


async def test_room_is_finished_once_a_move_is_made(stage, table, held):
    """A shutdown waits for it, and so does a reload."""
    let_go = held(landed=False)
    task = await begun(stage, "bob", "bid 1")
    finished = asyncio.create_task(table.room.finish())
    await asyncio.sleep(0)
    assert not finished.done()
    let_go.set()
    await finished

    assert task.done()
    assert not table.room.busy
