"""The page at a whole place: bans, and a second login of the same person."""

import asyncio
import re
from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.terminal.terminal import for_program
from lilygames.edge.web.address import Proxies
from lilygames.edge.web.server import WebConfig, WebServer
from lilygames.edge.wire.limits import Limits
from lilygames.games import games
from lilygames.limits.addresses import networks
from lilygames.server.place.place import furnish
from lilygames.server.settings.config import Settings
from lilygames.store.memory import MemoryStore
from tests.deadline import DEADLINE


@pytest.fixture
async def place():
    settings = Settings(hash_time=1, hash_memory=8192, house_workers=0, sysops="whammy")
    place = await furnish(MemoryStore(), settings, games())
    await place.host.accounts.create("whammy", "plums and pears", guest=False)
    return place


@pytest.fixture
def serve(place, web_servers):
    async def start(proxies=""):
        limits = Limits(connects_per_minute=10_000, connections_per_address=500)
        config = WebConfig(Admission(limits), for_program, Proxies(networks(proxies)))
        web_servers.append(WebServer(config, partial(visit, place.host, place.dispatcher)))
        await web_servers[-1].listen("127.0.0.1", 0)
        return web_servers[-1]

    return start


async def connect(browser, server, address=""):
    """Open a websocket, and say that it is for another address."""
    there, headers = f"http://127.0.0.1:{server.port}", {"X-Forwarded-For": address} if address else {}
    return await browser.ws_connect(f"{there}/ws", origin=there, headers=headers)


async def until(socket, *patterns):
    """Return everything that comes until one of the patterns does, or the close."""
    text = ""
    async with asyncio.timeout(DEADLINE):
        async for message in socket:
            text += message.data
            if any(re.search(pattern, text) for pattern in patterns):
                break
    return text


async def log_in(socket, *said):
    for line in said:
        await until(socket, '"prompt"')
        await socket.send_str(line)
    return await until(socket, "the lobby")


async def ban(browser, server, address):
    """Let the sysop ban an address, who is at another."""
    whammy = await connect(browser, server, "198.51.100.99")
    await log_in(whammy, "whammy plums and pears")
    await whammy.send_str(f"/ban {address} 1d a flood")
    await until(whammy, "Type yes")
    await whammy.send_str("yes")
    await until(whammy, "is banned")


async def test_banned_address_gets_a_sentence_and_a_close(serve, browser):
    server = await serve("127.0.0.1")
    await ban(browser, server, "203.0.113.9")
    mallory = await connect(browser, server, "203.0.113.9")
    said = await until(mallory)

    assert "Refused: " in said
    assert "login:" not in said
    assert 1000 == mallory.close_code


async def test_page_of_a_banned_address_still_loads(serve, browser):
    """It shows the sentence."""
    server = await serve("127.0.0.1")
    await ban(browser, server, "203.0.113.9")
    headers = {"X-Forwarded-For": "203.0.113.9"}
    async with browser.get(f"http://127.0.0.1:{server.port}/", headers=headers) as answer:
        assert 200 == answer.status


async def test_header_of_a_stranger_neither_escapes_a_ban_nor_bans_another(serve, browser):
    server, direct = await serve("127.0.0.1"), await serve()
    await ban(browser, server, "203.0.113.9")
    other = await connect(browser, direct, "203.0.113.9")
    assert "login:" in await until(other, "login:", "Refused")

    await ban(browser, server, "127.0.0.1")
    for address in ("", "198.51.100.7"):
        assert "Refused: " in await until(await connect(browser, direct, address), "login:", "Refused")


async def test_second_login_closes_the_first_page_after_its_last_line(serve, browser):
    server = await serve()
    first, second = await connect(browser, server), await connect(browser, server)
    await log_in(first, "whammy plums and pears")
    await log_in(second, "whammy plums and pears")

    assert "logged in from somewhere else" in await until(first)
    assert 1000 == first.close_code
    await second.send_str("/who")
    assert "whammy" in await until(second, "whammy")


async def test_page_words_its_own_welcome_to_a_table(browser, serve):
    socket = await connect(browser, await serve())
    await log_in(socket, "webster", "")
    await socket.send_json({"id": 1, "picture": True})
    await socket.send_json({"id": 2, "line": "/new ohell"})
    said = await until(socket, '"done":2')

    assert re.search(r'"line":"The seal is [0-9a-f]{4} [0-9a-f]{4}[^"]*\."', said)
    assert "you sit at" not in said
    assert "line drops" not in said
