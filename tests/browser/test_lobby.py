"""The page around the table: accounts, invitations, watching, replays, settings and help."""

import asyncio

import pytest

from tests.browser.people import program
from tests.browser.player import ByMouse, landed, until
from tests.browser.test_states import NO_STORAGE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WORD = "plums and pears"
NAME = "() => document.querySelector('#menu .account').textContent"


async def named(page, name):
    """Wait until the menu shows a name; `Log in` stands there for nobody."""
    return await until(page, f"(name) => ({NAME})() === name", name)


async def fill_in(page, name, word, submit, *, stay=False):
    """Fill in the form for a name and password, and submit it."""
    box = page.get_by_role("dialog")
    await box.get_by_label("Name", exact=True).fill(name)
    await box.get_by_label("Password").fill(word)
    await box.get_by_label("Stay logged in on this device").set_checked(stay)
    await box.get_by_role("button", name=submit, exact=True).click()


async def registered(page, name, **more):
    """Register from the landing page."""
    await landed(page)
    await page.get_by_role("button", name="Log in", exact=True).click()
    await page.get_by_role("button", name="I have no account yet").click()
    await fill_in(page, name, WORD, "Register", **more)
    await named(page, name)
    await page.get_by_role("dialog").wait_for(state="detached")  # until then the page behind it takes no keys
    return page


async def log_in(page, name, word, **more):
    await page.get_by_role("button", name="Log in", exact=True).click()
    await fill_in(page, name, word, "Log in", **more)


async def test_person_registers_logs_out_and_logs_in(place, visit):
    page = await registered(await visit(place.url), "wren")
    await page.get_by_role("button", name="You are wren. Account").click()
    await page.get_by_role("button", name="Log out", exact=True).click()
    await named(page, "Log in")
    await log_in(page, "wren", WORD)

    assert await named(page, "wren")


async def test_wrong_password_and_unknown_name_get_a_sentence(place, visit):
    page = await landed(await visit(place.url))
    async with program(place, "finch", WORD, WORD):
        pass
    for name, said in [
        ("finch", "That isn't the password of this name."),
        ("finches2", "Nobody called finches2 is registered"),
    ]:
        await log_in(page, name, "figs and dates")
        assert await until(page, "(said) => document.querySelector('dialog').textContent.includes(said)", said)
        await page.get_by_role("button", name="Close").click()
    await log_in(page, "finch", WORD)

    assert await named(page, "finch")


async def test_tab_stays_logged_in_and_a_new_one_only_if_wanted(place, visit):
    page = await registered(await visit(place.url), "hazel")
    await page.reload()
    assert await named(page, "hazel")
    other = await page.context.new_page()
    await other.goto(place.url)
    await landed(other)
    assert "Log in" == await other.evaluate(NAME)
    await page.get_by_role("button", name="You are hazel. Account").click()
    await page.get_by_label("Stay logged in on this device").check()
    await other.reload()

    assert await named(other, "hazel")


async def test_log_out_everywhere_ends_what_other_windows_resume(place, visit):
    page = await registered(await visit(place.url), "heron", stay=True)
    token = await page.evaluate("() => localStorage.getItem('resume')")
    await page.get_by_role("button", name="You are heron. Account").click()
    await page.get_by_role("button", name="Log out everywhere").click()
    await named(page, "Log in")
    await page.evaluate("(token) => localStorage.setItem('resume', token)", token)
    await page.reload()
    await landed(page)
    await asyncio.sleep(0.3)

    assert "Log in" == await page.evaluate(NAME)


async def test_link_to_a_private_table_seats_someone_and_its_word_is_never_sent_in_a_url(place, visit):
    host = await registered(await visit(place.url), "ibis")
    await host.evaluate("() => document.querySelector('#line').focus()")
    await host.keyboard.type("/new ohell private=on max=3\n")
    await host.get_by_role("button", name="Invitation link").click()
    link = await until(host, "() => document.querySelector('dialog input')?.value")
    guest = await visit("about:blank")
    urls = []
    guest.on("request", lambda request: urls.append(request.url))
    await guest.goto(link)
    await guest.get_by_role("button", name="Sit down", exact=True).click()
    await until(guest, "() => !document.querySelector('.table').hidden")

    page, word = link.split("#")
    assert 16 == len(word)
    assert page in urls
    assert not [url for url in urls if word in url]
    assert "ibis" in await guest.locator(".seats").inner_text()


