"""A stage with the toy game Tally, and tables that are set up for a test."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY

from .sealed_games import stored_ohell


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
        while number in stage.open_tables:
            bot = stage.table(number)
            seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
            line = bot.table.game.spell(bot.questions.offered(seat)[0])
            await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")

    return play


@pytest.fixture(scope="module")
def ohell():
    """The stored header and 142 entries of an Ohell with ids instead of names, seconds between them and attempts."""
    return stored_ohell()
