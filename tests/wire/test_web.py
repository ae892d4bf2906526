"""Test the page over a real process: its files, a login over a websocket, and a restart of the server."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from lilygames.server.settings.local_engines import free_port
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = "--house-pause-min 0 --house-pause-max 0.05 --hash-memory 8192 --hash-time 1 --lines-per-second 1000".split()


class Place:
    """A server with a page."""

    def __init__(self, process, port):
        self.process = process
        self.telnet = 0
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    async def listens(self):
        """Return when it says that it listens for browsers."""
        async with asyncio.timeout(DEADLINE):
            while f"listening: web 127.0.0.1:{self.port}\n".encode() != (said := await self.process.stdout.readline()):
                if said.startswith(b"listening: telnet "):
                    self.telnet = int(said.rpartition(b":")[2])
                assert said

    async def restarted(self):
        """Restart it, and return when it listens again."""
        self.process.send_signal(signal.SIGHUP)
        await self.listens()


@pytest.fixture
async def serve(tmp_path):
    """Return a function that starts a server with more options; all are stopped at the end."""
    started = []

    async def start(*options):
        port = free_port()
        command = [*(sys.executable, "-m", "lilygames", "serve", "--port", "0"), "--data", tmp_path / "data", *OPTIONS]
        process = await asyncio.create_subprocess_exec(
            *(*command, "--web-port", str(port), *options),
            stdout=subprocess.PIPE, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL, cwd=ROOT,
        )  # fmt: skip
        started.append(process)
        place = Place(process, port)
        await place.listens()
        return place

    yield start
    for process in started:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
async def browser():
    async with aiohttp.ClientSession() as session:
        yield session


class Page:
    """A page as the server sees it: it sends lines, and gets packets."""

    def __init__(self, websocket):
        self.packets = []
        self._websocket = websocket

    @classmethod
    async def open(cls, browser, place, **headers):
        """Connect like the page does."""
        return cls(await browser.ws_connect(f"{place.address}/ws", origin=place.address, headers=headers))

    async def say(self, line):
        """Send a line."""
        await self._websocket.send_str(line)

    async def expect(self, pattern):
        """Return what the first row that matches a regular expression has at its first group."""
        while True:
            for number, row in enumerate(self.packets):
                if found := re.search(pattern, row):
                    del self.packets[: number + 1]
                    return found[1] if found.groups() else row
            self.packets += (await self._websocket.receive_str(timeout=DEADLINE)).splitlines()

    async def until_closed(self):
        """Return the code that the server closes with."""
        while (message := await self._websocket.receive(timeout=DEADLINE)).type is aiohttp.WSMsgType.TEXT:
            self.packets += message.data.splitlines()
        return message.data

    async def log_in(self, name):
        """Log in a guest, and return the token of the session."""
        for asked, line in (("login:", name), ("as a guest:", "")):
            await self.expect(asked)
            await self.say(line)
        return await self.expect('"resume":{"token":"([^"]+)"')


async def test_page_and_its_modules_are_served(serve, browser):
    place = await serve()
    async with browser.get(place.address) as page:
        modules = re.findall(r'(?:src|href)="(/[^"]+[.][a-z]+)"', await page.text())
    kinds = []
    for path in modules:
        async with browser.get(f"{place.address}{path}") as answer:
            kinds.append((answer.status, answer.content_type))

    assert modules
    assert {(200, "text/javascript"), (200, "text/css")} <= {*kinds}
    assert {200} == {status for status, _ in kinds}


async def test_guest_keeps_their_seat_and_hand_in_a_restart(serve, browser):
    """The server closes with 1012; the page resumes its session with the token that it has."""
    place = await serve()
    ann = await Page.open(browser, place)
    token = await ann.log_in("ann")
    await ann.say("/quick ohell")
    hand = await ann.expect(r'Your turn: .*(Hand: [^"]+)"')
    restart = asyncio.create_task(place.restarted())
    code = await ann.until_closed()
    await restart
    again = await Page.open(browser, place)
    await again.expect("login:")
    await again.say(f"resume {token}")

    assert 1012 == code
    assert hand == await again.expect(r'Your turn: .*(Hand: [^"]+)"')


async def test_others_are_not_told_that_a_page_came_back_after_a_restart(serve, browser, dial):
    """A restart isn't a disconnection of anyone."""
    place = await serve()
    ann, bob = await dial(place.telnet, manner="silent"), await Page.open(browser, place)
    for asked, line in (("login: ", "ann"), ("as a guest: ", "")):
        await ann.expect(asked)
        ann.type(line)
    token = await bob.log_in("bob")
    await ann.expect("bob")
    await place.restarted()
    again = await Page.open(browser, place)
    await again.expect("login:")
    await again.say(f"resume {token}")
    await again.say("hello ann")
    seen = await ann.expect("hello ann")

    assert "connected" not in seen


async def test_page_that_does_not_come_back_after_a_restart_has_left(serve, browser, dial):
    """A guest without a seat leaves nothing behind."""
    place = await serve("--patience", "0.1")
    bob, ann = await Page.open(browser, place), await dial(place.telnet, manner="silent")
    await bob.log_in("bob")
    for asked, line in (("login: ", "ann"), ("as a guest: ", "")):
        await ann.expect(asked)
        ann.type(line)
    await ann.expect("with bob")
    await place.restarted()

    assert "bob" in await ann.expect("(connection lost)")


async def test_first_packet_is_json_without_asking(serve, browser):
    page = await Page.open(browser, await serve())

    assert 1 == json.loads(await page.expect("hello"))["hello"]["protocol"]


async def test_metrics_count_websockets_and_the_answers_to_browsers(serve, browser):
    metrics = free_port()
    place = await serve("--metrics-port", str(metrics))
    ann = await Page.open(browser, place)
    await ann.log_in("ann")
    for path in ("/", "/nothing"):
        async with browser.get(f"{place.address}{path}"):
            pass
    async with browser.get(f"http://127.0.0.1:{metrics}/metrics") as answer:
        shown = (await answer.text()).splitlines()

    assert {
        *(f'lilygames_page_answers_total{{status="{status}"}} 1.0' for status in (101, 200, 404)),
        *(f'lilygames_connections_by_port{{port="{port}"}} {count}' for port, count in (("telnet", 0.0), ("web", 1.0))),
    } <= {*shown}


async def test_log_has_the_address_that_a_listed_proxy_says(serve, browser, tmp_path):
    place = await serve("--web-proxies", "127.0.0.1")
    ann = await Page.open(browser, place, **{"X-Forwarded-For": "203.0.113.9"})
    await ann.log_in("ann")
    tail = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lilygames", "tail", "--no-follow", "--data", tmp_path / "data"),
        stdout=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(tail.communicate(), DEADLINE)

    assert b"203.0.113.9" in next(row for row in said.splitlines() if b"login" in row and b"ann" in row)
