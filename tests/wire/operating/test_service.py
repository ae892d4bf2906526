"""Test a real server as a service: what systemd is told in a start, a slow restart and a stop."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]
SLOW = """
import os, time
if "LILYGAMES_HANDOVER" in os.environ:  # only the process that takes over
    time.sleep(1)
"""
"""A start that takes longer than three times the watchdog's limit, before the event loop runs."""


@pytest.fixture
async def service(tmp_path):
    """A server with a watchdog of 0.3 seconds, and the socket where it reports."""
    (tmp_path / "sitecustomize.py").write_text(SLOW)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(DEADLINE)
        given = {
            "NOTIFY_SOCKET": systemd.getsockname(),
            "WATCHDOG_USEC": "300000",
            "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT, ROOT / "rules"))),
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", tmp_path / "data"),
            env=os.environ | given,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        yield process, systemd
        if process.returncode is None:
            process.kill()
            await process.wait()


async def told(systemd, last):
    """Return what is said until something, without pings."""

    def read():
        found = []
        while not found or found[-1][0] != last:
            found.append([line for line in systemd.recv(4096).decode().split("\n") if not line.startswith("STATUS=")])
        return found

    return [message for message in await asyncio.to_thread(read) if message != ["WATCHDOG=1"]]


async def test_start_slow_restart_and_stop_are_told_in_order(service):
    """EXTEND_TIMEOUT_USEC comes before the new program starts: while it loads, nobody can ping."""
    process, systemd = service
    *waiting, ready = await told(systemd, "READY=1")
    assert ["READY=1"] == ready
    assert all(message == ["WATCHDOG=1", "EXTEND_TIMEOUT_USEC=10000000"] for message in waiting)
    assert waiting

    process.send_signal(signal.SIGHUP)
    (reloading,) = await told(systemd, "RELOADING=1")
    assert {"RELOADING=1", "EXTEND_TIMEOUT_USEC=90000000"} < set(reloading)
    assert ["READY=1"] == (await told(systemd, "READY=1"))[-1]

    process.terminate()
    assert [["STOPPING=1"]] == await told(systemd, "STOPPING=1")
    assert 0 == await asyncio.wait_for(process.wait(), DEADLINE)
