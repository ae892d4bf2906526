"""People join and leave while Liar's Poker goes on, and cash out their winnings."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage

LIARSPOKER = {"liarspoker": games()["liarspoker"]}


@pytest.fixture
async def evening(store):
    """Three hands of Liar's Poker between ann and bob, with cat watching."""
    stage = await Stage.open(LIARSPOKER, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new liarspoker hands=3 opener=random")
    await stage.type("bob", "/sit liarspoker")
    await stage.type("ann", "/start")
    return stage


async def count_hand(stage, bot):
    """Bid once, let everyone challenge and the bidder stand, until the hand is counted."""
    hands = len(bot.table.view(None).match.sheet)
    while bot.table.going and len(bot.table.view(None).match.sheet) == hands:
        seats = [seat for seat in range(len(bot.table.seats)) if len(bot.table.moves(seat))]
        move = bot.table.game.rules.default(bot.table.state, seats[0])
        await stage.type(bot.table.seats[seats[0]].name, f"/at liarspoker {bot.table.game.spell(move)}")


async def test_player_who_joins_in_mid_game_plays_from_the_next_hand(evening):
    """Players may join between hands (Salomon 1986)."""
    told = " ".join(await evening.type("cat", "/sit liarspoker"))
    await count_hand(evening, evening.table(1))

    assert "You play from the next hand on." in told
    assert evening.table(1).table.view(2).slip is not None


async def test_player_who_leaves_is_out_after_the_hand(evening):
    """Players may leave between hands; until then the table challenges for them."""
    await evening.type("cat", "/sit liarspoker")
    await evening.type("ann", "/leave")
    bot = evening.table(1)
    await count_hand(evening, bot)

    assert bot.table.view(None).match.players == (1, 2)
    assert bot.seat_of("ann") is None


async def test_player_who_left_may_rejoin_at_a_new_seat(evening):
    await evening.type("cat", "/sit liarspoker")
    await evening.type("ann", "/leave")
    await evening.type("ann", "/sit liarspoker")

    assert evening.table(1).seat_of("ann") == 3


async def test_lifetime_balance_is_the_sum_of_all_sessions(evening, store):
    bot = evening.table(1)
    for _ in range(3):
        await count_hand(evening, bot)
    first = bot.table.outcome.scores[0]

    assert f"You have {first} unit" in " ".join(await evening.type("ann", "/purse"))
    again = await Stage.open(LIARSPOKER, store=store)
    again.enter("ann")
    assert f"You have {first} unit" in " ".join(await again.type("ann", "/purse"))


async def test_purse_is_booked_once_however_often_a_table_is_settled(evening, store):
    """Effects are applied once for each table and seat."""
    bot = evening.table(1)
    for _ in range(3):
        await count_hand(evening, bot)

    before = await bot.services.chips.purses.held(bot.table.game, "bob")
    await bot.services.chips.purses.settle(bot.table, set())

    assert await bot.services.chips.purses.held(bot.table.game, "bob") == before == bot.table.outcome.scores[1]


async def test_lowest_lifetime_balance_chooses_first(store):
    """The first choice goes to the player whose fortunes as of late have been most disappointing (Salomon 1986)."""
    stage = await Stage.open(LIARSPOKER, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.tables.purses.change(LIARSPOKER["liarspoker"], "bob", -5, "an evening")
    await stage.type("ann", "/new liarspoker choose=manual")
    await stage.type("bob", "/sit liarspoker")
    await stage.type("ann", "/start")

    assert stage.table(1).table.purses == (0, -5)
    assert stage.table(1).question(stage.people["bob"])


async def test_joins_and_leaves_survive_a_restart(evening, store):
    """The log says who joined and left, so a replay gives the same table."""
    await evening.type("cat", "/sit liarspoker")
    await evening.type("ann", "/leave")

    again = await Stage.open(LIARSPOKER, store=store)

    assert again.table(1).table == evening.table(1).table
    assert again.table(1).table.names == ("ann", "bob", "cat")


async def test_bots_do_not_play_on_without_people(evening):
    """When the last person has left, the session ends with the hand."""
    await evening.type("ann", "/house 2")
    await evening.type("ann", "/leave")
    bot = evening.table(1)
    await evening.type("bob", "/leave")

    assert bot.over
    assert 1 not in evening.open_tables
