"""The example programs in Python, JavaScript and Go: each plays a whole game with protocol 1, on both kinds of port."""

import asyncio
import shutil
import sys
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

EXAMPLES = Path(__file__).resolve().parents[2] / "help/host/programs"
TOOLS = {"player.py": [sys.executable], "player.js": ["node"], "player.go": ["go", "run"]}
QUICKLY = Limits(lines_per_second=1e6, bytes_per_second=10**9)


@pytest.fixture
async def port_of():
    """A function that opens a port of a server in memory."""
    place = await furnish(MemoryStore(), SETTINGS, games(), secrets_from("4"), new_salt=secrets_from("5"))
    doors = []

    async def open_(*, program):
        serving = partial(visit, place.host, place.dispatcher)
        doors.append(await listen("127.0.0.1", 0, serving, admission=Admission(QUICKLY), program=program))
        return doors[-1].port

    yield open_
    for door in doors:
        await door.close(grace=0.1)
    await place.kept()
    place.workers.close()


@pytest.mark.parametrize("program", [False, True], ids=["port", "machine_port"])
@pytest.mark.parametrize("example", TOOLS)
async def test_example_plays_a_whole_game(port_of, example, program):
    tool, *words = TOOLS[example]
    if not shutil.which(tool):
        pytest.skip(f"{tool} isn't installed")
    port = await port_of(program=program)
    command = [tool, *words, str(EXAMPLES / example), str(port), "liarsdice"]
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(DEADLINE):
        said, _ = await child.communicate()

    assert (0, "over") == (child.returncode, said.decode().splitlines()[-1])


def test_every_example_is_tried():
    assert {*TOOLS} == {file.name for file in EXAMPLES.iterdir()}
