"""The crash harness in short: a server killed while people play keeps what it acknowledged, and a loss is caught."""

import asyncio
import importlib.machinery
import importlib.util
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CRASH = Path(__file__).resolve().parents[2] / "scripts" / "crash"


@pytest.fixture
def crash():
    """The harness as a module."""
    loader = importlib.machinery.SourceFileLoader("crash", str(CRASH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("crash", loader))
    loader.exec_module(module)
    return module


def test_nothing_acknowledged_is_lost_when_the_server_is_killed():
    ran = subprocess.run(
        [sys.executable, CRASH, "--kills", "2", "--people", "4"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (0, True) == (ran.returncode, "0 promises broken" in ran.stdout), ran.stdout + ran.stderr


async def test_a_lost_move_and_an_invented_line_are_caught(crash, tmp_path):
    """The harness would see it: what a journal says and no log does is a broken promise."""
    server = crash.Server(tmp_path)
    server.start()
    client = crash.Client("ann", "bob", server, crash.random.Random(1), ["liedie"])
    task = asyncio.create_task(client.live())
    for _ in range(400):
        await asyncio.sleep(0 if client.acknowledged else 0.05)
    task.cancel()
    await asyncio.wait([task])
    server.end(signal.SIGTERM)
    assert await crash.judged(crash.SqliteStore.open(tmp_path / "lilygames.db"), [client]) == []

    client.acknowledged[1] += 100
    client.told.add("[liedie] Ada (house) throws 9 dice.")

    lost, invented = await crash.judged(crash.SqliteStore.open(tmp_path / "lilygames.db"), [client])
    assert "acknowledged" in lost
    assert "was told what no log tells: [liedie] Ada (house) throws 9 dice." in invented
