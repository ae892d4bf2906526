"""Remarks of bots about rounds and cards that prove nothing."""

from lilygames.games.liarslair import talk as lair
from lilygames_rules.lair.moves import CardExposed, RoundBegun


def told(remarks):
    return {(one.seat, one.sayings.for_all) for one in remarks if not (one.small or one.by_others)}


def says(seat, sayings):
    return seat, sayings.for_all


def test_card_that_proves_nothing_is_worth_remarks():
    assert {says(2, lair._NO_PROOF), says(0, lair._UNHARMED)} == told(
        lair.remarks([CardExposed(2, 0, None, "nothing")])
    )


def test_every_other_round_of_lair_is_worth_a_remark():
    assert {says(1, lair._STARTS)} == told(lair.remarks([RoundBegun(4, 1)]))
    assert set() == told(lair.remarks([RoundBegun(5, 1)]))
