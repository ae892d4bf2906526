"""A gigabyte of finished games goes into the archive while people play, and after a kill."""

import asyncio
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lilygames.store import Draft
from lilygames.store.shell.copying import filling
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.archive.archived_logs import WithArchive
from lilygames.tables.archive.archiving import Archiving

from .archiver import opened

pytestmark = pytest.mark.slow
GAMES = {"sqlite": 27_000, "postgres": 6_000}
"""Games of 142 entries: a gigabyte in a data file, and 300 MB in a database."""
AT_ONCE = 20
"""Logs that are compared together."""
ROOM = 4_000_000_000
"""Free bytes in memory that the data file may use."""
KILLED = 30_000
"""Calls after which the first archiver is killed."""


async def filled(url, ohell, games):
    """Write the same game again and again."""
    header, entries = ohell
    async with filling(url) as new:
        for first in range(1, games + 1, 10):
            numbers = range(first, min(first + 10, games + 1))
            rows = [(INDEX, number, header.at, header.by, header.body, f"open {number}") for number in numbers]
            rows += [
                (f"table/{number}", one.seq, one.at, one.by, one.body, one.cmd) for number in numbers for one in entries
            ]
            await new.put("entry", rows)


@pytest.fixture
def folder():
    """A folder in memory if it is large enough: a commit for each ten games would wait for the disk for minutes."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    with tempfile.TemporaryDirectory(dir=memory if roomy else None) as place:
        yield Path(place)


async def play(store, over):
    """Append to a table that is open until that is over, and return what was acknowledged."""
    landed = []
    while not over.is_set():
        landed += await store.append("table/0", len(landed), [Draft("ann", "{}")], cmd=str(len(landed)))
        await asyncio.sleep(0.01)
    return landed


@pytest.mark.parametrize("engine", GAMES)
async def test_every_log_is_the_same_and_small(engine, ohell, folder, request):
    games = GAMES[engine]
    url = f"sqlite:{folder}/lily.db" if engine == "sqlite" else request.getfixturevalue("database")
    await filled(url, ohell, games)
    command = [sys.executable, str(Path(__file__).with_name("archiver.py")), url, str(KILLED)]
    ended = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True)
    assert -signal.SIGKILL == ended.returncode, ended

    store, packs = await opened(url)
    over = asyncio.Event()
    playing = asyncio.create_task(play(store, over))
    moved = sum([one.games async for one in Archiving(store, packs).run(4e9)])
    over.set()
    landed = await playing

    assert 0 < moved < games
    assert landed
    assert tuple(landed) == (await store.read("table/0", 0, len(landed) + 1)).entries
    kept = WithArchive(store, packs)
    for first in range(1, games + 1, AT_ONCE):
        logs = [f"table/{number}" for number in range(first, min(first + AT_ONCE, games + 1))]
        assert {tuple(ohell[1])} == {page.entries for page in await asyncio.gather(*map(kept.read, logs))}, first
    while await store.vacuum(1 << 24):
        pass
    if engine == "sqlite":  # a database keeps the space for new entries
        assert (await store.size() + await packs.size()) / games < 5000
        await packs.close()
    await store.close()
