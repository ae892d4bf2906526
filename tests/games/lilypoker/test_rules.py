"""lily-poker's hands, sentence by sentence, as its help states them."""

from __future__ import annotations

import pytest

from lilygames_rules import lilypoker
from lilygames_rules.cards import DECK, Card, cards
from lilygames_rules.kit import KeyedLuck, Scripted
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker import cards as pokercards
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker.bets import AntesPaid, Bet, BetMade, BlindPosted, Check, Fold, Folded, Returned
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, Reshuffled, UpDealt
from lilygames_rules.poker.deal import Discard, HandMucked, HandShown, PotWon, ThrownIn
from lilygames_rules.poker.session import HandScored
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import begun, code, event, kinds, refused, said, script

THREE = "AS AD KH 7C 2D | 9S 9D 9H 4C 5C | QS JD 10H 8C 3S"
ONE = {"hands": 1}


def chips(step):
    return step.state.match.chips


# A hand of draw.


def test_pk_3_a_hand_of_draw():
    """PK-3: fixed 2/4, ante 1."""
    step = begun(THREE, "9C KD 2H", (50, 50, 50), **ONE)
    step = said(step, "check, bet 2, call, fold, discard 4C 5C, discard 3S, check, bet 4, call")

    assert (49, 58, 43) == chips(step)


def test_pk_5_a_side_pot():
    """PK-5: the main pot of 9 to the short stack, the side pot of 6 to the next."""
    step = begun("AS AD AH AC 2S | KS KD KH KC 2D | QS QD QH QC 3S", "", (3, 6, 50), **ONE)
    step = said(step, "bet 2, call, call, stand, stand, stand, bet 3, call")

    assert (9, 6, 44) == chips(step)
    assert [(9, 0), (6, 1)] == [(pot.amount, pot.side) for pot in step.events if isinstance(pot, PotWon)]


@pytest.mark.parametrize(
    ("hands", "end"),
    [
        ("AS KS QH JH 9C | AD KD QC JC 9H | 2S 3S 4S 5S 7D", (51, 50, 49)),
        ("2S 3S 4S 5S 7D | AS KS QH JH 9C | AD KD QC JC 9H", (49, 51, 50)),
    ],
)
def test_pk_9_the_odd_chip_goes_to_the_first_winner_left_of_the_dealer(hands, end):
    """PK-9: two put in 2 each, the third folds."""
    bets = "bet 2, call, fold" if end[0] > 50 else "check, bet 2, call, fold"
    step = said(begun(hands, "", (50, 50, 50), **ONE), f"{bets}, stand, stand, check, check")

    assert end == chips(step)


def test_pk_11_winner_by_folds_shows_nothing():
    """PK-11: no card of the winner, nor of anyone else, is in any public event."""
    step = said(begun(THREE, "", (50, 50, 50), **ONE), "bet 2, fold, fold")
    seen = [public for one in step.events if (public := one.seen_by(None)) is not None]

    assert [BetMade, Folded, Folded, Returned, PotWon, HandScored] == [type(one) for one in seen]
    assert "Card(" not in repr(seen)
    assert (None,) * 5 == lilypoker.view(step.state, None).last.layout.hands[0]
    assert (52, 49, 49) == chips(step)


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    luck = Scripted(1, DECK[:15])
    dealt = [one for one in lilypoker.start(3, Options(), (), luck).events if isinstance(one, CardsDealt)]

    assert [(2, DECK[0:15:3]), (0, DECK[1:15:3]), (1, DECK[2:15:3])] == [(one.seat, one.cards) for one in dealt]


def test_only_the_owner_sees_discarded_and_drawn_cards():
    """Discards are not shown, not even in others' history."""
    step = said(begun(THREE, "9C KD"), "check, check, check, stand, discard 4C 5C")
    drawn = next(one for one in step.events if isinstance(one, CardsDrawn) and one.count)

    assert CardsDrawn(1, 2, cards("4C 5C"), cards("9C KD")) == drawn.seen_by(1)
    assert CardsDrawn(1, 2) == drawn.seen_by(0) == drawn.seen_by(None)
    assert (0, 2, None) == step.state.deal.drew


