"""Chips stay with the account: brought to a table, cashed out, and still there tomorrow, never twice."""

import asyncio

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Sitter
from tests.deadline import DEADLINE
from tests.holding import hold

POKER = {"lilypoker": games()["lilypoker"]}


@pytest.fixture
async def evening(store):
    stage = await Stage.open(POKER, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")
    return stage


async def held(stage, name):
    return await stage.tables.purses.held(POKER["lilypoker"], name)


async def over_the_hand(stage, bot):
    """Let everyone check or fold until the hand is over."""
    number = bot.table.view(None).match.played
    while bot.table.going and bot.table.view(None).match.played == number:
        seat = next(seat for seat in range(len(bot.table.seats)) if len(bot.table.moves(seat)))
        move = bot.table.game.spell(bot.table.game.rules.default(bot.table.state, seat))
        await stage.type(bot.table.seats[seat].name, f"/at lilypoker {move}")


async def test_new_account_holds_a_thousand_and_brings_a_hundred(evening):
    assert evening.table(1).table.purses == (100, 100)
    assert "You have 1000 chips (lily-poker)" in " ".join(await evening.type("ann", "/purse"))


async def test_chips_are_saved_when_a_player_leaves(evening, store):
    bot = evening.table(1)
    await evening.type("cat", "/sit lilypoker")
    await over_the_hand(evening, bot)
    await evening.type("ann", "/leave")
    await over_the_hand(evening, bot)
    change = bot.table.game.purse.changes(bot.table.view(None))[0]
    again = await Stage.open(POKER, store=store)
    again.enter("ann")

    assert 1000 + change == await held(evening, "ann") == await held(again, "ann")
    assert f"You have {1000 + change} chips" in " ".join(await again.type("ann", "/purse"))


async def test_chips_on_one_table_are_not_brought_to_another(evening, store):
    """They can't be anywhere else in the meantime."""
    await evening.tables.purses.change(POKER["lilypoker"], "ann", -850, "a bad month")

    await evening.type("ann", "/new lilypoker")
    await evening.type("cat", "/sit lilypoker-2")
    await evening.type("ann", "/at lilypoker-2 start")

    assert evening.table(2).table.purses == (50, 100)


async def test_broke_player_gets_new_chips_once_a_day(evening, store):
    await evening.tables.purses.change(POKER["lilypoker"], "cat", -1000, "a worse month")
    await evening.type("cat", "/sit lilypoker")

    assert evening.table(1).seat_of("cat") == 2
    await evening.tables.purses.change(POKER["lilypoker"], "cat", -1000, "all gone again")
    await evening.type("cat", "/leave")
    await over_the_hand(evening, evening.table(1))

    assert "Refused: you don't have any chips left" in " ".join(await evening.type("cat", "/new lilypoker"))


@pytest.mark.parametrize("line", ["/new lilypoker", "/quick lilypoker buyin=50", "/seek lilypoker 3"])
async def test_refused_seat_at_a_new_table_leaves_no_empty_table(evening, line):
    """All chips that ann has are at the first table."""
    await evening.tables.purses.change(POKER["lilypoker"], "ann", -900, "a bad month")
    rows = await evening.type("ann", line)

    assert "Refused: you don't have any chips left" in " ".join(rows)
    assert [1] == [*evening.open_tables]
    assert ["lilypoker"] == [room.name for room in evening.rooms.values() if room.bot]


async def test_refused_rematch_leaves_no_empty_table(store):
    stage = await Stage.open(POKER, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker hands=1")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")
    for number in (1, 2):  # new chips come once a day
        await over_the_hand(stage, stage.table(number))
        await stage.tables.purses.change(POKER["lilypoker"], "ann", -await held(stage, "ann"), f"bad month {number}")
        rows = await stage.type("ann", f"/rematch {number}")
        await stage.type("bob", f"/rematch {number}")

    assert "Refused: you don't have any chips left" in " ".join(rows)
    assert ["bob"] == [bot.table.header.host for bot in stage.open_tables.values()]


async def test_chips_keep_their_sum_over_a_session(evening):
    """No chip appears, and none is lost."""
    bot = evening.table(1)
    await evening.type("cat", "/sit lilypoker")
    for name in ("cat", "bob", "ann"):
        await over_the_hand(evening, bot)
        await evening.type(name, "/leave")

    assert 3000 == sum([await held(evening, name) for name in ("ann", "bob", "cat")])
    assert 1 not in evening.open_tables


# after a start, while their tables wait to come back


@pytest.fixture
def later(evening, store):
    """Returns a function that starts a place on the same store whose tables wait to be restored."""

    async def start():
        stage = await Stage.open(POKER, store=store, at_once=False)
        assert not stage.open_tables
        return stage

    return start


async def test_chips_at_a_table_that_waits_are_not_brought_to_another(evening, later):
    """Someone else may seat ann, so no line of hers restores her table."""
    await evening.create_account("ann", "plums and pears")
    await evening.tables.purses.change(POKER["lilypoker"], "ann", -850, "a bad month")
    after = await later()
    after.enter("cat")
    await after.type("cat", "/new lilypoker")

    assert 50 == await after.tables.stakes.brought(after.table(2).table, Sitter("ann"))
    assert 100 == after.table(1).end_of_game.unsettled("ann")


async def test_player_whose_table_waits_is_not_taken_for_broke(evening, later):
    """All chips that ann has are at the first table, so she gets no new ones."""
    await evening.tables.purses.change(POKER["lilypoker"], "ann", -900, "a bad month")
    after = await later()
    after.enter("ann")

    assert "Refused: you don't have any chips left" in " ".join(await after.type("ann", "/new lilypoker"))
    assert 100 == await held(after, "ann")


async def test_chips_of_a_player_who_left_are_paid_once_when_the_table_is_back(evening, later, store):
    """Even if the server was killed between the move and the payment."""
    bot = evening.table(1)
    await evening.type("cat", "/sit lilypoker")
    while bot.table.view(None).match.chips[0] in (100, 101):  # the ante of the next hand is still to come
        await over_the_hand(evening, bot)
    await evening.type("ann", "/leave")
    await over_the_hand(evening, evening.table(1))
    paid = await held(evening, "ann")
    await store.erase("purse/lilypoker/ann")
    after = await later()
    after.enter("ann")
    assert f"You have {paid} chips" in " ".join(await after.type("ann", "/purse"))

    again = await later()
    await again.tables.unrestored.finish()
    assert paid == await held(again, "ann") != 1000


async def test_others_play_for_chips_although_a_table_never_comes_back(later, monkeypatch, store):
    after = await later()
    after.enter("cat")
    hold(monkeypatch, store, 1)
    async with asyncio.timeout(DEADLINE):
        await after.type("cat", "/new lilypoker")
        await after.type("cat", "/house novice")
        await after.type("cat", "/start")

    assert (100, 100) == after.table(2).table.purses
