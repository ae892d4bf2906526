"""A session of Liar's Poker: slips and bills, choosing them, joining and leaving, and secrets."""

from __future__ import annotations

import pytest

from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, Challenge, Stood
from lilygames_rules.bidding.slips import LastDigitsTold, NumberShown, SlipChosen, SlipDealt, SlipsLaid
from lilygames_rules.bidding.stakes import GotUp, SatDown
from lilygames_rules.kit import Join, KeyedLuck, Leave, Scripted
from lilygames_rules.liarspoker import Choose, Counted, HandScored, Options
from lilygames_rules.past import liarspoker2
from tests.games.liarspoker.talk import NEVER, begun, bid_out, code, event, fingers, said, script

# Slips.


def slips(seats, **options):
    return liarspoker.start(seats, Options(**options), (), KeyedLuck(b"slips")).state


def stepped(state, luck):
    return bid_out(state, "1 one", luck)


def test_in_the_first_round_each_plays_the_first_number():
    state = slips(3)

    assert (1,) == state.match.lines
    assert [15, 15, 15] == [len(slip.numbers) for slip in state.slips]


def test_last_digits_of_all_players_say_which_number_is_next():
    """Each player gives the parity of the last digit; for each odd parity, one unplayed number is skipped."""
    state = slips(4)
    odd = [int(slip.numbers[0][-1]) % 2 == 1 for slip in state.slips]
    step = stepped(state, KeyedLuck(b"on"))

    assert LastDigitsTold(tuple(enumerate(odd)), sum(odd), 2 + sum(odd)) == event(step, LastDigitsTold)
    assert (1, 2 + sum(odd)) == step.state.match.lines
    assert state.slips == step.state.slips
    assert tuple(odd) == step.state.match.sheet[0].odd


def test_only_ten_numbers_are_played_and_the_tenth_for_double():
    """It is doubled on top of the stake that the ninth hand has left to it, and not carried over."""
    state, stakes, bases = slips(3, hands=12), [], []
    for _ in range(11):
        stakes.append(state.match.stake)
        bases.append(state.match.base)
        before, state = state, stepped(state, KeyedLuck(b"on")).state

    assert [base * (2 if hand == 10 else 1) for hand, base in enumerate(bases, 1)] == stakes
    assert before.slips == state.slips
    assert 2 == len(state.match.lines)


def played(rules, **options):
    """Return the base stake and the stake of each hand of a session for three."""
    state = rules.start(3, Options(**options), (), KeyedLuck(b"slips")).state
    stakes = {}
    while rules.outcome(state) is None:
        stakes[len(state.match.sheet) + 1] = (state.match.base, state.match.stake)
        state = stepped(state, KeyedLuck(b"on")).state

    assert [row.stake for row in state.match.sheet] == [stake for _, stake in stakes.values()]
    return stakes


def factors(rules, **options):
    """Return by how much the stake of each hand is more than its base stake, where it is."""
    found = {hand: stake // base for hand, (base, stake) in played(rules, **options).items()}
    return {hand: factor for hand, factor in found.items() if factor != 1}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"hands": 3, "last_double": True}, {3: 2}),
        ({"hands": 10, "last_double": True}, {10: 4}),
        ({"hands": 12, "last_double": True}, {10: 2, 12: 2}),
        ({"hands": 20, "last_double": True}, {10: 2, 20: 4}),
        ({"hands": 25, "last_double": True}, {10: 2, 20: 2, 25: 2}),
        ({"hands": 25}, {10: 2, 20: 2}),
        ({"hands": 12, "last_double": True, "numbers": "bills"}, {12: 2}),
        ({"hands": 12, "numbers": "bills"}, {}),
    ],
)
def test_last_hand_is_for_double_stakes_where_that_is_agreed(options, expected):
    """A tenth number is for double "the stakes it otherwise would have been": as the last hand it is for four times."""
    assert expected == factors(liarspoker, **options)


def test_last_hand_on_a_tenth_number_was_doubled_once_in_version_2():
    assert {10: 2, 20: 2} == factors(liarspoker2, hands=20, last_double=True)


def test_hand_that_is_doubled_twice_says_so():
    state = slips(3, hands=10, last_double=True)
    for _ in range(9):
        step = stepped(state, KeyedLuck(b"on"))
        state = step.state
    begun = event(step, liarspoker.HandBegun)

    assert (True, True) == (begun.doubled, begun.twice)


