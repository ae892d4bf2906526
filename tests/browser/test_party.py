"""A party: a television that shows the table, and phones that join by the code on it."""

import asyncio

import pytest

from tests.browser.looks import faults
from tests.browser.player import STANDS, ByMouse, landed, until
from tests.browser.servers import served
from tests.deadline import DEADLINE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
TELEVISION = {"viewport": {"width": 1280, "height": 720}}
CHAIRS = "() => [...document.querySelectorAll('#seats strong')].map((one) => one.textContent)"
SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && !one.closest("svg"))
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
"""The size of the smallest text on the screen."""
SCROLLS = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth > innerWidth || scrollHeight > innerHeight;
}"""


async def opened(place, visit, game):
    """Open a party from the lobby, on a phone; return the phone and the code."""
    phone = await visit(place.url, **PHONE)
    await landed(phone)
    await phone.get_by_role("button", name="Party").first.click()
    await phone.locator(".party").get_by_role("button", name=game).click()
    await until(phone, "() => document.querySelector('.party-code')?.checkVisibility()")
    return phone, (await phone.locator(".party-code strong").inner_text()).split()[-1]


async def joined(place, visit, code, name):
    phone = await visit(f"{place.url}/j/{code}", **PHONE)
    await until(phone, "() => document.querySelector('.party form')?.checkVisibility()")
    await phone.locator(".party input").fill(name)
    await phone.locator(".party button.go").click()
    return phone


async def move(phones, seed):
    """Make the next move, on whichever phone is asked."""
    async with asyncio.timeout(DEADLINE):
        while True:
            for phone in phones:
                if choices := (await phone.evaluate(STANDS))["choices"]:
                    player = ByMouse(phone, seed)
                    await player.choose(player.pick.choice(choices))
                    return
            await asyncio.sleep(0.05)


async def on_television(place, visit, code, **settings):
    screen = await visit(f"{place.url}/tv/{code}", **TELEVISION, **settings)
    await until(screen, "() => document.querySelector('#seats li')")
    return screen


@pytest.mark.parametrize(("game", "look"), [("Liars Dice", "light"), ("Lie Die", "dark"), ("Ohell", "light")])
async def test_two_phones_play_and_the_television_shows_it(place, visit, game, look):
    host, code = await opened(place, visit, game)
    screen = await on_television(place, visit, code, color_scheme=look)
    grandma = await joined(place, visit, code, f"Granny{game[:2]}{len(game)}")
    await until(screen, "() => document.querySelectorAll('#seats li').length === 2")
    await host.locator("#act .moves button", has_text="Start").click()
    await until(screen, "() => document.querySelector('#seats .now')")
    found = []
    for turn in range(6):
        await move((host, grandma), turn)
        found += [await screen.evaluate(SMALLEST) < 28, await screen.evaluate(SCROLLS)]

    assert {False} == {*found}
    assert [] == await faults(screen)
    assert "Lie" not in await screen.locator("#join").inner_text()


async def test_claim_is_large_and_earlier_ones_are_below(place, visit):
    host, code = await opened(place, visit, "Liar's Poker")
    await host.locator("#act .moves button", has_text="bot").click()
    await until(host, "() => document.querySelectorAll('.seat').length > 1")
    screen = await on_television(place, visit, code)
    await host.locator("#act .moves button", has_text="Start").click()
    async with asyncio.timeout(DEADLINE):
        while not await screen.evaluate("() => Boolean(document.querySelector('.claim q'))"):
            await move((host,), 3)  # a press that comes too soon counts for none
    size = await screen.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.claim')).fontSize)")

    assert size >= 100


async def test_television_that_is_opened_late_shows_no_hand(place, visit):
    host, code = await opened(place, visit, "Ohell")
    await host.locator("#act .moves button", has_text="bot").click()
    await until(host, "() => document.querySelectorAll('.seat').length > 1")
    await host.locator("#act .moves button", has_text="Start").click()
    async with asyncio.timeout(DEADLINE):
        while not await host.locator("#act .hand .held").count():  # the first dealer picks the largest hand
            if (await host.evaluate(STANDS))["choices"]:
                await move((host,), 0)
            await asyncio.sleep(0.05)
    screen = await on_television(place, visit, code)

    assert 0 == await screen.locator(".lies .card").count()
    assert await screen.locator("#join").is_visible()


async def test_wrong_code_says_so_on_both_pages(place, visit):
    screen = await visit(f"{place.url}/tv/ZEBRA99", **TELEVISION)
    await until(screen, "() => document.querySelector('[role=alert]')?.innerText.includes('no party')")
    phone = await joined(place, visit, "ZEBRA99", "Lost")
    await until(phone, "() => document.querySelector('.party .error').innerText.includes('no party')")

    assert "There is no party “ZEBRA99”" in await screen.locator("#middle").inner_text()


async def test_television_comes_back_after_a_restart(tmp_path, visit):
    async with served(tmp_path) as own:
        host, code = await opened(own, visit, "Lie Die")
        screen = await on_television(own, visit, code)
        await own.reload()
        late = await joined(own, visit, code, "Late")
        await until(screen, "() => document.querySelectorAll('#seats li').length === 2")

        assert "Late" in await screen.evaluate(CHAIRS)
        await host.close()
        await late.close()
