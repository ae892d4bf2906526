"""A typed move is begun in one turn of the event loop and finished when it is stored, without a task of its own."""

import pytest

from lilygames.chat.tasks.room_jobs import RoomJobs
from lilygames.games import games
from lilygames.gametest.stage import AnsweredLine, Stage
from lilygames.store import StoreUnavailable


@pytest.fixture
async def drawing():
    """A game of draw poker between Ann and bob, in whose betting round nobody can discard."""
    stage = await Stage.open(games())
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker variant=draw hands=3")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")
    return stage


def begin(stage, name, line):
    """Begin a line; return whether it was begun, and what learns that it is answered."""
    answered, person = AnsweredLine(), stage.people[name]
    return stage.place.dispatcher.begin(person, person.terminal, line, answered), answered.event


@pytest.mark.parametrize("line", ["/bid 1", "bid 1", "/BID 1"])
async def test_move_of_the_player_who_is_asked_is_begun(stage, table, line):
    begun, answered = begin(stage, "bob", line)
    stage.screens["ann"].take()

    assert begun
    assert not answered.is_set()
    assert [] == stage.screens["ann"].rows, "nobody is told before it is stored"

    await answered.wait()
    assert 1 == sum("bob bids 1." in row for row in stage.screens["ann"].rows)


@pytest.mark.parametrize("line", ["/bid 99", "/bid", "/b 1", "/who", "hello", "'bid 1", ";bid 1", ""])
async def test_other_lines_and_refused_moves_are_left_to_a_task(stage, table, line):
    before = table.table

    assert not begin(stage, "bob", line)[0]
    assert before is table.table
    assert not table.room.busy


async def test_player_who_is_not_asked_begins_no_move(stage, table):
    assert not begin(stage, "ann", "/bid 1")[0]


async def test_begun_line_counts_as_one_that_is_being_handled(stage, table):
    """A reload waits for it."""
    dispatcher = stage.place.dispatcher
    _, answered = begin(stage, "bob", "/bid 1")

    assert 1 == dispatcher.in_progress
    await answered.wait()
    assert 0 == dispatcher.in_progress


async def test_second_line_waits_for_the_first(stage, table):
    _, answered = begin(stage, "bob", "/bid 1")

    assert not begin(stage, "bob", "/bid 0")[0], "the room is busy"
    await answered.wait()
    assert 1 == sum("bob bids" in row for row in stage.screens["ann"].rows)


@pytest.mark.parametrize("landed", [False, True])
async def test_move_that_cannot_be_stored_is_refused_in_one_sentence(stage, table, store, landed):
    store.fail_next(StoreUnavailable("gone"), call="append", landed=landed)
    stage.screens["bob"].take()
    _, answered = begin(stage, "bob", "/bid 1")
    await answered.wait()

    assert 1 == sum("nothing was done. Try" in row for row in stage.screens["bob"].rows)
    assert not table.room.busy


async def test_last_part_of_a_job_runs_before_those_that_came_meanwhile():
    jobs, ran = RoomJobs("room"), []

    async def note(word):
        ran.append(word)

    assert jobs.begin()
    jobs.post(note, "later")
    jobs.end_with(note, "last part")
    await jobs.finish()

    assert ["last part", "later"] == ran


async def test_move_that_another_node_has_overtaken_is_refused_as_if_it_came_later(stage, table, tally, store):
    there = await Stage.open(tally, store=store)
    there.enter("bob")
    await there.type("bob", "/bid 1")
    begun, answered = begin(stage, "bob", "/bid 0")
    await answered.wait()
    await stage.quiet()

    assert begun
    assert "wait for ann to bid" in " ".join(stage.screens["bob"].rows)
    assert 1 == sum("bob bids 1." in row for row in stage.screens["ann"].rows)
    assert 0 == stage.place.dispatcher.in_progress


async def test_line_that_the_grammar_refuses_is_left_to_a_task_that_words_the_refusal(drawing):
    """It begins with the name of a move that isn't legal now."""
    line, (asked,) = "discard the five of hearts", [one for one, who in drawing.people.items() if who.focus.table()]

    assert not begin(drawing, asked, line)[0]
    assert ["Refused: you can't play that now. Type ' first to say it."] == await drawing.type(asked, line)
