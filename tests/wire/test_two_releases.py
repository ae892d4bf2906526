"""Two releases share a database and a bus: people play across both, and then while its tables are converted."""

import asyncio
import io
import os
import subprocess
import sys
import tarfile
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest

from lilygames.server.local_engines import free_port
from lilygames.store.copying import reading
from tests.deadline import DEADLINE
from tests.store.release_0_1 import connected
from tests.upgrade.caller import ROOT, SETTINGS, Caller, Player, number, state

pytestmark = pytest.mark.slow
EARLIER = {
    "release 0.1": "5cc79966ce6c8a10967925207ae932fe98a02e9d",
    "the last one with the old tables": "2913dd0ab55a82a2dc7ed90f16999cfb04f6d1f0^",
}
"""Commits whose nodes can't read today's tables."""
PASSWORD = "pears in a bowl 7"
SOON = """
import sys
from lilygames.server import retention
retention.FIRST_GLANCE, retention.GLANCE = 1.0, 2.0
from lilygames.server.cli import main
main(sys.argv[1:])
"""
"""A server of today that looks for old data every two seconds instead of every hour."""
_FILL = """
INSERT INTO entry SELECT 'filler/' || log, seq, 1.7e9 + seq, 'ann', '[]', md5(log || ' ' || seq)
FROM generate_series(1, 1000) log CROSS JOIN generate_series(1, 100) seq
"""
"""Entries that take a while to convert."""


@pytest.fixture(params=EARLIER.values(), ids=EARLIER)
def earlier(request, tmp_path):
    """The source tree of an earlier release, from the history of this clone."""
    packed = subprocess.run(["git", "archive", request.param], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip("this clone has no history")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(tmp_path / "earlier", filter="data")
    return tmp_path / "earlier"


@asynccontextmanager
async def node(tree, data, *options, program=("-m", "lilygames")):
    """Run a node from a source tree, yield its process and port, and stop it cleanly."""
    port, said = free_port(), data.with_suffix(".log").open("wb")
    command = (sys.executable, *program, "serve", "--port", str(port), "--data", str(data), *options, *SETTINGS)
    environment = os.environ | {"PYTHONPATH": str(tree)}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=said, cwd="/", env=environment
    )
    said.close()
    try:
        await asyncio.wait_for(process.stdout.readline(), DEADLINE)
        yield process, port
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.wait(), DEADLINE)


@asynccontextmanager
async def people(port, *names, new=True):
    """Log in people, for the first time or again, and yield players."""
    callers = [await Caller.enter(port, name, PASSWORD, *([PASSWORD] if new else [])) for name in names]
    yield [Player(caller, "1") for caller in callers]
    for caller in callers:
        caller.leave()


async def begun(host, *others):
    """Open a table, seat the others, start its game and return its room."""
    caller = host.caller
    before = {number(caller, room) for room in caller.tables}
    await caller.ask("/new ohell max=3")
    (room,) = [room for room in caller.tables if number(caller, room) not in before]
    for other in others:
        async with asyncio.timeout(DEADLINE):
            while number(other.caller, room) != number(caller, room):  # a node learns of a new table a moment later
                await other.caller.ask(f"/sit {room}")
                await asyncio.sleep(0.3)
    await caller.ask(f"/at {room} start")
    return room


async def finished(room, *players):
    """Play a game to its end, and return its number."""
    for player in players:
        player.left.clear()
        player.play(room)
    caller = players[0].caller
    await caller.until(lambda: state(caller, room) == "over")
    return number(caller, room)


async def game(*players):
    """Play a game at the table of the first player, and return its number."""
    return await finished(await begun(*players), *players)


async def interrupted(*players):
    """Play the first hand of a game, in which each player bids and plays once, and return the room."""
    room = await begun(*players)
    for player in players:
        player.left.clear()
        player.play(room, 2)
    async with asyncio.timeout(DEADLINE):
        while any(player.left[room] for player in players):  # noqa: ASYNC110 - several connections hear of it
            await asyncio.sleep(0.1)
    return room


async def entries_of(url):
    """Return all entries of a database, by log and position."""
    async with reading(url, alone=False) as kept:
        return {row[:2]: row[2:] async for rows in kept.rows("entry") for row in rows}


async def tables_of(url):
    """Return which tables of entries a database has."""
    async with connected(url) as db:
        found = await db.fetch("SELECT relname FROM pg_class WHERE relname IN ('entry', 'old_entry', 'log_entry')")
        return {row["relname"] for row in found}


async def test_people_play_across_two_releases_and_while_the_tables_are_converted(
    earlier, database, nats_server, tmp_path
):
    shared = "--store", database, "--bus", nats_server.url
    async with AsyncExitStack() as running:
        old, old_port = await running.enter_async_context(node(earlier, tmp_path / "old", *shared))
        async with connected(database) as db:
            await db.execute(_FILL)
        soon = node(ROOT, tmp_path / "new", *shared, program=("-c", SOON))
        _, port = await running.enter_async_context(soon)
        ann, bob = await running.enter_async_context(people(old_port, "ann", "bob"))
        cyd, dot = await running.enter_async_context(people(port, "cyd", "dot"))

        played = [await game(ann, cyd), await game(cyd, bob, dot), await game(dot, ann, bob, cyd)]
        for player in (ann, cyd, bob, dot):
            await player.caller.ask(f"-lobby;{player.caller.name} was at an earlier release")
        await asyncio.sleep(5)  # the new node looks twice
        assert {"entry"} == await tables_of(database)

        room = await interrupted(ann, cyd, bob)
        old.terminate()
        await asyncio.wait_for(old.wait(), DEADLINE)
        before = await entries_of(database)
        ann, bob = await running.enter_async_context(people(port, "ann", "bob", new=False))
        played.append(await finished(room, cyd, ann, bob))
        between = 0
        while (tables := await tables_of(database)) != {"log_entry"}:
            between += "log_entry" in tables
            played.append(await game(ann, cyd, bob))
            await dot.caller.ask(f"-lobby;{len(played)} games are over")

        review = "".join(await bob.caller.ask("/review lobby 1000"))
        assert between
        assert all(f"{name} was at an earlier release" in review for name in ("ann", "bob", "cyd", "dot"))
        assert all(f"{count} games are over" in review for count in range(5, len(played) + 1))
        for table in played:
            verified = await cyd.caller.ask(f"/verify {table}")
            assert any(row.startswith("Match: ") for row in verified), verified
        after = await entries_of(database)
        assert before == {place: after[place] for place in before}
