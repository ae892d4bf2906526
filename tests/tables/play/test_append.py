"""Apply, append, tell: whatever happens to an append, a move is made once and everyone reads the same."""

import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import Replaced, StoreUnavailable
from lilygames.tables.play import runner


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Keep nobody waiting for a retry."""
    monkeypatch.setattr(runner, "RETRY", 0)


@pytest.fixture
def failing(store, monkeypatch):
    """Return a function that makes the next append with this word fail; its list is empty once it has."""
    append = store.append

    def once(word, *, landed):
        left = [word]

        async def fails(log, expected, drafts, **how):
            if left and word in drafts[0].by + drafts[0].body:
                store.fail_next(StoreUnavailable("gone"), call="append", landed=landed)
                left.clear()
            return await append(log, expected, drafts, **how)

        monkeypatch.setattr(store, "append", fails)
        return left

    return once


def told(stage, name, text):
    """Return how often `name` has read a line of the table."""
    return sum(text in row for row in stage.screens[name].rows)


@pytest.mark.parametrize("landed", [False, True])
async def test_move_tried_again_is_made_once(stage, table, store, landed):
    """Whether the append failed or only its answer was lost, a player who is told to retry may do so."""
    store.fail_next(StoreUnavailable("gone"), call="append", landed=landed)
    before = table.table.seq
    refused = await stage.type("bob", "bid 1")
    stage.screens["ann"].take()

    assert "nothing was done. Try" in " ".join(refused)
    assert "You bid 1. Waiting for ann." in await stage.type("bob", "bid 1")
    assert 1 == told(stage, "ann", "bob bids 1.")
    assert before + 1 == table.table.seq == len(store.entries["table/1"])


async def test_move_whose_answer_was_lost_stands_when_something_else_is_typed(stage, table, store):
    """An entry that was stored counts: it is told as soon as the log is read on."""
    store.fail_next(StoreUnavailable("gone"), call="append", landed=True)
    await stage.type("bob", "bid 1")
    stage.screens["ann"].take()

    answer = await stage.type("bob", "bid 0")

    assert ["You bid 1. Waiting for ann.", "Refused: wait for ann to bid."] == [
        answer[0],
        answer[1].partition(" It is")[0],
    ]
    assert ["bob bids 1.", "Your turn: bid 1."] == stage.screens["ann"].take()


async def test_same_move_later_is_another_move(stage, table, store, finish):
    """Only a retry is the same move. A bid of 1 in the next round is another bid."""
    store.fail_next(StoreUnavailable("gone"), call="append", landed=True)
    await stage.type("bob", "bid 1")
    await stage.type("bob", "bid 0")
    await finish()

    assert "Match: " in (await stage.type("ann", "/verify 1"))[0]


@pytest.mark.parametrize("landed", [False, True])
async def test_nobody_sits_down_twice(stage, store, landed):
    await stage.type("ann", "/new tally")
    store.fail_next(StoreUnavailable("gone"), call="append", landed=landed)
    await stage.type("bob", "/sit tally")
    await stage.type("bob", "/sit tally")

    assert ("ann", "bob") == stage.table(1).table.names
    assert [stage.table(1)] == stage.people["bob"].seats


@pytest.mark.parametrize("landed", [False, True])
async def test_retry_of_leave_frees_no_other_seat(stage, store, landed):
    """Seats move up when a player leaves, so a retry must not free the seat of the next one."""
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    store.fail_next(StoreUnavailable("gone"), call="append", landed=landed)
    await stage.type("ann", "/leave")
    await stage.type("ann", "/leave")

    assert ("bob",) == stage.table(1).table.names


async def test_leave_after_a_leave_on_another_node_frees_no_other_seat(tally, store):
    """`Conflict`: a seat's number may mean another player by now."""
    stage = await Stage.open(tally, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")
    other = await Stage.open(tally, store=store)
    other.enter("ann")
    other.enter("bob")
    await other.type("ann", "/leave")

    assert "the seats have just changed" in " ".join(await stage.type("bob", "/leave"))
    assert ("bob", "cat") == stage.table(1).table.names
    await stage.type("bob", "/leave")
    assert ("cat",) == stage.table(1).table.names


async def test_player_who_sits_down_on_two_nodes_sits_once(tally, store):
    one = await Stage.open(tally, store=store)
    one.enter("ann")
    one.enter("bob")
    await one.type("ann", "/new tally")
    other = await Stage.open(tally, store=store)
    other.enter("bob")
    await other.type("bob", "/sit tally")

    await one.type("bob", "/sit tally")

    assert ("ann", "bob") == one.table(1).table.names


async def test_node_continues_a_table_from_another_nodes_entries(stage, store):
    """The log is read on, whichever node appended, and automatic moves follow."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 2")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    store.fail_next(StoreUnavailable("gone"), call="append", landed=True)
    await stage.type("ann", bot.table.game.spell(bot.questions.offered(0)[0]))
    await bot.room.do(bot.runner.catch_up)
    await stage.quiet()

    assert any(row.startswith("Ada plays ") for row in stage.screens["ann"].rows)


@pytest.mark.parametrize("landed", [False, True])
async def test_bot_retries_its_move(stage, store, failing, landed):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 2")
    left = failing("Ada (house)", landed=landed)

    await stage.type("ann", "/start")

    assert not left
    assert 1 == told(stage, "ann", "Ada bids ")
    assert 1 == told(stage, "ann", "Max bids ")
    assert stage.table(1).table.seq == len(store.entries["table/1"])


@pytest.mark.parametrize("landed", [False, True])
async def test_end_that_could_not_be_stored_is_stored_later(stage, table, finish, failing, landed):
    """The last move is accepted, and the game is over all the same."""
    left = failing("Closed", landed=landed)
    await stage.type("bob", "/join lobby")
    stage.screens["ann"].take()
    await finish()

    assert not left
    assert {} == stage.open_tables
    assert not any("Refused" in row for row in stage.screens["ann"].take())
    assert "Match: " in (await stage.type("ann", "/verify 1"))[0]


async def test_table_that_cannot_be_stored_is_refused_in_one_sentence(stage, store):
    for call in ("append", "keep"):
        store.fail_next(StoreUnavailable("full"), call=call)

        answer = await stage.type("ann", "/new tally")

        assert answer[0].startswith("Refused: nothing can be saved right now, so nothing was done.")
    assert {} == stage.open_tables


async def test_player_who_left_unconfirmed_has_no_seat_once_the_table_has_read_on(stage, store):
    """The append arrived although the store didn't confirm it: person and table agree again at the next action."""
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    store.fail_next(StoreUnavailable("full"), call="append", landed=True)
    await stage.type("ann", "/leave")
    await stage.type("bob", "/house")

    assert stage.table(1).seat_of("ann") is None
    assert stage.people["ann"].seats == []


async def test_loser_of_a_race_may_retry_while_the_store_is_away(stage, table, tally, store):
    """Another node was first and the log cannot be read on just now. Nothing is stopped for that."""
    there = await Stage.open(tally, store=store)
    there.enter("bob")
    await there.type("bob", "bid 1")
    store.fail_next(StoreUnavailable("gone"), call="read", landed=False)
    refused = await stage.type("bob", "bid 0")
    await stage.type("bob", "/score")

    assert "nothing was done. Try" in " ".join(refused)
    assert "wait for ann to bid" in " ".join(await stage.type("bob", "bid 0"))


async def test_move_is_refused_in_one_sentence_while_another_store_answers(stage, table, store):
    store.fail_next(Replaced("gone"), call="append")
    with capture_logs() as logged:
        refused = " ".join(await stage.type("bob", "bid 1"))

    assert "Refused: the server can't save anything right now, so nothing was" in refused
    assert [] == [entry["event"] for entry in logged]  # thousands of tables would log the same line
    assert "You bid 1. Waiting for ann." in await stage.type("bob", "bid 1")


async def test_table_whose_log_has_lost_entries_stops(stage, table, store):
    """The store was put back to an earlier state, so acknowledged entries are missing."""
    await stage.type("bob", "bid 1")
    del store.entries["table/1"][-1]
    refused = " ".join(await stage.type("ann", "bid 1"))

    assert table.case
    assert f"stopped (case {table.case})" in refused
