"""Searching bots of Liar's Lair: exact records, fitting deals, obvious moves, and repeatable answers."""

from __future__ import annotations

import random

import pytest

from lilygames.game import Budget
from lilygames.games.liarslair import GAME
from lilygames.games.liarslair.house import club, novice, search
from lilygames.games.liarslair.prospect import Going, prospect
from lilygames.games.liarslair.worlds import World, imagined, ledger
from lilygames.testing import play
from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lair.hands import GONE, TABLE
from lilygames_rules.lair.moves import Declare, Expose, Pass, Play, Reclaim, Take
from lilygames_rules.lair.table import Options
from tests.games.liarslair.positions import SEATS, lair


def decided(game, seat, player=search):
    """Return the names of a player's moves there, with any luck."""
    seat = SEATS.index(seat)
    view, moves = liarslair.view(game.state, seat), liarslair.moves(game.state, seat)
    more = () if player is club else (Budget(300),)
    return {player(view, moves, KeyedLuck(b"%d" % number), *more) for number in range(4)}


def cards(game, kind, *names):
    return {kind(game.names[name]) for name in names}


@pytest.mark.parametrize(
    "options", [Options(), Options(spare=4), Options(knockout="gift", deal="random"), Options(characters="secret")]
)
def test_imagined_deals_fit_known_facts(options):
    """Cards stay where they were last seen, hands keep their sizes, and cards known to be true are true."""
    rng = random.Random(1)
    for turn in play(GAME, 4, options, 3)[::4]:
        for seat in range(4):
            view = liarslair.view(turn.state, seat)
            here = ledger(view, reads=True)
            world = imagined(here, rng)

            assert view.sizes == tuple(len(world.at(other)) for other in range(4))
            for card in view.cards:
                number = here.numbers[card.number]
                assert card.place in (None, world.places[number])
                assert card.true in (None, world.truths[number])
                assert world.truths[number] != world.truths[number ^ 1]


def test_first_owner_of_a_card_knows_its_pair():
    game = lair("a- b+", "c- d+", "b- e+", spare=2).then("A play b+", "B play d+", "C play e+", "C reclaim d+")
    view = liarslair.view(game.state, 0)
    here = ledger(view, reads=True)
    world, number = imagined(here, random.Random(1)), here.numbers[game.names["d+"]]

    assert world.places[number] == 2
    assert world.knowing(1, number)
    assert not world.knowing(2, number)


def test_inference_takes_the_last_players_card_for_a_lie():
    """It takes a card played before all others for a truth; a bot that only keeps records believes both equally."""
    game = lair("a- b+", "c+ d-", "b- e-", spare=2).then("A play b+", "B play c+", "C play e-")
    view = liarslair.view(game.state, 1)

    def believed(name, *, reads):
        here, rng = ledger(view, reads=reads), random.Random(1)
        return sum(imagined(here, rng).truths[here.numbers[game.names[name]]] for _ in range(1000)) / 1000

    assert believed("e-", reads=True) < 0.1
    assert believed("b+", reads=True) > 0.5
    assert 0.4 < believed("e-", reads=False) < 0.6


@pytest.mark.parametrize("player", [club, search])
def test_obvious_is_found(player):
    """The bot knocks out a rival if it can, drops a lie when it plays last, and keeps its truths."""
    game = lair("a- b+", "a+ c-", "b- c+").then("A play a-")
    assert cards(game, Play, "a+") == decided(game, "B", player)

    game = lair("a- b+", "d- c-", "b- c+", spare=1).then("A play a-", "B play d-")
    assert cards(game, Play, "b-") == decided(game, "C", player)

    game = lair("a- b+ c-", "a+ c+ d-", "e+ b- d+", spare=2).then("A play a-", "B play a+")
    assert cards(game, Take, "b+") == decided(game, "B", player)


@pytest.mark.parametrize("player", [club, search])
def test_bot_declares_only_when_nobody_can_prove_it_a_liar(player):
    game = lair("a+ b+", "a- c+", "b- c-", declaring=True)

    assert {Declare()} == decided(game, "A", player)
    assert {Pass()} == decided(game, "C", player)


@pytest.mark.parametrize("player", [club, search])
def test_bot_never_declares_with_both_cards_of_a_pair(player):
    assert {Pass()} == decided(lair("a+ a-", "b- c+", "b+ c-", declaring=True), "A", player)


@pytest.mark.parametrize("player", [club, search])
def test_bot_declares_absolution_when_all_its_lies_can_be_proven(player):
    """After the second round it has seen both truths in the hands of others."""
    first = ("A play a-", "B play c+", "C play b+", "C reclaim b+", "B reclaim c+", "A reclaim a-")
    second = ("B play a+", "C play d+", "A play b-", "A reclaim b-", "C reclaim d+", "B reclaim a+")
    game = lair("a- b-", "a+ c+", "b+ d+", spare=1, absolution=True).then(*first)
    assert {Pass()} == decided(game, "A", player)

    game = game.then("A pass", "B pass", "C pass", *second)
    assert {Declare("absolution")} == decided(game, "A", player)


@pytest.mark.parametrize("player", [club, search])
def test_bot_proves_a_liar_when_it_can(player):
    game = lair("a- b-", "a+ c-", "b+ d-", spare=1, declaring=True).then("A declare", "B pass", "C pass")

    assert cards(game, Expose, "a+") == decided(game, "B", player)


def test_card_back_on_the_table_is_taken_rather_than_a_lie():
    game = lair("a+ b-", "c- d+", "b+ e-", spare=2).then("A play a+", "B play c-", "C play b+", "C reclaim a+")

    assert cards(game, Reclaim, "b+") == decided(game, "B")


def world(*places):
    """Return a world of two pairs, the first statement of each true: A knows the first pair, B the second."""
    return World([*places], [True, False, True, False], [1, 2, 0])


def test_hand_is_better_the_fewer_of_its_cards_can_be_proven_lies():
    lie_of_a, both, safe = world(1, 0, GONE, GONE), world(0, 0, GONE, GONE), world(GONE, 0, 1, 1)

    assert prospect(lie_of_a, 0, (0, 1, 2)) == prospect(both, 0, (0, 1, 2)) < 1 / 3 < prospect(safe, 0, (0, 1, 2))
    assert prospect(safe, 0, (1, 2)) == 0
    assert prospect(lie_of_a, 0, (0,)) == 1


def test_simulated_truth_knocks_out_and_both_cards_leave():
    going = Going(world(0, TABLE, 1, GONE), (0, 1, 2), {1: 1}, random.Random(1))

    assert (0,) == going.play(0, 0)
    assert [0, 2] == going.living
    assert [GONE, GONE, 0, GONE] == going.world.places


@pytest.mark.parametrize("options", [Options(), Options(characters="secret", knockout="gift", absolution=True)])
def test_same_view_and_luck_give_the_same_move(options):
    for turn in play(GAME, 3, options, 5)[::7]:
        for seat in turn.state.match.answering:
            view, moves = liarslair.view(turn.state, seat), liarslair.moves(turn.state, seat)
            said = {search(view, moves, KeyedLuck(b"same"), Budget(30)) for _ in range(3)}
            assert 1 == len(said)
            assert said <= set(moves)


def test_club_bots_win_more_than_novices():
    """One club bot plays among three novices, in every seat."""
    won = 0
    for seed in range(40):

        def choose(view, moves, luck, seat=seed % 4):
            return (club if view.seat == seat else novice)(view, moves, luck)

        won += seed % 4 in play(GAME, 4, None, seed, choose)[-1].state.match.phase.winners

    assert won >= 14