def test_new_slips_are_taken_after_the_tenth_number():
    state = slips(3, hands=12)
    first = state.slips
    for _ in range(10):
        step = stepped(state, KeyedLuck(b"on"))
        state = step.state

    assert ((1,), 3) == (state.match.lines, sum(isinstance(one, SlipDealt) for one in step.events))
    assert not set(first) & set(state.slips)
    assert not [one for one in step.events if isinstance(one, LastDigitsTold)]


def test_nothing_is_skipped_and_told_after_the_last_hand():
    step = stepped(slips(3, hands=1), NEVER)

    assert [Stood, Counted, HandScored] == [type(one) for one in step.events]


def test_bills_are_new_each_hand_and_skip_nothing():
    step = bid_out(begun("13579135 | 11111111").state, "1 four", script("22222222 | 44444444"))

    assert ("22222222", "44444444") == tuple(slip.numbers[0] for slip in step.state.slips)
    assert not [one for one in step.events if isinstance(one, LastDigitsTold | SlipDealt)]


# Choosing.


def laid(seats=4, purses=(3, 3, -2, 0), **options):
    return liarspoker.start(seats, Options(choose="manual", **options), purses, KeyedLuck(b"laid"))


def test_first_choice_goes_to_the_lowest_lifetime_balance():
    step = laid()

    assert (SlipsLaid("slips", 4, 2),) == step.events
    assert 2 == liarspoker.turn(step.state)
    assert [Choose(1), Choose(2), Choose(3), Choose(4)] == list(liarspoker.moves(step.state, 2))


def test_equal_lifetime_balances_draw_lots():
    luck = Scripted(1, *"AB11111111AC22222222AD33333333")
    step = liarspoker.start(3, Options(numbers="bills", choose="manual"), (4, -1, -1), luck)

    assert 1 == step.state.match.chooser
    assert luck.spent


def test_choice_goes_round_clockwise_and_the_last_takes_what_is_left():
    state = laid().state
    pile = state.pile
    for seat, place in ((2, 3), (3, 1), (0, 4)):
        step = liarspoker.apply(state, seat, Choose(place), NEVER)
        state = step.state

    assert (pile[3], pile[1], pile[2], pile[0]) == state.slips
    assert (SlipChosen(0, 4), SlipChosen(1, 2)) == step.events[:2]
    assert () == state.pile


def test_taken_slip_cannot_be_taken_again():
    state = liarspoker.apply(laid().state, 2, Choose(3), NEVER).state

    assert "bad-choice" == code(state, 3, Choose(3)) == code(state, 3, Choose(5)) == code(state, 3, Choose(0))
    assert "wrong-phase" == code(state, 3, Bid(1, 1)) == code(state, 3, Challenge())
    assert "not-your-turn" == code(state, 2, Choose(1))
    assert [Choose(1), Choose(2), Choose(4)] == list(liarspoker.moves(state, 3))


def test_thereafter_the_final_bidder_chooses_first():
    state = laid(3, (), numbers="bills").state
    while liarspoker.phase(state) == "choose":
        state = liarspoker.apply(
            state, liarspoker.turn(state), liarspoker.default(state, liarspoker.turn(state)), NEVER
        ).state
    bidder = liarspoker.turn(state)
    step = bid_out(state, "1 one", KeyedLuck(b"next"))

    assert SlipsLaid("bills", 3, bidder) == step.events[-1]


# Joining and leaving.


def test_player_who_leaves_finishes_the_hand():
    state = begun(fingers(1, 1, 1, 1, rank=4), hands=3).state
    step = liarspoker.apply(state, 2, Leave(), NEVER)
    after = bid_out(step.state, "3 fours", script(fingers(1, 1, 1, rank=4))).state

    assert (GotUp(2),) == step.events
    assert (0, 1, 2, 3) == step.state.match.players
    assert ((0, 1, 3), None, (3, -1, -1, -1)) == (after.match.players, after.slips[2], after.match.balances)
    assert 24 == after.auction.most


def test_next_player_on_the_left_replaces_a_final_bidder_who_left():
    state = begun(fingers(1, 1, 1, rank=4), hands=3).state
    state = liarspoker.apply(state, 0, Leave(), NEVER).state

    assert 1 == liarspoker.turn(bid_out(state, "3 fours", script(fingers(1, 1, rank=4))).state)


