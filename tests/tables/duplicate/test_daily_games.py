"""Daily deals of games with a closed seal, chips or people who come and go."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Joined, Sitter
from lilygames_rules.kit import Refused
from tests.clock import Clock
from tests.tables.duplicate.test_daily import NOON
from tests.toys import installed

NAMES = ("liarspoker", "liarslair", "lilypoker")


@pytest.fixture
def clock():
    return Clock(NOON)


@pytest.fixture(params=NAMES)
def game(request):
    return installed(request.param)[request.param]


async def opened(game, clock):
    stage = await Stage.open({game.name: game}, store=MemoryStore(), clock=clock)
    stage.enter("ann")
    stage.enter("bob")
    return stage


@pytest.fixture
async def stage(game, clock):
    return await opened(game, clock)


async def found(stage, game):
    return await stage.tables.duplicates.find(f"daily-{game.name}-2026-11-22")


async def begun(stage, game, name="ann"):
    """Begin a person's daily game, and return the number of its table."""
    await stage.type(name, f"/daily {game.name}")
    return max(stage.open_tables)


async def moved(stage, name, number, place):
    """Make one of a person's legal moves: the first one is 0, the last one -1."""
    table = stage.table(number).table
    await stage.type(name, f"/at {number} {game_word(table, place)}")


def game_word(table, place):
    return table.game.spell(table.moves(0)[place])


async def played_out(stage, name, number, place=0):
    while number in stage.open_tables:
        await moved(stage, name, number, place)


async def test_game_ends_with_a_result_in_what_the_game_counts(stage, game):
    number = await begun(stage, game)
    await played_out(stage, "ann", number)
    unit = game.purse.unit if game.purse else "point"
    row = (await stage.type("ann", f"/daily {game.name}"))[-1]

    assert (await found(stage, game)).tables[number].finished.seats
    assert row.startswith(f"lilygames daily 22 Nov, {game.name}: ")
    assert row.endswith(", streak 1")
    assert f" {unit}" in row


async def test_both_see_the_same_first_hand(stage, game):
    first, second = await begun(stage, game), await begun(stage, game, "bob")

    assert first != second
    assert stage.table(first).table.view(0) == stage.table(second).table.view(0)


async def test_seal_is_open_once_the_deal_is_public(stage, game, clock):
    number = await begun(stage, game)
    await played_out(stage, "ann", number)
    clock.passes(days=2)
    await stage.look("duplicate_watch")

    shown = " ".join(" ".join(await stage.type("bob", f"/verify {number}")).split())

    assert "Match: " in shown
    assert " of bots follow from what their seats could see." in shown


async def test_nobody_joins_a_daily_game(stage, game):
    number = await begun(stage, game)
    table = stage.table(number).table
    if not game.joins:
        pytest.skip("nobody joins this game")

    with pytest.raises(Refused) as no:
        table.after(Joined(4, Sitter("bob"), 100))
    assert "duplicate" == no.value.code


async def test_leaving_early_leaves_no_result(stage, game):
    """Otherwise one could leave while ahead."""
    number = await begun(stage, game)
    await moved(stage, "ann", number, 0)
    await stage.type("ann", "/leave")
    await stage.quiet()
    one = await found(stage, game)

    assert [None] == [entrant.result for entrant in stage.tables.daily_deals.entrants(one)]


async def test_overdue_game_has_no_result(stage, game, clock):
    number = await begun(stage, game)
    await moved(stage, "ann", number, 0)
    clock.passes(hours=24)
    await stage.look("duplicate_watch")
    await stage.quiet()
    one = await found(stage, game)

    assert number not in stage.open_tables
    assert [None] == [entrant.result for entrant in stage.tables.daily_deals.entrants(one)]


@pytest.mark.parametrize("game", ["liarspoker", "lilypoker"], indirect=True)
async def test_chips_and_units_of_the_account_stay_as_they_are(stage, game):
    purses = stage.tables.purses
    before = await purses.held(game, "ann")
    number = await begun(stage, game)
    shown = await stage.type("ann", f"/at {number} {game_word(stage.table(number).table, 0)}")
    await played_out(stage, "ann", number)

    assert before == await purses.held(game, "ann")
    assert not any("Your result is" in row for row in shown)


def hand_of(table):
    """Return the number of the hand in play, and what the player was dealt in it."""
    view = table.view(0)
    if table.game.name == "liarspoker":
        return len(view.match.sheet) + 1, view.slip
    return view.match.played + 1, view.deal and view.deal.layout.hands[0]


@pytest.mark.parametrize("game", ["liarspoker", "lilypoker"], indirect=True)
async def test_each_hand_deals_the_same_whatever_was_played_before(stage, game):
    dealt = []
    for name, place in (("ann", 0), ("bob", -1)):
        number, seen = await begun(stage, game, name), {}
        while number in stage.open_tables:
            table = stage.table(number).table
            hand, cards = hand_of(table)
            seen.setdefault(hand, cards)
            await moved(stage, name, number, place if table.moves(0)[place:] else 0)
        dealt.append(seen)
    both = dealt[0].keys() & dealt[1].keys()

    assert len(both) > 1
    assert {hand: dealt[0][hand] for hand in both} == {hand: dealt[1][hand] for hand in both}


@pytest.mark.parametrize("game", ["lilypoker"], indirect=True)
async def test_bots_play_on_while_nobody_is_here(stage, game):
    """So a player without chips gets a result although they have gone."""
    number = await begun(stage, game)
    stage.drop("ann")

    assert stage.table(number).house.attended
