"""A reload that stops at chosen steps: what changes meanwhile is kept, and a next process that ends harms nobody."""

import asyncio
import signal
import subprocess
import sys

import pytest

from tests.deadline import DEADLINE
from tests.wire.test_people import WORD, registered, shell
from tests.wire.test_reload import OPTIONS, ROOT, Place, ended

NEW = "pears and apples"


@pytest.fixture
async def place(tmp_path):
    """A server whose next process waits after it has read."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, ROOT / "tests" / "wire" / "held_server.py", tmp_path),
        *("serve", "--port", "0", "--data", tmp_path / "data", *OPTIONS),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
    one = Place(process, int(said.rsplit(":", 1)[1]), tmp_path / "data")
    yield one
    await ended(one)


async def typed(client, *pairs):
    """Type lines, each after a text was shown."""
    for asked, line in pairs:
        await client.expect(asked)
        client.type(line)


async def login(dial, place, line):
    """Type a line at a login prompt, and return what is shown."""
    client = await dial(place.port, manner="silent")
    await typed(client, ("login: ", line))
    return await client.expect("in the lobby", "\nlogin: ", "wrong", "press Enter", "reserved")


async def test_changes_between_reading_and_taking_over_are_kept(place, dial, tmp_path):
    ann, bob, cat, dan, _ = [await registered(dial, place, name) for name in ("ann", "bob", "cat", "dan", "eve")]
    place.process.send_signal(signal.SIGHUP)
    async with asyncio.timeout(DEADLINE):
        while not (tmp_path / "read").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
    ann.type("/password")
    await typed(ann, ("Old password", WORD), ("New password", NEW), ("once more", NEW))
    await ann.expect("password")
    bob.type("/rename bert")
    await bob.expect("bert")
    fay = await registered(dial, place, "fay")
    assert 0 == (await shell(place.data, "delete", "cat", "--yes"))[0]
    await cat.expect("Your account was deleted")
    assert 0 == (await shell(place.data, "role", "dan", "sysop"))[0]
    assert 0 == (await shell(place.data, "ban", "eve", "--for", "1d", "--why", "spam", "--yes"))[0]
    (tmp_path / "go-on").touch()
    assert b"listening" in await asyncio.wait_for(place.process.stdout.readline(), DEADLINE)
    dan.type("/warn fay Please be kind.")
    await fay.expect("Please be kind.")
    expected = {
        f"ann {WORD}": "Refused: wrong",
        f"ann {NEW}": "in the lobby",
        f"bob {WORD}": "bob is now called bert",
        "fay no": "Refused: wrong",
        "cat": '"cat" is a reserved',
        f"eve {WORD}": "The reason: spam",
    }
    for line, answer in expected.items():
        assert answer in await login(dial, place, line), line


async def test_server_goes_on_if_the_next_process_ends_while_it_takes_over(place, dial, tmp_path):
    for name in ("go-on", "end"):
        (tmp_path / name).touch()
    ann, bob = [await registered(dial, place, name) for name in ("ann", "bob")]
    ann.type("/new liarsdice")
    await ann.expect("/start")
    for number in range(3):
        if number == 2:
            (tmp_path / "end").unlink()
        await place.begin_anew()
        ann.type(f"bob;message {number}")
        await bob.expect(f"message {number}")
        bob.type("/tables")
        await bob.expect("Dice")
        await registered(dial, place, f"new{'abc'[number]}")
