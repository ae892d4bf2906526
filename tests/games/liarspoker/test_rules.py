"""The rules of Liar's Poker, sentence by sentence, from "Liars Poker" (rules of February 10, 1986)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, BidMade, Challenge, Challenged, Stand, Stood
from lilygames_rules.kit import Leave, Refused, Scripted
from lilygames_rules.liarspoker import Choose, Counted, HandBegun, HandScored, Options
from tests.games.liarspoker.talk import BILLS, NEVER, at_random, begun, bid_out, code, event, fingers, said, script

# A hand.


def test_lowest_pair_of_letters_opens_the_first_hand():
    step = begun(fingers(1, 1, 1, rank=4), letters="CX BK BD")

    assert 2 == event(step, HandBegun).opener == liarspoker.turn(step.state)
    assert ((0, "CX"), (1, "BK"), (2, "BD")) == event(step, HandBegun).letters


def test_first_in_order_of_choice_opens_with_equal_letters():
    luck = script(fingers(1, 1, 1, rank=4), "BB BB BB")
    step = liarspoker.start(3, Options(**BILLS), (0, 0, -5), luck)

    assert 2 == liarspoker.turn(step.state)


def test_final_bidder_is_the_first_bidder_in_the_next_round():
    step = said(begun(fingers(1, 1, 1, rank=4)).state, "2 fours, 3 fours, x, x, =", script(fingers(1, 1, 1, rank=4)))

    assert 1 == event(step, HandBegun).opener == liarspoker.turn(step.state)
    assert () == event(step, HandBegun).letters


def test_opener_can_be_drawn_by_lot():
    """The opener is drawn after the lot for the first choice, before the numbers; then no letters are compared."""
    luck = Scripted(2, 1, *"AA11111111AB22222222AC33333333")
    step = liarspoker.start(3, Options(numbers="bills", opener="random"), (), luck)

    assert ((), 1) == (event(step, HandBegun).letters, liarspoker.turn(step.state))


def test_bidder_challenged_by_everyone_is_asked():
    step = said(begun(fingers(1, 1, 1, rank=4)).state, "3 fours, x, x")

    assert (Challenged(2, Bid(3, 4), 0),) == step.events
    assert Stand() == liarspoker.moves(step.state, 0)[0]


def test_rebid_is_counted_at_once_when_all_challenge_it():
    step = said(begun(fingers(1, 1, 1, rank=1), hands=1).state, "3 sevens, x, x, 4 ones, x, x")

    assert [Challenged, Counted, HandScored] == [type(one) for one in step.events]
    assert "missed" == event(step, HandScored).verdict


def test_rebid_is_told_as_one():
    step = said(begun(fingers(1, 1, 1, rank=1)).state, "3 sevens, x, x, 4 ones")

    assert event(step, BidMade).rebid


def test_count_goes_round_from_the_bidders_left_the_bidder_last():
    step = said(begun(fingers(0, 1, 2, 3, rank=4), hands=1).state, "2 fours, 3 fours, x, x, x, =")

    assert (Stood(1, Bid(3, 4)), Counted(Bid(3, 4), ((2, 2), (3, 3), (0, 0), (1, 1)), ())) == step.events[:2]


def test_numbers_are_shown_where_the_table_says_so():
    step = bid_out(begun("44123567 | 00000000", hands=1, reveal="numbers").state, "1 four")

    assert ("00000000", "44123567") == event(step, Counted).numbers
    assert ("44123567", "00000000") == step.state.match.sheet[0].numbers


@pytest.mark.parametrize(
    ("seat", "text", "move", "refused"),
    [
        (1, "", Bid(1, 1), "not-your-turn"),
        (0, "", Challenge(), "wrong-phase"),
        (0, "", Stand(), "wrong-phase"),
        (0, "", Choose(1), "wrong-phase"),
        (1, "3 fours", Stand(), "wrong-phase"),
        (1, "3 fours", Bid(3, 4), "not-higher"),
        (1, "3 fours", Bid(25, 1), "bad-bid"),
        (0, "3 fours, x, x", Challenge(), "wrong-phase"),
        (1, "3 fours, x, x", Challenge(), "not-your-turn"),
    ],
)
def test_illegal_call_is_refused(seat, text, move, refused):
    state = begun(fingers(1, 1, 1, rank=4)).state

    assert refused == code(said(state, text).state if text else state, seat, move)


# The beginning and the end.


@pytest.mark.parametrize(
    ("seats", "options", "refused"),
    [
        (1, {}, "bad-seats"),
        (21, {}, "bad-seats"),
        (4, {"hands": 0}, "bad-hands"),
        (4, {"hands": 1001}, "bad-hands"),
        (4, {"stake": 0}, "bad-stake"),
        (4, {"stake": 1001}, "bad-stake"),
    ],
)
def test_impossible_session_is_refused(seats, options, refused):
    with pytest.raises(Refused) as no:
        liarspoker.start(seats, Options(**options), (), NEVER)

    assert refused == no.value.code


def test_highest_balance_wins_and_ties_share_the_win():
    state = begun(fingers(1, 1, 1, rank=4), hands=1).state
    step = said(state, "4 fours, x, x, =")

    assert ((-2, 1, 1), (1, 2)) == (liarspoker.outcome(step.state).scores, liarspoker.outcome(step.state).winners)
    assert "game-over" == code(step.state, 0, Bid(1, 1)) == code(step.state, 0, Leave())
    assert () == liarspoker.moves(step.state, 0)


def test_default_opens_with_one_one_then_challenges_then_stands():
    state = begun(fingers(1, 1, rank=4)).state

    assert Bid(1, 1) == liarspoker.default(state, 0)
    assert Challenge() == liarspoker.default(said(state, "1 one").state, 1)
    assert Stand() == liarspoker.default(said(state, "1 one, x").state, 0)


games = st.tuples(
    st.integers(2, 20),
    st.builds(
        Options,
        numbers=st.sampled_from(["slips", "bills"]),
        hands=st.integers(1, 12),
        choose=st.sampled_from(["auto", "manual"]),
        reveal=st.sampled_from(["counts", "numbers"]),
        progressive=st.booleans(),
        rebid=st.booleans(),
        skunk=st.booleans(),
        last_double=st.booleans(),
    ),
    st.integers(0, 10**6),
)


@given(games)
@settings(max_examples=25)
def test_session_ends_with_the_sum_of_its_hands(game):
    """Losses equal wins, and each hand uses a line of these slips that nobody has played."""
    seats, options, seed = game
    match = list(at_random(seats, options, seed))[-1].state.match

    assert options.hands == len(match.sheet)
    assert match.balances == tuple(map(sum, zip(*(row.changes for row in match.sheet), strict=True)))
    assert 0 == sum(match.balances)
    if options.numbers == "slips":
        tens = [match.sheet[first : first + 10] for first in range(0, len(match.sheet), 10)]
        assert all(len(rows) == len({row.line for row in rows}) for rows in tens)


@given(games, st.integers(0, 60))
@settings(max_examples=25)
def test_bidder_never_pays_more_than_the_stake_to_each(game, most):
    seats, options, seed = game
    for row in list(at_random(seats, options, seed, most))[-1].state.match.sheet:
        others = [change for seat, change in enumerate(row.changes) if seat != row.bidder]
        assert len(set(others)) == 1
        assert others[0] <= row.stake
