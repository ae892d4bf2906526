"""Tempers in lily-poker: bots bet, call and fold otherwise where the call is close, and nowhere else."""

from itertools import product

import attrs
import pytest

from lilygames.game import Character
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import strength_of
from lilygames.games.lilypoker.bots.worlds import situation
from lilygames.games.lilypoker.views.chips import OWN
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import lilypoker
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.session import Row
from lilygames_rules.poker.table import Options

CLUB = GAME.players["club"]
TEMPERS = ("bold", "careful", "grumpy")


def lost(view, by):
    """Return a view whose seat won or lost chips in the last hand."""
    changes = tuple(by if seat == view.seat else 0 for seat in range(len(view.match.chips)))
    return attrs.evolve(view, match=attrs.evolve(view.match, sheet=(Row(1, "holdem", changes),)))


@pytest.fixture(scope="module")
def decisions():
    """Return views in which a seat has to bet, with its moves, from games of two and of six clubs."""
    found = []
    for seats, seed in ((2, 1), (2, 2), (2, 3), (6, 1), (6, 2)):
        for turn in play(GAME, seats, Options(variant="holdem", hands=6), seed, CLUB):
            seat = lilypoker.turn(turn.state)
            if seat is not None and lilypoker.phase(turn.state) == "bet":
                found.append((lost(lilypoker.view(turn.state, seat), -2), lilypoker.moves(turn.state, seat)))
    return found


def made(decisions, temper, seen=lambda view: view):
    """Return the moves of clubs in a temper, and those of usual clubs on the same views."""
    acting = GAME.in_character(CLUB, "club", Character(temper))
    return [
        tuple(bot(seen(view), moves, luck_of(1, number, "bot")) for bot in (CLUB, acting))
        for number, (view, moves) in enumerate(decisions)
    ]


def shares(moves):
    """Return the shares of bets and raises, and of folds."""
    return tuple(sum(isinstance(move, kind) for move in moves) / len(moves) for kind in (Bet | Raise, Fold))


def kinds(pairs):
    return {(type(usual), type(other)) for usual, other in pairs if usual != other}


def test_bold_bots_bet_and_raise_more_and_fold_as_often(decisions):
    usual, other = map(shares, zip(*made(decisions, "bold"), strict=True))

    assert other[0] > 1.2 * usual[0]
    assert usual[1] == other[1]


def test_careful_bots_bet_less_and_fold_more(decisions):
    usual, other = map(shares, zip(*made(decisions, "careful"), strict=True))

    assert other[0] < 0.97 * usual[0]
    assert other[1] > 1.03 * usual[1]


def test_grumpy_bots_bet_more_after_a_lost_hand_and_fold_less(decisions):
    usual, other = map(shares, zip(*made(decisions, "grumpy"), strict=True))

    assert other[0] > 1.2 * usual[0]
    assert other[1] < usual[1]


def test_grumpy_bots_bet_like_others_until_they_lose(decisions):
    pairs = made(decisions, "grumpy", lambda view: lost(view, 2))

    assert {(Fold, Call)} == kinds(pairs)


def test_bold_bots_only_bet_more_and_careful_ones_only_less(decisions):
    bold, careful = (kinds(made(decisions, temper)) for temper in ("bold", "careful"))

    assert bold >= {(Check, Bet), (Call, Raise)}
    assert bold <= {*product((Check, Call), (Bet, Raise))}
    assert careful >= {(Bet, Check), (Call, Fold)}
    assert careful <= {*product((Bet, Raise), (Check, Call)), (Call, Fold)}


@pytest.mark.parametrize("temper", TEMPERS)
def test_most_moves_stay_the_same_in_a_temper(decisions, temper):
    pairs = made(decisions, temper)

    assert sum(usual == other for usual, other in pairs) > 0.8 * len(pairs)


def test_bold_bots_bet_only_hands_that_are_nearly_good_enough(decisions):
    """Before the flop the strength of a hand doesn't depend on luck."""
    seen = 0
    for (view, _), (usual, other) in zip(decisions, made(decisions, "bold"), strict=True):
        if usual != other and not view.deal.layout.board:
            seen += 1

            assert 1 - strength_of(view.deal, view.seat, luck_of(1, 1)) < 1.5 * situation(view.deal).bet_share(OWN)
    assert seen > 0


def test_careful_bots_do_not_fold_more_to_a_lone_opponent(decisions):
    pairs = zip(decisions, made(decisions, "careful"), strict=True)
    alone = [pair for (view, _), pair in pairs if len(view.deal.betting.living) == 2]

    assert (Call, Fold) not in kinds(alone)


def test_grumpy_bots_fold_like_others_to_several_opponents(decisions):
    pairs = zip(decisions, made(decisions, "grumpy"), strict=True)
    several = [pair for (view, _), pair in pairs if len(view.deal.betting.living) > 2]

    assert not any(isinstance(usual, Fold) and usual != other for usual, other in several)
