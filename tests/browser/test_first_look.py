"""The front page as it loads: nothing moves, little is sent, and a click before the scripts are there counts."""

import pytest

from tests.browser.looks import faults_in_each_look
from tests.browser.people import program
from tests.browser.player import landed, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOST_SHIFT, MOST_BYTES = 0.05, 120_000
SHIFTS = """
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("width", [360, 412, 1280])
async def test_nothing_moves_while_the_lobby_loads(place, visit, width):
    async with program(place, f"Shifter{width}") as player:
        await player.do("/quick liarsdice")
        page = await visit("about:blank", viewport={"width": width, "height": 800})
        await page.add_init_script(SHIFTS)
        await page.goto(place.url)
        await landed(page)
        await page.wait_for_load_state("networkidle")

        assert MOST_SHIFT > await page.evaluate("() => globalThis.shift")
        await player.do("/leave")


async def test_first_load_is_small(place, visit):
    page = await visit("about:blank")
    wire = await page.context.new_cdp_session(page)
    await wire.send("Network.enable")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    await page.goto(place.url)
    await landed(page)
    await page.wait_for_load_state("networkidle")

    assert MOST_BYTES > sum(sizes)


async def test_click_before_the_scripts_are_there_counts(place, visit):
    page = await visit("about:blank")
    await page.route("**/main.js", lambda route: _later(page, route))
    await page.goto(place.url, wait_until="domcontentloaded")
    await page.get_by_role("button", name="Play Liar's Poker").click()

    assert await until(page, "() => document.querySelector('#act')?.checkVisibility()")


async def _later(page, route):
    await page.wait_for_timeout(500)
    await route.continue_()


async def test_lobby_has_no_fault_in_any_look(place, visit):
    async with program(place, "Looker1") as player:
        await player.do("/quick liarsdice")
        page = await landed(await visit(place.url))
        await until(page, "() => document.querySelector('.playing li')")

        assert [] == await faults_in_each_look(page)
        await player.do("/leave")


async def test_games_are_there_without_scripts(place, visit):
    page = await visit(place.url, java_script_enabled=False)

    assert 7 == await page.locator(".games .game").count()
    assert 7 <= (await page.inner_text(".games")).count("Play")
