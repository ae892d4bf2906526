"""Test the crash harness: a server killed during play keeps what it acknowledged, and a loss is detected."""

import asyncio
import importlib.machinery
import importlib.util
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

CRASH = Path(__file__).resolve().parents[3] / "scripts" / "crash"


@pytest.fixture
def crash(monkeypatch):
    """The harness as a module."""
    loader = importlib.machinery.SourceFileLoader("crash", str(CRASH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("crash", loader))
    monkeypatch.setitem(sys.modules, "crash", module)  # attrs looks up the module of its classes
    loader.exec_module(module)
    return module


def ran(*options):
    """Run the harness to its end, and return it."""
    command = [sys.executable, CRASH, "--people", "4", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=5 * DEADLINE, check=False)


def test_nothing_acknowledged_is_lost_when_the_server_is_killed():
    """Once at each of the points."""
    done = ran("--kills", "4")

    assert (0, True) == (done.returncode, ", 0 promises broken" in done.stdout), done.stdout + done.stderr


def test_acknowledgement_before_the_commit_is_detected():
    done = ran("--kills", "2", "--points", "before-commit", "--plant", "early-acknowledgement")

    assert 1 == done.returncode, done.stdout + done.stderr
    assert re.search(r"player\d at \d+: (\d+) acknowledged, \d+ saved: .+ \(before-commit:\d+, life \d\)", done.stdout)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_after_many_kills():
    done = ran("--kills", "40", "--seed", "2")

    assert (0, True) == (done.returncode, ", 0 promises broken" in done.stdout), done.stdout + done.stderr


async def test_lost_move_and_invented_line_are_detected(crash, tmp_path):
    """The harness compares journals with logs: a move in a journal but not in a log is an error."""
    server = crash.Server(tmp_path)
    server.start()
    client = crash.Client("ann", "bob", server, crash.random.Random(1), ["liedie"])
    task = asyncio.create_task(client.live())
    async with asyncio.timeout(DEADLINE):
        while not client.acknowledged:  # noqa: ASYNC110 - it can only be looked at
            await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    server.end(signal.SIGTERM)
    assert () == (await crash.judged(crash.SqliteStore.open(tmp_path / "lilygames.db"), [client])).broken

    client.acknowledged[crash.Made(1, "a lie")] += 1
    client.told.add("[liedie] Ada throws 9 dice.")

    lost, invented = (await crash.judged(crash.SqliteStore.open(tmp_path / "lilygames.db"), [client])).broken
    assert "ann at 1: 1 acknowledged, 0 saved: a lie" == lost
    assert "was told something that is in no log: [liedie] Ada throws 9 dice." in invented


LOG = """2026-01-01T00:00:00Z [warning  ] a room is slow
2026-01-01T00:00:01Z [error    ] a room's job failed            room=ohell
Traceback (most recent call last):
  File "live.py", line 3, in act
ZeroDivisionError: division by zero"""


def test_server_error_is_printed_with_its_traceback(crash):
    assert LOG.splitlines()[1:] == crash.complaints(LOG)
    assert [] == crash.complaints(LOG.splitlines()[0])


class BrokenClient:
    """A client with a bug."""

    name, connected, visits = "ann", False, 0

    def __init__(self):
        self.acknowledged, self.began, self.told = Counter(), Counter(), set()

    async def live(self):
        raise ZeroDivisionError("a bug of the harness")


class NoServer:
    """A server that ends at once."""

    def __init__(self, data):
        self.data = data

    def start(self, dies_at):
        pass

    def dies(self, death):
        return death.point == "anytime"


async def test_client_error_is_printed_with_its_traceback(crash, tmp_path):
    """It used to end silently, and then nobody played."""
    await crash.SqliteStore.open(tmp_path / "lilygames.db").close()
    storm = crash.Storm(NoServer(tmp_path), [BrokenClient()])
    await storm.blow([crash.Death("anytime", 1, 0)])

    (told,) = storm.broken
    assert "Traceback (most recent call last):" in told
    assert told.endswith("ZeroDivisionError: a bug of the harness")


async def test_point_at_which_no_run_ends_is_an_error(crash, tmp_path):
    """A point that the store doesn't pass any more would check nothing."""
    await crash.SqliteStore.open(tmp_path / "lilygames.db").close()
    storm = crash.Storm(NoServer(tmp_path), [])
    await storm.blow([crash.Death("before-write", 1, 0), crash.Death("anytime", 1, 0)])

    assert ["before-write: no run ended there, so nothing was checked"] == storm.broken


def test_output_is_printed_if_the_server_ends_by_an_error(crash, tmp_path):
    server = crash.Server(tmp_path)
    server.port = "none"
    death = crash.Death("before-write", 1, 0)
    server.start(death.where)
    with pytest.raises(RuntimeError, match="the server has ended by itself"):
        server.dies(death)


def test_output_is_printed_if_the_server_does_not_start(crash, tmp_path):
    (tmp_path / "lilygames.db").write_text("no database")
    with pytest.raises(RuntimeError, match="the server doesn't start"):
        crash.Server(tmp_path).start()
