"""Tables are never stuck: people disconnect, dawdle and reconnect, and every game ends or is adjourned."""

import random
from collections import Counter

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import ALL

GAMES = ALL
SHORT = {"tally": "max=3", "wizard": "", "liarspoker": "hands=2", "lilypoker": "hands=3"}
"""Options that keep a game short."""
CLOCKS = ("", "clock=60", "clock=2m+5", "clock=60 late=skip", "clock=60 late=substitute", "clock=3d")
WAYS = ("/skip", "/skip", "/substitute", "/wait", "/adjourn")
"""Commands by which the others deal with a late player."""
STEPS = 3000


class Evening:
    """One table of unreliable people, with a clock that the test sets."""

    def __init__(self, name, luck):
        self.name, self.luck, self.now = name, luck, 0.0
        self.store = MemoryStore()
        self.people = ["ann", "bob", "cat"][: luck.choice((2, 2, 3))]
        self.seen = Counter()

    async def open(self):
        """Log everyone in, over whatever the store holds."""
        self.stage = await Stage.open({self.name: GAMES[self.name]}, store=self.store)
        for bot in self.stage.open_tables.values():
            bot.clock.now = lambda: self.now
        for person in self.people:
            self.stage.enter(person)
        await self.stage.quiet()

    async def begin(self):
        """Open a table with a random clock, and seat everyone."""
        await self.open()
        line = f"/new {self.name} {SHORT.get(self.name, '')} {self.luck.choice(CLOCKS)}"
        await self.stage.type("ann", line)
        self.bot.clock.now = lambda: self.now
        for person in self.people[1:]:
            await self.stage.type(person, f"/sit {self.name}")
        if self.bot.table.game.rules.SEATS.start > len(self.people) or self.luck.random() < 0.3:
            await self.stage.type("ann", "/house 2")
        await self.stage.type("ann", "/start")
        assert self.bot.table.started

    @property
    def bot(self):
        return next(iter(self.stage.open_tables.values()), None)

    def here(self, name):
        return self.stage.people[name].here

    async def step(self):
        """Do one random action."""
        name = self.luck.choice(self.people)
        roll = self.luck.random()
        if roll < 0.01:
            self.seen["restart"] += 1
            await self.open()
        elif not self.here(name):
            if roll < 0.2:
                self.seen["return"] += 1
                self.stage.enter(name)
        elif roll < 0.04:
            self.seen["drop"] += 1
            self.stage.drop(name)
        elif roll < 0.1:
            await self._idle()
        else:
            await self._act(name)
        await self.stage.quiet()

    async def _act(self, name):
        """Make a move if there is one, or else deal with a late player."""
        bot, person = self.bot, self.stage.people[name]
        if bot.question(person):
            seat = bot.seat_of(name)
            move = self.luck.choice(bot.questions.offered(seat))
            await self.stage.type(name, f"/at {bot.table.header.number} {bot.table.game.spell(move)}")
        elif any(turn.late for turn in bot.clock.clocks.turns.values()):
            way = self.luck.choice(WAYS)
            self.seen[way] += 1
            await self.stage.type(name, f"/at {bot.table.header.number} {way}")

    async def _idle(self):
        """Let a minute or a day pass without any action."""
        self.now += self.luck.choice((61.0, 601.0, 90000.0))
        await self.bot.room.do(self.bot.clock.tick)


async def lived(name, seed):
    """Return how often each action happened in an evening with this seed, and how it ended."""
    evening = Evening(name, random.Random(f"{name} {seed}"))
    await evening.begin()
    for _ in range(STEPS):
        if evening.bot is None or evening.bot.table.paused:
            break
        await evening.step()
        assert evening.bot is None or not evening.bot.case
    evening.seen["over" if evening.bot is None else "adjourned" if evening.bot.table.paused else "stuck"] += 1
    return evening.seen


@pytest.mark.parametrize("name", [*GAMES])
async def test_every_table_ends_or_is_adjourned(name):
    seen = sum([await lived(name, seed) for seed in range(3)], Counter())

    assert seen["over"] + seen["adjourned"] == 3, seen


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES])
async def test_thousand_tables_end_or_are_adjourned(name, capsys):
    """They are spread over all games, with disconnects, dawdlers, returns and restarts."""
    tables = 1000 // len(GAMES) + 1
    seen = sum([await lived(name, seed) for seed in range(tables)], Counter())
    with capsys.disabled():
        print(f"\n{name}: {dict(seen)}")  # noqa: T201 - these figures are its purpose

    assert seen["over"] + seen["adjourned"] == tables, seen
