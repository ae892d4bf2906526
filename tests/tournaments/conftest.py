"""A place in which people play tournaments, on a clock that only the tests move."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore

NOON = 1_790_000_000.0


class Time:
    """The time of the place and its store."""

    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


class Club:
    """A stage with a director. Its people play their first legal move."""

    def __init__(self, time, store, settings=None):
        self.time = time
        self.store = store
        self.settings = settings

    async def open(self, *, at_once=True):
        """Start, or restart after a kill; unless `at_once`, tables wait to be restored."""
        self.stage = await Stage.open(
            games(), store=self.store, clock=self.time, at_once=at_once, settings=self.settings
        )
        return self

    @property
    def director(self):
        return self.stage.director

    @property
    def now_in(self):
        return self.director.open[1]

    def enter(self, *names):
        for name in names:
            self.stage.enter(name)

    async def type(self, name, line):
        return await self.stage.type(name, line)

    async def look(self, seconds=0.0):
        """Let time pass, and let the director look."""
        self.time.now += seconds
        await self.director.look()
        await self.stage.quiet()

    async def new(self, *settings, by="ann", start="in_30m", what="ohell swiss max=3"):
        self.stage.accounts.since = old_account
        return await self.type(by, f"/tournament new {what} start={start} {' '.join(settings)}")

    async def start(self, *names):
        """Let these people join, and the first round begin."""
        for name in names:
            await self.type(name, "/tournament join")
        await self.look(20 * 60)
        await self.look(10 * 60)

    async def play(self, only=None):
        """Play all tables of the round (or those with these numbers) to the end."""
        for _ in range(400):
            bots = [bot for number, bot in self.stage.open_tables.items() if only is None or number in only]
            moving = [bot for bot in bots if bot.table.to_move]
            if not moving:
                return
            for bot in moving:
                if bot.table.to_move:
                    seat = bot.table.to_move[0]
                    word = bot.table.game.spell(bot.table.moves(seat)[0])
                    await self.type(bot.table.seats[seat].name, f"/at {bot.table.header.number} {word}")
        raise AssertionError("a table doesn't end")

    async def round(self):
        """Let the tables of a round open and start, and play them."""
        await self.look()
        await self.look()
        await self.play()
        await self.look()


async def old_account(name):
    return 0.0


@pytest.fixture
def time():
    return Time()


@pytest.fixture
async def club(time):
    """A place with twelve people."""
    club = await Club(time, MemoryStore(clock=time)).open()
    club.enter(*PEOPLE)
    return club


PEOPLE = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ivy", "jim", "kim", "leo")
