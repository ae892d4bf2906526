"""Club players and sharks of lily-poker: their play with clear hands, and that they beat novices."""

from __future__ import annotations

import random

import attrs
import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.habits import Opponents, tempers
from lilygames.games.lilypoker.bots.house import LEVELS, club, tight
from lilygames.games.lilypoker.bots.worlds import above, worlds
from lilygames.games.lilypoker.solved.holes import good, points
from lilygames.games.lilypoker.views.chips import OPENER, OWN, standing
from lilygames.games.lilypoker.views.draw import thrown, value
from lilygames.testing import play
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.deal import Discard
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import begun, said

GREAT, WEAK = "AS AD AH 7C 2D", "9S 7D 5H 3C 2H"
STRONG = [club, LEVELS["shark"]]


def move(strategy, hands, text="", luck=b"calm"):
    """Return the next move of the player in turn."""
    step = begun(hands)
    state = said(step, text).state if text else step.state
    seat = lilypoker.turn(state)
    return strategy(lilypoker.view(state, seat), lilypoker.moves(state, seat), KeyedLuck(luck))


@pytest.mark.parametrize("strategy", STRONG)
def test_nuts_are_raised_except_as_a_trap(strategy):
    """That is what they do most of the time, so a call tells others nothing for sure."""
    moves = [move(strategy, f"{WEAK} | {GREAT}", "bet 2", b"%d" % luck) for luck in range(20)]

    assert 12 < moves.count(Raise(4))
    assert Fold() not in moves


@pytest.mark.parametrize("strategy", STRONG)
def test_nothing_is_folded_to_a_bet_and_a_raise(strategy):
    assert Fold() == move(strategy, f"{GREAT} | KS KD QH 8C 4S | {WEAK}", "bet 2, raise 4")


@pytest.mark.parametrize("strategy", STRONG)
def test_three_of_a_kind_are_kept(strategy):
    drawn = move(strategy, f"{GREAT} | {WEAK}", "check, check")

    assert isinstance(drawn, Discard)
    assert not set(cards("AS AD AH")) & set(drawn.cards)


@pytest.mark.parametrize(
    ("hand", "text", "does"),
    [("JS JD 9H 3C 2H", "", Bet(2)), ("10S 10D 9H 3C 2H", "", Check()), ("10S 10D 9H 3C 2H", "bet 2", Fold())],
)
def test_tight_players_open_jacks_or_better_and_fold_less(hand, text, does):
    assert does == move(tight, f"{GREAT} | {hand}" if text else f"{hand} | {GREAT}", text)


def test_tight_players_draw_one_card_where_the_pot_is_worth_it():
    """Such a pot has 9 for 2."""
    four = "9S 8D 7H 6C 2H"
    rest = "AC KD 10H 5C 4C | KS QD 10D 5D 3H | QS JD 10C 5S 3D"

    assert Call() == move(tight, f"{rest} | {GREAT} | {four}", "check, check, bet 2, call")


def test_strength_grows_with_the_hands_value():
    values = [value(cards(hand)) for hand in (WEAK, "9S 9D 5H 3C 2H", "AS AD 5H 3C 2H", "AS AD 5H 5C 2H", GREAT)]

    assert sorted(values) == values


def test_four_cards_to_a_flush_are_better_than_they_look():
    assert value(cards("AS 10S 5S 3S 2D")) > value(cards("9S 9D 5H 3C 2H"))


def test_bettor_is_estimated_to_hold_a_better_hand():
    assert standing(1, 0.95, OWN, bettor=True) > standing(1, 0.3, OWN, bettor=True)
    assert standing(0, 0.95, OWN, bettor=True) < standing(0, 0.3, OWN, bettor=True)


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_imagined_deals_have_no_card_twice_and_every_live_seat(variant):
    state = lilypoker.start(4, Options(variant=variant), (), KeyedLuck(b"deal")).state
    seat = lilypoker.turn(state)
    deal = lilypoker.view(state, seat).deal
    found = [*worlds(state.match.options, deal, seat, random.Random(1), 20, opponents=Opponents())]

    assert len(found) == 20
    assert all(set(world.strength) == set(world.final) == {0, 1, 2, 3} for world in found)
    assert all(len(set(world.stock)) == len(world.stock) for world in found)


def test_useless_cards_are_discarded_in_imagined_draws():
    assert set(cards("7C 2D")) == set(thrown(cards(GREAT)))


@pytest.mark.parametrize("limit", ["fixed", "pot", "no"])
@pytest.mark.parametrize("level", ["club", "shark"])
def test_all_games_are_played_to_the_end_at_any_limit(level, limit):
    options = Options(variant="choice", limit=limit, hands=6, showdown="ask")
    last = play(GAME, 3, options, 1, LEVELS[level])[-1].state

    assert lilypoker.outcome(last)