def test_discards_are_shuffled_when_the_stock_runs_out():
    """These are earlier discards and folded hands, never the drawer's own cards."""
    luck = KeyedLuck(b"eight")
    step = lilypoker.start(8, Options(), (), luck)
    while step.state.deal.phase == "bet":
        step = lilypoker.apply(step.state, lilypoker.turn(step.state), Check(), luck)
    for _ in range(2):
        seat = lilypoker.turn(step.state)
        step = lilypoker.apply(step.state, seat, Discard(step.state.deal.layout.hands[seat]), luck)
    seat, layout = lilypoker.turn(step.state), step.state.deal.layout
    thrown = [card for dead in layout.dead for card in dead.cards]
    step = lilypoker.apply(step.state, seat, Discard(layout.hands[seat]), luck)

    assert Reshuffled(10) == event(step, Reshuffled)
    assert layout.stock == step.state.deal.layout.hands[seat][:2]
    assert set(thrown) >= set(step.state.deal.layout.hands[seat][2:])
    assert not set(layout.hands[seat]) & set(step.state.deal.layout.hands[seat])


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        ("discard AS AD KH 7C", "too-many-cards"),
        ("discard 9S", "not-in-hand"),
        ("discard AS AS", "not-in-hand"),
        ("check", "wrong-phase"),
        ("show", "wrong-phase"),
        ("variant draw", "wrong-phase"),
    ],
)
def test_illegal_draw_is_refused(made, refused):
    step = said(begun(THREE, max_draw=3), "check, check, check")

    assert refused == code(step.state, 0, made)
    assert "not-your-turn" == code(step.state, 1, "stand")


def test_cards_are_thrown_only_when_it_is_time_to_draw():
    said_no = refused(begun(THREE).state, 0, "discard 7C")

    assert ("wrong-phase", {"phase": "bet"}) == (said_no.code, said_no.facts)


def test_refused_draw_says_which_card_or_how_many():
    state = said(begun(THREE, max_draw=3), "check, check, check").state

    assert {"most": 3} == refused(state, 0, "discard AS AD KH 7C").facts
    assert {"card": Card.parse("9S")} == refused(state, 0, "discard 9S").facts


@pytest.mark.parametrize(("most", "ways"), [(1, 6), (3, 26), (5, 32)])
def test_any_cards_may_be_thrown_up_to_the_most(most, ways):
    """None, each alone, each two... of five."""
    step = said(begun(THREE, max_draw=most), "check, check, check")
    moves = lilypoker.moves(step.state, 0)

    assert ways == len(moves) == len({*moves})
    assert [Discard(), *moves[1:]] == [*moves]


def test_folded_hand_is_thrown_where_others_are():
    dead = said(begun(THREE), "fold").state.deal.layout.dead

    assert {*cards("AS AD KH 7C 2D")} == {card for one in dead for card in one.cards}


# Openers.


def test_first_bet_takes_jacks_or_better():
    step = begun("10S 10D KH 7C 2D | JS JD 3H 4C 5C", openers="jacks")

    assert [Check(), Fold()] == list(lilypoker.moves(step.state, 0))
    assert "no-openers" == code(step.state, 0, "bet 2")
    assert Bet(2) in lilypoker.moves(said(step, "check").state, 1)


def test_any_hand_may_raise_what_another_has_opened():
    step = said(begun("JS JD KH 7C 2D | 10S 10D 3H 4C 5C", openers="jacks"), "bet 2, raise 4")

    assert 0 == lilypoker.turn(step.state)


def test_if_nobody_opens_the_pot_stays_and_everybody_antes_again():
    step = begun("10S 10D KH 7C 2D | QS JD 3H 4C 5C", "", (50, 50), openers="jacks", **ONE)
    step = said(step, "check, check", script("AS AD KH 7C 2D | QS JD 3H 4C 5C"))

    assert ThrownIn(2) == event(step, ThrownIn)
    assert (2, 4) == (event(step, HandBegun).carried, step.state.deal.betting.total)
    step = said(step, "bet 2, fold")
    assert (48, 52) == chips(step)
    assert lilypoker.outcome(step.state) is not None


def test_seat_all_in_for_the_ante_keeps_its_share_of_an_unopened_pot():
    step = begun("10S 10D KH 7C 2D | QS JD 3H 4C 5C | 2S 3S 4S 6D 8H", "", (50, 50, 1), openers="jacks", **ONE)
    step = said(step, "check, check", script("QS JD JH 4C 5C | AS AD AH 6C 8D | 10S 10D KH 7C 2D"))

    assert ((0, 49), (1, 49), (2, 0)) == event(step, HandBegun).chips
    step = said(step, "bet 2, call, stand, stand, stand, check, check")
    assert (46, 52, 3) == chips(step)


@pytest.mark.parametrize(
    ("hand", "opens"),
    [
        ("10S 10D KH 7C 2D", False),
        ("AS KD 9H 7C 2D", False),
        ("JS JD 3H 4C 5C", True),
        ("10S 10D 9H 9C 2D", True),
        ("2S 2D 2H 9C 7D", True),
        ("2S 3D 4H 5C 6D", True),
    ],
)
def test_pair_of_jacks_or_any_better_hand_opens(hand, opens):
    step = begun(f"{hand} | QS QD 3C 4S 8C", openers="jacks")

    assert opens == (Bet(2) in lilypoker.moves(step.state, 0))


