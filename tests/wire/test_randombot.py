"""Test that the bundled bot plays every game over a socket, and that all rows it reads match the published schema."""

import asyncio
import json
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.wire.limits import Limits
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, secrets_from
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.deadline import DEADLINE
from tests.schemas import misfits

BOT = Path(__file__).resolve().parents[2] / "scripts/randombot"
QUICKLY = Limits(lines_per_second=1e6, bytes_per_second=10**9)


@pytest.fixture
async def port():
    """The port of a server in memory, with secrets that make for short games."""
    place = await furnish(MemoryStore(), SETTINGS, games(), secrets_from("4"), new_salt=secrets_from("5"))
    door = await listen("127.0.0.1", 0, partial(visit, place.host, place.dispatcher), admission=Admission(QUICKLY))
    yield door.port
    await door.close(grace=0.1)
    await place.kept()
    place.workers.close()


@pytest.fixture
async def overheard(port):
    """A port that leads to the server, and the rows that came back through it."""
    rows = []

    async def carry(source, sink, keep=None):
        with suppress(ConnectionError):
            while row := await source.readline():
                sink.write(row)
                if keep is not None:
                    keep(row)
        sink.close()

    async def relay(reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        await asyncio.gather(carry(reader, back), carry(there, writer, rows.append))

    async with await asyncio.start_server(relay, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], rows


@pytest.mark.parametrize("game", sorted(games()))
async def test_bot_plays_a_whole_game(overheard, game):
    port, rows = overheard
    command = (sys.executable, BOT, str(port), game, "1")
    bot = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    async with asyncio.timeout(DEADLINE):
        said, trouble = await bot.communicate()
    read = [json.loads(row) for row in rows if row.startswith(b"{")]

    assert (0, b"") == (bot.returncode, trouble)
    assert b"Game over: " in said
    assert [] == [wrong for row in read for wrong in misfits(row)]
    assert {"line", "name", "table", "view", "hand", "moves", "event"} <= {key for row in read for key in row}


def test_bot_is_short_and_needs_only_python():
    """At most forty rows, with imports only from the standard library."""
    rows = BOT.read_text("utf-8").splitlines()

    assert len(rows) <= 40
    assert {row.split()[1] for row in rows if row.startswith(("import ", "from "))} <= sys.stdlib_module_names
