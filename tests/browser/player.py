"""Someone who plays in a browser, by keyboard alone or by mouse alone, and sees only what the page shows."""

import asyncio
import random

import pytest

from tests.deadline import DEADLINE

PATIENCE = 5_000
"""Milliseconds in which a button that is there can be clicked."""

STANDS = """() => {
  const act = document.querySelector("#act");
  if (!act?.checkVisibility()) return { over: false, choices: [] };
  const seen = (selector) => [...act.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const title = act.querySelector("h2").textContent, mine = document.querySelector(".seat.mine");
  return {
    title,
    over: title === "Game over" || Boolean(mine?.innerText.includes("not in this hand")),
    choices: seen("[data-move]:not([aria-disabled])")
      .map((one) => ({ move: one.dataset.move, key: one.getAttribute("aria-keyshortcuts") })),
    marks: seen(".hand [aria-pressed]").length,
    fields: seen(".fields .pill, .fields select").length,
  };
}"""
"""The moves that the page offers. For someone out of chips the game is over, although bots may play on for hours."""
FOCUS = """() => {
  const at = document.activeElement;
  return {
    body: at === document.body, act: Boolean(at.closest("#act")),
    stop: at.matches(".moves button, .stop, .hand button"), move: at.dataset.move ?? null,
    pressed: at.getAttribute("aria-pressed"), text: at.textContent.trim().slice(0, 200), id: at.id,
  };
}"""
"""Where the focus is."""


async def until(page, condition, argument=None):
    """Return what a function in the page returns, as soon as it's true.

    The page's policy forbids the `eval` that Playwright's `wait_for_function` needs.
    """
    poll = "async (argument) => { let found; while (!(found = await (%s)(argument))) %s; return found; }"
    pause = "await new Promise((go) => setTimeout(go, 20))"
    try:
        async with asyncio.timeout(DEADLINE):
            return await page.evaluate(poll % (condition, pause), argument)
    except TimeoutError:
        pytest.fail(f"waited for {condition} in:\n{await page.locator('body').aria_snapshot()}")


class Player:
    """Plays one game at random, from the landing page to the end. `look` is awaited at each turn with the offer."""

    def __init__(self, page, seed, look=None):
        self.page = page
        self.turns = 0
        self.pick = random.Random(seed)
        self._look = look

    async def play(self, game, most=None):
        """Begin a quick game, and play until it's over, or for so many turns; return how many turns there were."""
        await self.begin(f"Play {game}")
        return await self.go_on(most)

    async def go_on(self, most=None):
        """Play until the game is over, or for so many turns."""
        while not (stands := await self.asked())["over"] and (most is None or self.turns < most):
            if self._look:
                await self._look(stands)
            if stands["marks"] and self.pick.random() < 0.7:
                await self.mark(self.pick.randrange(stands["marks"]))
                stands = await self.asked()
            if stands["fields"] and self.pick.random() < 0.5:
                await self.fill(self.pick.randrange(stands["fields"]))
                stands = await self.asked()
            await self.choose(self.pick.choice(stands["choices"]))
            self.turns += 1
        return self.turns

    async def asked(self):
        """Return what the page offers when it's this player's turn, or when the game is over."""
        ready = f"() => {{ const found = ({STANDS})(); return (found.over || found.choices.length) && found; }}"
        return await until(self.page, ready)


class ByMouse(Player):
    """Clicks."""

    async def begin(self, label):
        """Click a button of the landing page."""
        await self.page.get_by_role("button", name=label).first.click()

    async def mark(self, number):
        """Click a die or a card to mark it."""
        await self.page.locator("#act .hand [aria-pressed]").nth(number).click()

    async def fill(self, number):
        """Click a part of a move, or one more of it."""
        part = self.page.locator("#act .fields .pill:visible, #act .fields [data-step='1']:visible")
        await part.nth(number % await part.count()).click()

    async def choose(self, choice):
        """Click a move, unless another player's move has just ended this turn."""
        from playwright.async_api import TimeoutError as ClickTimeout  # noqa: PLC0415 - other tests run without it

        button = self.page.locator(f"#act [data-move='{choice['move']}']:not([aria-disabled])").first
        try:
            await button.click(timeout=PATIENCE)
        except ClickTimeout:
            if await button.count():
                raise


class ByKeyboard(Player):
    """Presses keys, and expects the focus to stay where the moves are."""

    async def begin(self, label):
        """Tab to a button of the landing page, and press it; then go to the moves by Tab."""
        await self.tab_to(lambda at: label in at["text"] and not at["body"])
        await self.page.keyboard.press("Enter")
        await self.asked()
        await self.tab_to(lambda at: at["act"])

    async def tab_to(self, wanted):
        """Press Tab until the focus is where it's wanted."""
        for _ in range(100):
            if wanted(await self.page.evaluate(FOCUS)):
                return
            await self.page.keyboard.press("Tab")
        pytest.fail(f"no way there by Tab:\n{await self.page.locator('body').aria_snapshot()}")

    async def mark(self, number):
        """Go to a die or a card with the arrows, and press Space."""
        passed = 0
        for _ in range(100):
            at = await self.focus()
            passed += at["pressed"] is not None
            if passed > number:
                return await self.page.keyboard.press("Space")
            await self.page.keyboard.press("ArrowRight")
        return pytest.fail("no way to a die or card by arrows")

    async def fill(self, _):
        """Tab to a part of a move and change it with an arrow; then go back to the buttons."""
        for _ in range(20):
            await self.page.keyboard.press("Tab")
            at = "() => document.activeElement.matches('.fields select, .fields input[type=radio]')"
            if await self.page.evaluate(at):
                await self.page.keyboard.press("ArrowDown")
                break
        await self.tab_to(lambda at: at["act"] and at["stop"])

    async def choose(self, choice):
        """Press the move's number, or go to it with the arrows and press Enter, unless this turn has just ended.

        Where everyone answers at once, the page offers a move again until it hears that it was made.
        """
        await self.focus()
        if choice["key"] and self.pick.random() < 0.7:
            return await self.page.keyboard.press(choice["key"])
        for _ in range(100):
            if (await self.focus())["move"] == choice["move"]:
                return await self.page.keyboard.press("Enter")
            await self.page.keyboard.press("ArrowRight")
        if await self.page.locator(f"#act [data-move='{choice['move']}']:not([aria-disabled])").count():
            pytest.fail(f"no way to {choice} by arrows")
        return None

    async def focus(self):
        """Return where the focus is; it never leaves the moves by itself."""
        at = await self.page.evaluate(FOCUS)
        assert at["act"], f"the focus left the moves: {at}"
        return at


async def landed(page):
    """Return a page that has heard the server."""
    await until(page, "() => document.querySelector('.lobby[data-live]') && document.querySelector('#menu .account')")
    return page


async def log_in(page, name, word):
    """Type a name and its password, or nothing as a guest, into the page's line."""
    await landed(page)
    await types(page, name)
    await page.locator("#secret").fill(word)
    await page.locator("#secret").press("Enter")
    await until(page, "(name) => document.querySelector('header').innerText.includes(name)", name)


async def types(page, *lines):
    """Type lines into the page."""
    for one in lines:
        await page.locator("#line").fill(one)
        await page.locator("#line").press("Enter")
