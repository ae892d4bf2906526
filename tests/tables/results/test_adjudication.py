"""A game that someone ends with a stated result counts with that result; a frozen one waits."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Adjudicated, Frozen, Unfrozen
from lilygames_rules.kit import Outcome
from tests.tables.room.test_sealing import said
from tests.toys import installed

BOB_WINS = Outcome((1, 5), (1,), "adjudicated")


async def end(bot, result):
    await bot.room.do(lambda: _end(bot, result))


async def _end(bot, result):
    await bot.runner.act("root", Adjudicated("root", "ann shared her cards", result))
    await bot.go_on()


async def test_adjudicated_game_ends_with_its_result_and_is_rated(stage, table):
    await end(table, BOB_WINS)
    await stage.quiet()
    played = {name: (await stage.tables.results.played(name))[0] for name in ("ann", "bob")}
    shown = said(stage.screens["bob"].take())

    assert table.over
    assert {"ann": (2, 1, True), "bob": (1, 5, True)} == {
        name: (one.place, one.score, one.rated) for name, one in played.items()
    }
    assert "root ended this game: ann shared her cards." in shown


async def test_adjudicated_game_can_be_verified(stage, table):
    await end(table, BOB_WINS)
    await stage.quiet()

    assert "Match: seals" in said(await stage.type("ann", "/verify 1"))


async def test_game_that_is_ended_without_a_winner_counts_for_nobody(stage, table):
    await end(table, None)
    await stage.quiet()

    assert [] == await stage.tables.results.played("ann")
    assert "Game over: nobody wins." in said(stage.screens["bob"].take())


async def test_frozen_table_refuses_moves_and_says_why(stage, table):
    async def act(one):
        await table.runner.act("root", one)

    await table.room.do(lambda: act(Frozen("root", "someone complained")))
    frozen = said(await stage.type("bob", "/bid 0"))
    await table.room.do(lambda: act(Unfrozen("root")))
    await stage.type("bob", "/bid 0")

    assert "this table is frozen" in frozen
    assert 1 == table.table.made


@pytest.mark.parametrize(("result", "expected"), [(Outcome((-7, 7), (1,), "x"), (-7, 7)), (None, (0, 0))])
async def test_chips_follow_the_stated_result(store, result, expected):
    stage = await Stage.open(installed("lilypoker"), store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
        await stage.create_account(name, "correct horse")
    await stage.type("ann", "/new lilypoker")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")
    game = stage.table(1).table.game
    before = [await stage.tables.purses.held(game, name) for name in ("ann", "bob")]
    await end(stage.table(1), result)
    await stage.quiet()
    after = [await stage.tables.purses.held(game, name) for name in ("ann", "bob")]

    assert expected == tuple(now - then for now, then in zip(after, before, strict=True))
