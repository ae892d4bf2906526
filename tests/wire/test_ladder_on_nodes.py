"""Ladders on real nodes over sockets, one of which is killed: everything happens exactly once."""

import asyncio
import re
import sys
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

from lilygames import codec
from lilygames.ladders.ladder import IDLE, WEEK, Body, Ended, Ladder, Midnight, Scored
from lilygames.ladders.season import season_of
from lilygames.server.settings.local_engines import Engine, free_port
from lilygames.store.postgres.postgres import PostgresStore
from tests.deadline import DEADLINE
from tests.wire.test_whole_server import QUICKLY, enter

SHIFTED = """
import pathlib, sys, time
right, shift = time.time, pathlib.Path(sys.argv.pop(1))
time.time = lambda: right() + float(shift.read_text())
from lilygames.server.shell.cli import main
main(sys.argv[1:])
"""
"""A server whose clock is wrong by the number of seconds in a file."""
PASSWORD = "correct horse"
DAY = 86400


class Nodes:
    """Two nodes on one database, and a file that moves their clocks."""

    def __init__(self, folder, url):
        self.url = url
        self.shift = folder / "shift"
        self.shift.write_text("0")
        command = (sys.executable, "-c", SHIFTED, str(self.shift), "serve", "--store", url, "--commit-seconds", "0")
        self.engines = []
        for name in ("one", "two"):
            own, port = folder / name, free_port()
            own.mkdir()
            options = ("--port", str(port), "--data", str(own / "data"), "--unsafe", "1", *QUICKLY)
            self.engines.append(Engine((*command, *options), port, own))

    async def start(self, number):
        await asyncio.to_thread(self.engines[number].start)

    async def kill(self, number):
        await asyncio.to_thread(self.engines[number].kill)

    async def stop(self):
        for engine in self.engines:
            await asyncio.to_thread(engine.kill)

    def port(self, number):
        return self.engines[number].port

    async def acts(self, season=""):
        """Return the acts in the log of a ladder."""
        store = await PostgresStore.open(self.url, unsafe=True)
        try:
            season = season or await store.find("ladder", "liarsdice")
            page = await store.read(f"ladder/liarsdice/{season}")
            return [codec.from_text(entry.body, Body).act for entry in page.entries]
        finally:
            await store.close()


@pytest.fixture
async def nodes(tmp_path, database):
    nodes = Nodes(tmp_path, database)
    try:
        await asyncio.gather(nodes.start(0), nodes.start(1))
        yield nodes
    finally:
        await nodes.stop()


async def back(dial, port, name):
    """Log someone in again."""
    client = await dial(port)
    await client.expect("login: ")
    client.type(name)
    await client.expect("password: ")
    client.type(PASSWORD)
    await client.expect("You're in ")
    return client


async def played(client, moves=100):
    """Make this many moves, or fewer if the game ends before; always the first one offered."""
    for _ in range(moves):
        client.type("1")
        if "Game over" in await client.expect("Your turn", "Game over"):
            return
    assert moves < 100


async def until(condition):
    """Return once a condition holds."""
    async with asyncio.timeout(DEADLINE):
        while not await condition():  # noqa: ASYNC110 - another process makes it true
            await asyncio.sleep(0.2)


def counted(acts):
    return Counter(type(act).__name__ for act in acts)


def folded(acts):
    """Return the ladder that a log tells of."""
    ladder = Ladder.opened(acts[0])
    for act in acts[1:]:
        ladder = ladder.after(act)
    return ladder


async def shown(client, line):
    """Return the rows of an answer."""
    client.type(line)
    client.type("/help words")
    return await client.expect("WORDS  ")


