"""On a phone the talk is a sheet below your move: its handle shows what was said last."""

import pytest

from tests.browser.people import program
from tests.browser.player import ByMouse, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
HANDLE = "() => document.querySelector('.handle .last').textContent.includes('%s')"


async def at_a_table(place, visit):
    page = await visit(place.url, **PHONE)
    await ByMouse(page, seed=1).play("Lie Die", most=1)
    return page


async def test_talk_opens_from_the_handle_and_escape_closes_it(place, visit):
    page = await at_a_table(place, visit)
    handle = page.locator(".handle")
    await handle.click()

    assert "true" == await handle.get_attribute("aria-expanded")
    box = await page.locator("#log").bounding_box()
    assert box["height"] > 100
    await page.keyboard.press("Escape")
    assert "false" == await handle.get_attribute("aria-expanded")
    assert await handle.evaluate("(handle) => document.activeElement === handle")


async def test_handle_shows_the_last_words_and_how_many_are_new(place, visit):
    page = await at_a_table(place, visit)
    name = await page.locator("#menu .account").text_content()
    async with program(place, "Zoe") as zoe:
        await zoe.do(f"{name.strip()}:are you bluffing?", f"{name.strip()}:I think so")
    await until(page, HANDLE % "Zoe: I think so")

    assert "2" == await page.locator(".handle .count").inner_text()
    await page.locator(".handle").click()
    await page.locator(".handle").click()
    assert "" == await page.locator(".handle .count").inner_text()


async def test_focus_that_comes_to_the_talk_opens_it(place, visit):
    page = await at_a_table(place, visit)
    await page.locator("#line").focus()

    assert "true" == await page.locator(".handle").get_attribute("aria-expanded")


async def test_move_and_felt_are_above_the_handle_without_scrolling(place, visit):
    page = await at_a_table(place, visit)
    sizes = await page.evaluate("""() => {
      const top = (one) => document.querySelector(one).getBoundingClientRect().top;
      const last = [...document.querySelectorAll("#act .moves button")].at(-1).getBoundingClientRect().bottom;
      return [top("header") >= 0, last <= top(".handle"), document.documentElement.scrollHeight <= innerHeight];
    }""")

    assert [True, True, True] == sizes
