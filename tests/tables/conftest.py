"""A stage with the toy game Tally, and tables that are set up for a test."""

from random import Random

import attrs
import pytest

from lilygames import codec
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store import Entry
from lilygames.store.memory import MemoryStore
from lilygames.tables.names_beside import hidden_entry, hidden_header
from lilygames.tables.seat_ids import SeatIds
from tests.toys import TALLY

from .sealed_games import Host


@pytest.fixture
def tally():
    """The toy game alone, with its bots."""
    return TALLY


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    """A stage on which ann and bob are in the lobby."""
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    stage.enter("bob")
    return stage


@pytest.fixture
async def table(stage):
    """The shortest Tally between ann, who deals, and bob, who bids first."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    return stage.table(1)


@pytest.fixture
def finish(stage):
    """Return a function that plays a table to its end: everyone makes the first move of their list."""

    async def play(number=1):
        while number in stage.place.tables.open:
            bot = stage.table(number)
            seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
            line = bot.table.game.spell(bot.questions.offered(seat)[0])
            await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")

    return play


@pytest.fixture(scope="module")
def ohell():
    """The stored header and 142 entries of an Ohell with ids instead of names, seconds between them and attempts."""
    random, names = Random(1), ("bob", "carol", "dave")
    people = SeatIds().with_people(names, lambda: random.randbytes(16))
    host = Host(games()["ohell"], games()["ohell"].rules.Options(max=5), ids=True, people=people)
    host.seat(*names, bots=[("Ada", "club")]).cut("bob", "pips").commit().seal([]).start().play()
    at, attempt, stored = 1.7e9, 100, []
    for entry in host.entries[:142]:
        at, attempt = at + random.expovariate(1 / 6), attempt + random.randrange(1, 40)
        by = random.choice(names)
        stored.append(hidden_entry(attrs.evolve(entry, at=at, by=by, cmd=f"{'0d' * 16}.{attempt}"), people))
    header = hidden_header(host.table.header)
    return Entry(12, 1.7e9, header.host, codec.to_text(header), f"open {'1e' * 16}"), stored