async def test_duel_is_decided_once_though_a_node_is_killed_in_mid_game(nodes, dial):
    ann, bob = await dial(nodes.port(0)), await dial(nodes.port(1))
    for client, name in ((ann, "ann"), (bob, "bob")):
        await enter(client, name, PASSWORD)
        client.type("/ladder join liarsdice")
        await client.expect("on the Liars Dice ladder.")
    bob.type("/ladder challenge ann liarsdice")
    await bob.expect("You've challenged ann")
    await nodes.kill(1)
    await ann.expect("bob challenges you: /ladder accept liarsdice")
    ann.type("/ladder accept liarsdice")
    await ann.expect("within 7 days.")
    await nodes.start(1)

    bob = await back(dial, nodes.port(1), "bob")
    bob.type("/ladder play liarsdice")
    await bob.expect("Your turn")
    await played(bob, 3)
    await nodes.kill(1)
    bob = await back(dial, nodes.port(0), "bob")
    bob.type("/ladder play liarsdice")
    await bob.expect("Your turn")
    await nodes.start(1)
    await played(bob)
    await ann.expect("bob has played your duel. It's your turn.")
    ann.type("/ladder play liarsdice")
    await ann.expect("Your turn")
    await played(ann)
    told = await ann.expect("You're number ")

    async def decided():
        return counted(await nodes.acts())["Decided"]

    await until(decided)
    rows = [await shown(client, "/ladder liarsdice") for client in (ann, bob)]
    other = await back(dial, nodes.port(1), "ann")
    rows.append(await shown(other, "/ladder liarsdice"))
    acts = await nodes.acts()

    expected = {"Opened": 1, "Joined": 2, "Challenged": 1, "Accepted": 1, "Scored": 2, "Decided": 1}
    assert expected == without_midnights(acts)
    assert {"ann", "bob"} == {act.score.key for act in acts if isinstance(act, Scored)}
    assert 1 == told.count("your duel with bob") + told.count("Your duel with bob has no winner")
    wins = {rung.key: (rung.wins, rung.losses) for rung in folded(acts).rungs}
    for key, (won, lost) in wins.items():
        assert all(re.search(rf"\d\. {key} +{won}-{lost}\b", text) for text in rows), rows


async def test_drops_and_the_end_of_a_season_happen_once_though_a_node_is_killed(nodes, dial):
    clients = {}
    for number, name in enumerate(("ann", "bob", "cat")):
        clients[name] = await dial(nodes.port(number % 2))
        await enter(clients[name], name, PASSWORD)
        clients[name].type("/ladder join liarsdice")
        await clients[name].expect("on the Liars Dice ladder.")
    today = datetime.now(UTC).date()
    season, first = season_of(today), today
    while season_of(first) == season:
        first += timedelta(days=1)
    last = first + timedelta(days=30)
    nodes.shift.write_text(str((last - today).days * DAY))
    await nodes.kill(1)
    await nodes.start(1)

    async def ended():
        return any(isinstance(act, Ended) for act in await nodes.acts(season))

    await until(ended)
    await nodes.kill(0)
    await nodes.start(0)

    async def arrived():
        return Midnight(last.isoformat()) in await nodes.acts(season_of(last))

    await until(arrived)
    old, new = await nodes.acts(season), await nodes.acts(season_of(last))
    days = [date.fromisoformat(act.day) for act in (*old, *new) if isinstance(act, Midnight)]
    final, now = folded(old), folded(new)

    assert [today + timedelta(days=n) for n in range(1, (last - today).days + 1)] == days
    assert {"Opened": 1, "Joined": 3, "Ended": 1} == without_midnights(old)
    assert {"Opened": 1} == without_midnights(new)
    assert after_drops((first - today).days - 1) == [rung.key for rung in final.rungs]
    assert after_drops((last - today).days) == [rung.key for rung in now.rungs]
    for port in (0, 1):
        reader = await back(dial, nodes.port(port), "ann")
        text = (await shown(reader, f"/ladder liarsdice season {season}")).partition("final:")[2]
        assert [rung.key for rung in final.rungs] == re.findall(r"\d\. (\w+)", text)


def without_midnights(acts):
    return {name: number for name, number in counted(acts).items() if name != "Midnight"}


def after_drops(midnights):
    """Return the order of three people who never play: all of them drop, so the last one comes to the top."""
    drops = max(0, (midnights - 1 - IDLE) // WEEK + 1)
    order = ["ann", "bob", "cat"]
    return order[-drops % 3 :] + order[: -drops % 3]
