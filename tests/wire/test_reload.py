"""A place that begins anew while people are connected: nobody is dropped, no line is lost, none comes twice."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = "--house-pause-min 0 --house-pause-max 0.05 --hash-memory 8192 --hash-time 1 --lines-per-second 1000".split()
OPTIONS += ["--connections-per-address", "2000", "--connects-per-minute", "100000", "--logins-at-once", "2000"]


class Place:
    """A server that begins anew when asked."""

    def __init__(self, process, port):
        self.process = process
        self.port = port

    async def begin_anew(self):
        """Ask it to, and return when it listens again."""
        self.process.send_signal(signal.SIGHUP)
        said = await asyncio.wait_for(self.process.stdout.readline(), 20)
        assert said == f"listening: telnet 127.0.0.1:{self.port}\n".encode()


@pytest.fixture
async def place(tmp_path):
    """A server over an empty data folder."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", tmp_path / "data", *OPTIONS,
        stdout=subprocess.PIPE, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
    yield Place(process, int(said.rsplit(":", 1)[1]))
    if process.returncode is None:
        process.kill()
        await process.wait()


async def came(dial, place, name, **manner):
    """Return the client of a guest who has come in."""
    client = await dial(place.port, **manner)
    await client.expect("login: ")
    client.type(name)
    await client.expect("as a guest: ")
    client.type("")
    await client.expect("/quick starts a game)")
    return client


async def test_who_talks_is_heard_once_by_everybody_before_and_after(place, dial):
    """Passing a socket on drops nobody and loses no line."""
    ann, bob = await came(dial, place, "ann", manner="silent"), await came(dial, place, "bob", manner="stubborn")
    for number in range(12):
        ann.type(f"number {number} of ann")
        if number % 4 == 1:
            await place.begin_anew()
    heard = await bob.expect("number 11 of ann")

    assert [str(number) for number in range(12)] == re.findall(r"number (\d+) of ann", heard)


async def test_a_line_half_typed_is_finished_afterwards(place, dial):
    """What came before the handover and what comes after it are one line."""
    ann, bob = await came(dial, place, "ann", manner="silent"), await came(dial, place, "bob", manner="silent")
    ann.press(b"half before, ")
    await asyncio.sleep(0.2)
    await place.begin_anew()
    ann.press(b"half after\n")

    assert "half before, half after" in await bob.expect("half after")


async def test_an_editor_goes_on_with_its_line(place, dial):
    """A terminal whose line we edit keeps it, and the line can be finished."""
    ann, bob = await came(dial, place, "ann", manner="keyed"), await came(dial, place, "bob", manner="silent")
    await asyncio.sleep(0.2)
    ann.press(b"once upon ")
    await asyncio.sleep(0.2)
    await place.begin_anew()
    ann.press(b"a time\r")

    assert "once upon a time" in await bob.expect("a time")


async def test_a_game_goes_on_where_it_stood(place, dial):
    """The seat, the table and the turn are as they were, and nothing is said again."""
    ann = await came(dial, place, "ann", manner="silent")
    ann.type("/quick liedie")
    await ann.expect("Your turn: ")
    await place.begin_anew()
    ann.type("/table")
    shown = await ann.expect("Seal ")

    assert "reattached" not in shown
    assert 0 == shown.count("Your turn")
    assert "Table #1, Lie Die" in shown


async def test_who_is_about_to_log_in_is_asked_again(place, dial):
    """Nobody is dropped who has not given a name yet."""
    ann = await dial(place.port, manner="silent")
    await ann.expect("login: ")
    await place.begin_anew()
    await ann.expect("login: ")
    ann.type("guest")

    assert "you are in lobby" in await ann.expect("starts a game)")
