"""Memory of bots in each game, over whole games at real tables: what they learn, what the log says, and where not."""

import random

import pytest

from lilygames import codec
from lilygames.chat.visits.arrivals import arrive
from lilygames.games import games
from lilygames.gametest.stage import Screen, Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.bots.characters import memory
from lilygames.tables.log.acts import Body, Seated
from lilygames.text import Voice
from tests.tournaments.conftest import Club, Time

GAMES = {name: game for name, game in games().items() if game.habits}
SHORT = {
    "ohell": "max=3",
    "wizard": "rounds=3",
    "liarsdice": "max-rounds=4",
    "liedie": "games=4",
    "liarspoker": "hands=3",
    "liarslair": "each=2 max-rounds=6",
    "lilypoker": "hands=6",
}
DUPLICATES = ("ohell", "wizard", "liarsdice", "liedie")
"""Games with duplicate tables; in the others people come and go, or the seal stays closed."""
MANY = 12
"""Games after which someone has surely shown each habit of a game."""


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture(params=GAMES)
def game(request):
    return GAMES[request.param]


@pytest.fixture
async def stage(game, store):
    stage = await Stage.open({game.name: game}, store=store)
    stage.enter("ann")
    return stage


def made_by(stage, number, name, chance):
    """Return a legal move of someone as they would type it."""
    table = stage.table(number).table
    moves = table.moves(table.seat_of(name))
    return table.game.spell(moves[chance.randrange(len(moves))])


async def played_out(stage, name, number):
    """Let someone make random moves until the game is over."""
    chance = random.Random(number)
    while number in stage.open_tables and not stage.table(number).over:
        if stage.table(number).table.seat_of(name) in stage.table(number).table.to_move:
            await stage.type(name, f"/at {number} {made_by(stage, number, name, chance)}")
        else:
            await stage.type(name, f"/watch {stage.table(number).room.name}")


async def begun(stage, game, level="novice", name="ann", options=""):
    """Let someone start a game with three bots, and return its number."""
    for line in (f"/new {game.name} {SHORT[game.name]} {options}", f"/house {level} 3"):
        await stage.type(name, line)
    number = max(stage.open_tables)
    await stage.type(name, "/start")
    return number


async def known_after_games(stage, game, name="ann"):
    """Let someone play until the bots know something of them; return what each bot knows."""
    for _ in range(MANY):
        await played_out(stage, name, await begun(stage, game, name=name))
        if known := habits_of(stage, game, name):
            return known
    raise AssertionError(f"{name} has shown no habit")


def habits_of(stage, game, name="ann"):
    profile = stage.people[name].profile
    found = {bot: memory(profile, game, bot) for bot in ("Ada", "Max", "Ida")}
    return {bot: known for bot, known in found.items() if known}


def frozen(sitter):
    """Return what a seated bot knows of each person, as its log entry says."""
    return {(one.name, one.habit): (one.lies, one.truths) for one in sitter.memory or ()}


async def seated_in_log(stage, number):
    entries = await stage.tables.archive.entries(number)
    acts = [codec.from_text(entry.body, Body).act for entry in entries]
    return [act.who for act in acts if isinstance(act, Seated) and act.who.house]


async def test_bots_sit_down_with_what_they_have_seen_and_their_moves_follow(stage, game):
    known = await known_after_games(stage, game)
    number = await begun(stage, game, level="club")
    bots = await seated_in_log(stage, number)
    expected = {bot: {("ann", habit): (one.yes, one.no) for habit, one in known[bot].items()} for bot in known}

    assert expected == {who.name: frozen(who) for who in bots}
    await played_out(stage, "ann", number)
    said = " ".join(" ".join(await stage.type("ann", f"/verify {number}")).split())
    assert ("follow from what their seats could see" in said) or ("checked by the host" in said), said


async def test_memory_of_a_seated_bot_stays_as_it_was(stage, game):
    await known_after_games(stage, game)
    number = await begun(stage, game)
    before = [frozen(who) for who in stage.table(number).table.seats.bots]
    bots = {who.name for who in stage.table(number).table.seats.bots}
    await played_out(stage, "ann", number)

    assert before == [frozen(who) for who in await seated_in_log(stage, number)]
    assert {"Ada", "Max", "Ida"} == bots


