"""A store that goes away in the middle of a reload: people stay connected, are told once, and nothing is lost."""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from lilygames.server.settings import local_engines
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]
OPTIONS = "--hash-memory 8192 --hash-time 1 --lines-per-second 1000 --log-format json".split()
TOLD = "can't reach its database"


class Served:
    """A server whose log is read."""

    def __init__(self, process):
        self.process = process
        self.port = 0

    async def event(self, *events):
        """Return when one of some events is logged."""
        async with asyncio.timeout(DEADLINE):
            while line := (await self.process.stderr.readline()).decode():
                if '"event": "listening"' in line and not self.port:
                    self.port = int(line.split("127.0.0.1:")[1].split('"')[0])
                if any(f'"event": "{event}"' in line for event in events):
                    return
        pytest.fail(f"the server ended before {events}")

    async def reload(self):
        """Ask it to reload, and return when it has begun to."""
        self.process.send_signal(signal.SIGHUP)
        await self.event("reloading")


@pytest.fixture
async def serve(tmp_path):
    """A function that starts a server with some options."""
    begun = []

    async def start(*options):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", tmp_path / "data", *OPTIONS, *options,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        begun.append(process)
        served = Served(process)
        await served.event("started")
        return served

    yield start
    for process in begun:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def came(dial, served, name):
    """Log in a guest, and return their client."""
    client = await dial(served.port, manner="silent")
    await client.expect("login: ")
    client.type(name)
    await client.expect("as a guest: ")
    client.type("")
    await client.expect("in the lobby")
    return client


async def talks_on(served, ann, bob):
    """Type while the store is away, and hear it when it is back; return a function that checks that."""
    await served.event("waiting for the store")
    ann.type("said while it is away")
    await ann.expect(TOLD)

    async def heard():
        await served.event("started")
        before = await bob.expect("said while it is away")
        ann.type("said afterwards")
        after = await bob.expect("said afterwards")
        assert 0 == (before + after).count(TOLD)
        assert 0 == after.count("said while it is away")

    return heard


@pytest.fixture
def engine():
    """A PostgreSQL that a test may kill."""
    try:
        with local_engines.postgres() as running:
            yield running
    except local_engines.Missing as missing:
        pytest.skip(str(missing))


async def test_node_waits_for_a_database_that_goes_away_between_the_check_and_the_start(serve, dial, engine):
    """Bob, who types nothing meanwhile, reads nothing of it."""
    served = await serve("--store", engine.url(), "--bus", "postgres")
    ann, bob = [await came(dial, served, name) for name in ("ann", "bob")]
    await served.reload()
    await asyncio.to_thread(engine.kill)
    heard = await talks_on(served, ann, bob)
    await asyncio.to_thread(engine.start)
    await heard()


async def locked(file):
    """Return the lock of a data file as soon as the old process has given it up."""
    lock = os.open(file, os.O_RDWR)
    async with asyncio.timeout(DEADLINE):
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            await asyncio.sleep(0.001)


async def test_server_waits_for_a_data_file_that_another_process_uses_for_a_moment(serve, dial, tmp_path):
    """As a backup or a virus scanner might."""
    served = await serve()
    ann, bob = [await came(dial, served, name) for name in ("ann", "bob")]
    await served.reload()
    lock = await locked(tmp_path / "data" / "lilygames.db-lock")
    try:
        heard = await talks_on(served, ann, bob)
    finally:
        os.close(lock)
    await heard()


async def test_server_waits_until_a_data_file_that_is_damaged_meanwhile_is_put_back(serve, dial, tmp_path):
    """It is damaged between the check and the start."""
    served = await serve()
    ann, bob = [await came(dial, served, name) for name in ("ann", "bob")]
    await served.reload()
    lock = await locked(tmp_path / "data" / "lilygames.db-lock")
    file = tmp_path / "data" / "lilygames.db"
    whole = file.read_bytes()
    file.write_bytes(b"damaged" + whole[7:])
    heard = await talks_on(served, ann, bob)
    os.close(lock)
    await served.event("waiting for the store")
    file.write_bytes(whole)
    await heard()
