"""Remarks of bots about bets, pots and hands that were shown."""

from lilygames.games.lilypoker import talk as poker
from lilygames_rules.poker.bets import BetMade
from lilygames_rules.poker.deal import HandShown, PotWon
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import HandScored


def told(remarks):
    return {(one.seat, one.sayings.for_all) for one in remarks if not (one.small or one.by_others)}


def says(seat, sayings):
    return seat, sayings.for_all


def test_hand_with_nothing_that_was_called_is_worth_a_remark():
    shown = [HandShown(0, (), Worth(Kind.HIGH_CARD, (14,))), HandShown(1, (), Worth(Kind.PAIR, (2,)))]

    assert {says(0, poker._BLUFFED), says(1, poker._SAW_IT)} == told(poker.remarks([*shown, PotWon(30, 0, ((1, 30),))]))


def test_strong_hand_that_won_is_worth_a_remark():
    shown = HandShown(0, (), Worth(Kind.FULL_HOUSE, (14, 2)))

    assert {says(0, poker._MONSTER)} == told(poker.remarks([shown, PotWon(30, 0, ((0, 30),))]))


def test_pot_that_nobody_called_and_a_shared_pot_are_worth_remarks():
    assert {says(2, poker._UNCALLED)} == told(poker.remarks([PotWon(4, 0, ((2, 4),))]))
    shown = [HandShown(seat, (), Worth(Kind.PAIR, (2,))) for seat in (0, 1)]
    assert {says(0, poker._SHARED), says(1, poker._SHARED)} == told(
        poker.remarks([*shown, PotWon(30, 0, ((0, 15), (1, 15)))])
    )


def test_bet_of_everything_is_worth_a_remark():
    assert {says(1, poker._ALL_IN)} == told(poker.remarks([BetMade(1, 40, all_in=True)]))
    assert set() == told(poker.remarks([BetMade(1, 40, all_in=False)]))


def test_large_pot_is_worth_remarks_of_those_who_won_and_lost_it():
    found = told(poker.remarks([HandScored(3, (-20, 20, 0), ((0, 80), (1, 120), (2, 100)))]))

    assert {says(0, poker._LOST), says(1, poker._WON)} <= found
    assert set() == told(poker.remarks([HandScored(3, (-2, 2, 0), ((0, 98), (1, 102), (2, 100)))]))
