"""The time of a bot's move tells nothing about its hand: it follows from what everyone sees, and from luck."""

import asyncio

import attrs
import pytest

from lilygames.gametest.plays import luck_of
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.tables.bots.pace import LEAST, PAUSES
from tests.slow_bots import let_bots, pace
from tests.toys import TALLY, installed

PAUSE = 3.0


@pytest.fixture
async def stage():
    """A stage whose bots pause before each move, with a table of ann and two bots that hasn't started."""
    settings = attrs.evolve(SETTINGS, house_pause_min=PAUSE, house_pause_max=PAUSE)
    stage = Stage(await furnish(MemoryStore(), settings, TALLY))
    stage.enter("ann")
    for line in ("/new tally max=3 first-dealer=host", "/house 2"):
        await stage.hear("ann", line)
    return stage


async def moved_at(stage, monkeypatch, thought):
    """Return when the first bot moves, on a clock that only its thinking moves on."""
    clock, due, loop = [1000.0], [], asyncio.get_running_loop()
    bot = stage.table(1)

    async def think(strategy, view, moves, luck, _):
        clock[0] += thought
        return moves[0]

    let_bots(bot, think=think)
    monkeypatch.setattr(loop, "time", lambda: clock[0])
    monkeypatch.setattr(loop, "call_later", lambda delay, job, *_: due.append((clock[0] + delay, job)))
    monkeypatch.setattr(type(bot.publisher), "since_row", 0.0)
    await stage.hear("ann", "/start")
    for _ in range(20):
        await asyncio.sleep(0)
    return next(moment for moment, job in due if job == bot.timer.queue)


@pytest.mark.parametrize("thought", [0.0, 0.1, 2.9])
async def test_thinking_time_does_not_show(stage, monkeypatch, thought):
    """A bot with a hard choice thinks longer. Two worlds that look the same from outside show the same delay."""
    assert 1000 + PAUSE == await moved_at(stage, monkeypatch, thought)


@pytest.mark.parametrize("setting", ["delay off", "machine on"])
@pytest.mark.parametrize("thought", [0.0, 0.1])
async def test_thinking_time_does_not_show_to_those_who_want_no_delay(stage, monkeypatch, setting, thought):
    """A bot's only legal card came at once, and one of several when it had thought: that told something of its hand."""
    await stage.type("ann", f"/set {setting}")

    assert 1000 + PAUSE * LEAST == await moved_at(stage, monkeypatch, thought)


async def test_thinking_time_does_not_show_in_a_game_by_mail(stage):
    await stage.type("ann", "/leave")
    for line in ("/new tally clock=3d", "/house 2", "/start"):
        await stage.hear("ann", line)
    bot = stage.table(2)

    assert PAUSE * LEAST == pace(bot).pause(1)


async def test_later_moves_of_a_long_row_have_a_pause_too(stage, monkeypatch):
    await stage.hear("ann", "/start")
    bot = stage.table(1)
    monkeypatch.setattr(type(bot.publisher), "since_row", PAUSES * PAUSE)
    monkeypatch.setattr(type(bot.publisher), "waiting", PAUSES)

    assert PAUSE * LEAST == pace(bot).pause(1)


async def test_pause_depends_on_what_everyone_sees(stage, monkeypatch):
    """It is computed although nobody may look at a seat's hand."""
    await stage.hear("ann", "/start")
    bot = stage.table(1)
    rules = bot.table.game.rules

    def public(state, seat):
        assert seat is None
        return rules.view(state, None)

    monkeypatch.setattr(type(bot.publisher), "since_row", 0.0)
    blind = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, forced=lambda view, seat: False))
    monkeypatch.setattr(type(blind), "view", lambda table, seat: public(table.state, seat))
    bot.runner.table = blind

    assert PAUSE == pace(bot).pause(1)


async def test_move_that_everyone_sees_to_be_forced_comes_at_once(stage, monkeypatch):
    await stage.hear("ann", "/start")
    bot = stage.table(1)
    monkeypatch.setattr(type(bot.publisher), "since_row", 0.0)
    bot.runner.table = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, forced=lambda view, seat: seat == 1))

    assert [0.0, PAUSE] == [pace(bot).pause(seat) for seat in (1, 2)]


async def test_bot_is_not_asked_for_its_only_move(stage):
    bot, asked = stage.table(1), []

    async def think(strategy, view, moves, luck, _):
        asked.append(len(moves))
        return moves[0]

    let_bots(bot, think=think, pause=lambda: 0.0)
    await stage.type("ann", "/start")
    while 1 in stage.open_tables:
        table = stage.table(1).table
        await stage.type("ann", table.game.spell(table.moves(0)[0]))

    assert asked
    assert 1 not in asked


def positions(name, seed):
    """Yield each position of a random game for three: its round or auction, the seat to move, its moves, and forced."""
    game = installed(name)[name]
    options = game.quick_options or game.rules.Options()
    purses = [game.purse.brings(options, game.purse.first)] * 3 if game.purse else ()
    step = game.rules.start(3, options, purses, luck_of(seed, 0))
    for turn in range(1, 400):
        ready = [seat for seat in range(3) if len(game.rules.moves(step.state, seat))]
        if not ready:
            return
        seat, chance = ready[0], luck_of(seed, turn, "choose")
        moves, public = game.rules.moves(step.state, seat), game.rules.view(step.state, None)
        yield game.rules.view(step.state, seat), moves, game.forced(public, seat)
        step = game.rules.apply(step.state, seat, chance.choice(moves), luck_of(seed, turn))


def is_last_card(view):
    now = view.round
    return now is not None and None not in now.bids and len(now.hand) == 1


@pytest.mark.parametrize("name", ["ohell", "wizard"])
def test_last_card_is_forced_and_no_other_is(name):
    """It is forced if and only if a seat has one card left and all have bid, as everyone can count."""
    seen = set()
    for view, moves, forced in positions(name, 1):
        last = is_last_card(view)
        if last or None not in view.round.bids:
            assert last == forced
        assert not forced or len(moves) == 1
        seen.add(last)

    assert {True, False} == seen


def test_bid_of_ohell_is_forced_if_the_hook_leaves_one():
    """Everyone can count the bids in a hand of one card."""
    bids = [
        (len(moves) == 1, forced)
        for seed in range(10)
        for view, moves, forced in positions("ohell", seed)
        if not is_last_card(view) and None in view.round.bids
    ]

    assert {(True, True), (False, False)} == {*bids}


def test_challenge_of_the_highest_bid_is_forced_in_liars_poker():
    seen = {
        (len(moves) == 1, forced)
        for seed in range(10)
        for view, moves, forced in positions("liarspoker", seed)
        if view.auction
    }

    assert {(True, True), (False, False)} == seen