def test_after_the_draw_any_hand_may_bet():
    step = said(begun("10S 10D KH 7C 2D | JS JD 3H 4C 5C", openers="jacks"), "check, bet 2, call, stand, stand")

    assert Bet(4) in lilypoker.moves(step.state, 0)


def test_last_seat_in_takes_an_unopened_pot():
    step = said(begun("10S 10D KH 7C 2D | QS JD 3H 4C 5C", "", (50, 50), openers="jacks", **ONE), "fold")

    assert ThrownIn not in kinds(step)
    assert (49, 51) == chips(step)


# Stud.

STUD = "AS AD KD | 9S 9D 2H | QS JD 2C"


def stud(then="", **options):
    return begun(STUD, then, (50, 50, 50), variant="stud7", **options)


def test_lowest_card_brings_it_in():
    """Of equal ranks clubs are lowest."""
    step = stud()

    assert UpDealt(tuple(zip((0, 1, 2), cards("KD 2H 2C"), strict=True))) == event(step, UpDealt)
    assert (2, [Bet(1), Bet(2)]) == (lilypoker.turn(step.state), list(lilypoker.moves(step.state, 2)))


def test_best_visible_hand_acts_first_on_later_streets():
    step = said(stud("3S 2S 4D"), "bet 1, call, call")

    assert (1, 1) == (step.state.deal.street, lilypoker.turn(step.state))


def test_dealers_left_acts_first_with_equal_visible_hands():
    step = said(begun("AS AD 2C | 9S 9D KH | QS JD KD", "3S QH QC", variant="stud7"), "bet 1, call, call")

    assert 1 == lilypoker.turn(step.state)


def test_later_streets_have_the_big_bet():
    step = said(stud("3S 2S 4D 5C 6C 7C"), "bet 1, call, call, check, check, check")

    assert Bet(4) in lilypoker.moves(step.state, 1)


def test_one_shared_card_is_dealt_when_the_stock_is_too_small():
    luck = KeyedLuck(b"eight")
    step, told = lilypoker.start(8, Options(variant="stud7", hands=1), (), luck), []
    while (seat := lilypoker.turn(step.state)) is not None:
        step = lilypoker.apply(step.state, seat, lilypoker.moves(step.state, seat)[0], luck)
        told += step.events
    (board,) = (one for one in told if isinstance(one, BoardDealt))

    assert 1 == len(board.board)
    assert 8 == len(step.state.last.betting.living)
    assert 52 - 8 * 6 - 1 == len(step.state.last.layout.stock)


def test_everyone_gets_a_last_card_when_the_stock_just_suffices():
    """Of eight, four fold on the sixth street: four cards are left for four."""
    luck = KeyedLuck(b"eight")
    step, told = lilypoker.start(8, Options(variant="stud7", hands=1), (), luck), []
    while (seat := lilypoker.turn(step.state)) is not None:
        deal = step.state.deal
        fold = deal.street == 3 and len(deal.betting.living) > 4
        step = lilypoker.apply(step.state, seat, Fold() if fold else lilypoker.moves(step.state, seat)[0], luck)
        told += step.events

    assert [] == [one for one in told if isinstance(one, BoardDealt)]
    assert ([7] * 4, ()) == (
        [len(pokerdeal.all_cards(step.state.last, seat)) for seat in step.state.last.betting.living],
        step.state.last.layout.stock,
    )


# Hold'em.


def test_holdem_burns_a_card_before_each_part_of_the_board():
    step = begun("AS AD | KS KD", "2C 3C 4C 5C 2D 6D 2H 7H", variant="holdem", **ONE)
    step = said(step, "call, check, check, check, check, check, check, check")
    boards = [one.cards for one in step.events if isinstance(one, BoardDealt)]

    assert [cards("3C 4C 5C"), cards("6D"), cards("7H")] == boards
    assert cards("2C 2D 2H") == tuple(card for dead in step.state.last.layout.dead for card in dead.cards)


def test_blinds_are_told_to_everyone():
    posted = [one for one in begun("AS AD | KS KD | QS QD", variant="holdem").events if isinstance(one, BlindPosted)]

    assert [BlindPosted(0, 1, big=False), BlindPosted(1, 2, big=True)] == posted


def test_dealer_acts_first_after_the_blinds_with_three_players():
    step = begun("AS AD | KS KD | QS QD", variant="holdem")

    assert (2, 2) == (step.state.deal.dealer, lilypoker.turn(step.state))


