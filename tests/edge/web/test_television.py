"""A television on its own websocket: before any login, it watches a party by its code."""

import asyncio
import json
from contextlib import asynccontextmanager
from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.terminal.terminal import for_program
from lilygames.edge.web.server import WebConfig, WebServer
from lilygames.edge.wire.limits import Limits
from lilygames.games import games
from lilygames.limits.quota import PARTY_CODE
from lilygames.server.place.place import furnish
from lilygames.server.settings.config import Settings
from lilygames.store.memory import MemoryStore
from tests.deadline import DEADLINE
from tests.schemas import misfits


class Page:
    """A page's websocket: `heard` has all packets."""

    def __init__(self, socket):
        self._socket = socket
        self._rows = []
        self._id = 0
        self.heard = []

    async def until(self, wanted):
        async with asyncio.timeout(DEADLINE):
            while True:
                while not self._rows:
                    self._rows = [row for row in (await self._socket.receive_str()).split("\r\n") if row]
                self.heard.append(json.loads(self._rows.pop(0)))
                if wanted(self.heard[-1]):
                    return self.heard[-1]

    async def ask(self, **request):
        """Send a request, and return its error."""
        self._id += 1
        await self._socket.send_str(json.dumps({"id": self._id, **request}))
        return (await self.until(lambda packet: packet.get("done") == self._id))["error"]

    async def log_in(self, name):
        await self.ask(line=name)
        await self.ask(line="")

    async def watch(self, code):
        """Become a television; return why that was refused."""
        await self.until(lambda packet: "prompt" in packet)
        await self.ask(picture=True)
        return await self.ask(watch=code)


@pytest.fixture
async def place():
    settings = Settings(hash_time=1, hash_memory=8192, house_workers=0, house_pause_min=0, house_pause_max=0)
    return await furnish(MemoryStore(), settings, games())


@pytest.fixture
async def connected(place, web_servers, browser):
    """Return a context manager that opens a page's websocket."""
    config = WebConfig(Admission(Limits(connects_per_minute=10_000, connections_per_address=500)), for_program)
    server = WebServer(config, partial(visit, place.host, place.dispatcher))
    web_servers.append(server)
    await server.listen("127.0.0.1", 0)
    there = f"http://127.0.0.1:{server.port}"

    @asynccontextmanager
    async def connect():
        async with browser.ws_connect(f"{there}/ws", origin=there) as socket:
            yield Page(socket)

    connect.server = server
    return connect


@pytest.fixture
async def party(place, connected):
    """Return the page of a host who has opened a party, and its code."""
    async with connected() as page:
        await page.until(lambda packet: "prompt" in packet)
        await page.ask(picture=True)
        await page.log_in("Grandma")
        assert await page.ask(line="/party liedie") is None
        (bot,) = place.tables.open.values()
        yield page, bot.table.header.party


async def test_television_gets_the_table_and_what_happens_there(connected, party):
    host, code = party
    async with connected() as screen:
        assert await screen.watch(code.lower()) is None
        await host.ask(line="/house")
        update = await screen.until(lambda packet: "update" in packet)
        shown = [one for one in screen.heard if {"table", "update", "party"} & one.keys()]

        assert None is update["update"]["seat"]
        assert [] == [problem for one in shown for problem in misfits(one)]


async def test_television_counts_as_a_connection_and_not_as_a_person(place, connected, party):
    _, code = party
    async with connected() as screen:
        await screen.watch(code)

        assert (2, 1) == (connected.server.connected, place.host.people.number_here)


async def test_television_does_not_have_to_log_in(place, connected, party):
    _, code = party
    place.host.login_seconds = 0.2
    async with connected() as screen:
        await screen.watch(code)
        await asyncio.sleep(0.4)

        assert await screen.ask(watch=code) is None


async def test_television_may_not_ask_for_anything_else(connected, party):
    _, code = party
    async with connected() as screen:
        await screen.watch(code)
        screen.heard.clear()
        for request in ({"line": "guest"}, {"line": "/who"}, {"get": "table", "table": 1}, {"complete": "/"}):
            await screen.ask(**request)

        assert [] == [one for one in screen.heard if {"name", "table", "people"} & one.keys()]


async def test_wrong_code_is_refused_and_a_name_can_still_be_typed(connected, party):
    async with connected() as screen:
        error = await screen.watch("ZEBRA99")
        await screen.log_in("Lost")

        assert "not-found" == error["code"]
        assert {"name": "Lost", "guest": True} in [one.get("name") for one in screen.heard]


async def test_guessing_ends_after_a_few_codes(connected, party):
    _, code = party
    async with connected() as screen:
        await screen.watch("ZEBRA99")
        for _ in range(PARTY_CODE.limits[0].most - 1):
            await screen.ask(watch="ZEBRA99")

        assert "wrong codes were typed" in (await screen.ask(watch=code))["text"]


async def test_television_that_leaves_makes_room_for_another(place, connected, party):
    _, code = party
    async with connected() as screen:
        await screen.watch(code)
    async with asyncio.timeout(DEADLINE):
        while place.tables.televisions.at(1):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("request_", [{"watch": 42}, {"watch": "PEAR42", "table": 1}, {"watch": ""}])
async def test_other_values_are_bad_requests(connected, request_):
    async with connected() as screen:
        await screen.until(lambda packet: "prompt" in packet)

        assert "bad-request" == (await screen.ask(**request_))["code"]
