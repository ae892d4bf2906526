"""One place for everyone: a browser and telnet at one table, two windows of one person, and spectators."""

import asyncio
import re

import pytest

from tests.browser.conftest import each
from tests.browser.people import WORD, program
from tests.browser.player import ByMouse, landed, log_in, types, until
from tests.wire.conftest import TelnetClient

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@each
async def telnet(place):
    """Someone on telnet, at the login prompt."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    client = TelnetClient(reader, writer, "silent", ("XTERM",), 80)
    yield client
    client.leave()


async def plays(client):
    """Answer each turn on telnet with its first number, until the game is over."""
    while True:
        line = await client.expect("\n")
        if "Game over" in line:
            return
        if line.startswith("Your turn: "):
            client.type(re.search(r"\d+", line)[0])


async def number_of(page):
    """Return the number of the table on a page."""
    return await until(page, "() => /table (\\d+)/.exec(document.querySelector('#where').textContent)?.[1]")


async def watched_by(spectator, name, page):
    """Begin a game of Wizard on a page, let someone on another page watch it, and return its player."""
    player = ByMouse(page, seed=2)
    await player.play("Wizard", most=1)
    await log_in(spectator, name, "")
    await types(spectator, f"/watch {await number_of(page)}")
    return player


async def test_one_on_telnet_and_one_in_the_browser_play_a_game(place, visit, telnet):
    page = await visit(place.url)
    await log_in(page, "webster", "")
    await types(page, "/new ohell max=3")
    number = await number_of(page)
    for asked, answer in (("login: ", "telly"), ("as a guest: ", "")):
        await telnet.expect(asked)
        telnet.type(answer)
    await telnet.expect("/help has the rest")
    telnet.type(f"/sit {number}")
    await until(page, "() => document.querySelector('main').innerText.includes('telly')")
    await page.get_by_role("button", name="Start").click()
    playing = asyncio.create_task(plays(telnet))

    assert 0 < await ByMouse(page, seed=1).go_on()
    await playing


async def test_second_window_takes_over_and_the_first_can_take_it_back(place, visit):
    async with program(place, "twice", WORD, WORD):
        pass
    first, second = await visit(place.url), await visit(place.url)
    away = '() => document.body.innerText.includes("You\'re playing in another window")'
    sockets = []
    await log_in(first, "twice", WORD)
    await landed(second)
    for page in (first, second):
        page.on("websocket", lambda socket: sockets.extend([socket]))
    await log_in(second, "twice", WORD)
    await until(first, away)
    await types(second, "/who", "hello from the second window")
    await until(second, "() => document.querySelector('#log').innerText.includes('hello from the second window')")
    assert [] == sockets
    await first.get_by_role("button", name="Continue here").click()
    await until(second, away)
    await types(first, "hello from the first window")
    await until(first, "() => document.querySelector('#log').innerText.includes('hello from the first window')")

    assert 1 == len(sockets)
    assert not await first.evaluate(away)


async def test_spectator_sees_the_game_and_has_no_moves(place, visit):
    player, spectator = await visit(place.url), await visit(place.url)
    playing = await watched_by(spectator, "wanda", player)
    await until(spectator, "() => document.querySelector('.table')?.checkVisibility()")
    await playing.go_on()
    await until(spectator, "() => document.querySelector('#log').innerText.includes('Game over')")

    assert 0 == await spectator.locator("#act [data-move]:visible").count()


async def test_spectator_whose_connection_was_cut_goes_on_watching_and_is_not_announced_again(place, cable, visit):
    player, spectator = await visit(place.url), await visit(cable.url)
    playing = await watched_by(spectator, "olive", player)
    await until(player, "() => document.querySelector('#log').innerText.includes('olive')")
    await until(spectator, "() => document.querySelector('.table')?.checkVisibility()")
    cable.cut()
    await until(spectator, "() => document.querySelector('#connection').textContent.startsWith(\"You're back\")")
    await spectator.get_by_label("Say something about the game").fill("I saw that")
    await spectator.get_by_role("button", name="To everyone").click()
    await until(player, "() => document.querySelector('#log').innerText.includes('I saw that')")
    assert 1 == (await player.locator("#log").inner_text()).count("olive is now a member of wizard")
    await playing.go_on()

    assert await until(spectator, "() => document.querySelector('#log').innerText.includes('Game over')")
