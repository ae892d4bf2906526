"""A server on a socket, and people at the client: keys go in by a pipe, and everything drawn is recorded."""

import asyncio
import itertools
import re
from contextlib import ExitStack
from functools import partial

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from lilygames.chat.visits.session import visit
from lilygames.client.address import Address
from lilygames.client.client import QUIET, Client
from lilygames.edge.connections.telnet import listen
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.deadline import DEADLINE
from tests.toys import TOYS


class Drawn(DummyOutput):
    """A screen that records everything drawn; a request for the bell is one letter."""

    def __init__(self):
        self.text = ""
        self.columns = 80
        self.news = asyncio.Event()

    def write(self, data):
        self.text += data.replace("\r\n", "\n")
        self.news.set()

    write_raw = write

    def bell(self):
        self.write("\a")

    def get_size(self):
        return Size(rows=24, columns=self.columns)


class Sitter:
    """A person at a client, who types and reads on from where they stopped."""

    def __init__(self, address, folder, keys, reader, quiet):
        self.drawn = Drawn()
        self.keys = keys
        self._read = 0
        with create_app_session(input=keys, output=self.drawn):
            self.client = Client(address, folder, reader=reader, waits=lambda: itertools.repeat(0.01), quiet=quiet)
            self.visit = asyncio.create_task(self.client.visit())

    def press(self, keys):
        self.keys.send_text(keys)

    def type(self, line):
        self.press(line + "\r")

    async def expect(self, wanted):
        """Return the drawn text up to the regular expression `wanted`, inclusive; fail if it never comes."""
        try:
            async with asyncio.timeout(DEADLINE):
                while not (found := re.compile(wanted).search(self.drawn.text, self._read)):
                    self.drawn.news.clear()
                    await self.drawn.news.wait()
        except TimeoutError:
            pytest.fail(f"waited for {wanted!r}, and saw:\n{self.drawn.text[self._read :]}")
        before, self._read = self.drawn.text[self._read : found.end()], found.end()
        return before

    async def enter(self, name="ann", word=""):
        """Log in as a newcomer, as a guest if there is no password."""
        await self.expect("login:")
        self.type(name)
        await self.expect("as a guest:")
        self.type(word)
        if word:
            await self.expect("once more:")
            self.type(word)
        await self.expect(r"You're in .*\n")

    async def sit_down(self):
        """Begin a short Tally against bots."""
        self.type("/new tally max=3 first-dealer=host")
        await self.expect("come back with: ")
        self.type("/house 1")
        await self.expect("Ada")
        self.type("/start")

    async def play_on(self, until="Game over: "):
        """Answer each turn of Tally by its first number until `until` is shown; return all rows shown."""
        shown = ""
        while True:
            shown += await self.expect(rf"{until}|Your turn: .*\n")
            if not shown.endswith("\n"):
                return shown
            self.type(re.search(r"\d+", shown.splitlines()[-1].partition("Your turn: ")[2])[0])

    async def gone(self):
        """Wait until the visit is over."""
        async with asyncio.timeout(DEADLINE):
            await self.visit


@pytest.fixture
async def place():
    """A whole server in memory."""
    furnished = await furnish(MemoryStore(), SETTINGS, TOYS)
    yield furnished
    await furnished.kept()
    furnished.workers.close()


@pytest.fixture
async def opened(place):
    """Return a function that opens a listener of the server on a port, with TLS if it gets a context."""
    doors = []

    async def open_(port=0, tls=None):
        doors.append(await listen("127.0.0.1", port, partial(visit, place.host, place.dispatcher), tls=tls))
        return doors[-1]

    yield open_
    for door in doors:
        await door.close(grace=0.1)


@pytest.fixture
async def door(opened):
    """A listener without TLS."""
    return await opened()


@pytest.fixture
async def sit(tmp_path):
    """Return a function that starts a client for a port; the client stores its files in `tmp_path`."""
    people = []
    with ExitStack() as pipes:

        def begin(port, *, reader=False, quiet=QUIET, **how):
            address = Address("127.0.0.1", port, **how)
            people.append(Sitter(address, tmp_path, pipes.enter_context(create_pipe_input()), reader, quiet))
            return people[-1]

        yield begin
        for person in people:
            person.visit.cancel()
        await asyncio.gather(*(person.visit for person in people), return_exceptions=True)
