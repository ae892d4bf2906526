"""Views without a game, and a browser that lacks something: each says in a sentence what to do."""

import asyncio

import pytest

from tests.browser.looks import faults_in_each_look, misfits
from tests.browser.player import landed, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NO_STORAGE = """
  for (const name of ["sessionStorage", "localStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
"""
FULL_STORAGE = """
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
"""


async def test_landing_page_has_no_serious_fault_in_any_look(place, visit):
    page = await landed(await visit(place.url))

    assert [] == await faults_in_each_look(page)
    assert [] == await misfits(page)


async def test_page_without_javascript_says_how_to_telnet(place, visit):
    page = await visit(place.url, java_script_enabled=False)

    said = await page.locator("noscript").inner_text()
    assert "needs JavaScript" in said
    assert f"type telnet, the name in this page's address, and {place.port}." in said


@pytest.mark.parametrize("storage", [NO_STORAGE, FULL_STORAGE], ids=["blocked", "full"])
async def test_game_begins_when_storage_is_blocked_or_full(chromium, place, visit, storage):
    page = await visit("about:blank")
    await page.add_init_script(storage)
    await page.goto(place.url)
    await landed(page)
    await page.get_by_role("button", name="Play Ohell").click()

    assert await until(page, "() => !document.querySelector('#act').hidden")


@pytest.mark.parametrize("path", ["/t/999999", "/t/999998#a-wrong-word"])
async def test_link_to_no_open_table_says_so_in_the_lobby(place, visit, path):
    page = await landed(await visit(place.url + path))

    assert await until(page, "() => document.querySelector('.lobby').innerText.includes('open to you')")


async def test_part_of_the_page_that_fails_to_load_offline_comes_when_the_network_is_back(place, visit):
    page = await landed(await visit(place.url))
    await page.context.set_offline(True)
    failed = asyncio.ensure_future(page.wait_for_event("requestfailed", lambda request: "/help.js" in request.url))
    await page.get_by_role("button", name="Help").click()
    await page.get_by_role("button", name="Help").click()
    await failed
    await page.context.set_offline(False)

    await until(page, "() => document.querySelector('dialog pre')?.textContent")
    assert 1 == await page.get_by_role("dialog").count()
