"""/review game: the costliest moves of a finished game, told to the player who made them."""

import asyncio
import pickle
import re

import attrs
import pytest

from lilygames.game import Advice, Budget, Thinker
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.play import answers
from lilygames.tables.visits.mistakes import MadeFirst
from lilygames.text import Voice
from lilygames_rules.poker.bets import Call, Fold, Raise
from lilygames_rules.poker.betting import Choices
from lilygames_rules.tricks.exactbid import Play
from tests.slow_bots import SlowBots
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
    bot = stage.table(max(stage.open_tables))
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


# in the background


@pytest.fixture
async def slow(stage, monkeypatch):
    """Let ann finish a game whose review takes long."""
    monkeypatch.setattr(answers, "AT_ONCE", 0.01)
    slow = SlowBots()
    await played(stage)
    monkeypatch.setattr(stage.tables, "think", slow)
    return slow


async def later(stage, slow):
    """Return what ann reads once the bot may think."""
    stage.screens["ann"].take()
    slow.let.set()
    for _ in range(200):
        await asyncio.sleep(0)
    return stage.screens["ann"].take()


async def test_long_review_says_at_once_that_it_follows_and_lets_the_person_go_on(stage, slow):
    meanwhile = " ".join(" ".join(await stage.type("ann", "/review game")).split())
    assert "(the strongest bot has checked 0 of 9 moves of yours in game #1; the result follows)" == meanwhile
    assert await stage.type("ann", "/help")

    shown = await later(stage, slow)
    assert "(the strongest bot has checked 9 moves of yours in game #1)" == shown[0]
    assert ["1", "2", "3"] == [row[0] for row in rows(shown)]


async def test_repeated_question_is_not_judged_twice(stage, slow):
    await stage.type("ann", "/review game")
    assert "the result follows" in " ".join(" ".join(await stage.type("ann", "/review game")).split())

    assert 3 == len(rows(await later(stage, slow)))


async def test_error_in_a_long_review_is_told_with_a_case_number(stage, slow, monkeypatch):
    asked = asyncio.Event()

    async def broken(*_):
        await asked.wait()
        raise ZeroDivisionError

    monkeypatch.setattr(stage.tables, "think", broken)
    await stage.type("ann", "/review game")
    stage.screens["ann"].take()
    asked.set()
    for _ in range(20):
        await asyncio.sleep(0)

    assert "That's a bug: case " in " ".join(stage.screens["ann"].take())


async def test_review_of_someone_who_has_left_is_told_to_nobody(stage, slow):
    await stage.type("ann", "/review game")
    stage.drop("ann")

    assert [] == await later(stage, slow)


def budgets(stage, monkeypatch):
    """Record the budgets with which moves are judged from now on."""
    found = []

    async def think(strategy, view, moves, luck):
        found.append(strategy.budget.iterations)
        return strategy(view, moves, luck)

    monkeypatch.setattr(stage.tables, "think", think)
    return found


async def test_long_games_share_the_budget_of_twenty_moves_and_the_costliest_get_a_whole_one(monkeypatch):
    judged = {name: attrs.evolve(game, judge=Thinker(by_place, Budget(100))) for name, game in TALLY.items()}
    stage = await Stage.open(judged)
    stage.enter("ann")
    await played(stage, "max=9 hook=off first-dealer=host")
    found = budgets(stage, monkeypatch)
    await stage.type("ann", "/review game")
    brief, again = found[:-6], found[-6:]

    assert len(brief) > 20
    assert {100 * 20 // len(brief)} == {*brief}
    assert [100] * 6 == again


async def test_moves_of_a_short_game_get_a_whole_budget_once(stage, monkeypatch):
    await played(stage)
    found = budgets(stage, monkeypatch)
    await stage.type("ann", "/review game")

    assert [1] * 9 == found


def only_cards(view, moves, luck, budget):
    """Judge every card that was played as a mistake, and nothing else."""
    return Advice(moves[-1], "That comes to {cost:.0f} more.", {"cost": float(isinstance(moves[0], Play))})


async def test_screen_reader_reads_moves_in_words():
    stage = await Stage.open({"wizard": attrs.evolve(games()["wizard"], judge=Thinker(only_cards, Budget(1)))})
    stage.enter("ann", Voice(spoken=True))
    for line in ("/new wizard rounds=3", "/house 2", "/start"):
        await stage.type("ann", line)
    bot = stage.table(1)
    while not bot.over:
        await stage.type("ann", f"/{bot.questions.menu(bot.seat_of('ann')).words[-1]}")
    text = " ".join(await stage.type("ann", "/review game"))

    assert re.search(r"You chose play (jester|wizard|(ace|\w+) of \w+|\w+ \w+);", text)
    assert not re.search(r"play (\w{1,2}|10\w)[;.]", text)


async def test_moves_that_reviews_found_are_kept_for_people_with_an_account(stage):
    """Another review of the same game replaces what it found before; guests have no record."""
    await stage.create_account("ann", "plums and pears")
    await played(stage)
    first = (await stage.type("ann", "/review game"), await stage.type("ann", "/review mistakes"))[1]
    await stage.type("ann", "/review game")

    assert "(the costliest moves that your reviews have found, 3 moves)" == first[0]
    assert first == await stage.type("ann", "/review mistakes")
    assert re.fullmatch(r"Tally #1: you chose bid 3, better bid 0 \(/replay 1 \d+\)", first[1])


async def test_kept_move_is_the_step_of_the_replay_at_which_it_was_made(stage):
    await stage.create_account("ann", "plums and pears")
    await played(stage)
    await stage.type("ann", "/review game")
    row = (await stage.type("ann", "/review mistakes"))[1]
    shown = await stage.type("ann", row[row.index("(") + 1 : -1])

    assert any("bid 3" in line or "bids 3" in line for line in shown), shown


async def test_without_reviews_there_are_no_costly_moves(stage):
    text = " ".join(" ".join(await stage.type("ann", "/review mistakes")).split())

    assert "Refused: your reviews haven't found a costly move yet. Type /review game after a game." == text
