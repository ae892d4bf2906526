"""The lesson of lily-poker takes its moves however they are typed."""

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.gametest.lessons import Learner


@pytest.mark.parametrize("typed", ["bet", "bet 2", "/bet", "2"])
async def test_lesson_takes_the_right_move_in_any_words(typed):
    learner = await Learner.begun(GAME)
    await learner.type(typed)

    assert 3 == learner.table.made  # the answer that the others give
