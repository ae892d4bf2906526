"""A node is lost in mid-round, in every form of tournament. Three nodes run in simulated time, on a lossy bus."""

import asyncio
import json
import random
import time
from itertools import pairwise

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.archive.archive import INDEX
from lilygames.tournaments.store import TournamentStore
from tests.nodes.simulated import BadBus, FarStore, run

LOST = 20.0
"""Seconds of the simulated clock after which a line to a dead node is given up."""

EIGHT = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
LONGEST = 7200.0
"""Simulated seconds in which a tournament must be over."""


class Evening:
    """Three nodes, their players, and a tournament in which everyone plays their first legal move."""

    def __init__(self, seed):
        self.luck = random.Random(seed)
        self.store = MemoryStore(time.time)
        self.bus = BadBus(self.luck)
        self.nodes = []
        self.at = {}
        self._lives = []

    async def add_node(self):
        reach = FarStore(self.store, self.luck)
        while True:
            try:
                stage = await Stage.open(games(), store=reach, seed=f"{self.luck.random()}", bus=self.bus)
            except StoreUnavailable:
                continue
            self.nodes.append((stage, reach))
            self._lives.append(asyncio.create_task(stage.director.watch()))
            return

    async def kill_one(self):
        stage, reach = self.nodes.pop(self.luck.randrange(len(self.nodes)))
        reach.dead = True
        await self.add_node()
        await asyncio.sleep(self.luck.uniform(0, 20))
        for name in [name for name, where in self.at.items() if where is stage]:
            await self.come(name)

    async def come(self, name):
        stage = self.luck.choice(self.nodes)[0]
        await stage.host.meet(name)
        stage.enter(name)
        self.at[name] = stage

    async def type(self, name, line):
        stage = self.at[name]
        try:
            async with asyncio.timeout(LOST):
                await stage.hear(name, line)
        except TimeoutError:
            pass  # the node died meanwhile

    async def begin(self, what):
        for _ in range(3):
            await self.add_node()
        for name in EIGHT:
            await self.come(name)
        await asyncio.sleep(5)
        while not await self.store.every("tournament"):
            await self.type("ann", f"/tournament new {what} start=in_5m pause=5")
        await asyncio.sleep(5)
        for name in EIGHT:
            while not (player := (await self.tournament()).players.get(name)) or not player.checked_in:
                await self.type(name, f"/tournament {'checkin' if player else 'join'}")  # an answer may be lost
                await asyncio.sleep(1)

    async def tournament(self):
        return await TournamentStore(self.store, UnreadableRows()).find(1)

    async def play(self, kills):
        """Play to the end. A node is killed in these rounds, when a few moves have been made."""
        end, left = time.time() + LONGEST, [*kills]
        while (now_in := await self.tournament()).going:
            assert time.time() < end, "the tournament is stuck"
            await asyncio.sleep(self.luck.uniform(0.2, 0.8))
            playing = [table for table in (now_in.round.tables if now_in.round else ()) if table.number]
            if left and len(now_in.rounds) >= left[0] and playing and self.luck.random() < 0.1:
                left.pop(0)
                await self.kill_one()
            for name in EIGHT:
                await self._move(name)
        assert [] == left

    async def _move(self, name):
        stage = self.at[name]
        person = stage.people[name]
        for bot in [*person.seats]:
            if words := bot.words(person):
                await self.type(name, f"/at {bot.table.header.number} {words[0]}")


def played(what, seed, kills):
    """Play a tournament, and return what its logs say: the tournament, its acts, and the headers of all tables."""
    found = []

    async def world():
        evening = Evening(seed)
        await evening.begin(what)
        await evening.play(kills)
        await asyncio.sleep(90)
        page = await evening.store.read("tournament/1", 0, 10_000)
        acts = [json.loads(entry.body)["act"] for entry in page.entries]
        headers = {entry.seq: json.loads(entry.body) for entry in (await evening.store.read(INDEX, 0, 10_000)).entries}
        logs = {
            n: "".join(e.body for e in (await evening.store.read(f"table/{n}", 0, 10_000)).entries) for n in headers
        }
        found.append((await evening.tournament(), acts, headers, logs, await evening.store.every("open")))

    run(world())
    return found[0]


@pytest.mark.parametrize(
    ("what", "seed", "kills"),
    [
        ("ohell swiss max=3 rounds=3", 0, (1, 2)),
        ("ohell swiss max=3 rounds=3", 1, (1, 2)),
        ("ohell swiss max=3 rounds=2 duplicate=on", 0, (1, 2)),
        ("ohell robin max=3 seats=4", 0, (1, 2)),
        ("ohell knockout max=3", 0, (1, 2)),
        ("ohell arena max=3 minutes=10", 0, (1, 1)),
    ],
)
def test_tournament_is_played_to_its_end_although_nodes_are_lost(what, seed, kills):
    over, acts, headers, logs, still_open = played(what, seed, kills)

    assert "over" == over.status
    assert {} == still_open
    for one, other in pairwise(over.rounds):
        assert one.ended <= other.began
    opened = {(act["round"], act["table"]): act["number"] for act in acts if act["is"] == "TableOpened"}
    finished = [(act["round"], act["table"]) for act in acts if act["is"] == "TableFinished"]
    places = [(one.number, table) for one in over.rounds for table in range(1, len(one.tables) + 1)]
    assert places == sorted(opened)
    assert places == sorted(finished)
    assert all(act["seats"] for act in acts if act["is"] == "TableFinished"), "a table has no result"
    started = {number for number in headers if '"Start"' in logs[number]}
    assert started == {*opened.values()}, "a table was played that isn't in the tournament"
    assert [f"1/{place[0]}/{place[1]}" for place in places] == [
        headers[opened[place]]["tournament"] for place in places
    ]
    if over.header.form != "arena":
        total = sum(row.points for row in over.standings) / 2
        assert 6 * sum(len(table.paired.people) for one in over.rounds for table in one.tables) == total
