"""The rules of Liars Dice, sentence by sentence, from the CONNECT documentation."""

from __future__ import annotations

import pytest

from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Looked, Roll, Rolled
from lilygames_rules.dice.passing import Challenged, Claim, ClaimMade, Peek
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.liarsdice import GameEnded, Options, RoundBegun, RoundScored
from tests.games.liarsdice.rounds import ALL, after, begun, dice, refused, verbs

# The starting player.


def test_starting_player_rolls_all_five_dice():
    """Nobody else sees them."""
    step = begun("99KQJ")

    assert (RoundBegun(1, 0), Rolled(0, 5, 2, (None,) * 5, dice("99KQJ"))) == step.events
    assert (True, "open", 0) == (step.state.passing.looked, liarsdice.phase(step.state), liarsdice.turn(step.state))


def test_starting_player_gets_two_additional_rolls():
    step = after(begun(), Roll((3, 4, 5)), Roll((5,)), luck="TTTT")

    assert "no-rolls-left" == refused(step, Roll((5,))).code
    assert [] == verbs(step)


@pytest.mark.parametrize(("reveal", "open_dice"), [("opener", "99"), ("always", "99"), ("never", "")])
def test_starting_player_reveals_the_dice_to_keep(reveal, open_dice):
    step = after(begun(reveal=reveal), Roll((3, 4, 5)), luck="TTT")
    seen = tuple(face for face in liarsdice.view(step.state, 2).cup.dice if face)

    assert dice(open_dice) == seen
    assert (Rolled(0, 3, 1, step.state.cup.shown, dice("99TTT")),) == step.events


@pytest.mark.parametrize(("reveal", "open_dice"), [("opener", ""), ("always", "QJ"), ("never", "")])
def test_later_players_reveal_what_they_keep_only_where_all_do(reveal, open_dice):
    step = after(begun(reveal=reveal), "pair", Accept(), Roll((1, 2, 3)), luck="TTT")

    assert dice(open_dice) == tuple(face for face in liarsdice.view(step.state, None).cup.dice if face)


def test_revealed_die_that_is_rolled_is_hidden_again():
    step = after(begun(), Roll((3, 4, 5)), Roll((2, 3)), luck="TTTAA")

    assert (1, None, None, 2, 2) == liarsdice.view(step.state, 1).cup.dice


def test_first_claim_may_be_anything():
    assert 579 * 3 == sum(isinstance(move, Claim) for move in liarsdice.moves(begun().state, 0))
    assert Claim(Hand.parse("high")) == liarsdice.default(begun().state, 0)


# Claiming.


def test_higher_claim_need_only_be_more_specific():
    """Thus, "a pair and a nine" is a higher claim than "a pair"."""
    step = after(begun(), "pair", "pair + 9")

    assert (ClaimMade(1, Hand.parse("pair + 9"), 2, looked=False, unseen=True),) == step.events


@pytest.mark.parametrize("claim", ["pair", "pair + 9", "high A"])
def test_claim_that_is_not_higher_is_refused_with_the_lowest_that_is(claim):
    step = after(begun(), "pair + 9")
    no = refused(step, claim)

    assert ("not-higher", "pair + 9", "pair + T") == (no.code, str(no.facts["hand"]), str(no.facts["least"]))
    assert "answer" == liarsdice.phase(step.state)


def test_nothing_is_higher_than_five_aces_so_they_can_only_be_challenged():
    step = after(begun(), "AAAAA")

    assert (Challenge(),) == liarsdice.moves(step.state, 1)
    assert "cannot-beat" == refused(step, Accept()).code
    assert (None, "not-higher") == (refused(step, "AAAAA").facts["least"], refused(step, "five A").code)


def test_dice_are_passed_to_a_player():
    """By default anyone may get them; the next player does if the claim names nobody."""
    step = begun(seats=4)

    assert 1 == after(step, "pair").state.passing.holder
    assert 3 == after(step, "pair > 3").state.passing.holder
    assert {None, 1, 2, 3} == {move.to for move in liarsdice.moves(step.state, 0) if isinstance(move, Claim)}