def test_with_one_player_left_the_session_is_over():
    state = begun(fingers(1, 1, rank=4), hands=9).state
    after = bid_out(liarspoker.apply(state, 1, Leave(), NEVER).state, "2 fours").state

    assert ((1, -1), (0,)) == (liarspoker.outcome(after).scores, liarspoker.outcome(after).winners)
    assert "too few players are left" == liarspoker.outcome(after).reason


def test_newcomers_slip_inherits_the_played_lines():
    """It is dealt at once, and the newcomer plays the same line as all the others."""
    joined = liarspoker.apply(slips(3), 3, Join(20), NEVER)
    step = stepped(joined.state, KeyedLuck(b"on"))
    line = step.state.match.lines[-1]

    assert ((SatDown(3),), (0, 1, 2), ()) == (
        joined.events,
        joined.state.match.players,
        liarspoker.moves(joined.state, 3),
    )
    assert (0, 1, 2, 3) == step.state.match.players
    assert SlipDealt(3, step.state.slips[3]) == event(step, SlipDealt)
    assert NumberShown(3, step.state.slips[3].numbers[line - 1]) == step.events[-1]


def test_seat_that_was_left_can_be_taken_again():
    state = liarspoker.apply(begun(fingers(1, 1, 1, rank=4), hands=9).state, 1, Leave(), NEVER).state
    state = bid_out(state, "1 four", script(fingers(1, 1, rank=4))).state
    state = liarspoker.apply(state, 1, Join(), NEVER).state
    state = bid_out(state, "1 four", script(fingers(1, 1, 1, rank=4))).state

    assert (0, 1, 2) == state.match.players
    assert (3, -1, -2) == state.match.balances


def test_nobody_joins_twice_or_leaves_a_seat_that_is_not_theirs():
    state = begun(fingers(1, 1, rank=4)).state

    assert "bad-seat" == code(state, 0, Join()) == code(state, 4, Join()) == code(state, 2, Leave())
    full = begun(fingers(*(1,) * 20, rank=4)).state
    assert "table-full" == code(full, 20, Join())


# Secrets.


def test_spectator_sees_letters_but_no_digits():
    state = slips(3)
    seen = liarspoker.view(state, None)

    assert (None, tuple(slip.letters for slip in state.slips)) == (seen.slip, seen.letters)


def test_seat_sees_its_whole_slip_and_no_other():
    """It sees all fifteen numbers, and the lines tell which ones were played."""
    state = slips(3)

    assert state.slips[1] == liarspoker.view(state, 1).slip
    assert all(number not in repr(liarspoker.view(state, 1)) for number in state.slips[0].numbers)


def test_holders_of_none_stay_secret_before_the_count():
    """With a hero or a skunk at stake, the bidding looks the same whether a seat holds the digit or not."""
    none, some = (begun(numbers).state for numbers in ("11111111 | 22222222", "55511111 | 55522222"))
    for text in ("4 fives", "4 fives, x", "4 fives, x, 5 fives"):
        here, there = said(none, text), said(some, text)

        assert here.events == there.events
        assert liarspoker.view(here.state, None) == liarspoker.view(there.state, None)


def test_face_down_slips_are_secret():
    step = laid()

    assert all(liarspoker.view(step.state, seat).slip is None for seat in (*range(4), None))
    assert (4, (None,) * 4) == (liarspoker.view(step.state, 0).laid, liarspoker.view(step.state, 0).letters)


def test_slip_is_dealt_in_secret():
    """At the start and for a newcomer, each sees its own slip and number; spectators and the others see none of it."""
    joined = liarspoker.apply(slips(3), 3, Join(), NEVER).state
    for step in (liarspoker.start(3, Options(), (), KeyedLuck(b"slips")), stepped(joined, KeyedLuck(b"on"))):
        for one in step.events:
            if isinstance(one, SlipDealt | NumberShown):
                assert [one] == [seen for seat in (*range(4), None) if (seen := one.seen_by(seat)) is not None]
                assert one == one.seen_by(one.seat)
    assert SlipDealt(3, step.state.slips[3]) in step.events


def test_player_without_a_seat_yet_sees_what_a_spectator_sees():
    assert liarspoker.view(slips(3), 3).slip is None


def test_uncounted_digits_are_in_no_public_event():
    """Only a seat's own events have its number."""
    state = slips(3)
    step = stepped(state, KeyedLuck(b"on"))
    shown = [seen for one in step.events if (seen := one.seen_by(0)) is not None]

    assert all(number not in repr(shown) for slip in state.slips[1:] for number in slip.numbers)
    assert state.slips[0].numbers[step.state.match.lines[-1] - 1] in repr(shown)
