"""`/quick`: a newcomer plays at once, at a table that can go on, and gets a decision before the game is over."""

import asyncio
import random

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.verify.fairness import Fairness
from tests.toys import ALL, installed

GAMES = ALL
OPTIONS = {
    "liedie": ("", "games=4 first=turns", "games=3 first=turns", "games=9 first=host"),
    "liarsdice": ("", "points=none max-rounds=4 first=turns", "points=1", "first=turns"),
    "tally": ("max=3", "max=20", "max=3 clock=3d"),
    "lilypoker": ("", "hands=2", "hands=1"),
}
"""Options of tables that wait when a player types `/quick`; other games use the defaults."""


def anyhow(view, moves, luck):
    """Pass, challenge, believe or claim at random: an answer as often as any other move."""
    return moves[luck.below(min(len(moves), 3))] if luck.coin() else luck.choice(moves)


def deciding(bot):
    """Return the names of the people who have more than one move now."""
    return {who.name for seat, who in enumerate(bot.table.seats) if who.person and len(bot.table.moves(seat)) > 1}


async def quick_game(game, seed):
    """Return who sits down by `/quick`, which people sit there then, and which of them had a choice of moves."""
    luck, name = random.Random(f"{game.name} {seed}"), game.name
    stage = await Stage.open({name: attrs.evolve(game, players={"novice": anyhow})}, seed=f"{name} {seed}")
    people = ["ann", "bob", "cat"]
    for who in people:
        stage.enter(who)
    if luck.random() < 0.5:
        await stage.type("ann", f"/new {name} {luck.choice(OPTIONS.get(name, ('',)))}")
        people.remove("ann")
        for line in ("/house", "/start", "/adjourn")[: luck.choice((0, 0, 2, 3))]:
            await stage.type("ann", line)
    newcomer = people[0]
    await stage.hear(newcomer, f"/quick {name}")
    (bot,) = [bot for bot in stage.open_tables.values() if bot.seat_of(newcomer) is not None]
    assert bot.table.started
    assert not bot.clock.stalled(but=newcomer)
    number, sits = bot.table.header.number, [who.name for who in bot.table.seats.people]
    asked = set()
    while not bot.over and asked != {*sits}:
        await stage.quiet()
        asked |= deciding(bot)
        ready = [seat for seat, who in enumerate(bot.table.seats) if who.person and bot.table.moves(seat)]
        if ready:
            seat = luck.choice(ready)
            move = luck.choice(bot.table.moves(seat)[:3])
            who = stage.people[bot.table.seats[seat].name]
            await stage.place.dispatcher.hear(who, f"/at {number} {bot.table.game.spell(move)}")
    await stage.quiet()
    return newcomer, sits, asked


async def unasked(game, number):
    """Return the quick games, among this many, in which a person had no choice of moves before the end."""
    found = []
    for seed in range(number):
        newcomer, sits, asked = await quick_game(game, seed)
        assert newcomer in sits
        if {*sits} - asked:
            found.append((seed, {*sits} - asked))
    return found


