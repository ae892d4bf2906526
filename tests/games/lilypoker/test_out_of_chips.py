"""Chips at the end: a player who has none left is told once what they can do, and can do it."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.text import Voice
from lilygames_rules import lilypoker
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker.bets import Bet, Fold, Raise

CID = 2
WAYS = (
    "You are out of the game. Type /watch lilypoker to see the rest, or /leave and then /quick lilypoker to play again."
)


def said(rows):
    return " ".join(" ".join(rows).replace("more: ", "").split())


@pytest.fixture
async def stage():
    return await Stage.open({"lilypoker": games()["lilypoker"]})


def loses_all_in(state, seat):
    """Return whether a seat that goes all-in loses all its chips in this hand, if everyone else folds or calls."""
    number = state.match.played
    while lilypoker.turn(state) is not None and state.match.played == number:
        now = lilypoker.turn(state)
        moves = lilypoker.moves(state, now)
        move = moves[-1] if now == seat and isinstance(moves[-1], Raise | Bet) else Fold() if now == CID else moves[0]
        state = lilypoker.apply(state, now, move, KeyedLuck(b"ahead")).state
    return not state.match.chips[seat]


async def lost_all(stage, *, spoken=False):
    """Let ann lose all her chips to bob, and return what she reads."""
    for name in ("ann", "bob", "cid"):
        stage.enter(name, Voice(spoken=spoken and name == "ann"))
    await stage.type("ann", "/new lilypoker variant=holdem limit=no buyin=40")
    for name in ("bob", "cid"):
        await stage.type(name, "/sit lilypoker")
    await stage.type("ann", "/start")
    bot, shown = stage.table(1), []
    stage.screens["ann"].take()
    while bot.table.state.match.chips[0]:
        (name,) = [name for seat, name in enumerate(stage.people) if len(bot.table.moves(seat))]
        ann = "allin" if loses_all_in(bot.table.state, 0) else "fold"
        words = {"ann": ann, "bob": bot.words(stage.people[name])[0], "cid": "fold"}
        await stage.type(name, f"/{words[name]}")
        shown += stage.screens["ann"].take()
    return shown


@pytest.mark.parametrize("spoken", [False, True])
async def test_player_out_of_chips_is_told_once_how_to_go_on(stage, spoken):
    shown = said(await lost_all(stage, spoken=spoken))
    await stage.type("bob", f"/{stage.table(1).words(stage.people['bob'])[0]}")

    assert 1 == shown.count(WAYS)
    assert [] == stage.screens["ann"].take()


async def test_player_out_of_chips_can_come_back_with_new_ones(stage):
    await lost_all(stage)
    await stage.type("ann", "/leave")
    await stage.type("ann", "/quick lilypoker")
    match = stage.table(1).table.state.match

    assert 40 == match.chips[-1]
    assert (1, 2, 3) == match.sitting


async def test_player_who_had_hints_reads_that_no_chips_are_won_or_lost(stage):
    stage.enter("ann", Voice(spoken=True))
    for line in ("/new lilypoker hands=1", "/house 2", "/start"):
        await stage.type("ann", line)
    bot, shown = stage.table(1), []
    await stage.type("ann", "/hint")
    await stage.type("ann", "/hint yes")
    while not bot.over:
        shown += await stage.type("ann", f"/{bot.words(stage.people['ann'])[0]}")

    assert "You neither win nor lose chips; you have 1000 chips now." in shown
