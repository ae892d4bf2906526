"""The help page with table talk shows a real game."""

import asyncio
import random

import attrs

from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.help import pages
from lilygames.tables.bots import table_talk
from tests.toys import installed

SEED = "15"


async def typed(stage, line):
    """Type a line for ann; return it with everything that she was shown."""
    await stage.type("ann", line)
    for _ in range(5):
        await asyncio.sleep(0)
    return [f"> {line}", *stage.screens["ann"].rows]


async def a_game():
    """Return the rows of a whole game of Liars Dice, in which ann greets everyone and plays by numbers."""
    settings = attrs.evolve(SETTINGS, house_talk=1)
    stage, chance = await Stage.open(installed("liarsdice"), seed=SEED, settings=settings), random.Random(SEED)
    stage.enter("ann")
    rows = []
    for line in ("/new liarsdice max-rounds=4", "/house 3", "/start", "hi all"):
        rows += await typed(stage, line)
    bot = stage.table(1)
    while not bot.over:
        rows += await typed(stage, str(chance.randint(1, min(len(bot.questions.menu(0).words), 3))))
    return rows + await typed(stage, "gg")


async def test_page_shows_a_real_game(monkeypatch):
    """If bots play or speak differently now, print the rows of `a_game` and choose some of them for the page."""
    monkeypatch.setattr(table_talk, "AFTER", 0.0)
    rows = iter(await a_game())
    shown = [row[2:] for row in pages().rows["bots-talk"] if row.startswith("  ")]

    assert [] == [row for row in shown if row not in rows]
    assert 5 <= sum(" says: " in row for row in shown)
