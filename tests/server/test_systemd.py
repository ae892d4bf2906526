"""Test what systemd is told, with a socket of our own in its place."""

import asyncio
import os
import socket
import threading

import pytest

from lilygames.server.process.systemd import Systemd
from tests.deadline import DEADLINE


@pytest.fixture
def systemd(tmp_path):
    """A socket like systemd's."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(DEADLINE)
        yield listener


@pytest.fixture
def environment(systemd):
    """The variables of a service with a watchdog of 50 milliseconds."""
    return {
        "NOTIFY_SOCKET": systemd.getsockname(),
        "WATCHDOG_USEC": "50000",
        "WATCHDOG_PID": str(os.getpid()),
    }


def told(systemd):
    """Return the next message, without the text for people."""
    return [line for line in systemd.recv(4096).decode().split("\n") if not line.startswith("STATUS=")]


def empty(systemd):
    """Take all messages that wait."""
    systemd.settimeout(0)
    try:
        while True:
            systemd.recv(4096)
    except BlockingIOError:
        systemd.settimeout(DEADLINE)


def test_nothing_is_sent_without_systemd():
    service = Systemd.of({}, os.getpid())

    service.ready()

    assert (None, "") == (service.watchdog, service.address)


def test_start_and_stop_are_told(systemd, environment):
    service = Systemd.of(environment, os.getpid())

    service.ready()
    service.stopping()

    assert [["READY=1"], ["STOPPING=1"]] == [told(systemd), told(systemd)]


def test_abstract_socket_is_found():
    """Its address begins with @ in the environment, and with a null byte for the kernel: unix(7)."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(DEADLINE)
        listener.bind(f"\0lilygames-{os.getpid()}")
        Systemd.of({"NOTIFY_SOCKET": f"@lilygames-{os.getpid()}"}, os.getpid()).ready()

        assert ["READY=1"] == told(listener)


def test_restart_is_told_with_its_time_and_asks_for_more(systemd, environment):
    """EXTEND_TIMEOUT_USEC gives the watchdog time, too: sd_notify(3)."""
    Systemd.of(environment, os.getpid()).reloading()

    kind, when, more, ping = told(systemd)
    assert ("RELOADING=1", "EXTEND_TIMEOUT_USEC=90000000", "WATCHDOG=1") == (kind, more, ping)
    assert when.removeprefix("MONOTONIC_USEC=").isdecimal()


@pytest.mark.parametrize(
    "given", [{"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "x"}, {"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": ""}]
)
def test_watchdog_of_another_process_and_none_are_ignored(environment, given):
    assert Systemd.of(environment | given, os.getpid()).watchdog is None


async def test_ping_comes_from_the_event_loop(systemd, environment):
    """While something blocks the loop, there is none; then they continue."""
    service, blocked, free = Systemd.of(environment, os.getpid()), threading.Event(), threading.Event()
    service.ready()
    seen = []

    def watched():
        blocked.wait(DEADLINE)
        empty(systemd)
        systemd.settimeout(0.3)  # six times as long as systemd waits
        try:
            seen.append(told(systemd))
        except TimeoutError:
            seen.append(None)
        systemd.settimeout(DEADLINE)
        free.set()

    async with service.pinged():
        assert [["READY=1"], ["WATCHDOG=1"]] == [await asyncio.to_thread(told, systemd) for _ in range(2)]
        other = asyncio.create_task(asyncio.to_thread(watched))
        await asyncio.sleep(0)
        blocked.set()
        free.wait(DEADLINE)  # blocks the event loop on purpose
        await other

        assert [None] == seen
        assert ["WATCHDOG=1"] == await asyncio.to_thread(told, systemd)


async def test_slow_start_asks_for_more_time_until_it_is_ready(systemd, environment):
    service = Systemd.of(environment, os.getpid())
    async with service.pinged():
        first = await asyncio.to_thread(told, systemd)
        service.ready()
        rest = [await asyncio.to_thread(told, systemd) for _ in range(3)]

    assert ["WATCHDOG=1", "EXTEND_TIMEOUT_USEC=10000000"] == first
    assert ["WATCHDOG=1"] == rest[-1]


def test_lost_socket_does_not_stop_the_server(tmp_path):
    Systemd.of({"NOTIFY_SOCKET": str(tmp_path / "gone")}, os.getpid()).ready()
