"""A reload that stops at chosen steps: what changes meanwhile is kept, and a next process that ends harms nobody."""

import asyncio
import signal
import subprocess
import sys

import pytest

from tests.deadline import DEADLINE
from tests.wire.operating.test_people import WORD, registered, shell
from tests.wire.reload.test_reload import OPTIONS, ROOT, Place, ended

NEW = "pears and apples"


async def served(folder, data, *options):
    """Start a server whose next process waits in a folder after it has read."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, ROOT / "tests" / "wire" / "reload" / "held_server.py", folder),
        *("serve", "--port", "0", "--data", data, *OPTIONS, *options),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
    return Place(process, int(said.rsplit(":", 1)[1]), data)


@pytest.fixture
async def place(tmp_path):
    """A server whose next process waits after it has read."""
    one = await served(tmp_path, tmp_path / "data")
    yield one
    await ended(one)


@pytest.fixture
async def nodes(tmp_path, database, nats_server):
    """Two nodes of a place; the next process of the first one waits after it has read."""
    shared = ("--store", database, "--bus", nats_server.url)
    both = [await served(tmp_path, tmp_path / data, *shared) for data in ("first", "second")]
    yield both
    for one in both:
        await ended(one)


async def held(place, folder):
    """Begin a reload, and return when the next process has read and waits."""
    place.process.send_signal(signal.SIGHUP)
    async with asyncio.timeout(DEADLINE):
        while not (folder / "read").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)


async def goes_on(place, folder):
    """Let the next process go on, and return when it listens."""
    (folder / "go-on").touch()
    assert b"listening" in await asyncio.wait_for(place.process.stdout.readline(), DEADLINE)


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
    await held(place, tmp_path)
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
    await goes_on(place, tmp_path)
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


@pytest.mark.parametrize("deletes", [False, True], ids=["changes only", "a deletion, too"])
async def test_changes_at_another_node_between_reading_and_taking_over_are_kept(nodes, dial, tmp_path, deletes):
    first, second = nodes
    ann, bob, cat, _ = [await registered(dial, second, name) for name in ("ann", "bob", "cat", "dan")]
    cat.type("/create tea Tea")
    await cat.expect("tea")
    cat.type("/new liarsdice")
    await cat.expect("/start")
    await registered(dial, first, "eve")
    await held(first, tmp_path)
    ann.type("/password")
    await typed(ann, ("Old password", WORD), ("New password", NEW), ("once more", NEW))
    await ann.expect("password")
    bob.type("/rename bert")
    await bob.expect("bert")
    bob.type("/create club Club")
    await bob.expect("club")
    bob.type("/sit liarsdice")
    await cat.expect("bert")
    cat.type("/retitle tea Tea and cards")
    await cat.expect("Tea and cards")
    await registered(dial, second, "fay")
    if deletes:
        assert 0 == (await shell(second.data, "delete", "dan", "--yes"))[0]
    await goes_on(first, tmp_path)
    expected = {
        f"ann {WORD}": "Refused: wrong",
        f"ann {NEW}": "in the lobby",
        f"bob {WORD}": "bob is now called bert",
        "fay no": "Refused: wrong",
    }
    if deletes:
        expected["dan"] = '"dan" is a reserved'
    for line, answer in expected.items():
        assert answer in await login(dial, first, line), line
    gil = await registered(dial, first, "gil")
    for line, answer in (("/what", "Tea and cards"), ("/what club", "Club"), ("/tables", "bert")):
        gil.type(line)
        await gil.expect(answer)


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
