"""/verify computes the bots' moves again, whatever has happened at the table, from nothing but its log.

Where the seal stays closed, the host does so.
"""

import asyncio
import gc
import json
import weakref
from pickle import dumps

import attrs
import pytest

from lilygames import codec
from lilygames.game import Budget
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.store.memory import MemoryStore
from lilygames.tables.bots import host_check
from lilygames.tables.log.acts import Body, Checked, Closed
from lilygames.tables.verify import bot_checks
from lilygames.tables.verify.bot_moves import Decision
from tests.clock import Clock
from tests.slow_bots import SlowBots, let_bots
from tests.tables.duplicate.test_daily import NOON
from tests.toys import TALLY, installed

FOLLOW = "moves of bots follow from what their seats could see."


def said(rows):
    return " ".join(" ".join(rows).split())


async def opened(game, *, store=None, clock=None, seed="1"):
    stage = await Stage.open({game.name: game}, store=store or MemoryStore(), clock=clock, seed=seed)
    stage.enter("ann")
    return stage


async def played_out(stage, number=1, name="ann"):
    """Make the first legal move of the person's seat until the game is over."""
    while number in stage.open_tables:
        table = stage.table(number).table
        seat = table.own_seat(name)
        await stage.type(name, f"/at {number} {table.game.spell(table.moves(seat)[0])}")


async def verified(stage, number=1, name="ann"):
    return said(await stage.type(name, f"/verify {number}"))


TALLIED = TALLY["tally"]
OPEN = ("/new tally max=3 first-dealer=host", "/house club 2", "/start")


async def begun(stage, lines=OPEN):
    for line in lines:
        await stage.type("ann", line)


async def test_bots_are_checked_after_an_undo():
    stage = await opened(TALLIED)
    await begun(stage)
    await stage.type("ann", TALLIED.spell(stage.table(1).table.moves(0)[0]))
    await stage.type("ann", "/undo")
    await stage.type("ann", "/undo yes")
    await played_out(stage)

    assert (await verified(stage)).endswith(FOLLOW)


async def test_bots_are_checked_in_a_game_with_hints():
    game = installed("ohell")["ohell"]
    stage = await opened(attrs.evolve(game, advise=attrs.evolve(game.advise, budget=Budget(20))))
    await begun(stage, ("/new ohell max=3", "/house club 2", "/start"))
    await stage.type("ann", "/hint")
    await stage.type("ann", "/hint yes")
    await played_out(stage)

    assert (await verified(stage)).endswith(FOLLOW)


async def test_bot_that_stands_in_for_a_person_is_checked():
    stage = await opened(TALLIED)
    await begun(stage)
    stage.enter("bob")
    stage.drop("ann")
    await stage.table(1).room.do(lambda: stage.table(1).house.substitute(0, "table"))
    await stage.quiet()

    assert 1 not in stage.open_tables
    assert (await verified(stage, name="bob")).endswith(FOLLOW)


async def test_lesson_has_no_bots_to_check():
    stage = await opened(TALLIED)
    await stage.type("ann", "/learn tally")
    while 1 in stage.open_tables:
        table = stage.table(1).table
        await stage.type("ann", TALLIED.spell(table.scripted[1]))

    assert "bots" not in await verified(stage)


async def test_bots_of_a_duplicate_table_are_checked():
    game = installed("ohell")["ohell"]
    stage = await opened(game)
    await begun(stage, ("/new ohell duplicate=friday max=3", "/house club 2", "/start"))
    await played_out(stage)
    await stage.type("ann", "/duplicate friday end")

    assert (await verified(stage)).endswith(FOLLOW)


async def test_bots_of_a_daily_deal_are_checked():
    game, clock = installed("ohell")["ohell"], Clock(NOON)
    stage = await opened(game, clock=clock)
    await stage.type("ann", "/daily ohell")
    number = max(stage.open_tables)
    await played_out(stage, number)
    clock.passes(days=3)
    await stage.look("duplicate_watch")

    assert (await verified(stage, number)).endswith(FOLLOW)