def test_seat_after_the_blinds_acts_first_and_later_the_dealers_left():
    step = begun("AS AD | KS KD | QS QD | JS JD", variant="holdem")

    assert 2 == lilypoker.turn(step.state)
    assert 0 == lilypoker.turn(said(step, "call, call, call, check").state)


def test_dealer_acts_first_before_the_board_and_last_after_it_with_two_players():
    step = begun("AS AD | KS KD", variant="holdem")

    assert 1 == lilypoker.turn(step.state)
    assert 0 == lilypoker.turn(said(step, "call, check").state)


def test_without_chips_to_bet_the_board_is_dealt_at_once():
    step = begun("AS AD | KS KD", "2C 3C 4C 9D 2D 6D 2H JH", (20, 20), variant="holdem", limit="no", **ONE)
    step = said(step, "raise 20, call")

    assert 3 == kinds(step).count(BoardDealt)
    assert (40, 0) == chips(step)


# The showdown.

DOWN = "bet 2, call, call, stand, stand, stand"


def test_last_bettor_shows_first_and_a_beaten_hand_is_mucked():
    step = said(begun(THREE, "", (50, 50, 50), **ONE), f"{DOWN}, check, bet 4, call, call")

    assert [1] == [one.seat for one in step.events if isinstance(one, HandShown)]
    assert [2, 0] == [one.seat for one in step.events if isinstance(one, HandMucked)]


def test_if_nobody_has_bet_the_dealers_left_shows_first():
    step = said(begun(THREE, "", (50, 50, 50), **ONE), f"{DOWN}, check, check, check")

    assert [0, 1] == [one.seat for one in step.events if isinstance(one, HandShown)]
    assert "a pair of aces" == event(step, HandShown).worth.words


def test_mucked_hand_stays_secret():
    step = said(begun(THREE, "", (50, 50, 50), **ONE), f"{DOWN}, check, bet 4, call, call")

    assert (None,) * 5 == lilypoker.view(step.state, 0).last.layout.hands[2]
    assert cards("QS JD 10H 8C 3S") == lilypoker.view(step.state, 2).last.layout.hands[2]
    assert cards("9S 9D 9H 4C 5C") == lilypoker.view(step.state, None).last.layout.hands[1]


def test_all_hands_are_shown_with_losers_show():
    step = said(begun(THREE, showdown="all", **ONE), f"{DOWN}, check, bet 4, call, call")

    assert [1, 2, 0] == [one.seat for one in step.events if isinstance(one, HandShown)]


def test_losers_are_asked_with_losers_ask():
    step = said(begun(THREE, showdown="ask", **ONE), f"{DOWN}, check, bet 4, call, call")

    assert 2 == lilypoker.turn(step.state)
    assert "wrong-phase" == code(step.state, 2, "check")
    step = said(step, "muck, show")
    assert [HandMucked, HandShown, HandScored] == kinds(step)
    assert cards("AS AD KH 7C 2D") == event(step, HandShown).cards


def test_shown_hand_has_its_value_and_the_next_loser_is_asked():
    step = said(begun(THREE, showdown="ask", **ONE), f"{DOWN}, check, bet 4, call, call, show")

    assert (0, "queen high") == (lilypoker.turn(step.state), event(step, HandShown, last=True).worth.words)
    assert cards("QS JD 10H 8C 3S") == lilypoker.view(step.state, None).deal.layout.hands[2]


def test_losing_hand_shown_has_its_value_with_two_players():
    step = said(
        begun("AS AD KH 7C 2D | QS JD 10H 8C 3S", showdown="ask", **ONE),
        "check, check, stand, stand, check, check, show",
    )

    assert "queen high" == event(step, HandShown, last=True).worth.words


def test_winner_by_folds_may_show():
    step = said(begun(THREE, showdown="ask", **ONE), "bet 2, fold, fold, show")

    assert HandShown(0, cards("AS AD KH 7C 2D"), None) == event(step, HandShown)


def test_seat_sees_its_own_cards_and_discards():
    state = said(begun(THREE, "9C KD"), "check, check, check, stand, discard 4C 5C").state
    own, other = (
        pokercards.known(dead.cards) for seat in (1, 0) for dead in lilypoker.view(state, seat).deal.layout.dead
    )

    assert (cards("4C 5C"), ()) == (own, other)


def test_ante_is_all_in_with_too_few_chips():
    assert AntesPaid(((0, 3), (1, 2), (2, 3))) == event(begun(THREE, "", (50, 2, 50), ante=3), AntesPaid)