async def test_link_with_a_wrong_word_gets_a_sentence_and_a_way_on(place, visit):
    page = await visit(f"{place.url}/t/999998#wrongword")
    await page.get_by_role("button", name="Sit down", exact=True).click()

    assert "table" in await until(page, "() => document.querySelector('.invitation [role=alert]')?.textContent")
    await page.get_by_role("button", name="No, thanks").click()
    assert f"{place.url}/" == page.url


async def test_spectator_watches_whispers_and_stops(place, visit):
    async with program(place, "linnet", WORD, WORD) as player, program(place, "plover") as other:
        await player.do("/quick ohell")
        begun = await player.until(lambda packet: packet.get("table", {}).get("state") == "playing")
        number = begun["table"]["number"]
        await other.do(f"/watch {number}")
        page = await visit(f"{place.url}/t/{number}")
        await landed(page)
        await page.get_by_role("button", name="Watch", exact=True).click()
        await page.get_by_role("heading", name="You're watching").wait_for()
        assert not await page.locator("#act").is_visible()
        await page.get_by_label("Say something about the game").fill("bold bid")
        await page.get_by_role("button", name="To spectators").click()
        await other.until(lambda packet: "bold bid" in packet.get("line", "") or "bold bid" in str(packet.get("talk")))
        await page.get_by_role("button", name="Stop watching").click()

        assert await until(page, "() => !document.querySelector('.lobby').hidden")
    assert not [packet for packet in player.heard if "bold bid" in str(packet)]


async def test_finished_game_is_replayed_with_slider_and_keys_and_without_alerts(place, visit):
    page = await visit(place.url)
    await landed(page)
    await ByMouse(page, seed=3).play("Ohell")
    await page.locator("#act").get_by_role("button", name="Replay").click()
    step = page.get_by_role("slider", name="Step")
    await until(page, "() => document.querySelector('.replay output')?.textContent.includes('step 1 of')")
    await page.evaluate("() => { document.querySelector('#alert').textContent = ''; }")
    await page.get_by_role("button", name="Step ▶").click()
    await page.keyboard.press("ArrowRight")
    assert await until(page, "() => document.querySelector('.replay output').textContent.includes('step 3 of')")
    await page.keyboard.press("End")
    last = await step.get_attribute("max")
    assert await until(
        page, "(last) => document.querySelector('.replay output').textContent.includes(`step ${last} of`)", last
    )
    await page.keyboard.press("Home")
    await step.press("ArrowRight")
    assert await until(page, "() => document.querySelector('.replay output').textContent.includes('step 2 of')")

    assert "" == await page.evaluate("() => document.querySelector('#alert').textContent")
    await page.locator(".replay").get_by_role("button", name="Back").click()

    assert await until(page, "() => document.querySelector('#act').checkVisibility()")


@pytest.mark.parametrize("storage", ["", NO_STORAGE], ids=["kept", "blocked"])
async def test_settings_take_effect_at_once_and_last_if_the_browser_keeps_them(place, visit, storage):
    page = await visit("about:blank")
    await page.add_init_script(storage)
    await page.goto(place.url)
    await landed(page)
    before = await page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_label("Dark").check()
    await page.get_by_label("Four colours").check()
    dark = await page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert before != dark
    assert await page.evaluate("() => document.documentElement.classList.contains('four-colours')")
    await page.reload()
    await landed(page)

    assert (before if storage else dark) == await page.evaluate("() => getComputedStyle(document.body).backgroundColor")


async def test_help_pages_lead_to_each_other(place, visit):
    page = await landed(await visit(place.url))
    await page.get_by_role("button", name="Play Ohell").click()
    await until(page, "() => !document.querySelector('#act').hidden")
    await page.locator(".tools").get_by_role("button", name="Rules").click()
    await page.get_by_role("dialog").get_by_role("button", name="/help ohell scoring").click()
    assert await until(page, "() => document.querySelector('dialog pre').textContent.includes('SCORING')")
    await page.get_by_role("dialog").get_by_role("button", name="Back").click()

    assert await until(page, "() => /^OHELL\\s/.test(document.querySelector('dialog pre').textContent)")


async def test_focus_returns_to_the_button_that_opened_a_dialog(place, visit):
    page = await landed(await visit(place.url))
    await page.get_by_role("button", name="Settings").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog").wait_for()
    await page.keyboard.press("Escape")

    assert "Settings" == await page.evaluate("() => document.activeElement.textContent")
