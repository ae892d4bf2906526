"""The program on the page `/help seal bot`, run as it is printed against a real server."""

import asyncio
import sys
import textwrap
from functools import partial

import attrs
import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.wire.limits import Limits
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS
from lilygames.help import pages
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Revealed, Sealing
from lilygames.tables.state.visible import secret_in
from lilygames.tables.verify.verify import acts_of, verify
from tests.deadline import DEADLINE

QUICKLY = Limits(lines_per_second=1e6, bytes_per_second=10**9)


@pytest.fixture
def program(tmp_path):
    """The file of the printed program."""
    _, *rows = pages().rows["seal-bot"]
    file = tmp_path / "seal_bot.py"
    file.write_text(textwrap.dedent("\n".join(rows)))
    return file


@pytest.fixture
async def place():
    """A server in memory, where a start waits for the program."""
    furnished = await furnish(MemoryStore(), attrs.evolve(SETTINGS, commit_seconds=60), games())
    yield furnished
    await furnished.kept()
    furnished.workers.close()


async def finished(place):
    """Wait until table 1 is over, and return its header and entries."""
    async with asyncio.timeout(DEADLINE):
        while True:
            entries = await place.tables.archive.entries(1)
            if secret_in(entries):
                return await place.tables.archive.header(1), entries
            await asyncio.sleep(0.05)


async def test_printed_program_commits_reveals_and_plays_a_whole_game(place, program, tmp_path):
    door = await listen("127.0.0.1", 0, partial(visit, place.host, place.dispatcher), admission=Admission(QUICKLY))
    command = (sys.executable, program, str(door.port))
    bot = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, stderr=asyncio.subprocess.PIPE)
    try:
        header, entries = await finished(place)
    finally:
        await door.close(grace=0.1)
        _, trouble = await bot.communicate()
    acts = [*acts_of(entries)]
    (sealing,) = [act.sealing for act in acts if isinstance(act, Sealing)]
    (revealed,) = [act for act in acts if isinstance(act, Revealed)]
    receipts = (tmp_path / "receipts").read_text().split()

    assert (0, b"") == (bot.returncode, trouble)
    assert [revealed.name] == [name for name, _ in sealing.commits]
    assert revealed.nonce in receipts
    assert verify(header, entries, games()).match


def test_printed_program_needs_only_python(program):
    """It imports nothing of ours."""
    (imported,) = [row for row in program.read_text().splitlines() if row.startswith("import ")]

    assert {*imported.removeprefix("import ").split(", ")} <= sys.stdlib_module_names
