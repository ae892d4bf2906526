"""Rounds of betting: the common rules of poker, sentence by sentence."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.kit import Refused
from lilygames_rules.poker import betting
from lilygames_rules.poker.bets import (
    Bet,
    BetMade,
    BlindPosted,
    BroughtIn,
    Call,
    Called,
    Check,
    Fold,
    Raise,
    Raised,
    Returned,
)
from lilygames_rules.poker.betting import StreetBets, Terms

FIXED, POT, NO = (Terms(limit, 4 if limit == "fixed" else None, full_bets=True) for limit in ("fixed", "pot", "no"))


def opened(terms, stacks, first=0, least=2, bring_in=0):
    return betting.opened(betting.begun(terms, range(len(stacks)), stacks), first, least, bring_in)


def blinds(terms, stacks, small=1, big=2):
    now, _ = betting.blinded(betting.begun(terms, range(len(stacks)), stacks), small, big)
    return betting.opened(now, 2 if len(stacks) > 2 else 1, 2)


def after(now, *moves):
    for move in moves:
        now, _ = betting.act(now, move)
    return now


def refused(now, move):
    with pytest.raises(Refused) as caught:
        betting.act(now, move)
    return caught.value


def code(now, move):
    return refused(now, move).code


def amounts(now):
    return [move.to for move in betting.choices(now) if isinstance(move, Bet | Raise)]


def test_pk_7_after_a_bet_and_three_raises_there_is_only_calling_and_folding():
    """PK-7: fixed limit, first street: 2, 4, 6, 8; then call or fold."""
    now = after(opened(FIXED, (50,) * 5), Bet(2), Raise(4), Raise(6), Raise(8))

    assert [Call(), Fold()] == list(betting.choices(now))
    assert "no-raise" == code(now, Raise(10))


def test_cap_may_be_off_with_two_players():
    free = attrs.evolve(FIXED, heads_up_cap=False)

    assert [10] == amounts(after(opened(free, (50, 50)), Bet(2), Raise(4), Raise(6), Raise(8)))
    assert [] == amounts(after(opened(FIXED, (50, 50)), Bet(2), Raise(4), Raise(6), Raise(8)))


def test_cap_holds_while_three_are_in_whatever_it_does_for_two():
    free = attrs.evolve(FIXED, heads_up_cap=False)

    assert [] == amounts(after(opened(free, (50, 50, 50)), Bet(2), Raise(4), Raise(6), Raise(8)))


def test_limit_is_fixed_unless_the_table_says_otherwise():
    assert "fixed" == Terms().limit


def test_big_blind_is_the_first_bet_of_its_street():
    assert [] == amounts(after(blinds(FIXED, (50,) * 6), Raise(4), Raise(6), Raise(8)))


def test_big_blind_may_still_raise():
    now = after(blinds(FIXED, (50,) * 3), Call(), Call())

    assert (1, [Check(), Fold(), Raise(4)]) == (now.turn, list(betting.choices(now)))


def test_blinds_are_public():
    _, posted = betting.blinded(betting.begun(FIXED, (0, 1, 2), (50, 50, 50)), 1, 2)

    assert (BlindPosted(0, 1, big=False), BlindPosted(1, 2, big=True)) == posted


def test_seat_without_chips_posts_no_blind():
    _, posted = betting.blinded(betting.begun(FIXED, (0, 1, 2), (0, 50, 50)), 1, 2)

    assert (BlindPosted(1, 2, big=True),) == posted


def test_blind_is_all_in_with_too_few_chips():
    _, posted = betting.blinded(betting.begun(FIXED, (0, 1, 2), (50, 1, 50)), 1, 2)

    assert (BlindPosted(0, 1, big=False), BlindPosted(1, 1, big=True)) == posted


def test_turn_goes_clockwise_whoever_deals():
    """Seat 2 is on the dealer's left; the first living seat from there opens a street."""
    now = betting.opened(betting.begun(FIXED, (2, 3, 0, 1), (50,) * 4), 2, 2)

    assert [2, 3, 0, 1] == [now.turn, after(now, Check()).turn, *(after(now, *[Check()] * n).turn for n in (2, 3))]


def test_dealer_posts_the_small_blind_and_acts_first_with_two_players():
    now = blinds(FIXED, (50, 50))

    assert ((2, 1), 1) == (now.bets, now.turn)


def test_with_pot_limit_a_raise_is_at_most_what_is_in_the_pot_after_the_call():
    """In the pot 3, a bet of 2 called: 1 + 2 + 2 + the call of 2, on top of it."""
    now = after(blinds(POT, (100,) * 4), Call())

    assert (4, 9) == (amounts(now)[0], amounts(now)[-1])


def test_pot_limit_includes_chips_carried_over():
    now = betting.opened(betting.begun(POT, (0, 1), (50, 50), carried=12), 0, 2)

    assert (2, 12) == (amounts(now)[0], amounts(now)[-1])


