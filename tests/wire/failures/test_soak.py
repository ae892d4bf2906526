"""Objects that a server holds after people have come, played and left."""

import asyncio
from collections import Counter

import pytest

from lilygames.games import games
from scripts.soaking.people import Crowd, Person
from scripts.soaking.process import Server
from tests.deadline import DEADLINE

WARM, MEASURED = 20, 40
"""Visits before the first count, and between the counts."""
LOOKS = 10
"""Looks in a row that find as many tasks, when all have left."""
GARBAGE = 20
"""Objects for each join that only the garbage collector can free: asyncio and drivers have some cycles of their own."""
CACHED = (
    *("lilygames_rules.", "lilygames.tables.log.known_moves.", "lilygames.edge.wire.render.", "lilygames.text."),
    *(
        "lilygames.tables.state.table.Past",
        "lilygames.tables.log.acts.Moved",
        "lilygames.tables.play.turn_timers.Reading",
    ),  # the last tables
    "lilygames.tables.ratings.rating_model.",  # one for each account and game
    "lilygames.limits.quota.Use",  # the last 10,000 rates
    *(
        "lilygames.tables.duplicate.duplicate_set.",
        "lilygames.tables.seal.rounds.",
    ),  # the deals of today and tomorrow, made once
    "weakref.",  # SQLite's driver keeps references to its last 200 cursors
    "builtins.",
)
"""Kinds that caches of a fixed size hold, and those that everything is made of."""
TALK = ("lilygames.chat.people.events.", "lilygames.chat.people.audience.")
"""Kinds of which rooms remember some for their talk, up to a limit."""


@pytest.fixture
def server(tmp_path):
    """Serve in a process of its own."""
    server = Server(str(tmp_path))
    yield server
    server.end()


async def come_and_go(server, visits):
    """Let people come, play and leave; return the joins, of the place and of rooms, when all have left."""
    crowd = Crowd(server.port, sorted(games()), asyncio.Semaphore(6), 0.01, visits=visits, longest=8)
    async with asyncio.timeout(DEADLINE):
        await asyncio.gather(*(Person(number, crowd).live() for number in range(12)))
        looks = [server.held()["tasks"]]
        while len(looks) < LOOKS or len({*looks[-LOOKS:]}) > 1:
            await asyncio.sleep(0.2)
            looks.append(server.held()["tasks"])
    return crowd.joins


async def test_no_kind_of_object_grows_with_completed_joins(server):
    await come_and_go(server, WARM)
    before = Counter(server.held("count")["objects"])

    joins = await come_and_go(server, MEASURED)
    held = server.held("count")

    grown = {kind: more for kind, more in (Counter(held["objects"]) - before).items() if more >= joins / 2}
    assert {} == {kind: more for kind, more in grown.items() if not kind.startswith((*CACHED, *TALK))}
    assert held["garbage"] <= GARBAGE * joins
