"""Bots at several tables: each piece of their work is done in a turn of the event loop of its own."""

import asyncio
from collections import Counter

from lilygames.gametest.stage import Stage
from lilygames.tables.bots import host_check
from lilygames.tables.log.acts import Moved
from lilygames.tables.play.questions import Questions
from lilygames.tables.room.bot import TableBot
from tests.toys import installed

PLAYERS = ("ann", "ben", "eve", "kim")


async def test_moves_of_bots_are_told_and_checked_and_people_are_asked_in_turns_of_their_own(monkeypatch):
    """A line that is typed meanwhile waits for one of these pieces at most."""
    pieces, loop, now = Counter(), asyncio.get_running_loop(), 0

    def count():
        nonlocal now
        now += 1
        loop.call_soon(count)

    def noted(piece, is_bots, whole):
        def run(*args):
            if is_bots(*args):
                pieces[now, piece] += 1
            return whole(*args)

        return run

    def by_bot(bot, advanced):
        act = advanced.act
        return isinstance(act, Moved) and advanced.before.seats[act.seat].house

    stage = await Stage.open(installed("lilypoker"))
    for name in PLAYERS:
        stage.enter(name)
        for line in ("/new lilypoker variant=holdem hands=2", "/house novice 2"):
            await stage.type(name, line)
    asked = set()
    ask = Questions.ask
    monkeypatch.setattr(Questions, "ask", lambda questions, person: (asked.add(now), ask(questions, person)))
    monkeypatch.setattr(TableBot, "advance", noted("told", by_bot, TableBot.advance))
    monkeypatch.setattr(host_check, "decision", noted("checked", lambda *_: True, host_check.decision))
    count()
    await asyncio.gather(*(stage.hear(name, "/start") for name in PLAYERS))
    await stage.quiet()

    assert asked
    assert asked.isdisjoint(turn for turn, piece in pieces if piece == "told")
    assert {"told", "checked"} == {piece for _, piece in pieces}
    assert {1} == {*Counter(turn for turn, _ in pieces.elements()).values()}
