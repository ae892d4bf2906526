"""Achievements of Liar's Lair, from the events of a finished game."""

from lilygames.games.liarslair.achievements import ACHIEVEMENTS
from lilygames_rules.lair.moves import CardExposed, Contradicted, Declared, GameEnded

TRUTH, UNSHAKEN = (one.seats for one in ACHIEVEMENTS)


def test_two_contradictions_won_in_one_game_count():
    one, other = Contradicted(None, None, 2, 0), Contradicted(None, None, 2, 1)

    assert [2] == [*TRUTH([one, other], None)]
    assert [] == [*TRUTH([one, Contradicted(None, None, 2, 2)], None)]


def test_declaration_counts_if_it_won_after_a_card_was_exposed():
    declared, exposed = Declared(1, "honest", (), ""), CardExposed(0, 1, None, "nothing")
    won = GameEnded((1,), "honest")

    assert [1] == [*UNSHAKEN([declared, exposed, won], None)]
    assert [] == [*UNSHAKEN([declared, won], None)]
    assert [] == [*UNSHAKEN([declared, exposed, GameEnded((2,), "last")], None)]
