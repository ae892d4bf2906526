"""Bots: they take their time, know no more than their seat does, and never hold up a table."""

import asyncio

import attrs
import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.proofs import commitments
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.tricks.game import View
from tests.slow_bots import let_bots
from tests.toys import ALL


@pytest.fixture
def play(tally):
    """Return a function that plays a game of one person with bots; the person always makes the last listed move."""

    async def whole(strategy, *, seed="1", house=2):
        game = attrs.evolve(tally["tally"], players={"novice": strategy})
        stage = await Stage.open({"tally": game}, store=MemoryStore(), seed=seed)
        stage.enter("ann")
        await stage.type("ann", "/new tally max=3 first-dealer=host")
        await stage.type("ann", f"/house {house}")
        rows = await stage.type("ann", "/start")
        while bot := stage.open_tables.get(1):
            rows += await stage.type("ann", "/" + game.spell(bot.table.moves(0)[-1]))
        return rows

    return whole


def random_of(view, moves, luck):
    return luck.choice(moves)


async def test_same_secret_and_same_moves_are_the_same_game(play):
    """Bots draw from the table's own seal, so a replay makes the same moves again."""
    one, other = await play(random_of), await play(random_of)

    assert one == other
    assert one != await play(random_of, seed="2")


async def test_bot_is_given_view_moves_and_luck_of_its_seat(play, tally):
    """It gets nothing else: its own view, its legal moves, and luck drawn for this seat and entry."""
    given = []

    def watching(*arguments):
        given.append(arguments)
        return arguments[1][0]

    await play(watching)

    assert {3} == {len(arguments) for arguments in given}
    assert {1, 2} == {view.seat for view, _, _ in given}
    assert all(isinstance(view, View) for view, _, _ in given)
    assert len({luck.below(2**64) for _, _, luck in given}) == len(given)


async def test_luck_of_a_bot_is_not_the_luck_of_the_deal(stage, table):
    """Knowing its own draws tells it nothing about the cards."""
    key = table.table.key
    dealt = [KeyedLuck(commitments.draw_key(key, "deal", n)).below(2**64) for n in range(40)]
    own = [KeyedLuck(commitments.house_key(key, seat, n)).below(2**64) for seat in range(9) for n in range(40)]

    assert not {*own} & {*dealt}


async def test_bot_draws_from_the_secret_behind_the_seal(tally):
    """Nobody can know its draws before the end, neither from the seal nor from the table's number."""
    drawn = []

    def drawing(view, moves, luck):
        drawn.append((view.seat, luck.below(2**64)))
        return moves[0]

    game = attrs.evolve(tally["tally"], players={"novice": drawing})
    stage = await Stage.open({"tally": game}, store=MemoryStore(), seed="1")
    stage.enter("ann")
    for line in ("/new tally max=3 first-dealer=host", "/house 2", "/start"):
        await stage.type("ann", line)
    bot = stage.table(1)

    def lucks(key):
        return {
            (seat, KeyedLuck(commitments.house_key(key, seat, moves)).below(2**64))
            for seat in (1, 2)
            for moves in range(bot.table.seq + 1)
        }

    assert [1, 2] == [seat for seat, _ in drawn]
    rounds = bot.table.rounds
    assert {*drawn} <= lucks(commitments.table_key(bot.table.secret, rounds.table, rounds.code, ()))
    assert not {*drawn} & lucks(commitments.table_key(bytes.fromhex(rounds.seal), rounds.table, rounds.code, ()))


@pytest.mark.parametrize(
    "strategy",
    [
        lambda *_: 1 / 0,
        lambda *_: None,
        lambda *_: "bid 1",
        lambda view, moves, luck: [*moves],
        lambda view, moves, luck: luck.choice(()),
    ],
)
async def test_games_with_a_bad_strategy_finish(play, strategy):
    """The bot's seat makes the default move, and the game ends as others do."""
    with capture_logs() as logged:
        rows = await play(strategy)

    assert any(row.startswith("Game over: ") for row in rows)
    assert {"a bot failed to choose a move"} == {line["event"] for line in logged if line["log_level"] == "error"}


@pytest.mark.parametrize("pause", [(0.0, 0.0), (0.5, 0.5), (2.0, 3.5)])
async def test_bot_thinks_as_long_as_the_settings_say(tally, monkeypatch, pause):
    """The pause runs on the loop's clock; the table itself doesn't wait."""
    settings = attrs.evolve(SETTINGS, house_pause_min=pause[0], house_pause_max=pause[1])
    place = await furnish(MemoryStore(), settings, tally)
    stage = Stage(place)
    stage.enter("ann")
    await place.dispatcher.hear(stage.people["ann"], "/new tally max=3 first-dealer=host")
    await place.dispatcher.hear(stage.people["ann"], "/house 2")
    waited, now = [], [1000.0]
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "time", lambda: now[0])
    monkeypatch.setattr(loop, "call_later", lambda delay, job, *_: waited.append((delay, job)))
    monkeypatch.setattr(type(stage.table(1).publisher), "since_row", 0.0)
    await place.dispatcher.hear(stage.people["ann"], "/start")
    for _ in range(20):
        await asyncio.sleep(0)

    delays = [delay for delay, job in waited if job == stage.table(1).timer.queue] or [0.0]
    assert pause[0] <= delays[0] <= pause[1]
    assert bool(pause[1]) == stage.table(1).timer.busy


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/house", "*Ada sits down."),
        ("/house 2", "*Ada and *Max sit down."),
        ("/house novice 2", "*Ada and *Max sit down."),
        ("/house 2 Novice", "*Ada and *Max sit down."),
        ("/house shark 2", "*Ada and *Max sit down."),
        ("/bots shark 2", "*Ada and *Max sit down."),
        ("/house 0", "Refused: tally has room for 11 more players."),
        ("/house 99", "Refused: tally has room for 11 more players."),
        ("/house 999", "Refused: tally has room for 11 more players."),
        ("/house -1", "Refused: Tally has bots of these levels: novice, club and shark."),
        ("/house ²", "Refused: Tally has bots of these levels: novice, club and shark."),
        ("/house grandmaster", "Refused: Tally has bots of these levels: novice, club and shark."),
    ],
)
async def test_bots_are_requested_by_level_and_number(stage, line, said):
    await stage.type("ann", "/new tally")

    assert said in " ".join(await stage.type("ann", line))


