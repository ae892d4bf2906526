"""An SMTP and an HTTP server on this machine, a simulated clock, and a stage that sends mail through it."""

from __future__ import annotations

import asyncio
import email
import email.policy
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import attrs
import pytest
from aiosmtpd.smtp import SMTP

from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.mailing.subscriptions import KEY
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY

NOON = 1_772_452_800.0
"""Noon in UTC on Monday, 2 March 2026."""
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


class Clock:
    """The time, which tests move."""

    def __init__(self):
        self.at = NOON

    def __call__(self):
        return self.at

    def forward(self, seconds):
        self.at += seconds


class Inbox:
    """An SMTP server that keeps what it gets. `refuses` are its answers to addresses, `failing` that to any mail."""

    def __init__(self):
        self.got = []
        self.refuses = {}
        self.failing = ""
        self.hangs_up = False
        self.server = None
        self.port = 0
        self.sessions = []

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802 - aiosmtpd's name
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - the same
        if self.failing:
            return self.failing
        self.got.append((envelope.rcpt_tos, email.message_from_bytes(envelope.content, policy=email.policy.SMTP)))
        if self.hangs_up:
            server.transport.abort()
        return "250 OK"

    async def start(self):
        """Listen, on the same port as before."""
        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(self.session, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    def session(self):
        self.sessions.append(SMTP(self, loop=asyncio.get_running_loop()))
        return self.sessions[-1]

    async def stop(self):
        """Stop listening, and end the connections that are left."""
        if self.server:
            self.server.close()
            await self.server.wait_closed()
            self.server = None
        for session in self.sessions:
            if session.transport:
                session.transport.abort()
        self.sessions = []
        await asyncio.sleep(0)

    def take(self):
        """Return the mails that came since the last call."""
        mails, self.got = [mail for _, mail in self.got], []
        return mails


class HttpServer:
    """An HTTP server that keeps what it gets: paths, headers and bodies.

    `answers` are its answers by path, and `answer` that to all others: bytes, or functions that write them.
    """

    def __init__(self, answer):
        self.answer = answer
        self.answers = {}
        self.got = []
        self.asked = asyncio.Event()
        self.port = 0
        self._tasks = set()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def listening(self, tls=None):
        """Listen, and in the end stop the answers that are still going on."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError, ssl.SSLError):
                await self._respond(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()

    async def _respond(self, reader, writer):
        first, *rows = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, value in (row.split(": ", 1) for row in rows)}
        path = first.split(" ")[1]
        self.got.append((path, headers, await reader.readexactly(int(headers["content-length"]))))
        self.asked.set()
        answer = self.answers.get(path, self.answer)
        if callable(answer):
            await answer(writer)
        else:
            writer.write(answer)
        await writer.drain()

    def take(self):
        """Return what came since the last call."""
        got, self.got = self.got, []
        return got


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(clock):
    return MemoryStore(clock)


@pytest.fixture
async def inbox() -> AsyncIterator[Inbox]:
    inbox = Inbox()
    await inbox.start()
    yield inbox
    await inbox.stop()


@pytest.fixture
def settings(inbox):
    return attrs.evolve(
        SETTINGS,
        public_address="games.example 7777",
        mail_host="127.0.0.1",
        mail_port=inbox.port,
        mail_tls="none",
        mail_from="games@games.example",
    )


class World:
    """A stage that sends mail to an inbox, with ann and bob in the lobby."""

    def __init__(self, stage, inbox, clock, store, opened):
        self.stage, self.inbox, self.clock, self.store, self.opened = stage, inbox, clock, store, opened
        self.type, self.come, self.drop = stage.type, stage.come, stage.drop
        self.look = stage.mailing.look
        self.take, self.forward = inbox.take, clock.forward

    async def subscribe(self, name, address, stage=None):
        """Give and confirm an address for a person."""
        stage = stage or self.stage
        await stage.type(name, f"/mail {address}")
        await stage.look("mailing")
        rows = await stage.type(name, f"/mail code {code_in(self.take()[-1])}")
        assert [f"(mail to {address} is on. Type /mail off to turn it off.)"] == rows

    async def slow_game(self):
        """Start a slow game of ann, who deals, and bob, who bids first. Both are connected."""
        await self.type("ann", "/new tally clock=3d max=3 first-dealer=host")
        await self.type("bob", "/sit tally")
        await self.type("ann", "/start")

    async def bob_goes(self):
        """Let bob bid and leave, and ann bid and play until it's his turn again."""
        await self.type("bob", "/at 1 bid 0")
        self.drop("bob")
        self.forward(1)
        bot = self.stage.table(1)
        while 1 not in bot.questions.open:
            await self.type("ann", f"/at 1 {bot.table.game.spell(bot.questions.offered(0)[0])}")


def code_in(mail):
    """Return the code in a mail."""
    return mail["Subject"].rpartition(" ")[2]


@pytest.fixture
def opened(store, clock, settings):
    """Return a function that opens a stage on the store, as a start or another node does."""

    async def start(seed="1", bus=None, **changed):
        changed = attrs.evolve(settings, **changed)
        return Stage(await furnish(store, changed, TALLY, secrets_from(seed), bus=bus, clock=clock))

    return start


@pytest.fixture
async def w(opened, inbox, clock, store):
    """The world of a test. The key of its tokens is known."""
    await store.keep(KEY, "", "5a" * 32)
    stage = await opened()
    for name in ("ann", "bob"):
        await stage.create_account(name, "a password")
        stage.enter(name)
    return World(stage, inbox, clock, store, opened)
