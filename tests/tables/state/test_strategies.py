"""The log names the version and the budget of each bot's strategy, so that its moves can be recomputed."""

import re

import attrs
import pytest

from lilygames import codec
from lilygames.game import Budget, Thinker
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Body, Moved, Sitter
from lilygames.tables.state.strategies import in_a_hurry, seated_bot
from tests.slow_bots import let_bots
from tests.toys import TALLY

TOY = attrs.evolve(TALLY["tally"], strategy_versions={"novice": "7"})


def updated(version, kept=None, **players):
    """Return the toy after an update that changes the version of its novice; `kept` has earlier ones by version."""
    versions, earlier = {"novice": version}, {"novice": kept or {}}
    changed = attrs.evolve(TOY, strategy_versions=versions, earlier_strategies=earlier)
    return {"tally": attrs.evolve(changed, players={**TOY.players, **players})}


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    stage = await Stage.open({"tally": TOY}, store=store)
    stage.enter("ann")
    return stage


async def started(stage, options=""):
    for line in (f"/new tally {options} max=3 first-dealer=host", "/house novice 1", "/start"):
        await stage.type("ann", line)


async def played_out(stage):
    while 1 in stage.open_tables:
        table = stage.table(1).table
        await stage.type("ann", f"/at 1 {table.game.spell(table.moves(0)[0])}")


async def verified(stage):
    """Return what /verify says, in one row."""
    return " ".join(" ".join(await stage.type("ann", "/verify 1")).split())


async def bots_moves(stage):
    """Return the versions that the bot's moves name."""
    entries = await stage.tables.archive.entries(1)
    acts = [(entry.by, codec.from_text(entry.body, Body).act) for entry in entries]
    return {act.strategy for by, act in acts if isinstance(act, Moved) and by.endswith("(house)")}


def test_seat_of_a_bot_names_the_version_and_the_budget_of_its_strategy():
    slow = attrs.evolve(TOY, players={"novice": Thinker(lambda *_: None, Budget(30))})

    assert Sitter("Ada", "novice", strategy="7", budget=30) == seated_bot(slow, "Ada", "novice")
    assert Sitter("Ada", "novice", strategy="7") == seated_bot(TOY, "Ada", "novice")


def test_strategy_that_declares_no_version_is_logged_without_one():
    assert Sitter("Ada", "novice") == seated_bot(attrs.evolve(TOY, strategy_versions={}), "Ada", "novice")


async def test_bot_that_sits_down_names_its_version(stage):
    await started(stage)

    assert "7" == stage.table(1).table.seats[1].strategy


async def test_moves_name_no_version_of_their_own_while_the_server_is_the_same(stage):
    await started(stage)
    await played_out(stage)

    assert {""} == await bots_moves(stage)


async def test_moves_name_their_version_after_an_update_in_the_middle_of_a_game(stage, store):
    await started(stage)
    again = await Stage.open(updated("8"), store=store, seed="2")
    again.enter("ann")
    await played_out(again)

    assert ["", "8"] == sorted(await bots_moves(again))


async def test_verify_recomputes_the_moves_of_bots(stage):
    await started(stage)
    await played_out(stage)

    assert " moves of bots follow from what their seats could see." in " ".join(
        " ".join(await stage.type("ann", "/verify 1")).split()
    )


async def test_verify_does_not_check_the_moves_of_an_older_strategy(stage, store):
    await started(stage)
    await played_out(stage)
    again = await Stage.open(updated("8", novice=lambda view, moves, luck: moves[-1]), store=store, seed="2")
    again.enter("ann")
    shown = await verified(again)

    assert "Match: " in shown
    assert shown.endswith(" can't be checked: version 7 of tally's novice bot isn't shipped any more.")


async def test_bot_plays_on_with_its_version_after_an_update_that_keeps_it(stage, store):
    await started(stage)
    new = updated("8", {"7": TOY.players["novice"]}, novice=lambda view, moves, luck: moves[-1])
    again = await Stage.open(new, store=store, seed="2")
    again.enter("ann")
    await played_out(again)

    assert {""} == await bots_moves(again)
    assert (await verified(again)).endswith(" moves of bots follow from what their seats could see.")