def test_without_limit_a_raise_is_at_least_as_much_as_the_last_one():
    now = after(opened(NO, (100,) * 3), Bet(5), Raise(20))

    assert (35, 100) == (amounts(now)[0], amounts(now)[-1])
    assert "bad-amount" == code(now, Raise(34))


def test_short_all_in_does_not_reopen_the_betting_for_seats_that_acted():
    now = after(opened(NO, (100, 100, 13)), Bet(10), Call(), Raise(13))

    assert (0, []) == (now.turn, amounts(now))
    assert "no-raise" == code(now, Raise(40))


def test_seat_that_checked_may_raise_a_short_all_in_bet():
    """As in pokerkit, the minimum raise is then still the minimum bet."""
    now = after(opened(NO, (50, 1, 50)), Check(), Bet(1), Call())

    assert (0, 3) == (now.turn, amounts(now)[0])


def test_seat_that_has_not_acted_may_raise_a_short_all_in():
    now = after(opened(NO, (100, 13, 100)), Bet(10), Raise(13))

    assert (2, 23) == (now.turn, amounts(now)[0])


def test_several_short_all_ins_reopen_the_betting_as_a_full_raise():
    now = after(opened(NO, (100, 16, 21, 100)), Bet(10), Raise(16), Raise(21), Call())

    assert (0, 31) == (now.turn, amounts(now)[0])


@pytest.mark.parametrize("terms", [FIXED, POT, NO])
def test_all_in_before_the_first_full_raise_does_not_let_a_caller_raise(terms):
    """Hold'em, blinds 1/2: seat 2 calls, the button is all-in for 3, the small blind folds, the big blind calls."""
    now = after(blinds(terms, (50, 50, 50, 3)), Call(), Raise(3), Fold(), Call())

    assert (2, [Call(), Fold()]) == (now.turn, list(betting.choices(now)))


@pytest.mark.parametrize("terms", [FIXED, POT, NO])
def test_blinds_may_raise_an_all_in_before_the_first_full_raise(terms):
    now = after(blinds(terms, (50, 50, 50, 3)), Call(), Raise(3))

    assert [(0, 5), (1, 5)] == [(one.turn, amounts(one)[0]) for one in (now, after(now, Fold()))]


@pytest.mark.parametrize("terms", [FIXED, POT, NO])
def test_all_ins_of_less_than_a_bet_do_not_let_a_caller_raise(terms):
    """Draw: seat 0 is all-in for 1, seat 1 calls, seat 2 is all-in for 2."""
    now = after(opened(terms, (1, 50, 2, 50)), Bet(1), Call(), Raise(2), Call())

    assert (1, [Call(), Fold()]) == (now.turn, list(betting.choices(now)))


@pytest.mark.parametrize("terms", [FIXED, POT, NO])
def test_all_in_of_less_than_the_first_bet_does_not_reopen_a_bring_in(terms):
    """Stud, bring-in 1, small bet 4: seat 1 has called the bring-in before someone is all-in for 2."""
    now = after(opened(terms, (50, 50, 2), least=4, bring_in=1), Bet(1), Call(), Raise(2))

    assert (0, [Call(), Fold()]) == (now.turn, list(betting.choices(now)))
    assert (1, [Call(), Fold()]) == (after(now, Call()).turn, list(betting.choices(after(now, Call()))))


def test_bet_that_completes_the_bring_in_reopens_the_betting():
    """It is a full bet for those who have called the bring-in, although they face only three chips more."""
    now = after(opened(FIXED, (50, 50, 50), least=4, bring_in=1), Bet(1), Call(), Raise(4))

    assert (0, [8]) == (now.turn, amounts(now))


@pytest.mark.parametrize("terms", [FIXED, POT, NO])
def test_call_costs_the_full_big_blind_when_its_seat_is_all_in_for_less(terms):
    now = blinds(terms, (50, 1, 50, 50))
    called, event = betting.act(now, Call())

    assert (Called(2, 2, all_in=False), 4) == (event, amounts(now)[0])
    assert (2, 1) == (called.owed, after(called, Fold()).owed)


def test_pot_limit_counts_short_blinds_in_full():
    """Blinds 2/4, both all-in for 1: a raise is at most to 4 and the pot of 2 + 4 + 4 after the call."""
    now = blinds(POT, (1, 1, 100, 100), 2, 4)

    assert 14 == amounts(now)[-1]


def test_big_blind_gets_no_more_than_it_can_match():
    """It is all-in for 1 and shares in 1 of everyone; what seat 2 called beyond that comes back."""
    now, events = betting.closed(after(blinds(NO, (50, 1, 50)), Call(), Fold()))

    assert ((Returned(2, 1),), (1, 1, 1)) == (events, now.paid)


