"""The novice of Liar's Lair: legal, not silly, and no wiser than its view."""

from __future__ import annotations

import attrs
import pytest

from lilygames.games.liarslair import GAME
from lilygames.games.liarslair.house import LEVELS, novice, patience
from lilygames.testing import at_random, play
from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lair.moves import Declare, Expose, Pass, Play, Reclaim, Take
from lilygames_rules.lair.table import Options
from tests.games.liarslair.positions import SEATS, lair
from tests.games.liarslair.worlds import hide


def decided(game, seat):
    """Return the names of a novice's moves there, with any luck."""
    seat = SEATS.index(seat)
    view, moves = liarslair.view(game.state, seat), liarslair.moves(game.state, seat)
    return {novice(view, moves, KeyedLuck(b"%d" % number)) for number in range(12)}


def cards(game, kind, *names):
    return {kind(game.names[name]) for name in names}


def test_novice_knocks_out_when_it_can():
    game = lair("a- b+", "a+ c-", "b- c+").then("A play a-")

    assert cards(game, Play, "a+") == decided(game, "B")


def test_novice_plays_truths_early_and_lies_last():
    game = lair("a- b+", "d- c-", "b- c+")

    assert cards(game, Play, "b+") == decided(game, "A")
    assert cards(game, Play, "b-") == decided(game.then("A play a-", "B play d-"), "C")


def test_novice_never_plays_a_lie_into_its_truth():
    game = lair("a+ b+", "c+ d-", "a- e-").then("A play a+", "B play c+")

    assert cards(game, Play, "e-") == decided(game, "C")


def test_novice_takes_and_reclaims_known_truths():
    game = lair("a- b+ c-", "a+ c+ d-", "e+ b- d+").then("A play a-", "B play a+")
    assert cards(game, Take, "b+") == decided(game, "B")

    game = lair("a+ b-", "c- d+", "b+ e-").then("A play a+", "B play c-", "C play b+", "C reclaim a+", "B reclaim b+")
    assert cards(game, Reclaim, "c-") == decided(game, "A")


def test_novice_declares_with_only_truths():
    game = lair("a+ b+", "a- c+", "b- c-", declaring=True)

    assert {Declare()} == decided(game, "A")
    assert {Pass()} == decided(game, "C")


def test_bot_never_declares_with_both_cards_of_a_pair():
    assert {Pass()} == decided(lair("a+ a-", "b- c+", "b+ c-", declaring=True, number=60), "A")


def test_novice_grows_bolder_from_round_to_round():
    hands = ("a+ b-", "a- c+", "b+ c-")

    assert [{Pass()}, {Declare()}] == [decided(lair(*hands, declaring=True, number=n), "A") for n in (1, 9)]


@pytest.mark.parametrize(
    ("victors", "rounds"), [((), 4), ((0,), 2), ((1,), 6)], ids=["nobody", "the novice", "someone else"]
)
def test_patience_of_a_novice_depends_on_who_has_knocked_someone_out(victors, rounds):
    state = lair("a+ b-", "a- c+", "b+ c-", declaring=True).state
    match = attrs.evolve(state.match, round=attrs.evolve(state.match.round, victors=victors))

    assert rounds == patience(liarslair.view(attrs.evolve(state, match=match), 0))


def test_novice_guesses_a_proof_only_as_the_last():
    hands = ("a- b-", "a+ c-", "b+ d-")
    game = lair(*hands, declaring=True).then("A declare", "B pass", "C pass")
    assert cards(game, Expose, "a+") == decided(game, "B")

    game = lair("a- e+", "a+ c-", "b+ d-").then("A play e+", "B play a+", "C play d-")
    game = game.then("C reclaim a+", "B reclaim e+", "A reclaim d-", "A declare", "B pass", "C pass")
    assert {Pass()} == decided(game, "B")
    assert cards(game, Expose, "a+") == decided(game.then("B pass"), "C")


@pytest.mark.parametrize("options", [Options(), Options(characters="secret", knockout="gift"), Options(deal="random")])
def test_novice_uses_only_its_view(options):
    for turn in play(GAME, 3, options, 5, novice)[::5]:
        for seat in turn.state.match.answering:
            other = hide(turn.state, seat, KeyedLuck(b"x"))
            said = [
                novice(liarslair.view(state, seat), liarslair.moves(state, seat), KeyedLuck(b"same"))
                for state in (turn.state, other)
            ]
            assert said[0] == said[1]


def test_novice_wins_twice_its_share_against_random_players():
    """One novice plays among four."""
    won = 0
    for seed in range(60):
        seat = seed % 4

        def choose(view, moves, luck, seat=seat):
            return novice(view, moves, luck) if view.seat == seat else at_random(view, moves, luck)

        won += play(GAME, 4, None, seed, choose)[-1].state.match.phase.winners == (seat,)

    assert won >= 30


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_games_between_novices_end(seats):
    rounds = [play(GAME, seats, None, seed, novice)[-1].state.match.round.number for seed in range(3)]

    assert max(rounds) < 40
    assert novice == LEVELS["novice"]
