"""The states of a table's life, and the transitions between them."""

import ast
from pathlib import Path

import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.play import runner
from lilygames.tables.state.life import TRANSITIONS, Life, WrongTransition, after


async def test_table_waits_runs_is_paused_and_is_over(stage, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    bot = stage.table(1)
    lives = [bot.runner.life]
    for name, line in (("ann", "/start"), ("ann", "/adjourn"), ("bob", "/adjourn"), ("ann", "/resume")):
        await stage.type(name, line)
        lives.append(bot.runner.life)
    await stage.type("bob", "/resume")
    lives.append(bot.runner.life)
    await finish()
    lives.append(bot.runner.life)

    waiting, running, paused, over = Life.WAITING, Life.RUNNING, Life.PAUSED, Life.OVER
    assert [waiting, running, running, paused, paused, running, over] == lives


async def test_table_stopped_by_a_bug_stays_stopped(stage, table):
    table.runner.stop(ZeroDivisionError())
    table.runner.sleep()
    await table.runner.wake()

    assert Life.STOPPED is table.runner.life
    assert {} == TRANSITIONS[Life.STOPPED]


async def test_table_that_wakes_has_the_state_of_its_log(stage, table, store, tally):
    """Another process continues it in the meantime."""
    table.runner.sleep()
    other = await Stage.open(tally, store=store)
    other.enter("bob")
    await other.type("bob", "bid 0")
    asleep = table.runner.life
    await table.runner.wake()

    assert (Life.ASLEEP, Life.RUNNING) == (asleep, table.runner.life)
    assert other.table(1).table.seq == table.table.seq


def test_every_state_lists_what_may_follow():
    assert {*Life} == {*TRANSITIONS}


@pytest.mark.parametrize(("now", "following"), [(Life.OVER, Life.RUNNING), (Life.STOPPED, Life.RUNNING)])
def test_unlisted_transition_is_refused(now, following):
    with pytest.raises(WrongTransition):
        after(now, following)


def changes_of_life():
    """Yield the module, the function and the value of each assignment to an attribute called `life`."""
    folder = Path(runner.__file__).parents[1]
    for path in folder.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            for node in ast.walk(function) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else ():
                if isinstance(node, ast.Assign) and any(getattr(to, "attr", "") == "life" for to in node.targets):
                    yield path.stem, function.name, ast.unparse(node.value).partition("(")[0]


def test_only_the_transition_table_changes_a_tables_state():
    """In any test, an unlisted transition is an error."""
    made = [("runner", "__init__", "Life.ASLEEP if asleep else life.written")]

    assert made == [one for one in changes_of_life() if one[2] not in ("life.after", "life.next_life")]
