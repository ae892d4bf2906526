"""Numbers of a list: typed bare or with /pick, each makes the move that /moves lists, at every question."""

import asyncio
import random
import re

import pytest

from lilygames import codec
from lilygames.chat.tasks import cooperative
from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Body
from lilygames.text import Voice
from tests.toys import ALL

OPENED = {
    "tally": "max=ask first-dealer=host",
    "wizard": "",
    "liarsdice": "max-rounds=4",
    "liarslair": "each=2 max-rounds=6",
    "liarspoker": "hands=2 choose=manual",
    "liedie": "games=3",
    "lilypoker": "hands=4 variant=choice showdown=ask",
}
ROW = re.compile(r"(\d+)\. (.*)")
SHOWN = re.compile(r"(?<![\w.])(\d+)\. ")
MOVES = 40


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("game", sorted(OPENED.keys() & ALL.keys()))
async def test_number_makes_the_move_in_its_row(game, spoken):
    """Two people play with bots; ann uses only numbers, sometimes bare and sometimes with /pick."""
    stage, chance = await Stage.open(ALL, seed=game), random.Random(game)
    for name in ("ann", "bob"):
        stage.enter(name, Voice(spoken=spoken and name == "ann"))
    await stage.type("ann", f"/new {game} {OPENED[game]}")
    await stage.type("bob", f"/sit {game}")
    await stage.type("ann", "/house 1")
    await stage.type("ann", "/start")
    bot, ann, bob = stage.table(1), stage.people["ann"], stage.people["bob"]
    made = 0
    while made < MOVES and not bot.over and not bot.case:
        if bot.question(bob):
            await stage.type("bob", chance.choice(bot.words(bob)[:8]))
        elif bot.question(ann):
            asked = set(map(int, SHOWN.findall(" ".join(await stage.type("ann", "")).partition("Your turn: ")[2])))
            rows = dict(match.groups() for row in await stage.type("ann", "/moves") if (match := ROW.fullmatch(row)))
            assert asked <= set(map(int, rows)), (asked, rows)
            number = chance.choice(sorted(rows))
            before = bot.table.seq
            await stage.type("ann", number if made % 2 else f"/pick {number}")
            entry = (await stage.tables.archive.entries(1))[before]
            act = codec.from_text(entry.body, Body).act
            move = codec.load(act.move, bot.table.game.rules.Move)
            assert ("ann", rows[number]) == (entry.by, bot.table.game.spell(move))
            made += 1
        else:
            break

    assert made
    assert not bot.case


@pytest.mark.skipif("liarsdice" not in ALL, reason="Liars Dice is not here")
async def test_listing_thousands_of_moves_blocks_nobody(monkeypatch):
    """Other tasks run between two moves of the list, however short a time slice is."""
    monkeypatch.setattr(cooperative, "SLICE", -1)
    stage, turns = await Stage.open(ALL), 0
    stage.enter("ann")
    await stage.type("ann", "/quick liarsdice")
    bot, ann = stage.table(1), stage.people["ann"]
    assert bot.question(ann)

    async def turn():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    turning = asyncio.create_task(turn())
    await stage.type("ann", "/moves")
    turning.cancel()

    assert len(bot.words(ann)) <= turns