@pytest.mark.parametrize(("passing", "to"), [("any", 0), ("any", 4), ("next", 2)])
def test_dice_cannot_be_passed_to_yourself_or_against_the_options(passing, to):
    assert "bad-recipient" == refused(begun(seats=4, passing=passing), f"pair > {to}").code


def test_dice_may_go_back_to_the_passer():
    assert 0 == after(begun(), "pair", "pair 9 > 0").state.passing.holder


def test_claim_says_whether_the_passer_looked():
    for moves, looked in [((), False), ((Peek(),), True), ((ALL,), True)]:
        step = after(begun(), "pair", Accept(), *moves, "three", luck="99999" if ALL in moves else "")

        assert (ClaimMade(1, Hand.parse("three"), 2, looked=looked, unseen=False),) == step.events


# Answering.


def test_player_receiving_the_dice_may_accept_or_challenge_the_claim():
    step = after(begun(), "pair")

    assert [Accept(), Challenge()] == verbs(step)
    assert (Accepted(1),) == after(step, Accept()).events


def test_dice_may_be_passed_without_peeking_with_a_higher_claim():
    """Sometimes a player may feel cocky."""
    step = after(begun(), "pair", "two pair")

    assert (2, 1, "answer") == (step.state.passing.holder, step.state.passing.passer, liarsdice.phase(step.state))


def test_player_may_peek_at_the_hidden_dice_when_he_receives_them():
    step = after(begun("99KQJ"), "pair", Accept())
    assert (None,) * 5 == liarsdice.view(step.state, 1).cup.dice

    step = after(step, Peek())
    assert (Looked(1, dice("99KQJ")),) == step.events
    assert dice("99KQJ") == liarsdice.view(step.state, 1).cup.dice
    assert "looked-already" == refused(step, Peek()).code


def test_player_gets_two_attempts():
    step = after(begun(), "pair", Accept(), Roll((1, 2)), Roll((1,)), luck="AAA")

    assert "no-rolls-left" == refused(step, Roll((1,))).code


def test_if_all_five_dice_are_rolled_the_player_gets_two_additional_attempts():
    step = after(begun(), "pair", Accept(), ALL, Roll((1,)), Roll((1,)), luck="AAAAAAA")

    assert "no-rolls-left" == refused(step, Roll((1,))).code


def test_only_a_first_roll_of_all_five_gives_a_third():
    step = after(begun(), "pair", Accept(), Roll((1,)), ALL, luck="AAAAAA")

    assert "no-rolls-left" == refused(step, Roll((1,))).code


def test_rolling_shows_the_roller_all_five_dice():
    """Otherwise the roller could not choose the dice to keep."""
    step = after(begun("99KQJ"), "pair", Accept(), Roll((3,)), luck="9")

    assert dice("999QJ") == liarsdice.view(step.state, 1).cup.dice


def test_roll_of_no_dice_is_none():
    assert "bad-dice" == refused(begun(), Roll(())).code


def test_move_in_the_wrong_phase_is_refused():
    opened, asked = begun(), after(begun(), "pair")
    codes = [refused(opened, Accept()), refused(opened, Challenge()), refused(asked, Peek()), refused(asked, ALL)]

    assert ["wrong-phase"] * 4 == [no.code for no in codes]
    assert ["open", "open", "answer", "answer"] == [no.facts["phase"] for no in codes]
    assert "wrong-phase" == refused(after(asked, Accept()), Challenge()).code
    assert ("not-your-turn", 1) == (refused(asked, ALL, 2).code, refused(asked, ALL, 2).facts["turn"])


# Challenging.


def test_when_the_revealed_hand_is_as_good_or_better_the_challenger_loses_a_point_and_the_passer_gains_one():
    """Three nines are better than a pair of aces. In either case, the loser starts another round."""
    step = liarsdice.apply(after(begun("999KQ"), "pair A").state, 1, Challenge(), KeyedLuck(b"next"))

    assert Challenged(1, 0, Hand.parse("pair A"), dice("999KQ"), honest=True) == step.events[0]
    assert (RoundScored(1, 0, 1, (1, -1, 0)), RoundBegun(2, 1)) == step.events[1:3]
    assert (1, 2) == (liarsdice.turn(step.state), step.state.match.number)


