"""The answer to an all-in bet of few chips in hold'em for two: almost any hand may be behind it."""

from __future__ import annotations

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import LEVELS, STYLES, LastChips, by_strength, last_chips
from lilygames.gametest.plays import luck_of
from lilygames_rules.lilypoker import Options
from lilygames_rules.poker.bets import Call, Fold
from lilygames_rules.poker.table import Limit


def answers(chips: int, limit: Limit = "no", *, seats: int = 2, deals: int = 40, old: bool = False) -> list[type]:
    """Return the answers of clubs to a first player who goes all in at once, one for each deal."""
    options, found = Options(variant="holdem", limit=limit, buyin=chips, hands=1), list[type]()
    club = by_strength if old else LEVELS["club"]
    for seed in range(deals):
        state = GAME.rules.start(seats, options, (), luck_of(seed, 0)).state
        first = state.deal.turn
        bet = STYLES["all-in"](GAME.rules.view(state, first), GAME.rules.moves(state, first), luck_of(seed, 1))
        state = GAME.rules.apply(state, first, bet, luck_of(seed, 2)).state
        other = state.deal.turn
        found.append(type(club(GAME.rules.view(state, other), GAME.rules.moves(state, other), luck_of(seed, 3))))
    return found


def test_most_hands_call_a_bet_of_five_big_blinds():
    """Before, fewer than half of them did, and to go all in with any hand won."""
    now, before = answers(10), answers(10, old=True)

    assert {Call, Fold} == {*now}
    assert now.count(Call) > 0.6 * len(now) > before.count(Call)


@pytest.mark.parametrize(("chips", "limit", "seats"), [(100, "no", 2), (10, "no", 3), (10, "fixed", 2)])
def test_elsewhere_a_bet_means_what_it_usually_means(chips, limit, seats):
    assert answers(chips, limit, seats=seats, deals=10) == answers(chips, limit, seats=seats, deals=10, old=True)


def all_in_view(chips):
    """Return what the second player sees, and may do, after the first one went all in."""
    state = GAME.rules.start(2, Options(variant="holdem", limit="no", buyin=chips, hands=1), (), luck_of(1, 0)).state
    first = state.deal.turn
    state = GAME.rules.apply(state, first, GAME.rules.moves(state, first)[-1], luck_of(1, 1)).state
    return GAME.rules.view(state, state.deal.turn), GAME.rules.moves(state, state.deal.turn)


def test_call_pays_if_it_wins_more_often_than_the_pot_asks():
    assert pytest.approx(0) == LastChips(price=8, pot=12, won=0.4).gain
    assert pytest.approx(2) == LastChips(price=8, pot=12, won=0.5).gain


def test_price_is_what_the_seat_has_left_and_the_pot_what_it_can_win():
    view, _ = all_in_view(10)
    bet = last_chips(view, luck_of(1, 2))

    assert (8, 12) == (bet.price, bet.pot)


def test_sharks_hints_and_reviews_agree_with_clubs():
    view, moves = all_in_view(10)
    club, shark = (LEVELS[level](view, moves, luck_of(1, 3)) for level in ("club", "shark"))
    hint = GAME.advise(view, moves, luck_of(1, 3))
    other = moves[1] if club == moves[0] else moves[0]
    review = GAME.judge(view, [other, *(move for move in moves if move != other)], luck_of(1, 3))

    assert (club, club, club) == (shark, hint.move, review.move)
    assert review.facts["cost"] > 0