async def test_lists_tell_the_level_of_bots(stage):
    """In the story of a game a name is enough, but a person looking for a table wants to know the level."""
    await stage.type("ann", "/new tally")
    await stage.type("ann", "/house shark")
    await stage.type("ann", "/house")

    assert "waiting: ann, *Ada (shark), *Max (novice)" in " ".join(await stage.type("bob", "/tables"))
    assert "Tally, ann, *Ada (shark) and *Max (novice)" in " ".join(await stage.type("bob", "/watch tally"))


async def test_table_says_that_it_waits_for_a_bot_by_name(tally):
    """The name keeps its capital letter."""
    place = await furnish(MemoryStore(), attrs.evolve(SETTINGS, house_pause_min=60.0, house_pause_max=60.0), tally)
    stage = Stage(place)
    stage.enter("ann")
    for line in ("/new tally max=3 first-dealer=host", "/house 2", "/start"):
        await place.dispatcher.hear(stage.people["ann"], line)
    bot = stage.table(1)

    assert "It is Ada's turn." in bot.screens.waits(stage.people["ann"]).text


async def test_only_players_at_the_table_add_bots(stage):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/watch tally")

    assert "Refused: only players at tally can add bots" in (await stage.type("bob", "/house"))[0]


async def test_no_two_bots_share_a_name(stage, table):
    """A player who leaves is replaced by a bot that doesn't sit there yet."""
    stage.enter("cat")
    await stage.type("cat", "/new tally max=3")
    await stage.type("cat", "/house 11")
    await stage.type("cat", "/start")
    await stage.type("cat", "/leave")

    names = [bot.table.names for bot in stage.open_tables.values() if bot is not table]
    assert all(len(set(one)) == len(one) for one in names)


@pytest.mark.parametrize("name", sorted(ALL))
async def test_bots_finish_every_game_we_ship_when_all_have_left(name):
    """A game that has begun goes on to its end."""
    stage = await Stage.open(ALL)
    stage.enter("ann")
    game = ALL[name]
    if not game.players:
        pytest.skip("nobody of the house knows it yet")
    await stage.type("ann", f"/quick {name}")
    bot = stage.table(1)
    for _ in range(40):
        if bot.over or not bot.table.moves(0):
            break
        await stage.type("ann", "/" + game.spell(bot.table.moves(0)[0]))
    await stage.type("ann", "/leave")

    bot.sleep()  # a bot's move may begin while the test ends
    await bot.room.finish()

    assert not bot.case
    assert bot.over or bot.table.going


@pytest.fixture
async def pondering(tally):
    """Return a stage at whose table a bot thinks until it is let go, and the event that lets it go."""
    stage = await Stage.open(tally)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/house")
    enough, asked = asyncio.Event(), []

    async def think(strategy, view, moves, luck, due):
        asked.append(view)
        await enough.wait()
        return moves[0]

    bot = stage.table(1)
    let_bots(bot, think=think)
    await stage.hear("ann", "/start")
    for _ in range(20):
        await bot.room.finish()
        await asyncio.sleep(0)
        seat = next(seat for seat in range(3) if bot.table.moves(seat))
        if seat < 2 and not asked:
            line = bot.table.game.spell(bot.table.moves(seat)[0])
            await stage.place.dispatcher.hear(stage.people[bot.table.seats[seat].name], line)
    assert len(asked) == 1
    return stage, enough, asked


async def test_people_are_heard_while_a_bot_thinks(pondering):
    """They may talk, watch and leave; nothing waits for it."""
    stage, enough, _ = pondering
    stage.screens["bob"].take()
    await stage.hear("ann", "is it asleep?")
    await stage.hear("ann", "/leave")
    await stage.table(1).room.finish()
    rows = " ".join(stage.screens["bob"].take())
    enough.set()
    await stage.quiet()

    assert "is it asleep?" in rows
    assert "ann left the table." in rows


async def test_bot_thinks_again_if_the_table_has_gone_on(pondering):
    """Its move was meant for another position."""
    stage, enough, asked = pondering
    seq = stage.table(1).table.seq
    await stage.hear("ann", "/leave")
    await stage.table(1).room.finish()
    enough.set()
    await stage.quiet()

    assert stage.table(1).table.seq > seq + 1
    assert len(asked) > 1
    assert asked[0] == asked[1]


async def test_bot_whose_answer_is_lost_makes_the_default_move(pondering):
    stage, enough, _ = pondering
    bot = stage.table(1)
    seat = next(seat for seat in range(3) if bot.table.moves(seat))

    async def lost(*_):
        raise ChildProcessError

    let_bots(bot, think=lost)
    await stage.hear("ann", "/leave")
    await bot.room.finish()
    enough.set()
    with capture_logs() as logged:
        await stage.quiet()

    assert 2 == seat
    assert "a bot failed to choose a move" in {line["event"] for line in logged}
    assert not bot.case
