"""Two whole games in a browser, from the landing page to the end: .ci/run plays them."""

import pytest

from tests.browser.player import ByKeyboard, ByMouse

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_trick_game_is_played_by_keyboard_alone(place, visit):
    player = ByKeyboard(await visit(place.url), seed=1)

    assert 0 < await player.play("Ohell")


async def test_dice_game_is_played_by_mouse_alone(place, visit):
    player = ByMouse(await visit(place.url), seed=2)

    assert 0 < await player.play("Liars Dice")
