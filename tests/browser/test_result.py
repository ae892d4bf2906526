"""The end of a game: a sentence about you, the places, the way to play again, and a name for a guest."""

import pytest

from tests.browser.looks import faults_in_each_look
from tests.browser.player import ByMouse, landed, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def ended(place, visit, seed, **settings):
    """Return a page on which a guest has just finished a game."""
    page = await visit(place.url, **settings)
    await landed(page)
    await ByMouse(page, seed=seed).play("Lie Die")
    await until(page, "() => document.querySelector('.result')?.checkVisibility()")
    return page


async def test_result_says_first_how_you_did_and_the_focus_is_on_playing_again(place, visit):
    page = await ended(place, visit, 3)

    assert (await page.inner_text(".result h2")).startswith("You ")
    assert 4 == await page.locator(".result ol > li").count()
    assert 3 == await page.locator(".figures-row li").count()
    assert await until(page, "() => document.activeElement.textContent === 'Play again'")
    assert [] == await faults_in_each_look(page)


async def test_guest_keeps_the_name_in_the_result_and_the_game_counts(place, visit):
    page = await ended(place, visit, 4)
    await page.locator(".offer").get_by_label("Name").fill("Keeper4")
    await page.locator(".offer").get_by_label("Password").fill("plums and pears")
    await page.get_by_role("button", name="Save my account").click()
    await until(page, "() => /log in as Keeper4/.test(document.querySelector('.offer').textContent)")
    assert await page.locator(".result ol").is_visible()
    await page.locator("#line").fill("/stats")
    await page.locator("#line").press("Enter")

    assert await until(page, "() => /stats[^]*\\b1 game/.test(document.querySelector('#log').innerText)")


async def test_not_now_is_remembered(place, visit):
    page = await ended(place, visit, 5)
    await page.get_by_role("button", name="Not now").click()
    assert not await page.locator(".offer").is_visible()
    await page.get_by_role("button", name="Play again").click()
    await until(page, "() => !document.querySelector('.result').checkVisibility()")
    await ByMouse(page, seed=6).go_on()
    await until(page, "() => document.querySelector('.result')?.checkVisibility()")

    assert not await page.locator(".offer").is_visible()
