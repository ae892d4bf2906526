"""Hundreds of positions, each in two worlds that a seat cannot tell apart: not a byte may differ.

The positions are set at a table, with no game before them; `tests/secrecy` plays whole games in two worlds.
"""

import random

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Sitter
from lilygames.testing import play
from lilygames_rules.kit import KeyedLuck
from tests.games.worlds import WORLDS
from tests.toys import ALL

NAMES = ("ann", "bob", "cat")
ASKED = ("", "/table", "/hand", "/score", "/status", "/moves", "/clock", "/tables")
AGAIN = "(comes back)"
SHORT = {"lilypoker": {"hands": 8}}
"""Options without which a game of chance may never end."""
STATES = 20
"""Positions compared in each random game."""


class Looking:
    """One table whose state is set, and four screens around it."""

    @classmethod
    async def open(cls, game):
        self = cls()
        self.game = game
        self.stage = await Stage.open({game.name: game})
        self.stage.enter("ann")
        await self.stage.type("ann", f"/new {game.name}")
        self.bot = self.stage.table(1)
        self.sitting = attrs.evolve(self.bot.table, seats=tuple(map(Sitter, NAMES)))
        for name in (*NAMES, "dan"):
            self.stage.enter(name)
            self.stage.people[name].go(self.bot.room)
        return self

    async def rows(self, state, name, lines):
        """Return every line that `reader` reads in this state after typing these lines and reconnecting."""
        self.bot.runner.table = attrs.evolve(self.sitting, state=state)
        rows = []
        for line in lines:
            if line == AGAIN:
                rows += self.stage.enter(name).rows
                self.stage.people[name].go(self.bot.room)
            else:
                rows += await self.stage.type(name, line)
            self.stage.screens[name].take()
        return rows


async def differing(name, positions):
    """Return the places where a screen leaked something: the rows of both worlds."""
    game, luck = ALL[name], random.Random(name)
    options = game.rules.Options(**SHORT.get(name, {}))
    looking = await Looking.open(game)
    found = []
    for seed in range(positions // STATES):
        turns = [turn for turn in play(game, 3, options, seed=seed) if turn.move is not None]
        for number in range(STATES):
            turn, other_turn = luck.choice(turns), luck.choice(turns)
            seat = luck.choice((0, 1, 2, None))
            other = WORLDS[name](turn.state, seat, KeyedLuck(b"%d %d" % (seed, number)))
            waits = seat is None or not game.rules.moves(turn.state, seat)
            tried = ["/" + game.spell(other_turn.move)] if waits else []
            lines = [luck.choice(ASKED), luck.choice(ASKED), *tried, AGAIN]
            who = "dan" if seat is None else NAMES[seat]
            here, there = [await looking.rows(state, who, lines) for state in (turn.state, other)]
            found += [] if here == there else [(here, there)]
    return found


@pytest.mark.parametrize("name", WORLDS)
async def test_two_hundred_positions_look_the_same_in_two_worlds(name):
    assert await differing(name, 200) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
async def test_ten_thousand_positions_look_the_same_in_two_worlds(name):
    """They come from five hundred games."""
    assert await differing(name, 10_000) == []


async def test_leaking_screen_would_be_found(monkeypatch):
    """A table that showed all it knows would fail the comparison."""
    game = ALL["tally"]
    peeping = attrs.evolve(game, show=_all, hand=_all, score=_all, ask=lambda *_: "move")
    monkeypatch.setattr(game.rules, "view", lambda state, _: state)
    monkeypatch.setitem(ALL, "tally", peeping)

    assert await differing("tally", 20)


def _all(view, _):
    return [str(view)]