async def test_bots_of_a_game_by_mail_are_checked():
    stage = await opened(TALLIED)
    await begun(stage, ("/new tally max=3 first-dealer=host clock=3d", "/house club 2", "/start"))
    await played_out(stage)

    assert (await verified(stage)).endswith(FOLLOW)


# in the background


@pytest.fixture
async def slow(monkeypatch):
    """A finished game whose check takes long."""
    monkeypatch.setattr(bot_checks, "AT_ONCE", 0.01)
    stage, slow = await opened(TALLIED), SlowBots()
    await begun(stage)
    await played_out(stage)
    stage.tables.bot_checks._think = slow
    return stage, slow


async def test_long_check_lets_the_person_go_on_and_tells_the_result_later(slow):
    stage, slow = slow

    assert "moves of bots; the result follows." in await verified(stage)
    assert "Checking the bots of game #1: 0 of " in await verified(stage)

    stage.screens["ann"].take()
    slow.let.set()
    for _ in range(200):
        await asyncio.sleep(0)

    assert said(stage.screens["ann"].take()).startswith("Game #1: All ")
    assert "no check of yours is running" in said(await stage.type("ann", "/verify stop"))


async def test_check_can_be_stopped(slow):
    stage, _ = slow
    await verified(stage)

    assert said(await stage.type("ann", "/verify stop")).startswith("Stopped after 0 of ")
    assert "no check of yours is running" in said(await stage.type("ann", "/verify stop"))


async def test_check_ends_when_the_person_leaves(slow):
    stage, slow = slow
    asked = []

    async def count(*args):
        asked.append(args)
        return await slow(*args)

    stage.tables.bot_checks._think = count
    await verified(stage)
    stage.drop("ann")
    slow.let.set()
    for _ in range(200):
        await asyncio.sleep(0)

    assert 1 == len(asked)


# where the seal stays closed


def closed_in(entries):
    return codec.from_text(entries[-1].body, Body).act


POKER = ("/new lilypoker variant=holdem hands=2", "/house novice 2", "/start")


async def test_host_checks_the_bots_of_a_closed_game_and_the_log_has_the_count():
    stage = await opened(installed("lilypoker")["lilypoker"])
    await begun(stage, POKER)
    await played_out(stage)
    closed = closed_in(await stage.tables.archive.entries(1))

    assert closed.checked.moves == closed.checked.same > 0
    assert f"Checked by the host: all {closed.checked.moves} {FOLLOW}" in await verified(stage)
    assert "You can't repeat that check, because the seal stays closed." in await verified(stage)


async def test_bots_that_move_otherwise_than_their_strategy_are_counted_by_the_host():
    """The strategy is changed while the game goes on, as a host could do who moves for its bot."""
    game = installed("lilypoker")["lilypoker"]
    stage = await opened(attrs.evolve(game, strategy_versions={"novice": "1"}))
    await begun(stage, POKER)
    table = stage.table(1)

    async def other(strategy, view, moves, luck):
        return next(move for move in moves if move != strategy(view, moves, luck)) if len(moves) > 1 else moves[0]

    let_bots(table, rethink=other)
    await played_out(stage)

    assert closed_in(await stage.tables.archive.entries(1)).checked.other > 0
    assert " do not." in await verified(stage)


async def test_default_moves_of_bots_that_fail_are_counted_by_the_host():
    game = installed("lilypoker")["lilypoker"]

    def fails(view, moves, luck):
        raise MemoryError

    stage = await opened(attrs.evolve(game, players={**game.players, "novice": fails}))
    await begun(stage, POKER)
    await played_out(stage)
    checked = closed_in(await stage.tables.archive.entries(1)).checked

    assert checked.moves == checked.defaults > 0
    assert " because the bot failed. You can't repeat that check" in await verified(stage)


