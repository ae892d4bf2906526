"""lily-poker's sessions, sentence by sentence, from its help: dealing, joining, leaving and going broke."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import lilypoker
from lilygames_rules.cards import DECK, cards
from lilygames_rules.kit import Join, KeyedLuck, Leave, Refused, Scripted
from lilygames_rules.lilypoker import DealPassed, HandBegun
from lilygames_rules.poker.bets import Bet, Check, Fold, Folded
from lilygames_rules.poker.deal import Discard, HandMucked, HandShown
from lilygames_rules.poker.session import ROWS, GotUp, HandScored, SatDown, WentBroke
from lilygames_rules.poker.table import Blinds, Options
from tests.games.lilypoker.hands import NEVER, at_random, begun, code, event, kinds, said, script

THREE = "AS AD KH 7C 2D | 9S 9D 9H 4C 5C | QS JD 10H 8C 3S"
ONE = {"hands": 1}


def chips(step):
    return step.state.match.chips


def test_deal_passes_to_the_left():
    step = said(begun(THREE), "fold, fold", script(THREE))

    assert (2, 0) == (event(step, HandBegun).number, event(step, HandBegun).dealer)


def test_dealer_chooses_the_game():
    luck = Scripted(1)
    step = lilypoker.start(3, Options(variant="choice"), (), luck)

    assert (1, "choose") == (lilypoker.turn(step.state), lilypoker.phase(step.state))
    assert "wrong-phase" == code(step.state, 1, "check")
    step = said(step, "variant stud7", script("AS AD KD | 9S 9D 2H | QS JD 2C"))
    assert "stud7" == event(step, HandBegun).variant
    assert ["draw", "stud7", "holdem"] == [
        one.variant for one in lilypoker.moves(lilypoker.start(3, Options(variant="choice"), (), Scripted(1)).state, 1)
    ]


def test_sheet_of_an_unlimited_session_has_only_the_latest_hands():
    step, number = lilypoker.start(3, Options(), (5000,) * 3, KeyedLuck(b"")), 0
    while step.state.match.played < 3 * ROWS:
        number += 1
        seat = lilypoker.turn(step.state)
        step = lilypoker.apply(step.state, seat, lilypoker.default(step.state, seat), KeyedLuck(b"%d" % number))

    assert "unlimited" == step.state.match.options.hands
    assert [*range(2 * ROWS + 1, 3 * ROWS + 1)] == [row.number for row in lilypoker.view(step.state, 0).match.sheet]


def test_broke_seat_sits_out_until_it_adds_chips():
    step = begun(THREE, "", (50, 50, 1))
    step = said(step, "bet 2, call, stand, stand, stand, check, check", script("AS AD KH 7C 2D | QS JD 3H 4C 5C"))

    assert WentBroke(2) == event(step, WentBroke)
    assert {0, 1} == set(step.state.deal.betting.order)
    step = lilypoker.apply(step.state, 2, Join(30), NEVER)
    assert (SatDown(2),) == step.events
    assert (31, 30) == (step.state.match.bought[2], step.state.match.chips[2])
    step = said(step, "fold", script(THREE))
    assert {0, 1, 2} == set(step.state.deal.betting.order)


def test_guest_without_chips_sits_out_from_the_start():
    step = lilypoker.start(3, Options(), (50, 0, 50), Scripted(0, ()))

    assert (2, 0) == step.state.deal.betting.order


def test_session_ends_when_fewer_than_two_have_chips():
    step = begun("AS AD AH 7C 2D | QS JD 3H 4C 5C", "", (3, 3))
    step = said(step, "bet 2, call, stand, stand")

    assert ((3, -3), (0,)) == (lilypoker.outcome(step.state).scores, lilypoker.outcome(step.state).winners)
    assert () == lilypoker.moves(step.state, 0)
    assert "game-over" == code(step.state, 0, Leave()) == code(step.state, 0, "check")


def test_session_ends_with_its_last_hand():
    step = said(begun(THREE, hands=1), "fold, fold")

    assert "all hands are played" == lilypoker.outcome(step.state).reason
    assert 1 == step.state.match.played


def test_newcomer_takes_the_next_seat_and_plays_from_the_next_hand_on():
    step = begun(THREE)
    step = lilypoker.apply(step.state, 3, Join(70), NEVER)

    assert (SatDown(3),) == step.events
    assert () == lilypoker.moves(step.state, 3)
    step = said(step, "fold, fold", script(f"{THREE} | 2C 3C 4D 5D 7H"))
    assert (0, 1, 2, 3) == step.state.deal.betting.order
    assert (100, 100, 100, 70) == step.state.match.bought


@pytest.mark.parametrize("seat", [-1, 0, 4])
def test_joining_a_wrong_seat_is_refused(seat):
    """Table stakes: a player with chips cannot add any."""
    assert "bad-seat" == code(begun(THREE).state, seat, Join(50))


def test_joining_a_full_table_is_refused():
    step = lilypoker.start(8, Options(), (), KeyedLuck(b"full"))

    assert "table-full" == code(step.state, 8, Join(50))


def test_player_who_leaves_in_a_hand_folds_and_is_gone_after_it():
    """Even out of turn; seats keep their numbers."""
    step = lilypoker.apply(begun(THREE).state, 2, Leave(), NEVER)

    assert (Folded(2),) == step.events
    assert "bad-seat" == code(step.state, 2, Leave())
    step = said(step, "fold", script("AS AD KH 7C 2D | QS JD 3H 4C 5C"))
    assert GotUp(2) == event(step, GotUp)
    assert {0, 1} == set(step.state.deal.betting.order)


def test_all_in_player_who_leaves_stays_to_the_showdown():
    step = begun("AS AD AH AC 2S | KS KD KH KC 2D | QS QD QH QC 3S", "", (3, 50, 50), **ONE)
    step = said(step, "bet 2, call, call")
    step = lilypoker.apply(step.state, 0, Leave(), NEVER)

    assert ((), 1) == (step.events, lilypoker.turn(step.state))
    step = said(step, "stand, stand, check, check")
    assert [HandScored, GotUp] == kinds(step)[-2:]
    assert 9 == chips(step)[0]


def test_all_in_player_who_left_stands_pat():
    """The seat is not asked to draw."""
    step = begun("AS AD AH AC 2S | KS KD KH KC 2D | QS QD QH QC 3S", "", (50, 3, 50), **ONE)
    step = said(step, "bet 2, call")
    step = lilypoker.apply(step.state, 1, Leave(), NEVER)
    step = said(step, "call, stand")

    assert (2, "draw") == (lilypoker.turn(step.state), lilypoker.phase(step.state))


def test_player_who_left_is_not_asked_to_show():
    """That includes a player who lost all-in and one who won because the others folded."""
    step = begun("QS JD 10H 8C 3S | KS KD KH KC 2D | AS QD QH QC 3D", "", (3, 50, 50), showdown="ask", **ONE)
    bet = said(step, "bet 2")
    lost = lilypoker.apply(said(bet, "call, call").state, 0, Leave(), NEVER)
    lost = said(lost, "stand, stand, bet 4, call")
    won = said(lilypoker.apply(bet.state, 0, Leave(), NEVER), "fold, fold")

    assert (2, [0]) == (lilypoker.turn(lost.state), [one.seat for one in lost.events if isinstance(one, HandMucked)])
    assert (None, 5) == (lilypoker.turn(won.state), chips(won)[0])


def test_draw_continues_after_a_player_leaves():
    step = said(begun(THREE), "bet 2, call, call, stand")
    step = lilypoker.apply(step.state, 2, Leave(), NEVER)

    assert (1, "draw", (0, 1)) == (
        lilypoker.turn(step.state),
        lilypoker.phase(step.state),
        step.state.deal.betting.living,
    )
    assert (0, "bet") == (lilypoker.turn(said(step, "stand").state), lilypoker.phase(said(step, "stand").state))


def test_last_player_takes_the_pot_when_all_others_leave_during_the_draw():
    step = said(begun(THREE, **ONE), "bet 2, call, fold")
    step = lilypoker.apply(step.state, 0, Leave(), NEVER)

    assert (97, 104, 99) == chips(step)


def test_cards_of_a_player_who_leaves_are_discarded():
    dead = lilypoker.apply(begun(THREE).state, 2, Leave(), NEVER).state.deal.layout.dead

    assert {*cards("QS JD 10H 8C 3S")} == {card for one in dead for card in one.cards}


def test_hand_goes_on_while_someone_may_still_open():
    """Seat 0 leaves before anyone has acted."""
    step = begun("10S 10D KH 7C 2D | JS JD 3H 4C 5C | QS QD 2C 6H 8S", openers="jacks")
    step = lilypoker.apply(step.state, 0, Leave(), NEVER)

    assert ((Folded(0),), 1) == (step.events, lilypoker.turn(step.state))


def test_dealers_left_shows_first_after_the_last_bettor_left():
    step = begun("AS AD KH 7C 2D | 9S 9D 9H 4C 5C | QS JD 10H 8C 3S", **ONE)
    step = said(step, "check, check, check, stand, stand, stand, check, bet 4")
    step = lilypoker.apply(step.state, 1, Leave(), NEVER)
    step = said(step, "call, call")

    assert [0] == [one.seat for one in step.events if isinstance(one, HandShown)]
    assert (2, 0) == (event(step, HandMucked).seat, step.state.last.shown[0])


def test_session_ends_when_all_others_leave():
    state = begun(THREE).state
    for seat in (0, 2):
        step = lilypoker.apply(state, seat, Leave(), NEVER)
        state = step.state

    assert {0, 2} == {one.seat for one in step.events if isinstance(one, GotUp)}
    assert (-1, 2, -1) == lilypoker.outcome(state).scores


def test_next_dealer_chooses_when_the_dealer_leaves():
    step = lilypoker.start(3, Options(variant="choice"), (), Scripted(1))
    step = lilypoker.apply(step.state, 1, Leave(), NEVER)

    assert ((GotUp(1), DealPassed(2)), 2) == (step.events, lilypoker.turn(step.state))


def test_folded_player_who_leaves_is_gone_after_the_hand():
    step = lilypoker.apply(said(begun(THREE), "fold").state, 0, Leave(), NEVER)

    assert () == step.events
    assert GotUp(0) in said(step, "fold", script("AS AD KH 7C 2D | QS JD 3H 4C 5C")).events


def test_default_checks_or_folds_stands_pat_and_mucks():
    step = begun(THREE, showdown="ask")

    assert Check() == lilypoker.default(step.state, 0)
    assert Fold() == lilypoker.default(said(step, "bet 2").state, 1)
    assert Discard() == lilypoker.default(said(step, "check, check, check").state, 0)
    assert "Muck" == type(lilypoker.default(said(step, "bet 2, fold, fold").state, 0)).__name__


@pytest.mark.parametrize(
    ("seats", "options", "purses", "refused"),
    [
        (9, {}, (), "bad-seats"),
        (11, {"variant": "holdem"}, (), "bad-seats"),
        (1, {}, (), "bad-seats"),
        (3, {"small_bet": 0}, (), "bad-option"),
        (3, {"big_bet": 1}, (), "bad-option"),
        (3, {"max_draw": 6}, (), "bad-option"),
        (3, {"variant": "stud7", "bring_in": 2}, (), "bad-option"),
        (3, {"variant": "holdem", "blinds": Blinds(2, 4)}, (), "bad-option"),
        (3, {"variant": "holdem", "openers": "jacks"}, (), "openers-are-for-draw"),
        (3, {}, (50, 0, 0), "no-chips"),
    ],
)
def test_impossible_options_are_refused(seats, options, purses, refused):
    with pytest.raises(Refused) as no:
        lilypoker.start(seats, Options(**options), purses, NEVER)

    assert refused == no.value.code


@pytest.mark.parametrize("text", ["1", "1/", "/2", "a/b", "1/2/3", "-1/2"])
def test_malformed_blinds_are_refused(text):
    with pytest.raises(ValueError, match=r"."):
        Blinds.parse(text)


def test_blinds_are_written_as_people_say_them():
    assert Blinds(5, 10) == Blinds.parse("5/10")
    assert "5/10" == str(Blinds(5, 10))


# Invariants.

tables = st.tuples(
    st.integers(2, 8),
    st.builds(
        Options,
        variant=st.sampled_from(("draw", "stud7", "holdem", "choice")),
        limit=st.sampled_from(("fixed", "pot", "no")),
        hands=st.integers(1, 6),
        showdown=st.sampled_from(("muck", "ask", "all")),
        buyin=st.integers(1, 40),
    ),
    st.integers(0, 10**6),
)


@given(tables)
@settings(max_examples=40)
def test_wins_and_losses_add_up_and_no_card_is_lost(table):
    for step in at_random(*table):
        state = step.state
        match, deal = state.match, state.deal
        assert sum(match.bought) == sum(match.chips) + match.carried
        if deal is not None:
            layout = deal.layout
            places = [*layout.hands, *layout.up, layout.board, layout.stock, *(one.cards for one in layout.dead)]
            assert set(DECK) == {card for place in places for card in place}
            assert 52 == sum(map(len, places))
            assert sum(match.chips) + match.carried == sum(
                deal.betting.stacks[seat] if seat in deal.betting.order else match.chips[seat]
                for seat in range(len(match.chips))
            ) + (0 if deal.over else deal.betting.total)

    assert 0 == sum(lilypoker.outcome(state).scores)


@given(tables, st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 40)), max_size=12))
@settings(max_examples=60)
def test_people_may_come_and_go_at_any_time(table, visits):
    """At any moment chips keep their sum, seats keep their chips, and the session ends."""
    luck, up = KeyedLuck(b"company"), set()
    for step in at_random(*table, most=20):
        state = step.state
    for joins, seat, purse in visits:
        if lilypoker.turn(state) is None:
            break
        before = state.match
        try:
            step = lilypoker.apply(state, len(before.chips) if joins else seat, Join(purse) if joins else Leave(), luck)
        except Refused:
            continue
        state = step.state
        up |= {one.seat for one in step.events if isinstance(one, GotUp)}
        assert len(before.chips) + joins == len(state.match.chips)
        assert sum(before.bought) + purse * joins == sum(state.match.bought)
        assert lilypoker.turn(state) not in up
    while (seat := lilypoker.turn(state)) is not None:
        assert seat not in up
        state = lilypoker.apply(state, seat, luck.choice(lilypoker.moves(state, seat)), luck).state

    assert 0 == sum(lilypoker.outcome(state).scores)


def test_player_who_leaves_when_asked_to_show_mucks():
    step = said(begun(THREE, showdown="ask", hands=2), "bet 2, fold, fold")
    step = lilypoker.apply(step.state, 0, Leave(), script("9S 9D 9H 4C 5C | QS JD 10H 8C 3S"))

    assert [HandMucked, HandScored, GotUp, HandBegun] == kinds(step)[:4]


def test_unopened_pot_goes_to_the_last_player():
    """One of two players leaves while the other still has to play for it."""
    step = lilypoker.start(2, Options(variant="choice", openers="jacks"), (50, 50), Scripted(1))
    step = said(step, "variant draw", script("10S 10D KH 7C 2D | QS JD 3H 4C 5C"))
    step = said(step, "check, check")
    step = lilypoker.apply(step.state, 0, Leave(), NEVER)

    assert ((49, 51), 0) == (chips(step), step.state.match.carried)
    assert (-1, 1) == lilypoker.outcome(step.state).scores


def test_bring_in_passes_on_when_its_seat_leaves():
    step = begun("AS AD KD | 9S 9D 2H | QS JD 2C", "", (50, 50, 50), variant="stud7")
    step = lilypoker.apply(step.state, 2, Leave(), NEVER)

    assert (0, [Bet(1), Bet(2)]) == (lilypoker.turn(step.state), list(lilypoker.moves(step.state, 0)))
