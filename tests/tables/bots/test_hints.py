"""/hint: what the strongest bot would do, who may ask for it, and what it costs."""

import asyncio

import attrs
import pytest

from lilygames.game import Advice, Budget, Thinker
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Hinted
from lilygames.tables.play import answers
from tests.slow_bots import SlowBots, let_bots
from tests.toys import TALLY

ASKED = []


def lowest(view, moves, luck, budget):
    """An adviser that advises the first move, says how many there are, and records each request."""
    ASKED.append((view, luck.below(10**9)))
    return Advice(moves[0], "It is the first of {moves:.0f}.", {"moves": len(moves)})


HINTED = {name: attrs.evolve(game, advise=Thinker(lowest, Budget(1))) for name, game in TALLY.items()}


@pytest.fixture
async def stage():
    stage = await Stage.open(HINTED)
    stage.enter("ann")
    stage.enter("bob")
    return stage


@pytest.fixture
async def alone(stage):
    """Ann, asked for a bid, with a bot."""
    for line in ("/new tally max=3 hook=off first-dealer=host", "/house", "/start"):
        await stage.type("ann", line)
    return stage.table(1)


@pytest.fixture
async def together(stage):
    """Bob, asked for a bid, with ann."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    return stage.table(1)


def said(rows):
    return " ".join(" ".join(rows).split())


async def test_person_alone_with_bots_is_asked_once(stage, alone):
    first = said(await stage.type("ann", "/hint"))
    assert alone.table.counted
    assert "/hint yes" in first
    assert "Hint:" not in first

    assert "Hint: bid 0. It is the first of" in said(await stage.type("ann", "/hint yes"))
    assert not alone.table.counted
    assert "Hint: bid 0." in said(await stage.type("ann", "/hint"))


async def test_bot_warms_up_while_the_person_decides(stage, alone):
    ASKED.clear()
    await stage.type("ann", "/hint")
    await asyncio.sleep(0)

    assert 1 == len(ASKED)
    assert alone.table.counted


async def test_everyone_has_to_agree_in_a_game_with_other_people(stage, together):
    wished = said(await stage.type("bob", "/hint"))
    assert together.table.counted
    assert "To agree, ann can type /hint." in wished
    assert "Hint:" not in wished

    agreed = said(await stage.type("ann", "/hint"))
    assert "Hints are on" in agreed
    assert "Hint:" not in agreed
    assert not together.table.counted


async def test_hint_is_refused_out_of_turn(stage, together):
    await stage.type("bob", "/hint")
    await stage.type("ann", "/hint")

    assert "Hint: bid 0." in said(await stage.type("bob", "/hint"))
    assert "you can only get a hint on your own turn" in said(await stage.type("ann", "/hint"))


async def test_hint_is_shown_to_nobody_else(stage, together):
    await stage.type("bob", "/hint")
    await stage.type("ann", "/hint")
    stage.screens["ann"].take()
    await stage.type("bob", "/hint")

    assert [] == [row for row in stage.screens["ann"].take() if "Hint" in row]


async def test_hint_sees_the_view_of_its_seat_and_has_its_own_luck(stage, alone):
    ASKED.clear()
    await stage.type("ann", "/hint yes")
    table, seat = alone.table, alone.table.seat_of("ann")
    ((view, drawn),) = ASKED

    assert table.view(seat) == view
    assert table.luck.of_hint(seat).below(10**9) == drawn
    assert table.luck.of_bot(seat).below(10**9) != drawn


async def test_hint_changes_nothing_in_the_game(stage, alone):
    before = alone.table
    await stage.type("ann", "/hint yes")

    assert before.state == alone.table.state
    assert before.seq + 1 == alone.table.seq
    assert before.after(Hinted())[0] == alone.table


async def test_hint_after_the_end_names_the_review_instead(stage, alone):
    await stage.type("ann", "/hint yes")
    while not alone.over:
        await stage.type("ann", f"/{alone.questions.menu(alone.seat_of('ann')).words[0]}")

    assert "this game is over. Type /review game" in said(await stage.type("ann", "/hint"))


@pytest.fixture
def slow(alone, monkeypatch):
    """A table whose hints take long."""
    monkeypatch.setattr(answers, "AT_ONCE", 0.01)
    slow = SlowBots()
    let_bots(alone, think=slow)
    return slow


async def later(stage, slow):
    """Return what ann reads once the bot may think."""
    stage.screens["ann"].take()
    slow.let.set()
    for _ in range(50):
        await asyncio.sleep(0)
    return said(stage.screens["ann"].take())


THINKING = "The strongest bot is thinking; the hint follows."


async def test_long_hint_says_at_once_that_it_follows(stage, slow):
    assert said(await stage.type("ann", "/hint yes")).endswith(THINKING)
    assert "Hint: bid 0." in await later(stage, slow)


async def test_quick_hint_comes_without_another_line(stage, alone):
    assert THINKING not in said(await stage.type("ann", "/hint yes"))


async def test_long_hint_is_dropped_if_the_person_moves_meanwhile(stage, alone, slow, monkeypatch):
    await stage.type("ann", "/hint yes")
    monkeypatch.setattr(type(alone), "question", lambda *_: None)

    assert "" == await later(stage, slow)


async def test_line_about_a_long_hint_is_the_same_whatever_the_cards(slow, stage, alone):
    """It names no fact, so two worlds with other cards read the same."""
    first = said(await stage.type("ann", "/hint yes"))
    hands = alone.table.state.round.hands
    assert hands != hands[::-1]
    for other in (hands, hands[::-1]):
        changed = attrs.evolve(alone.table.state.round, hands=other)
        alone.runner.table = attrs.evolve(alone.table, state=attrs.evolve(alone.table.state, round=changed))
        assert THINKING == said(await stage.type("ann", "/hint"))
    assert first.endswith(THINKING)


async def test_game_with_hints_says_that_it_did_not_count(stage, alone):
    await stage.type("ann", "/hint yes")
    rows = []
    while not alone.over:
        rows = await stage.type("ann", f"/{alone.questions.menu(alone.seat_of('ann')).words[0]}")

    assert [row for row in rows if "This game didn't count because hints were shown." in row]
    assert [False] == [one.counted for one in await stage.tables.results.played("ann")]


async def test_game_without_an_adviser_has_no_hints(stage):
    stage = await Stage.open(TALLY)
    stage.enter("ann")
    for line in ("/new tally max=3 hook=off first-dealer=host", "/house", "/start"):
        await stage.type("ann", line)

    assert "Tally has no hints yet" in said(await stage.type("ann", "/hint yes"))
    assert stage.table(1).table.counted


async def test_bug_in_an_adviser_stops_no_table(stage):
    def broken(view, moves, luck, budget):
        raise ZeroDivisionError

    stage = await Stage.open(
        {name: attrs.evolve(game, advise=Thinker(broken, Budget(1))) for name, game in TALLY.items()}
    )
    stage.enter("ann")
    for line in ("/new tally max=3 hook=off first-dealer=host", "/house", "/start"):
        await stage.type("ann", line)

    assert "Type /moves" in said(await stage.type("ann", "/hint yes"))
    assert not stage.table(1).case


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_hints_and_reviews_compute_as_far_as_the_strongest_bot(game):
    """A hint is never worse than what a bot at the table would do. Levels are listed from the weakest on."""
    strongest = [*game.players.values()][-1]
    most = strongest.budget.iterations if isinstance(strongest, Thinker) else 0

    assert most <= game.advise.budget.iterations
    assert most <= game.judge.budget.iterations