async def test_end_of_a_closed_game_waits_only_a_moment_for_its_check(monkeypatch):
    monkeypatch.setattr(host_check, "LAST", 0.01)
    stage = await opened(installed("lilypoker")["lilypoker"])
    await begun(stage, POKER)
    table, asked = stage.table(1), []

    async def first_only(strategy, view, moves, luck):
        asked.append(view)
        if len(asked) > 1:
            await asyncio.Event().wait()
        return strategy(view, moves, luck)

    let_bots(table, rethink=first_only)
    await played_out(stage)
    checked = closed_in(await stage.tables.archive.entries(1)).checked

    assert 0 < checked.same < checked.moves
    assert f"{checked.same} of {checked.moves} {FOLLOW}" in await verified(stage)


async def test_check_that_is_cut_off_keeps_nothing_in_memory(monkeypatch):
    """A cancelled task has a traceback, which has the frame of the check. No full collection comes for hours."""
    monkeypatch.setattr(host_check, "LAST", 0.01)
    stage, steps = await opened(installed("lilypoker")["lilypoker"]), []
    with monkeypatch.context() as noted:
        noted.setattr(host_check.HostCheck, "observe", lambda _, advanced: steps.append(advanced))
        await begun(stage, POKER)
    bot = stage.table(1)

    async def hangs(*_):
        await asyncio.Event().wait()

    let_bots(bot, rethink=hangs)
    check = host_check.HostCheck(bot.runner, bot.services.bots)
    gc.disable()
    try:
        checked = [check.remember(step) for step in steps]
        await check.result()
        gone = weakref.ref(check)
        del check
        await asyncio.sleep(0)
        await asyncio.sleep(0)

        assert any(checked)
        assert gone() is None
    finally:
        gc.enable()


async def test_moves_before_a_restart_are_checked_after_it():
    store, game = MemoryStore(), installed("lilypoker")["lilypoker"]
    stage = await opened(game, store=store)
    await begun(stage, POKER)
    await stage.type("ann", game.spell(stage.table(1).table.moves(0)[0]))
    again = await opened(game, store=store, seed="2")
    await played_out(again)
    checked = closed_in(await again.tables.archive.entries(1)).checked

    assert checked.same == checked.moves
    assert "Checked by the host: all " in await verified(again)


async def test_host_keeps_nothing_of_the_moves_that_it_has_checked():
    """A game may last for days, and each move would keep its view."""
    game = installed("lilypoker")["lilypoker"]
    stage = await opened(game)
    await begun(stage, POKER)
    table = stage.table(1)
    for _ in range(3):
        await stage.type("ann", game.spell(table.table.moves(0)[0]))
    checking = table.host_check._checking
    await asyncio.wait({checking})
    gc.collect()  # what other tests left

    assert checking.done()
    assert [] == [one for one in gc.get_objects() if isinstance(one, Decision)]


async def test_closed_game_without_bots_says_nothing_of_them():
    assert Closed("") == codec.load({"is": "Closed", "secret": ""}, Closed)
    assert {"is": "Closed", "secret": ""} == codec.dump(Closed(""))
    assert "checked" in codec.dump(Closed("", Checked(1, 1)))


async def test_export_of_a_closed_game_has_the_host_s_count():
    stage = await opened(installed("lilypoker")["lilypoker"])
    await begun(stage, POKER)
    await played_out(stage)
    stage.screens["ann"].prefer({"width": "100000"})
    rows = [row for row in await stage.type("ann", "/export 1") if row.startswith("{")]

    assert json.loads(rows[-1])
    assert "Checked by the host: all " in exports.verify("\n".join(rows)).sentence


@pytest.mark.parametrize("name", games())
def test_every_bot_can_be_sent_to_a_worker(name):
    """Checks run there, so that they don't hold up the event loop."""
    for strategy in games()[name].players.values():
        assert dumps(strategy)
