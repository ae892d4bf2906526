"""Addresses: Back, Forward, reload and links do what people expect, and public pages have no fault in any look."""

import pytest

from tests.browser.looks import faults_in_each_look, misfits
from tests.browser.player import ByMouse, log_in, types, until
from tests.browser.test_lobby import registered

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOCUSED = "() => document.activeElement !== document.body"


async def path_is(page, pattern):
    """Wait until the address of the page fits a pattern."""
    await until(page, "(pattern) => new RegExp(`^${pattern}$`, 'u').test(location.pathname + location.hash)", pattern)


async def shows(page, view):
    """Wait until the page shows the lobby, a table or a replay."""
    shown = {"lobby": "section.lobby", "table": "#act", "replay": ".replay"}[view]
    await until(page, "(selector) => document.querySelector(selector)?.checkVisibility()", shown)


async def at_a_table(page, name):
    await log_in(page, name, "")
    await types(page, "/new ohell max=3")
    await path_is(page, r"/t/\d+")
    await shows(page, "table")


async def test_back_forward_and_reload_lead_between_lobby_and_table(place, visit):
    page = await visit(place.url)
    await at_a_table(page, "Backer1")
    table = page.url
    await page.go_back()
    await shows(page, "lobby")
    await path_is(page, "/")
    await page.go_forward()
    await shows(page, "table")
    assert table == page.url
    await page.reload()
    await shows(page, "table")
    assert table == page.url


async def test_focus_follows_a_view_that_opens(place, visit):
    page = await visit(place.url)
    await at_a_table(page, "Focus1")
    await page.evaluate("document.activeElement.blur()")
    await page.go_back()
    await shows(page, "lobby")
    await until(page, FOCUSED)


async def test_replay_has_the_address_of_its_step_and_a_public_page_after_a_reload(place, visit):
    page = await visit(place.url)
    await log_in(page, "Player7", "")
    await types(page, "/new liedie games=1")
    await types(page, "/house 2")
    await types(page, "/start")
    await ByMouse(page, seed=4).go_on()
    await page.get_by_role("button", name="Replay", exact=True).first.click()
    await shows(page, "replay")
    await path_is(page, r"/g/\d+")
    await page.get_by_role("button", name="Step ▶").click()
    await path_is(page, r"/g/\d+#2")
    here = page.url
    await page.reload()
    await until(page, "() => document.querySelector('#replay .felt')?.checkVisibility()")
    await until(page, "() => /step 2 of/.test(document.querySelector('output').textContent)")
    assert here == page.url


async def test_private_game_is_replayed_again_after_a_reload_by_its_player(place, visit):
    page = await visit(place.url)
    await registered(page, "Private7")
    await types(page, "/new liedie games=1 private=on")
    await types(page, "/house 2")
    await types(page, "/start")
    await ByMouse(page, seed=4).go_on()
    await page.get_by_role("button", name="Replay", exact=True).first.click()
    await path_is(page, r"/g/\d+")
    here = page.url
    await page.reload()
    await shows(page, "replay")
    await until(page, "() => document.querySelector('.replay .felt')?.checkVisibility()")
    stranger = await visit(here)
    await shows(stranger, "lobby")
    await path_is(stranger, "/")


@pytest.mark.parametrize("path", ["/help", "/help/ohell", "/standings/ohell", "/daily", "/tournament"])
async def test_public_page_has_no_fault_in_any_look(place, visit, path):
    page = await visit(f"{place.url}{path}")
    assert [] == [*await faults_in_each_look(page), *await misfits(page)]


async def test_public_page_is_whole_without_scripts(place, visit):
    page = await visit(f"{place.url}/help/ohell", java_script_enabled=False)
    assert await page.get_by_role("heading", level=1).is_visible()


async def test_page_that_is_opened_without_a_connection_says_so(place, visit):
    page = await visit(place.url)
    await until(page, "async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller")
    await page.context.set_offline(True)
    await page.reload()
    assert "No connection" == await page.get_by_role("heading", level=1).inner_text()
