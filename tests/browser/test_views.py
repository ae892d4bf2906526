"""Views and dialogs beside the turns of a game: axe finds no serious fault in any look, and nothing is too wide."""

import pytest

from tests.browser.looks import faults_in_each_look, misfits, overlaps
from tests.browser.people import WORD, program
from tests.browser.player import ByMouse, landed, log_in, types, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SETTLED = "(selector) => document.querySelector(selector)?.checkVisibility()"


async def faults(page):
    """Return what axe and the boxes say about what the page shows now."""
    return [*await faults_in_each_look(page), *await misfits(page), *await overlaps(page)]


async def press(page, name):
    """Press the button with this name."""
    await page.get_by_role("button", name=name, exact=True).first.click()


async def opened(page, name):
    """Press a button that opens a dialog, and wait for its content."""
    await press(page, name)
    await page.get_by_role("dialog").wait_for()
    await until(page, "() => !/Looking…|One moment…/.test(document.querySelector('dialog').innerText)")


async def test_open_table_that_waits_for_players_has_no_fault(place, visit):
    page = await visit(place.url)
    await log_in(page, "waiter1", "")
    await types(page, "/new ohell max=3")
    await until(page, "() => document.querySelector('#act h2').textContent === 'Waiting for players'")

    assert [] == await faults(page)


async def test_finished_game_its_replay_and_its_check_have_no_fault(place, visit):
    page = await visit(place.url)
    await ByMouse(page, seed=3).play("Ohell")
    assert [] == await faults(page), "over"
    for button, view in (("Replay", ".replay .felt"), ("Verify", ".verify .checks li")):
        await press(page, button)
        await until(page, SETTLED, view)
        assert [] == await faults(page), button
        await (
            page.locator("section:visible")
            .get_by_role("button", name="Back")
            .or_(page.locator(".verify").get_by_role("button", name="Close"))
            .first.click()
        )


async def test_finished_daily_game_offers_no_replay_until_the_deal_ends(place, visit):
    page = await visit(place.url)
    await log_in(page, "Dailier1", "")
    await types(page, "/daily ohell")
    await ByMouse(page, seed=5).go_on()

    assert ["Standings", "Keep your name", "Leave"] == await page.locator("#act .moves button .label").all_inner_texts()
    assert [] == await faults(page)
    await press(page, "My games")
    await until(page, "() => /The replay opens when this deal ends/.test(document.body.innerText)")
    assert 0 == await page.get_by_role("button", name="Replay").count()
    assert [] == await faults(page)


async def test_talk_is_shown_again_after_the_page_is_reloaded(place, visit):
    page = await visit(place.url)
    await log_in(page, "Reloader1", "")
    await types(page, "I was here before")
    await until(page, "() => /I was here before/.test(document.querySelector('#log').innerText)")
    await page.reload()
    await until(page, "() => /Reloader1: I was here before/.test(document.querySelector('#log').innerText)")
    assert [] == await faults(page)


async def test_line_that_is_too_long_comes_back_into_the_box(place, visit):
    page = await visit(place.url)
    await log_in(page, "Writer1", "")
    await page.locator("#line").fill("é" * 3000 + "\nsecond")
    await page.locator("#line").press("Enter")
    await until(page, "() => /at most 4096 bytes/.test(document.querySelector('#log').innerText)")

    assert "é" * 3000 + "\nsecond" == await page.locator("#line").input_value()
    assert [] == await faults(page)


async def test_spectator_has_no_fault(place, visit):
    async with program(place, "viewed") as player:
        await player.do("/quick wizard")
        begun = await player.until(lambda packet: packet.get("table", {}).get("state") == "playing")
        page = await visit(f"{place.url}/t/{begun['table']['number']}")
        await landed(page)
        assert [] == await faults(page), "invitation"
        await press(page, "Watch")
        await page.get_by_role("heading", name="You're watching").wait_for()

        assert [] == await faults(page)


@pytest.mark.parametrize("name", ["Log in", "Settings", "Help"])
async def test_dialog_of_the_landing_page_has_no_fault(place, visit, name):
    page = await landed(await visit(place.url))
    await opened(page, name)

    assert [] == await faults(page)


async def test_dialog_to_register_has_no_fault(place, visit):
    page = await landed(await visit(place.url))
    await opened(page, "Log in")
    await press(page, "I have no account yet")

    assert [] == await faults(page)


async def test_dialog_about_messages_has_no_fault(place, visit):
    page = await landed(await visit(place.url))
    await opened(page, "Settings")
    await opened(page, "Messages when the page is closed")

    assert [] == await faults(page)


async def test_dialogs_at_a_table_have_no_fault(place, visit):
    page = await visit(place.url)
    await log_in(page, "sitter", "")
    await types(page, "/quick ohell")
    await until(page, "() => document.querySelector('#act').checkVisibility()")
    for name in ("Rules", "Invitation link", "Leave the table", "You are sitter. Account"):
        await opened(page, name)
        assert [] == await faults(page), name
        await page.keyboard.press("Escape")


async def test_games_and_people_of_an_account_have_no_fault(place, visit):
    async with program(place, "member", WORD, WORD):
        pass
    page = await visit(place.url)
    await log_in(page, "member", WORD)
    await press(page, "My games")
    await until(page, "() => document.querySelector('.games-view .rows li')")
    assert [] == await faults(page), "games"
    await opened(page, "You are member. Account")
    assert [] == await faults(page), "account"
    await page.keyboard.press("Escape")
    await page.locator("#rooms summary").click()
    await page.locator("#people summary").click()
    await until(page, "() => document.querySelector('#people li button')")
    assert [] == await faults(page), "rooms and people"
    await page.locator("#people li button").first.click()
    await until(page, "() => document.querySelector('dialog pre')?.textContent")

    assert [] == await faults(page)