@pytest.mark.parametrize("name", games())
async def test_everyone_has_a_decision_in_a_quick_game(name):
    assert [] == await unasked(GAMES[name], 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
async def test_everyone_has_a_decision_in_a_thousand_quick_games(name):
    assert [] == await unasked(GAMES[name], 1000)


@pytest.mark.parametrize("name", sorted({"liedie", "liarsdice"} & GAMES.keys()))
async def test_by_default_options_some_would_have_none(name):
    """This shows that the search can fail: a table of one match, or of few points, ends too early for some players."""
    rules = {"liedie": {"games": 1}, "liarsdice": {"points": 1}}[name]
    plain = GAMES[name].rules.Options(**rules)

    assert await unasked(attrs.evolve(GAMES[name], quick_options=plain, everyone_acts=lambda *_: True), 25)


@pytest.fixture
async def dealer(store):
    """A stage with all games on which ann and bob are in the lobby."""
    stage = await Stage.open(GAMES, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


def seats_of(stage, name):
    """Return the rooms in which `name` has a seat."""
    return [bot.room.name for bot in stage.open_tables.values() if bot.seat_of(name) is not None]


async def at_a_cash_table(stage):
    """Let ann play lily-poker with a bot, and return the table."""
    installed("lilypoker")
    await stage.type("ann", "/new lilypoker")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")
    return stage.table(1)


async def test_quick_joins_a_cash_table_that_goes_on(dealer):
    await at_a_cash_table(dealer)
    await dealer.type("bob", "/quick lilypoker")

    assert ["lilypoker"] == seats_of(dealer, "bob")


async def test_quick_seats_nobody_in_a_session_that_may_end_with_the_hand(dealer):
    """All the others may fold in the only hand that a newcomer is dealt."""
    installed("lilypoker")
    await dealer.type("ann", "/new lilypoker hands=1")
    await dealer.type("bob", "/quick lilypoker")
    await dealer.type("ann", "/house")
    await dealer.type("ann", "/start")
    await dealer.type("cat", "/quick lilypoker")

    assert ["lilypoker-2"] == seats_of(dealer, "bob") == seats_of(dealer, "cat")


async def test_quick_seats_nobody_at_an_adjourned_table(dealer):
    """Both a newcomer and a player who sits there get a game that can be played now."""
    await at_a_cash_table(dealer)
    await dealer.type("ann", "/adjourn")
    for name in ("bob", "ann"):
        await dealer.type(name, "/quick lilypoker")

    assert ["lilypoker-2"] == seats_of(dealer, "bob")
    assert ["lilypoker", "lilypoker-2"] == seats_of(dealer, "ann")


async def test_quick_seats_nobody_at_a_stopped_table(dealer):
    bot = await at_a_cash_table(dealer)
    bot.runner.stop(ValueError("a bug"))
    for name in ("bob", "ann"):
        await dealer.type(name, "/quick lilypoker")

    assert ["lilypoker-2"] == seats_of(dealer, "bob")
    assert ["lilypoker", "lilypoker-2"] == seats_of(dealer, "ann")


async def test_quick_seats_nobody_where_the_player_on_turn_is_away(dealer):
    bot = await at_a_cash_table(dealer)
    assert bot.question(dealer.people["ann"])
    dealer.drop("ann")
    await dealer.type("bob", "/quick lilypoker")

    assert ["lilypoker-2"] == seats_of(dealer, "bob")


async def test_quick_seats_nobody_where_the_player_on_turn_is_late(dealer):
    bot = await at_a_cash_table(dealer)
    now = bot.clock.now()
    bot.clock.now = lambda: now + bot.clock.clocks.patience + 1
    await dealer.type("bob", "/quick lilypoker")
    await dealer.type("ann", "/quick lilypoker")

    assert ["lilypoker-2"] == seats_of(dealer, "bob")
    assert ["lilypoker"] == seats_of(dealer, "ann")


@pytest.mark.parametrize("words", ["clock=3d", "max=20"])
async def test_quick_seats_nobody_at_a_table_that_could_not_start_or_takes_days(dealer, words):
    """Four players cannot be dealt twenty cards each from one deck."""
    await dealer.type("ann", f"/new tally {words}")
    await dealer.type("bob", "/quick tally")

    assert ["tally-2"] == seats_of(dealer, "bob")
    assert dealer.table(2).table.started


async def test_quick_waits_for_nobody_who_plays_elsewhere(dealer, store):
    """The rules are not installed here, so such a table is nobody's quick game."""
    await dealer.type("ann", "/new high")
    without = await Stage.open({"tally": GAMES["tally"]}, store=store, seed="2")
    without.enter("bob")
    assert 1 in without.tables.unplayable
    await without.type("bob", "/quick tally")

    assert ["tally"] == seats_of(without, "bob")


async def test_two_simultaneous_quicks_give_both_players_a_game(dealer):
    """Both find the same waiting table; the second joins in time or gets another one."""
    await dealer.type("cat", "/new tally max=3")
    hear = dealer.place.dispatcher.hear
    await asyncio.gather(*(hear(dealer.people[name], "/quick tally") for name in ("ann", "bob")))
    await dealer.quiet()

    assert all(bot.table.started and 4 == len(bot.table.seats) for bot in dealer.open_tables.values())
    assert [1, 1] == [len(seats_of(dealer, name)) for name in ("ann", "bob")]
    assert not [row for name in ("ann", "bob") for row in dealer.screens[name].rows if "Refused" in row]


@pytest.fixture
def saving(monkeypatch):
    """Two events: a finished game is being saved, and it may be saved."""
    begun, may = asyncio.Event(), asyncio.Event()

    async def save(*_):
        begun.set()
        await may.wait()

    monkeypatch.setattr(Fairness, "finished", save)
    return begun, may


async def test_quick_opens_another_table_while_a_game_that_has_ended_is_saved(saving, dealer):
    hear, ann, (begun, may) = dealer.place.dispatcher.hear, dealer.people["ann"], saving
    await dealer.type("ann", "/quick high seats=2")
    last_move = asyncio.create_task(hear(ann, "/keep"))
    await begun.wait()
    again = asyncio.create_task(hear(ann, "/quick high"))
    await asyncio.sleep(0)
    may.set()
    await asyncio.gather(last_move, again)
    await dealer.quiet()

    assert [2] == [*dealer.open_tables]


async def test_quick_opens_another_table_if_the_game_ends_while_it_waits(dealer):
    hear, ann = dealer.place.dispatcher.hear, dealer.people["ann"]
    for name, line in (("bob", "/new high"), ("ann", "/sit high"), ("bob", "/start"), ("bob", "/keep")):
        await dealer.type(name, line)
    await asyncio.gather(hear(ann, "/keep"), hear(ann, "/quick high"))
    await dealer.quiet()

    assert [2] == [*dealer.open_tables]


async def test_quick_dice_games_have_as_many_rounds_as_players(dealer):
    installed("liedie", "liarsdice")
    await dealer.type("ann", "/quick liedie")
    await dealer.type("bob", "/quick liarsdice")

    assert ((4, "turns"), (4, "none", "turns")) == (
        attrs.astuple(dealer.table(1).table.options)[1::2],
        tuple(getattr(dealer.table(2).table.options, name) for name in ("max_rounds", "points", "first")),
    )
