"""Lines that carry nothing and don't say so: the page notices, gives lines back and sends moves again."""

import asyncio

import pytest

from tests.browser.player import ByMouse, landed, log_in, types, until
from tests.browser.test_choices_meant import Requests

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

STATE = "() => document.querySelector('#connection').dataset.state"
DEAD = f"() => ({STATE})() === 'dead'"
CONNECTED = f"() => ({STATE})() === 'connected' && document.querySelector('header').innerText.includes('guest')"


async def playing(visit, url):
    """Return a page at its first turn, its player, and its requests."""
    page = await visit("about:blank")
    requests = Requests(page)
    await page.goto(url)
    player = ByMouse(page, seed=9)
    await player.play("Ohell", most=1)
    await player.asked()
    return page, player, requests


async def test_page_notices_a_dead_line_and_gives_the_typed_text_back(cable, visit):
    page, _, _ = await playing(visit, cable.url)
    cable.swallows = True
    await types(page, "is anybody there?")

    assert await until(page, DEAD)
    assert "is anybody there?" == await page.locator("#line").input_value()
    assert "restarting" not in await page.locator("#connection").inner_text()
    cable.swallows = False
    assert await until(page, CONNECTED)
    assert "is anybody there?" == await page.locator("#line").input_value()


async def test_silent_page_notices_a_dead_line(cable, visit):
    page, _, _ = await playing(visit, cable.url)
    cable.swallows = True

    assert await until(page, DEAD)
    cable.swallows = False
    assert await until(page, CONNECTED)


async def test_text_that_was_typed_meanwhile_stays_behind_what_comes_back(cable, visit):
    page, _, _ = await playing(visit, cable.url)
    cable.swallows = True
    await types(page, "one\ntwo")
    await page.locator("#line").fill("three")
    await until(page, DEAD)

    assert "one\ntwo\nthree" == await page.locator("#line").input_value()
    cable.swallows = False


async def test_move_into_a_dead_line_is_sent_again_and_made_once(cable, visit):
    page, player, requests = await playing(visit, cable.url)
    await asyncio.sleep(0.3)
    cable.held = []
    stands = await player.asked()
    await page.locator(f"#act [data-move='{stands['choices'][0]['move']}']").first.click()
    await until(page, DEAD)
    held, cable.held = cable.held, None
    await until(page, CONNECTED)
    await until(page, "() => !document.querySelector('#act h2').textContent.endsWith('…')")
    cable.held = held
    cable.release()
    once = requests.moves[-1]["once"]

    assert 2 == len([one for one in requests.moves if one["once"] == once])
    assert 1 == len([one for one in requests.played() if one["once"] == once])


async def test_page_does_not_say_that_the_server_restarts_after_a_logout(place, visit):
    page = await visit("about:blank")
    await page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
          window.said = [];
          new MutationObserver(() => window.said.push(document.querySelector("#connection").dataset.state))
            .observe(document.querySelector("#connection"), { attributes: true });
        })"""
    )
    await page.goto(place.url)
    await log_in(page, "Ann", "")
    await types(page, "/bye")
    await landed(page)

    assert "restarting" not in await page.evaluate("() => window.said")