async def again(stage, name):
    """Let someone log out and in again."""
    stage.drop(name)
    await stage.kept()
    stage.enter(name)
    stored = await stage.host.owned(name)
    if stored:
        stage.people[name].set_profile(stored)


async def test_bots_know_someone_with_memory_on_at_their_next_visit(stage, game):
    await stage.type("ann", "/set memory on")
    known = await known_after_games(stage, game)
    await again(stage, "ann")

    assert known == habits_of(stage, game)
    number = await begun(stage, game)
    assert {"Ada", "Max", "Ida"} == {who.name for who in await seated_in_log(stage, number) if frozen(who)}


async def test_bots_forget_at_the_end_of_a_visit_without_memory_on(stage, game):
    await known_after_games(stage, game)
    await again(stage, "ann")

    assert {} == habits_of(stage, game)


async def test_bots_forget_at_once_with_memory_off_and_learn_nothing(stage, game):
    await stage.type("ann", "/set memory on")
    await known_after_games(stage, game)
    await stage.type("ann", "/set memory off")

    assert {} == habits_of(stage, game)
    number = await begun(stage, game)
    await played_out(stage, "ann", number)
    assert [{}] * 3 == [frozen(who) for who in await seated_in_log(stage, number)]
    assert {} == habits_of(stage, game)


async def test_guest_leaves_nothing_behind(stage, game, store):
    guest = arrive(stage.host, Screen(Voice()), "guest1", guest=True)
    stage.people["guest1"], stage.screens["guest1"] = guest, guest.terminal
    await stage.type("guest1", "/set memory on")
    await known_after_games(stage, game, name="guest1")
    stage.drop("guest1")
    await stage.kept()

    assert not any("reputations" in body for rows in store.records.values() for body in rows.values())


# where bots have neither temper nor memory


def characters(table):
    return {(who.temper, who.memory) for who in table.seats if who.house}


async def test_bots_of_a_daily_deal_have_no_character_and_learn_nothing(stage, game):
    known = await known_after_games(stage, game)
    await stage.type("ann", f"/daily {game.name}")
    number = max(stage.open_tables)

    assert {("", None)} == characters(stage.table(number).table)
    await played_out(stage, "ann", number)
    assert known == habits_of(stage, game)


@pytest.mark.parametrize("game", [GAMES[name] for name in DUPLICATES if name in GAMES], ids=lambda game: game.name)
async def test_bots_of_a_duplicate_table_have_no_character_and_learn_nothing(stage, game):
    known = await known_after_games(stage, game)
    number = await begun(stage, game, options="duplicate=friday")

    assert stage.table(number).table.started
    assert {("", None)} == characters(stage.table(number).table)
    await played_out(stage, "ann", number)
    assert known == habits_of(stage, game)


@pytest.mark.parametrize("game", [GAMES[name] for name in DUPLICATES if name in GAMES], ids=lambda game: game.name)
async def test_bots_of_a_tournament_have_no_character_and_learn_nothing(game):
    """Two of four people don't come, so bots have their seats."""
    club = await Club(Time(), MemoryStore(clock=Time())).open()
    club.enter("ann", "bob", "cat", "dan")
    words = SHORT[game.name].replace("rounds=3", "")  # a tournament has rounds of its own
    await club.new("rounds=1", "pause=0", "seats=4", what=f"{game.name} swiss {words}")
    await club.start("ann", "bob", "cat", "dan")
    await club.look()
    (number,) = club.stage.open_tables
    for name in ("cat", "dan"):
        await club.type(name, "/leave")
    table = club.stage.table(number).table

    assert 2 == len(table.seats.bots)
    assert {("", None)} == characters(table)
    await club.play()
    assert [None, None] == [club.stage.people[name].profile.reputations for name in ("ann", "bob")]


async def test_bots_of_other_tables_have_a_temper_and_a_memory(stage, game):
    number = await begun(stage, game)

    assert {("bold", ()), ("careful", ()), ("talkative", ())} == characters(stage.table(number).table)
