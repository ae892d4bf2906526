"""Test `lilygames people` with a running server and without one, and a ban on two nodes."""

import asyncio
import sys
import uuid

import pytest

from tests.deadline import DEADLINE
from tests.wire.reload.test_reload import ROOT, ended, served

WORD = "plums and pears"


async def shell(data, *words, store=""):
    """Run `lilygames people`, and return its exit code and output."""
    more = ["--config", store] if store else []
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lilygames", "people", *words, "--data", str(data), *more),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said, complaint = await asyncio.wait_for(process.communicate(), DEADLINE)
    return process.returncode, (said if process.returncode == 0 else complaint).decode()


@pytest.fixture
async def place(tmp_path):
    """A server on an empty data folder."""
    one = await served(tmp_path / "data")
    yield one
    await ended(one)


async def registered(dial, place, name):
    """Register a name, and return its client."""
    client = await dial(place.port, manner="silent")
    for asked, line in (("login: ", name), ("as a guest: ", WORD), ("once more: ", WORD)):
        await client.expect(asked)
        client.type(line)
    await client.expect("in the lobby")
    return client


async def test_first_sysop_is_appointed_in_a_running_server(place, dial):
    whammy, bob = await registered(dial, place, "whammy"), await registered(dial, place, "bob")
    whammy.type("/warn bob no")
    await whammy.expect("only moderators and sysops")
    assert (0, "whammy is now a sysop.\n") == await shell(place.data, "role", "whammy", "sysop")
    whammy.type("/warn bob Please be kind.")

    assert "*** whammy warned you ***" in await bob.expect(" - Please be kind.")
    assert "whammy           sysop\n" in (await shell(place.data, "list"))[1]


async def test_roles_and_bans_without_a_server_hold_when_it_starts(place, dial, tmp_path):
    await registered(dial, place, "whammy")
    await registered(dial, place, "bob")
    place.process.terminate()
    await asyncio.wait_for(place.process.wait(), DEADLINE)
    assert (0, "whammy is now a sysop.\n") == await shell(place.data, "role", "whammy", "sysop")
    code, said = await shell(place.data, "ban", "bob", "--for", "1d", "--why", "spam", "--yes")
    assert (0, True) == (code, "bob is banned until" in said)
    again = await served(tmp_path / "data")
    try:
        bob = await dial(again.port, manner="silent")
        await bob.expect("login: ")
        bob.type(f"bob {WORD}")
        assert "The reason: spam" in await bob.expect("press Enter: ")
        bob.type("I am sorry.")
        assert "(Your appeal was sent to the staff.)" in await bob.until_gone()
        whammy = await dial(again.port, manner="silent")
        await whammy.expect("login: ")
        whammy.type(f"whammy {WORD}")
        assert "1 report waits" in await whammy.expect("type /reports)")
    finally:
        await ended(again)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["role", "nobody-here", "sysop"], "nobody is called"),
        (["ban", "0.0.0.0/0", "--why", "x", "--yes"], "too wide"),
        (["ban", "bob", "--why", "x", "--for", "forever"], "a time is like"),
        (["ban", "whammy", "--why", "x", "--yes"], "Take the role away first"),
        (["unban", "bob", "--why", "x"], "bob isn't banned"),
        (["show", "nobody-here"], "nobody is called"),
    ],
)
async def test_bad_input_is_refused_in_a_sentence(place, dial, words, expected):
    await registered(dial, place, "whammy")
    await registered(dial, place, "bob")
    await shell(place.data, "role", "whammy", "sysop")
    code, said = await shell(place.data, *words)

    assert (2, True, True) == (code, expected in said, "Traceback" not in said)


async def test_ban_without_yes_asks_and_does_nothing(place, dial):
    bob = await registered(dial, place, "bob")
    code, _ = await shell(place.data, "ban", "bob", "--why", "spam")
    bob.type("/who")

    assert 0 != code
    assert "bob" in await bob.expect("here)")


async def test_ban_at_one_node_ends_the_connection_at_the_other(tmp_path, server, dial):
    """The node that didn't ban follows the audit log, also if the ban was written without any node."""
    url = server.create(f"people_{uuid.uuid4().hex}")
    one, other = [await served(tmp_path / name, "--store", url, "--bus", "postgres") for name in ("one", "other")]
    settings = tmp_path / "place.toml"
    settings.write_text(f'store = "{url}"\n')
    try:
        ann, bob = await registered(dial, other, "ann"), await registered(dial, other, "bob")
        assert 0 == (await shell(one.data, "ban", "ann", "--why", "spam", "--yes"))[0]
        assert "The reason: spam" in await ann.until_gone()
        told = await shell(tmp_path / "nowhere", "ban", "bob", "--why", "spam", "--yes", store=str(settings))
        assert 0 == told[0], told
        assert "The reason: spam" in await bob.until_gone()
    finally:
        for each in (one, other):
            await ended(each)
