"""/review game: the costliest moves of a finished game, told to the player who made them."""

import pickle

import attrs
import pytest

from lilygames.game import Advice, Budget, Thinker
from lilygames.gametest.stage import Stage
from lilygames.tables.mistakes import MadeFirst
from rules.poker.bets import Call, Fold, Raise
from rules.poker.betting import Choices
from tests.toys import TALLY

ASKED = []


def by_place(view, moves, luck, budget):
    """Judge moves alphabetically: the first is best, and each later one costs another point."""
    ASKED.append(view)
    order = sorted(moves, key=str)
    return Advice(order[0], "That comes to {cost:.0f} more.", {"cost": float(order.index(moves[0]))})


JUDGED = {name: attrs.evolve(game, judge=Thinker(by_place, Budget(1))) for name, game in TALLY.items()}


@pytest.fixture
async def stage():
    stage = await Stage.open(JUDGED)
    stage.enter("ann")
    stage.enter("bob")
    return stage


async def played(stage, options="max=3 hook=off first-dealer=host"):
    """Let ann finish a game against a bot, always with the last of her moves."""
    for line in (f"/new tally {options}", "/house", "/start"):
        await stage.type("ann", line)
    bot = stage.table(max(stage.place.tables.open))
    while not bot.over:
        words = bot.questions.menu(bot.seat_of("ann")).words
        await stage.type("ann", f"/{words[-1]}")
    return bot


def rows(shown):
    return [row for row in shown if row[:1].isdigit()]


async def test_three_costliest_moves_are_named_worst_first(stage):
    await played(stage)
    shown = await stage.type("ann", "/review game")
    text = " ".join(" ".join(shown).split())
    costs = [int(part.split()[0]) for part in text.split("That comes to ")[1:]]

    assert ["1", "2", "3"] == [row[0] for row in rows(shown)]
    assert sorted(costs, reverse=True) == costs
    assert "You chose bid 3; the bot would have chosen bid 0. That comes to 3 more." in text


async def test_only_own_moves_with_a_choice_are_judged(stage):
    await played(stage)
    ASKED.clear()
    await stage.type("ann", "/review game 1")

    assert ASKED
    assert {0} == {view.seat for view in ASKED}


async def test_judge_sees_no_more_than_the_seat_saw(stage):
    await played(stage)
    ASKED.clear()
    await stage.type("ann", "/review game")

    assert all(not hasattr(view.round, "hands") for view in ASKED)


async def test_game_in_progress_is_not_reviewed(stage):
    for line in ("/new tally max=3", "/house", "/start"):
        await stage.type("ann", line)

    assert "isn't over yet" in " ".join(await stage.type("ann", "/review game 1"))


async def test_private_game_of_others_is_not_reviewed(stage):
    await played(stage, "max=3 private=on")

    assert "there was never a table #1" in " ".join(await stage.type("bob", "/review game 1"))


async def test_player_without_a_game_is_told_how_to_play(stage):
    assert ["Refused: you haven't finished a game yet. Type /quick to play one."] == await stage.type(
        "bob", "/review game"
    )


@pytest.mark.parametrize("place", [0, 1, 2])
def test_moves_are_listed_with_the_one_made_first(place):
    moves = ("check", "fold", "bet")
    listed = MadeFirst.of(moves[place], moves)

    assert [moves[place], *(move for move in moves if move != moves[place])] == [*listed]
    assert [*listed][1:] == listed[1:]
    assert "bet" in listed


def test_move_in_another_form_is_listed_before_all_others():
    assert ["AB", "A", "BA"] == [*MadeFirst.of("AB", ("A", "BA"))]


def test_thousands_of_moves_are_sent_to_a_worker_without_listing_them():
    raises = Choices((Call(), Fold()), Raise, range(4, 10_000))

    assert len(pickle.dumps(MadeFirst.of(Raise(5_000), raises))) < 1_000


async def test_game_without_a_judge_is_not_reviewed():
    stage = await Stage.open(TALLY)
    stage.enter("ann")
    await played(stage)

    assert "can't be reviewed" in " ".join(await stage.type("ann", "/review game"))