async def test_verify_recomputes_long_searches_too(store):
    slow = Thinker(lambda view, moves, luck, budget: moves[0], Budget(1))
    stage = await Stage.open(updated("8", novice=slow), store=store)
    stage.enter("ann")
    await started(stage)
    await played_out(stage)

    assert (await verified(stage)).endswith(" moves of bots follow from what their seats could see.")


async def test_move_of_a_bot_that_fails_is_logged_as_a_default_move(store):
    """The bot is asked for its first bid; a last card is played without it."""

    def fail(view, moves, luck):
        raise ValueError

    stage = await Stage.open(updated("8", novice=fail), store=store)
    stage.enter("ann")
    await started(stage)
    await played_out(stage)
    entries = await stage.tables.archive.entries(1)
    acts = [(entry.by, codec.from_text(entry.body, Body).act) for entry in entries]

    assert next(act.default for by, act in acts if isinstance(act, Moved) and by.endswith("(house)"))
    assert {False} == {act.default for by, act in acts if isinstance(act, Moved) and by == "ann"}
    assert " default moves, because the bot failed." in await verified(stage)


def searches(view, moves, luck, budget):
    """Return the last of as many draws as the budget has."""
    return [luck.choice(moves) for _ in range(budget.iterations)][-1]


HURRIED = Thinker(searches, Budget(99), less=(Budget(49), Budget(24), Budget(4)))


@pytest.fixture(params=[""])
async def busy(store, request):
    """A stage where many moves wait, with a bot that may search less."""
    stage = await Stage.open(updated("8", novice=HURRIED), store=store)
    stage.enter("ann")
    await started(stage, request.param)
    bot = stage.table(1)
    let_bots(bot, budget_share=lambda: 0.01)
    return stage


async def budgets(stage):
    """Return the versions and budgets that the bot's moves name."""
    entries = await stage.tables.archive.entries(1)
    acts = [(entry.by, codec.from_text(entry.body, Body).act) for entry in entries]
    return {(act.strategy, act.budget) for by, act in acts if isinstance(act, Moved) and by.endswith("(house)")}


async def test_bot_searches_less_while_many_moves_wait_and_its_moves_say_so(busy):
    await played_out(busy)

    assert ("8", 4) in await budgets(busy)


async def test_moves_made_in_a_hurry_are_recomputed_with_their_own_budget(busy):
    await played_out(busy)
    said = await verified(busy)

    assert " moves of bots follow from what their seats could see. " in said
    assert re.search(r"Ada \(novice\) searched 4 iterations instead of 99 for \d+ moves\.", said)


@pytest.mark.parametrize("busy", ["duplicate=friday"], indirect=True)
async def test_bot_at_a_duplicate_table_searches_as_long_as_at_the_others(busy):
    await played_out(busy)

    assert {("", 0)} == await budgets(busy)


async def test_moves_name_no_budget_while_nobody_waits(busy):
    bot = busy.table(1)
    let_bots(bot, budget_share=lambda: 1.0)
    await played_out(busy)

    assert {("", 0)} == await budgets(busy)


@pytest.mark.parametrize(
    ("strategy", "version"),
    [
        (lambda *_: None, "8"),
        (Thinker(searches, Budget(99)), "8"),
        (Thinker(searches, Budget(4), less=(Budget(4),)), "8"),
        (HURRIED, ""),
    ],
    ids=["searches nothing", "has no smaller budget", "has the smallest already", "declares no version"],
)
def test_bot_plays_as_usual_in_a_hurry_if_it(strategy, version):
    game = attrs.evolve(TOY, players={"novice": strategy}, strategy_versions={"novice": version} if version else {})

    assert in_a_hurry(game, "novice", strategy, 0.01) is None


@pytest.mark.parametrize(
    ("share", "iterations"), [(1.0, 99), (0.99, 49), (0.5, 49), (0.49, 24), (0.1, 4), (0.05, 4), (0.0, 4)]
)
def test_bot_has_the_largest_smaller_budget_that_fits_else_its_smallest(share, iterations):
    game = attrs.evolve(TOY, players={"novice": HURRIED}, strategy_versions={"novice": "8"})

    assert iterations == (in_a_hurry(game, "novice", HURRIED, share) or HURRIED).budget.iterations