def test_otherwise_the_reverse_occurs():
    step = liarsdice.apply(after(begun("999KQ"), "four").state, 1, Challenge(), KeyedLuck(b"next"))

    assert (RoundScored(1, 1, 0, (-1, 1, 0)), RoundBegun(2, 0)) == step.events[1:3]


def test_each_seat_begins_once_with_first_turns():
    """The host begins, then the next seat clockwise, even if the player who begins here loses."""
    step, starters = begun(first="turns", points="none", max_rounds=4), []
    while liarsdice.turn(step.state) is not None:
        starters += [event.starter for event in step.events if isinstance(event, RoundBegun)]
        step = after(step, "AAAAA", luck="")
        step = liarsdice.apply(step.state, liarsdice.turn(step.state), Challenge(), KeyedLuck(b"no aces"))

    assert [0, 1, 2, 0] == starters


@pytest.mark.parametrize(("kickers", "honest"), [("monotone", True), ("strict", False)])
def test_pair_and_a_nine_is_true_of_any_pair_unless_the_table_is_strict(kickers, honest):
    step = after(begun("KKAQJ", kickers=kickers), "pair + 9")

    assert honest is liarsdice.apply(step.state, 1, Challenge(), KeyedLuck(b"next")).events[0].honest


def test_new_round_is_forgotten_dice():
    step = liarsdice.apply(after(begun(), "five").state, 1, Challenge(), KeyedLuck(b"next"))

    assert (0, None, None) == liarsdice.view(step.state, None).cup.since
    assert (5, None, 2) == (step.events[-1].count, step.state.passing.hand, step.state.match.number)


# The end.


def test_first_to_reach_the_points_wins():
    step = after(begun("99KQJ", points=1), "five", Challenge())

    assert (RoundScored(1, 1, 0, (-1, 1, 0)), GameEnded((-1, 1, 0), (1,))) == step.events[1:]
    assert ((-1, 1, 0), (1,), "the points are reached") == tuple(
        getattr(liarsdice.outcome(step.state), n) for n in KEPT
    )
    assert ("over", None, ()) == (
        liarsdice.phase(step.state),
        liarsdice.turn(step.state),
        liarsdice.moves(step.state, 0),
    )
    with pytest.raises(Refused, match="game-over"):
        liarsdice.apply(step.state, 0, Challenge(), Scripted())


KEPT = ("scores", "winners", "reason")


def test_after_the_last_round_the_highest_score_wins_and_ties_share():
    step = after(begun("99KQJ", points="none", max_rounds=2), "five")
    step = liarsdice.apply(step.state, 1, Challenge(), Scripted(*dice("99KQJ")))
    step = after(step, "pair > 1", Challenge())

    assert ((0, 0, 0), (0, 1, 2), "all rounds are played") == tuple(
        getattr(liarsdice.outcome(step.state), n) for n in KEPT
    )


@pytest.mark.parametrize(
    ("seats", "options", "code"),
    [
        (1, {}, "bad-seats"),
        (11, {}, "bad-seats"),
        (3, {"points": 0}, "bad-points"),
        (3, {"points": 101}, "bad-points"),
        (3, {"max_rounds": 0}, "bad-rounds"),
        (3, {"max_rounds": 1001}, "bad-rounds"),
    ],
)
def test_impossible_game_is_refused(seats, options, code):
    with pytest.raises(Refused) as no:
        liarsdice.start(seats, Options(**options), (), Scripted())

    assert code == no.value.code


def test_starter_is_drawn_unless_the_host_starts():
    assert 2 == liarsdice.turn(liarsdice.start(3, Options(), (), Scripted(2, *dice("99KQJ"))).state)


def test_default_challenges_or_makes_the_lowest_claim():
    assert Challenge() == liarsdice.default(after(begun(), "pair").state, 1)
    assert Claim(Hand.parse("pair + 9")) == liarsdice.default(after(begun(), "pair", Accept()).state, 1)
