"""The costs of moves in lily-poker: exact where the cards are certain, else compared with dealt hands."""

import random

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.views.draw import thrown, value
from lilygames.gametest.plays import luck_of
from lilygames_rules import lilypoker
from lilygames_rules.cards import DECK, cards
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.deal import Discard
from tests.games.lilypoker.hands import begun, said

ROYAL, NOTHING = "AS KS QS JS 10S", "9D 7C 5H 3C 2H"


def judged(state, move):
    """Return the judgement of a move against all other legal moves."""
    seat = lilypoker.turn(state)
    moves = lilypoker.moves(state, seat)
    view = lilypoker.view(state, seat)
    return GAME.judge(view, [move, *(other for other in moves if other != move)], luck_of(1, seat, "hint"))


def facing_an_all_in(own):
    """Return the state in which seat 1 must call the last 8 chips of seat 0 or fold, after the draw."""
    step = begun(f"{NOTHING} | {own}", "", (9, 100), ante=1, limit="no")
    return said(step, "check, check, stand, stand, bet 8").state


def test_fold_of_the_best_hand_there_is_costs_the_pot_to_the_chip():
    """The other has bet all they have, so nothing can be won beyond it."""
    state = facing_an_all_in(ROYAL)
    advice, paid = judged(state, Fold()), state.deal.betting.paid

    assert Call() == advice.move
    assert (10, 8, 100) == (sum(paid), advice.facts["owed"], advice.facts["won"])
    assert pytest.approx(100 * 8 / (8 + 10)) == advice.facts["needed"]
    assert pytest.approx(sum(paid)) == advice.facts["cost"]


def test_call_with_the_best_hand_there_is_costs_nothing():
    assert 0 == judged(facing_an_all_in(ROYAL), Call()).facts["cost"]


def test_call_without_a_chance_costs_what_is_owed():
    """Seven high loses to any hand that anybody would hold or draw to."""
    state = facing_an_all_in("7S 5D 4H 3S 2D")
    advice = judged(state, Call())

    assert Fold() == advice.move
    assert advice.facts["cost"] == pytest.approx(8 - 18 * advice.facts["won"] / 100, abs=0.4)


def test_fold_where_a_check_is_free_costs_what_the_hand_is_worth():
    advice = judged(begun(f"{ROYAL} | {NOTHING}").state, Fold())

    assert isinstance(advice.move, Check | Bet)
    assert advice.facts["cost"] >= 2
    assert "owed" not in advice.facts


def wins(kept, dead, tries=4000):
    """Return how many of 100 showdowns a draw wins against one hand that draws as people do, from dealt hands.

    The other has checked, so only some of its good hands count: people bet most of them.
    """
    rng, won, done = random.Random(1), 0, 0
    while done < tries:
        stock = rng.sample([card for card in DECK if card not in (*kept, *dead)], 16)
        other = tuple(stock[:5])
        if 1 - value(other) < 0.3 * rng.choice((0.7, 1, 1, 1.6)) and rng.random() >= 0.3:
            continue
        done += 1
        away = thrown(other)
        theirs = [card for card in other if card not in away] + stock[5 : 5 + len(away)]
        ours = [*kept, *stock[10 : 15 - len(kept)]]
        won += hands.strength(ours) > hands.strength(theirs)
    return 100 * won / tries


def test_throwing_the_best_hand_away_costs_the_showdowns_it_no_longer_wins():
    """The cost is that share of the pot."""
    state = said(begun(f"{ROYAL} | {NOTHING}"), "check, check").state
    away = Discard(cards("KS QS JS 10S"))
    advice, pot = judged(state, away), sum(state.deal.betting.paid)

    assert Discard() == advice.move
    assert 100 == advice.facts["best"]
    assert pytest.approx(wins(cards("AS"), away.cards), abs=8) == advice.facts["made"]
    assert pytest.approx(pot * (100 - advice.facts["made"]) / 100) == advice.facts["cost"]


def test_order_of_the_moves_makes_no_difference():
    state = facing_an_all_in(ROYAL)
    view, moves = lilypoker.view(state, 1), lilypoker.moves(state, 1)
    first, *others = [move for move in moves if isinstance(move, Fold)] + [move for move in moves if move != Fold()]
    one, other = (GAME.judge(view, [first, *some], luck_of(1, 1, "hint")) for some in (others, others[::-1]))

    assert one == other


def test_raise_that_only_better_hands_call_costs_chips():
    state = said(begun(f"AS AD AH 8D 6D | KS KD QH 8C 4S | {NOTHING}"), "bet 2, raise 4").state
    advice = judged(state, Raise(6))

    assert Fold() == advice.move
    assert advice.facts["cost"] > 1