def test_club_player_beats_novices():
    """The bound is a chip in five hands; each deal is played once in every seat."""
    won = 0
    for seed in range(40):
        for place in range(4):

            def choose(view, moves, luck, place=place):
                return LEVELS["club" if view.seat == place else "novice"](view, moves, luck)

            last = play(GAME, 4, Options(hands=1), seed, choose)[-1].state
            won += lilypoker.outcome(last).scores[place]

    assert won > 32


def test_hand_is_weaker_against_opponents_who_drew_fewer_cards():
    """Players draw three cards to a pair, one to two pair, none to a straight."""
    deals = [
        said(begun(f"{GREAT} | 9S 9D 5H 3C 2H"), f"check, check, stand, {drawn}").state.deal
        for drawn in ("discard 5H 3C 2H", "discard 2H", "stand")
    ]
    first, second, third = (above(deal, 0, 4000) for deal in deals)

    assert first > second > third


def test_drawing_more_than_three_counts_as_three():
    hands = f"{GREAT} | 9S 7D 5H 3C 2H"
    three, five = (
        said(begun(hands), f"check, check, stand, discard {away}").state.deal for away in ("5H 3C 2H", "9S 7D 5H 3C 2H")
    )

    assert above(three, 0, 3400) == above(five, 0, 3400)


def test_two_cards_are_judged_by_chen():
    """The rule: an ace counts ten, a pair double, a suit two, neighbours up to five."""
    scores = [points(cards(two)) for two in ("AS AD", "AS KS", "10S 9S", "7S 2D")]

    assert [20, 12, 8, -1.5] == scores
    assert 0.99 < good(cards("AS AD")) < 1
    assert good(cards("7S 2D")) < 0.02


def test_holdem_seat_that_paid_for_the_flop_has_better_cards():
    """This holds in imagined deals; the big blind, who had no choice, may hold any cards."""
    step = said(begun("AS AD | 9C 4D | KC QC", variant="holdem"), "call")
    seat = lilypoker.turn(step.state)
    deal = lilypoker.view(step.state, seat).deal
    found = worlds(step.state.match.options, deal, seat, random.Random(1), 300, opponents=Opponents())
    blind, caller = (sum(values) / len(values) for values in zip(*([w.now[1], w.now[2]] for w in found), strict=True))

    assert caller > blind + 0.1


def test_openers_hand_says_nothing_about_its_first_bet():
    weak, usual = (standing(1, 0.3, temper, bettor=True) for temper in (OPENER, OWN))

    assert weak == standing(1, 0.95, OPENER, bettor=True) == 1
    assert usual < 0.1
    assert standing(2, 0.3, OPENER, bettor=True) < 0.1, "it raises only with good hands"


STUD = "5S 9D QC | AS KD 2H"
"""Three cards each, the last of them face up."""


@pytest.mark.parametrize(("seats", "number"), [(2, 5), (3, 4)])
def test_someone_who_bets_any_hand_is_imagined_in_stud_for_two(seats, number):
    hands = f"{STUD} | 3S 8D JC" if seats == 3 else STUD
    step = begun(hands, variant="stud7")
    deal = lilypoker.view(step.state, lilypoker.turn(step.state)).deal

    assert number == len(tempers(deal))


@pytest.mark.parametrize("variant", ["draw", "holdem"])
def test_nobody_who_bets_any_hand_is_imagined_in_other_games(variant):
    step = begun("AS AD AH 7C 2D | 9S 7D 5H 3C 2H" if variant == "draw" else "AS AD | KH 7C", variant=variant)
    deal = lilypoker.view(step.state, lilypoker.turn(step.state)).deal

    assert 4 == len(tempers(deal))


def test_hand_that_is_usually_folded_is_never_raised():
    found = {move(LEVELS["shark"], f"{GREAT} | {WEAK}", "bet 2", b"%d" % luck) for luck in range(10)}

    assert Raise(4) not in found


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_shark_with_its_smallest_budget_makes_the_moves_of_a_club_bot(variant):
    """So it is as strong as one, however many moves wait."""
    shark, made = LEVELS["shark"], []
    hurried = attrs.evolve(shark, budget=shark.less[-1])
    for number, turn in enumerate(play(GAME, 3, Options(variant=variant, hands=4), 1)):
        seat = lilypoker.turn(turn.state)
        if seat is not None:
            view, moves = lilypoker.view(turn.state, seat), lilypoker.moves(turn.state, seat)
            made.append([bot(view, moves, KeyedLuck(b"%d" % number)) for bot in (club, hurried)])

    assert len(made) > 20
    assert [calm for calm, _ in made] == [hasty for _, hasty in made]