def test_full_big_blind_counts_only_before_the_flop():
    now, _ = betting.closed(after(blinds(POT, (50, 1, 50)), Call(), Call()))
    flop = betting.opened(now, 0, 2)

    assert (0, 2, 5) == (flop.top, amounts(flop)[0], amounts(flop)[-1])


@pytest.mark.parametrize("shorts", [(12, 15), (13, 19)])
def test_short_all_ins_that_do_not_add_up_leave_the_betting_shut(shorts):
    """After a bet of 10; the first example of the TDA for its rule 47 is 100, 125 and 200, which do add up."""
    first, second = shorts
    now = after(opened(NO, (100, first, second, 100)), Bet(10), Raise(first), Raise(second), Call())

    assert (0, []) == (now.turn, amounts(now))


def test_short_all_ins_of_the_tdas_first_example_reopen_the_betting():
    """TDA, rule 47, example 1: A bets 100, B is all-in for 125, C calls, D is all-in for 200, E calls; A may raise."""
    opening = opened(NO, (900, 125, 900, 200, 900), least=100)
    now = after(opening, Bet(100), Raise(125), Call(), Raise(200), Call())
    called = after(now, Call())

    assert (0, 300) == (now.turn, amounts(now)[0])
    assert (2, []) == (called.turn, amounts(called))


def test_caller_may_not_raise_a_short_all_in_beside_one_who_may():
    """Robert's Rules: A bets 100, B raises to 200, C is all-in for 250, A calls: B was not fully raised. A could."""
    now = after(opened(NO, (900, 900, 250), least=100), Bet(100), Raise(200), Raise(250))

    assert [(0, 350), (1, None)] == [(one.turn, next(iter(amounts(one)), None)) for one in (now, after(now, Call()))]


def test_version_1_lets_a_short_all_in_reopen_the_betting_before_the_first_full_raise():
    old = Terms("no")
    now = after(blinds(old, (50, 50, 50, 3)), Call(), Raise(3), Fold(), Call())

    assert (2, 5) == (now.turn, amounts(now)[0])
    assert 1 == blinds(old, (50, 1, 50, 50)).owed


def test_seat_that_could_only_check_against_all_ins_is_skipped():
    now = after(opened(NO, (50, 8, 8)), Bet(8), Call(), Call())

    assert now.turn is None


def test_big_blind_is_skipped_when_the_only_opponent_is_all_in_for_less():
    assert blinds(NO, (50, 1)).turn is None


def test_seat_that_owes_a_call_acts_although_all_others_are_all_in():
    now = after(opened(NO, (8, 8, 50)), Bet(8), Call())

    assert (2, [Call(), Fold()]) == (now.turn, list(betting.choices(now)))


def test_big_blind_may_raise_any_opponent_with_chips():
    """Of five chips the other player has three after the call."""
    now = after(blinds(NO, (50, 5)), Call())

    assert (0, 4) == (now.turn, amounts(now)[0])


def test_seat_with_just_enough_for_a_call_cannot_raise():
    now = after(opened(NO, (50, 8, 50)), Bet(8))

    assert (1, [Call(), Fold()]) == (now.turn, list(betting.choices(now)))


def test_raise_includes_earlier_bets_on_the_street():
    """Of seven chips two are bet: raised to 4, there are 6 for a full raise, and 7 for all that is left."""
    assert [6, 7] == amounts(after(opened(NO, (7, 50)), Bet(2), Raise(4)))


def test_raise_that_nobody_could_call_is_not_legal():
    assert [] == amounts(after(opened(NO, (50, 8)), Check(), Bet(8)))


def test_uncalled_bet_is_returned():
    now, events = betting.closed(after(opened(NO, (50, 20)), Bet(30), Call()))

    assert (Returned(0, 10),) == events
    assert (30, 0) == now.stacks


def test_nothing_is_returned_when_all_bets_were_called():
    now, events = betting.closed(after(opened(NO, (50, 50)), Bet(30), Call()))

    assert ((), (20, 20), (0, 0)) == (events, now.stacks, now.bets)


def test_last_bettor_is_the_last_on_this_street():
    """If the last street was checked, nobody is the last bettor for the showdown."""
    now, _ = betting.closed(after(opened(FIXED, (50, 50)), Bet(2), Call()))

    assert (0, None) == (now.aggressor, betting.opened(now, 0, 4).aggressor)


def test_bets_on_streets_that_are_over_are_known():
    """The number of bets and the last bettor; a street that was checked has none."""
    first, _ = betting.closed(after(opened(FIXED, (50, 50)), Bet(2), Raise(4), Call()))
    second, _ = betting.closed(after(betting.opened(first, 0, 4), Check(), Check()))

    assert (StreetBets(2, 1), StreetBets(0, None)) == second.earlier


