"""The dice that you hold are in your hand on the page as long as you hold them, also when you can't roll any."""

import pytest

from tests.browser.player import ByMouse, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

HELD = """() => {
  const felt = document.querySelector(".middle .dice .hidden")?.textContent ?? "";
  const hand = [...document.querySelectorAll("#act .hand.dice .hidden")].map((one) => one.textContent);
  const yours = felt.startsWith("The others see");
  return (!yours || hand.length === 5) && { yours, hand };
}"""
"""Whether the felt says that you hold the dice, and those in the hand in words; the felt moves later than the hand."""


@pytest.mark.parametrize("game", ["Lie Die", "Liars Dice"])
async def test_dice_that_you_hold_are_in_your_hand(place, visit, game):
    seen = set()
    for seed in range(5):  # a short game may never come to one of the two
        page = await visit(place.url)

        async def look(stands, page=page):
            held = await until(page, HELD)
            rolls = any(one["move"].startswith("roll") for one in stands["choices"]) or stands["marks"] > 0
            if held["yours"]:
                seen.add(bool(rolls))
                assert not any("hidden" in one for one in held["hand"])

        await ByMouse(page, seed=seed, look=look).play(game, most=25)
        if len(seen) == len({True, False}):
            break

    assert {True, False} == seen, "with dice to roll, and without"
