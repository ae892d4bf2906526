"""Bots of lily-poker learn at the table how the others bet, from what everyone has seen there."""

from __future__ import annotations

import attrs

from lilygames.game import Character, Habit
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.habits import FOLDS, WEAK, at_table, own, styles
from lilygames.gametest.plays import luck_of
from lilygames.gametest.stage import Stage
from lilygames_rules import lilypoker
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lilypoker import Join
from lilygames_rules.poker.bets import Bet, Call, Check, Fold
from lilygames_rules.poker.tallies import Tallies, Tally
from tests.games.lilypoker.hands import NEVER, begun, said

PAIR, TRIPS, NOTHING = "9S 9D 5H 3C 2H", "KS KD KC 7D 4S", "AS QD 10H 6C 8D"
STAND = "check, check, stand, stand"


def tallies(step):
    return step.state.match.tallies


def test_table_counts_answers_to_bets():
    found = tallies(said(begun(f"{TRIPS} | {PAIR} | {NOTHING}"), "bet 2, call, fold"))

    assert (Tallies(), Tallies(folds=Tally(1, 0)), Tallies(folds=Tally(1, 1))) == found


def test_table_counts_weak_bets_that_were_called():
    step = said(begun(f"{NOTHING} | {PAIR}", hands=1), f"{STAND}, bet 4, call")

    assert Tally(1, 1) == tallies(step)[0].weak


def test_table_counts_over_all_hands():
    step = said(begun(f"{TRIPS} | {PAIR}", hands=2), "bet 2, fold", KeyedLuck(b"next"))
    again = said(step, "bet 2, fold", KeyedLuck(b"more"))

    assert 1 == tallies(step)[1].folds.did
    assert 2 == sum(one.folds.did for one in tallies(again))


def test_checks_change_no_tally():
    assert () == tallies(said(begun(f"{TRIPS} | {PAIR}"), STAND))


def match_of(*found):
    match = begun(f"{TRIPS} | {PAIR}").state.match
    return attrs.evolve(match, tallies=found)


def test_memory_of_earlier_games_and_of_this_table_add_up():
    match = match_of(Tallies(), Tallies(folds=Tally(5, 2), weak=Tally(3, 3)))
    found = at_table({1: {FOLDS: Habit(10, 1)}, 2: {WEAK: Habit(0, 7)}}, match)

    assert (Habit(12, 4), Habit(3, 0)) == (found[1][FOLDS], found[1][WEAK])
    assert Habit(0, 7) == found[2][WEAK]


def test_bot_that_remembers_nothing_learns_nothing():
    assert at_table(None, match_of(Tallies(weak=Tally(9, 9)))) is None


def test_people_who_join_later_are_learned_too():
    """Nobody remembers them from earlier games: a memory is fixed when the bot sits down."""
    joined = lilypoker.apply(begun(f"{TRIPS} | {PAIR}").state, 2, Join(100), NEVER)
    match = attrs.evolve(joined.state.match, tallies=(Tallies(), Tallies(), Tallies(weak=Tally(20, 20))))
    strangers, known = styles(at_table({}, joined.state.match)), styles(at_table({}, match))

    assert own(strangers, 2).doubts < own(known, 2).doubts


def answers(memory, tally):
    """Return with how many pairs a club calls a bet before the draw."""
    club, found = GAME.in_character(GAME.players["club"], "club", Character(memory=memory)), 0
    for rank in (6, 7, 8, 9, 10, "J", "Q", "K"):
        step = said(begun(f"4S 4H 4D AC AH | {rank}S {rank}D 5H 3C 2H", hands=1), "bet 2")
        state = attrs.evolve(step.state, match=attrs.evolve(step.state.match, tallies=(Tallies(weak=tally),)))
        move = club(lilypoker.view(state, 1), lilypoker.moves(state, 1), luck_of(1, 1))
        found += isinstance(move, Call)
    return found


def test_clubs_call_more_often_if_the_bettor_was_caught_at_this_table():
    assert answers({}, Tally(30, 30)) > answers({}, Tally(30, 0))
    assert answers(None, Tally(30, 30)) == answers(None, Tally())


def mover(view, moves, number):
    """Return the move of someone who bets often, so that their bets are weak."""
    wanted = [move for move in moves if isinstance(move, Bet | Call | Check)]
    return wanted[-1] if wanted else next((move for move in moves if not isinstance(move, Fold)), moves[0])


async def test_moves_of_bots_that_learn_at_the_table_follow_from_the_log():
    stage = await Stage.open({"lilypoker": GAME})
    stage.enter("ann")
    for line in ("/new lilypoker hands=8", "/house club 2", "/start"):
        await stage.type("ann", line)
    assert [()] * 2 == [who.memory for who in stage.table(1).table.seats.bots]
    seen = ()
    for number in range(200):
        if 1 not in stage.open_tables:
            break
        table = stage.table(1).table
        seen = table.view(0).match.tallies or seen
        moves = table.moves(0)
        await stage.type("ann", f"/at 1 {table.game.spell(mover(None, moves, number))}")
    told = " ".join(" ".join(await stage.type("ann", "/verify 1")).split())

    assert sum(one.weak.times + one.folds.times for one in seen) > 10
    assert "follow from what their seats could see" in told