def test_bet_and_raise_are_different_events():
    now = opened(FIXED, (50, 50))

    assert BetMade(0, 2, all_in=False) == betting.act(now, Bet(2))[1]
    assert Raised(1, 4, all_in=False) == betting.act(after(now, Bet(2)), Raise(4))[1]


def test_bring_in_is_paid_or_completed():
    now = opened(FIXED, (50,) * 3, first=1, bring_in=1)

    assert [Bet(1), Bet(2)] == list(betting.choices(now))
    assert "bring-in" == code(now, Fold())
    assert BroughtIn(1, 1, all_in=False) == betting.act(now, Bet(1))[1]
    assert [Call(), Fold(), Raise(2)] == list(betting.choices(after(now, Bet(1))))
    assert [4] == amounts(after(now, Bet(1), Raise(2)))


def test_completing_the_bring_in_is_a_bet():
    now = opened(FIXED, (50,) * 3, first=1, bring_in=1)

    assert BetMade(1, 2, all_in=False) == betting.act(now, Bet(2))[1]


def test_bring_in_is_all_in_with_too_few_chips():
    now = opened(FIXED, (50, 1, 50), first=1, least=4, bring_in=2)

    assert [Bet(1)] == list(betting.choices(now))
    assert BroughtIn(1, 1, all_in=True) == betting.act(now, Bet(1))[1]


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ((), Call(), "nothing-to-call"),
        ((), Raise(4), "nothing-to-raise"),
        ((), Bet(3), "bad-amount"),
        ((), Bet(0), "bad-amount"),
        ((Bet(2),), Check(), "owes"),
        ((Bet(2),), Bet(4), "already-bet"),
        ((Bet(2),), Raise(5), "bad-amount"),
    ],
)
def test_illegal_betting_move_is_refused(moves, move, why):
    assert why == code(after(opened(FIXED, (50,) * 3), *moves), move)


@pytest.mark.parametrize(
    ("now", "move", "facts"),
    [
        (opened(FIXED, (50,) * 3, bring_in=1), Fold(), {"amount": 1}),
        (after(opened(FIXED, (50,) * 3), Bet(2)), Check(), {"amount": 2}),
        (after(opened(FIXED, (50,) * 3), Bet(2)), Bet(4), {"top": 2}),
        (after(opened(NO, (50,) * 3), Bet(2)), Raise(3), {"low": 4, "high": 50}),
        (after(opened(FIXED, (50, 2, 50)), Bet(2)), Raise(4), {}),
    ],
)
def test_refusal_has_the_legal_amounts(now, move, facts):
    """It names the chips to pay, or the limits of a bet or raise; nothing if there are none."""
    assert facts == refused(now, move).facts


def test_list_of_bets_knows_its_moves_without_making_them():
    moves = betting.choices(opened(NO, (10**6, 10**6)))

    assert 10**6 + 1 == len(moves)
    assert Bet(777) in moves
    assert moves[moves.index(Bet(777))] == Bet(777)
    assert Raise(777) not in moves
    assert [Check(), Fold(), Bet(2)] == moves[:3]
    assert Bet(10**6) == moves[-1]
    assert Check() in moves
    assert Bet(1) not in moves
    assert 0 == moves.index(Check())
    with pytest.raises(ValueError, match="not in range"):
        moves.index(Bet(1))


def test_list_of_bets_looks_for_a_move_between_two_places():
    moves = betting.choices(opened(NO, (50, 50)))

    assert 2 == moves.index(Bet(2), 2, 3)
    for absent in ((Check(), 1), (Bet(2), 0, 2), (Raise(2),)):
        with pytest.raises(ValueError, match=r"Check|Bet|Raise|not in"):
            moves.index(*absent)


def test_bring_in_stands_first_among_the_bets():
    moves = betting.choices(opened(FIXED, (50,) * 3, bring_in=1))

    assert [0, 1] == [moves.index(Bet(1)), moves.index(Bet(2))]


@given(
    st.sampled_from((FIXED, POT, NO, attrs.evolve(FIXED, cap=None))),
    st.lists(st.integers(1, 60), min_size=2, max_size=6),
    st.lists(st.integers(0, 10**6), max_size=60),
)
def test_chips_keep_their_sum_and_a_betting_round_ends(terms, stacks, picks):
    """Whatever happens, no stack is negative, and no seat in turn owes more than the highest bet."""
    now = opened(terms, tuple(stacks))
    for pick in picks:
        if now.turn is None:
            break
        moves = betting.choices(now)
        now, event = betting.act(now, moves[pick % len(moves)])
        assert not isinstance(event, Called | Raised) or event.all_in == (now.stacks[event.seat] == 0)

    assert sum(stacks) == sum(now.stacks) + sum(now.paid)
    assert min(now.stacks) >= 0
