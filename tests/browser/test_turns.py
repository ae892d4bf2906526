"""A turn on the page: all that it says is there to be read, and what one decides by is in sight without scrolling."""

import pytest

from tests.browser.player import ByMouse, log_in, types, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
GAMES = ["Lie Die", "Liars Dice", "lily-poker", "Ohell", "Wizard", "Liar's Poker", "Liar's Lair"]
GAMES_TAUGHT = ["liedie", "liarsdice", "lilypoker", "ohell", "wizard", "liarspoker"]
"""Those with a lesson in which the first turn has cards or dice, not sentences."""

BELOW = """() => {
  const main = document.querySelector("#main"), act = document.querySelector("#act");
  for (const scrolled of [main, document.scrollingElement]) scrolled.scrollTop = 0;
  const hand = [...act.querySelectorAll(".hand:not(.papers) > *")];
  const first = [...act.querySelectorAll(".moves button")].slice(0, 3);
  const parts = [...act.querySelectorAll(".told > *"), ...first, ...hand];
  return parts.filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight + 1)
    .map((one) => `${one.className}: ${one.textContent.slice(0, 40)}`);
}"""
"""The coach, a hint, the facts, the first choices and the hand, as far as they end below the edge of the window.

Cards with sentences are left out: with those on the table they are taller than a window.
"""

SAID = "() => document.querySelector('#act').innerText.toLowerCase()"


class Told:
    """The turns that the server has sent to the page."""

    def __init__(self, relay):
        self.asks = []
        relay.change = self.heard

    def heard(self, packet):
        for value in packet.values():
            if isinstance(value, dict) and value.get("ask"):
                self.asks.append(value["ask"])
        return [packet]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES)
async def test_turn_is_read_and_decided_without_scrolling(relay, visit, game, size):
    told = Told(relay)
    page, unread, below = await visit(relay.url, viewport=size, reduced_motion="reduce"), set(), set()

    async def look(_):
        said, ask = await page.evaluate(SAID), told.asks[-1]
        held = [ask["held"]["worth"]] if ask["held"] else []
        texts = [ask["question"], *held, *(one["text"] for one in (*ask["facts"], *ask["coach"]))]
        texts += [one["badge"] for one in ask["choices"] if "badge" in one]
        unread.update(text for text in texts if text.lower() not in said.replace("\n", ""))
        below.update(await page.evaluate(BELOW))

    await ByMouse(page, seed=2, look=look).play(game, most=8)

    assert told.asks
    assert set() == unread
    assert set() == below


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES_TAUGHT)
async def test_coach_is_in_sight(place, visit, game, size):
    page = await visit(place.url, viewport=size, reduced_motion="reduce")
    await log_in(page, f"learner{'phone' if size is PHONE else ''}{GAMES_TAUGHT.index(game)}", "")
    await types(page, f"/learn {game}")
    await until(page, "() => document.querySelector('.told .coach')?.textContent")

    assert [] == await page.evaluate(BELOW)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_hint_is_two_buttons_and_then_an_answer_in_sight(place, visit, size):
    page = await visit(place.url, viewport=size, reduced_motion="reduce")
    await log_in(page, f"hinted{'phone' if size is PHONE else ''}", "")
    await types(page, "/quick lilypoker")
    await until(page, "() => document.querySelector('#act.now .moves button')")
    await page.get_by_role("button", name="Hint", exact=True).click()
    await until(page, "() => document.querySelector('.told .hint button')")
    assert [] == await page.evaluate(BELOW)

    await page.get_by_role("button", name="No, thanks").click()
    await until(page, "() => !document.querySelector('.told .hint')")
    await page.get_by_role("button", name="Hint", exact=True).click()
    await page.get_by_role("button", name="Show the hint").click()
    await until(page, "() => document.querySelector('.told .hint')?.innerText.startsWith('Hint: ')")
    assert [] == await page.evaluate(BELOW)
