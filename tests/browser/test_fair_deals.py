"""The page adds its own number to each deck and checks the finished game, with and without a secure context."""

import pytest

from tests.browser.player import ByMouse, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
INSECURE = """
Object.defineProperty(window, "isSecureContext", { value: false });
Object.defineProperty(crypto, "subtle", { value: undefined });
"""
BLOCKED = 'Object.defineProperty(window, "sessionStorage", { get() { throw new Error("blocked"); } });'


async def at(visit, place, script):
    """Return a page that runs a script before its own ones."""
    page = await visit("about:blank")
    await page.add_init_script(script)
    await page.goto(place.url)
    return page


@pytest.mark.parametrize("script", ["", INSECURE], ids=["secure", "insecure"])
async def test_deck_has_the_pages_number_and_the_game_is_checked(place, visit, script):
    page = await at(visit, place, script)
    await ByMouse(page, seed=3).play("Ohell")
    await page.get_by_role("button", name="Verify").click()
    await until(page, "() => document.querySelectorAll('.checks li').length > 6")
    shown = await page.locator(".verify").inner_text()

    assert "Everything that this browser can check fits." in shown
    assert "Sealed by guest" in shown
    assert "Your own number is in the deal" in shown
    assert "Match: seals, commitments and all" in shown


async def test_page_without_storage_plays_and_says_that_it_adds_no_number(place, visit):
    page = await at(visit, place, BLOCKED)
    await ByMouse(page, seed=4).play("Ohell")
    said = await page.locator("#log").inner_text()

    assert 1 == said.count("This browser blocks storage, so the page plays without a number of its own")
    assert "Deck sealed by" not in said
