"""Tables of twenty: seats are filled, names differ, screens fit, games end, and older tables go on."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import HOUSE
from lilygames.text import wrap
from tests.toys import installed

GAMES = {name: game for name, game in games().items() if name in ("liarspoker", "liedie")}
ROWS = 24


@pytest.fixture
async def large(store):
    """A stage on which ann plays the given game with nineteen bots."""
    stage = await Stage.open(GAMES, store=store)

    async def begin(line):
        installed(line.split()[1])
        stage.enter("ann")
        await stage.type("ann", line)
        await stage.type("ann", "/house 19")
        await stage.type("ann", "/start")
        return stage

    return begin


async def nothing():
    """Ignore the screen."""


async def to_the_end(stage, look=nothing):
    """Let ann make the table's default move whenever it is her turn, until the game is over."""
    bot = stage.table(1)
    while not bot.over:
        seat = bot.seat_of("ann")
        if bot.table.moves(seat):
            await look()
            move = bot.table.game.spell(bot.table.game.rules.default(bot.table.state, seat))
            await stage.type("ann", f"/at 1 {move}")
        await stage.quiet()
    return bot


@pytest.mark.parametrize(
    "line", ["/new liarspoker hands=3", "/new liedie games=5", "/new liarspoker numbers=bills hands=2"]
)
async def test_twenty_players_finish_a_game_and_it_verifies(large, line):
    stage = await large(line)
    names = stage.table(1).table.names
    bot = await to_the_end(stage)

    assert (20, 20) == (len(names), len({*names}))
    assert bot.table.outcome
    assert "Match: seals, commitments " in " ".join(await stage.type("ann", "/verify 1")) or bot.table.header.sealed


@pytest.mark.parametrize(
    "line", ["/new liarspoker hands=12", "/new liarspoker hands=12 reveal=numbers", "/new liedie games=25"]
)
async def test_screens_of_twenty_players_fit(large, line):
    """They take 24 rows of 78 columns. On a phone of 40 they take at most two such screens, and no word is cut."""
    stage = await large(line)
    bot, worst = stage.table(1), {}

    async def look():
        reader, table = bot.publisher.reader_of(bot.table, stage.people["ann"]), bot.table
        view = table.view(reader.seat)
        shown = {
            "table": bot.screens.shown(stage.people["ann"]),
            "score": [bot.line(row) for row in table.game.score(view, reader)],
            "hand": [*bot.remind(stage.people["ann"])],
        }
        for name, lines in shown.items():
            for width in (78, 40):
                rows = [row for one in lines for row in wrap(one.text, width, one.margin)]
                assert max(map(len, rows)) <= width
                worst[name, width] = max(len(rows), worst.get((name, width), 0))

    await to_the_end(stage, look)

    assert {} == {place: rows for place, rows in worst.items() if rows > (ROWS if place[1] == 78 else 2 * ROWS)}
    assert 6 == len(worst)


async def test_player_can_leave_a_full_table(large):
    """There are more bots than seats, so one is always free to take over."""
    stage = await large("/new liedie games=5")
    bot = stage.table(1)
    told = await stage.type("ann", "/leave")

    assert HOUSE[19] == bot.table.seats[0].name
    assert "(you left" in told[-1]


async def test_bot_never_has_an_account_holders_name(store):
    """People keep a name that they registered before a bot had it, and are never taken for the bot."""
    installed("liarspoker")
    stage = await Stage.open(GAMES, store=store)
    for name in ("ann", HOUSE[-2], HOUSE[13]):
        stage.enter(name)
        stage.accounts.hold(name)
    await stage.type("ann", "/new liarspoker")
    await stage.type("ann", "/house 19")

    assert 20 == len(stage.table(1).table.names)
    assert not {HOUSE[-2], HOUSE[13]} & {who.name for who in stage.table(1).table.seats}
