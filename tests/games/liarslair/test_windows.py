"""Questions to several seats at once: the seats still to answer take one line, and /autopass answers for you."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage

LAIR = {"liarslair": games()["liarslair"]}


@pytest.fixture
async def lair(store):
    """Liar's Lair for three; each is asked whether they volunteer."""
    stage = await Stage.open(LAIR, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new liarslair bob cat")
    await stage.type("bob", "/sit liarslair")
    await stage.type("cat", "/sit liarslair")
    for screen in stage.screens.values():
        screen.take()
    return stage


async def test_seats_still_to_answer_are_one_line(lair):
    await lair.type("ann", "pass")
    assert ["ann passes.", "Still to answer: you and cat."] == lair.screens["bob"].take()
    await lair.type("bob", "pass")
    assert ["bob passes.", "Still to answer: you."] == lair.screens["cat"].take()[-2:]


async def test_answers_of_bots_are_one_row_after_your_question(store):
    """The question is asked at once, and stands while the bots answer."""
    stage = await Stage.open(LAIR, store=store)
    stage.enter("ann")
    await stage.type("ann", "/new liarslair")
    await stage.type("ann", "/house 3")
    rows = await stage.type("ann", "/start")

    assert "Your turn: 1. pass  2. volunteer: start the first round if drawn" == rows[-3]
    assert 3 == rows[-2].count("Ada ") + rows[-2].count("Max ") + rows[-2].count("Ida ")
    assert "Still to answer: you." == rows[-1]


async def test_prompt_is_not_repeated_after_another_answer(lair):
    await lair.type("ann", "pass")

    assert not [row for row in lair.screens["bob"].take() if "Your turn" in row]


async def test_autopass_applies_now_and_later(lair):
    """`/autopass` stays on until it is typed again."""
    await lair.type("bob", "/autopass")
    assert not lair.table(1).question(lair.people["bob"])
    await lair.type("cat", "pass")
    await lair.type("ann", "volunteer")
    await lair.type("bob", "/autopass")

    assert "Autopass is off. You'll be asked again." in lair.screens["bob"].rows[-1]


async def test_autopass_makes_no_other_move(lair):
    """It never plays a card."""
    await lair.type("ann", "/autopass")
    await lair.type("bob", "volunteer")
    await lair.type("cat", "pass")
    await lair.type("bob", lair.table(1).table.game.spell(lair.table(1).questions.offered(1)[0]))
    await lair.type("cat", lair.table(1).table.game.spell(lair.table(1).questions.offered(2)[0]))

    assert lair.table(1).question(lair.people["ann"])
