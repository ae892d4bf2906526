"""Answers that people wait for while a reload comes: they get them afterwards, without asking again."""

import asyncio

import attrs
import pytest

from lilygames import codec
from lilygames.chat.host import unanswered_lines
from lilygames.edge.slcp.notices import Notices
from lilygames.game import Advice, Budget, Thinker
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.house.workers import Workers
from lilygames.server.reload.handover import Handover, hand_on, take_over
from lilygames.server.reload.waiting import Waiting
from lilygames.store.memory import MemoryStore
from lilygames.tables.play import answers
from lilygames.tables.verify import bot_checks
from tests.toys import TALLY


def last(view, moves, luck, budget):
    return Advice(moves[-1], "It is the last one.", {"cost": 1.0})


SETTINGS = attrs.evolve(stages.SETTINGS, patience=60)
THINKER = Thinker(last, Budget(1))
ADVISED = {name: attrs.evolve(game, judge=THINKER, advise=THINKER) for name, game in TALLY.items()}


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def held(monkeypatch):
    """A list: while it isn't empty, bots think for ever."""
    held = []

    def unless_held(think):
        async def thought(*position):
            if held:
                await asyncio.get_running_loop().create_future()
            return await think(*position)

        return thought

    for name in ("think", "rethink"):
        monkeypatch.setattr(Workers, name, unless_held(getattr(Workers, name)))
    return held


@pytest.fixture
async def stage(store, held, monkeypatch):
    """A place where ann is."""
    monkeypatch.setattr(answers, "AT_ONCE", 0.01)
    monkeypatch.setattr(bot_checks, "AT_ONCE", 0.01)
    stage = await Stage.open(ADVISED, store=store, settings=SETTINGS)
    stage.enter("ann")
    return stage


async def begun(stage):
    for line in ("/new tally max=3 hook=off first-dealer=host", "/house", "/start"):
        await stage.type("ann", line)
    return stage.table(1)


async def finished(stage):
    bot = await begun(stage)
    while not bot.over:
        await stage.type("ann", f"/{bot.questions.menu(bot.seat_of('ann')).words[0]}")


async def asked(stage, held, *lines):
    """Type lines whose answers never come in this process."""
    held.append(True)
    for line in lines:
        await stage.type("ann", line)
    held.clear()


async def reloaded(stage, store):
    """Return the next process, which ann's connection doesn't reach: it is as one with TLS."""
    handed = codec.from_text(codec.to_text(await hand_on(stage.place, {}, Notices())), Handover)
    after = await Stage.open(ADVISED, store=store, settings=SETTINGS)
    await take_over(after.place, {}, handed, Waiting(()))
    return after, handed


async def shown(after):
    """Return all that ann is shown until nothing more comes."""
    for _ in range(100):
        await asyncio.sleep(0.001)
        await after.quiet()
    return " ".join(" ".join(after.screens["ann"].take()).split())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/review game", "moves of yours in game #1)"),
        ("/hint yes", "Hint: "),
        ("/verify 1", "moves of bots follow from what their seats could see"),
    ],
)
async def test_answer_under_way_is_told_after_a_reload(stage, store, held, line, expected):
    await (begun if line == "/hint yes" else finished)(stage)
    await asked(stage, held, line)
    after, _ = await reloaded(stage, store)
    await after.come("ann")

    assert expected in await shown(after)


async def test_answer_is_told_once(stage, store, held):
    await finished(stage)
    await asked(stage, held, "/review game")
    after, _ = await reloaded(stage, store)
    await after.come("ann")
    await shown(after)
    after.drop("ann")
    await after.come("ann")

    assert "the strongest bot" not in await shown(after)


async def test_answer_is_not_sought_for_someone_who_comes_back_late(stage, store, held, monkeypatch):
    """A hint would be about the game where they are by then, which wouldn't count any more."""
    monkeypatch.setattr(unanswered_lines, "LASTS", -1.0)
    await finished(stage)
    await asked(stage, held, "/review game")
    after, _ = await reloaded(stage, store)
    await after.come("ann")

    assert "moves of yours" not in await shown(after)


async def test_two_reloads_in_a_row_lose_no_question(stage, store, held):
    await finished(stage)
    await asked(stage, held, "/review game")
    first, _ = await reloaded(stage, store)
    after, handed = await reloaded(first, store)
    await after.come("ann")

    assert {"ann": ("/review game 1",)} == handed.unanswered
    assert "moves of yours in game #1)" in await shown(after)


async def test_nothing_is_asked_again_if_all_is_answered(stage, store):
    await finished(stage)
    await stage.type("ann", "/review game")
    _, handed = await reloaded(stage, store)

    assert {} == handed.unanswered
