"""A place with staff: whammy is a sysop, Mo a moderator, and ann, Bob, Cat and Gus are neither.

Bob and Cat had other names once, Gus is a guest, and people type names as they like, mostly without capitals.
"""

import pytest

from lilygames.chat.accounts.roles import RANKS
from lilygames.gametest.stage import Stage
from lilygames.moderation.desk import SHELL
from lilygames.store.memory import MemoryStore
from tests.clock import Clock
from tests.toys import TALLY

NAMES = ("whammy", "Mo", "ann", "Bob", "Cat", "Gus")
GUESTS = frozenset({"Gus"})
FORMERLY = {"Bob": "Rupert", "Cat": "Felix"}
ADDRESSES = {name: f"192.0.2.{number}" for number, name in enumerate(NAMES, 1)}


@pytest.fixture
def clock():
    return Clock(1_790_000_000.0)


@pytest.fixture
def store():
    return MemoryStore()


async def staffed(store, clock, games=TALLY, bus=None):
    """Open a place, with everyone in the lobby, each at an address of their own."""
    stage = await Stage.open(games, store=store, clock=clock, bus=bus)
    for name in NAMES:
        if name not in GUESTS:
            await registered(stage, name)
        stage.enter(name, guest=name in GUESTS)
        stage.screens[name].address = ADDRESSES[name]
    for name, role in (("whammy", "sysop"), ("Mo", "moderator")):
        assert role in RANKS
        await stage.desk.appoint(SHELL, name, role)
    for screen in stage.screens.values():
        screen.take()
    return stage


async def registered(stage, name):
    """Make an account, which may have had another name once."""
    accounts = stage.accounts
    account = await accounts.create(FORMERLY.get(name, name), "plums and pears", guest=False)
    if name in FORMERLY:
        await accounts.rename(account, name)


@pytest.fixture
async def stage(store, clock):
    return await staffed(store, clock)


@pytest.fixture
def says(stage):
    """Return a function that types a line and returns what its author reads, as one text."""

    async def type_(name, line):
        return "\n".join(await stage.type(name, line))

    return type_


@pytest.fixture
def reads(stage):
    """Return a function that returns what someone has read since the last call, as one text."""
    return lambda name: "\n".join(stage.screens[name].take())
