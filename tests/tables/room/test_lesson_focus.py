"""Numbers answer the lesson in the learner's room, whatever other tables ask meanwhile."""

import pytest

from lilygames.games import games
from lilygames.gametest.lessons import Learner
from lilygames.gametest.stage import Stage
from tests.toys import TALLY

TAUGHT = next((game for game in games().values() if game.lesson), None)


@pytest.fixture
async def stage(store):
    """Ann plays Tally with bob, who is to bid first."""
    if TAUGHT is None:
        pytest.skip("every game with a lesson has been deleted")
    stage = await Stage.open({**TALLY, TAUGHT.name: TAUGHT}, store=store)
    stage.enter("ann"), stage.enter("bob")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    return stage


async def test_lesson_that_begins_while_another_table_asks_gets_the_numbers(stage):
    await stage.type("bob", "bid 1")
    rows = await stage.type("ann", f"/learn {TAUGHT.name}")

    assert any("Your turn" in row for row in rows)
    before = stage.table(1).table.seq
    await stage.type("ann", "1")
    assert before == stage.table(1).table.seq


async def test_table_that_asks_during_a_lesson_gets_no_numbers(stage):
    await stage.type("ann", f"/learn {TAUGHT.name}")
    await stage.type("bob", "bid 1")

    assert any(row.endswith("tally: your turn; type /next") for row in stage.screens["ann"].rows)
    before = stage.table(1).table.seq
    await stage.type("ann", "1")
    assert before == stage.table(1).table.seq


async def test_numbers_answer_the_lesson_to_its_end(stage):
    """The other table asks the whole time, and isn't shown between the steps."""
    await stage.type("bob", "bid 1")
    before = stage.table(1).table.seq
    learner = Learner(stage, TAUGHT, await stage.type("ann", f"/learn {TAUGHT.name}"))
    while learner.bot:
        assert learner.bot is stage.people["ann"].focus.table()
        menu, right = learner.bot.questions.menu(TAUGHT.lesson.learner), learner.table.scripted[1]
        number = next((number for number in menu.prompted if menu.move(number) == right), None)
        await learner.type(learner.step().move if number is None else str(number))
        assert before == stage.table(1).table.seq

    *_, last = (row for row in learner.rows if "Your turn" in row)
    assert last.endswith("Your turn: bid 1.")


async def test_next_goes_to_the_other_table_and_back(stage):
    await stage.type("bob", "bid 1")
    await stage.type("ann", f"/learn {TAUGHT.name}")
    await stage.type("ann", "/next")
    rows = await stage.type("ann", "1")

    assert any("You bid 1." in row for row in rows)
    assert stage.table(2).question(stage.people["ann"])


async def test_other_table_asks_again_after_the_lesson(stage):
    await stage.type("bob", "bid 1")
    await stage.type("ann", f"/learn {TAUGHT.name}")
    rows = await stage.type("ann", "/leave")

    assert any("Your turn: bid 1" in row for row in rows)


async def test_lesson_goes_on_that_waited_to_come_back(stage, store):
    await stage.type("ann", f"/learn {TAUGHT.name}")
    after = await Stage.open({**TALLY, TAUGHT.name: TAUGHT}, store=store, at_once=False)
    after.enter("ann")
    assert not after.open_tables
    await after.type("ann", f"/learn {TAUGHT.name}")

    assert stage.table(2).table == after.table(2).table
    assert after.table(2).room is after.people["ann"].room
