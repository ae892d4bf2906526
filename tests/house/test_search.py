"""Searching bots: imagined deals fit, bids count, obvious moves are found, and answers repeat."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from lilygames.game import Budget
from lilygames.games import ohell as ohell_bot
from lilygames.games import wizard as wizard_bot
from lilygames.games.families.tricks.bots.scene import Stakes, guess, rounded, scene
from lilygames.games.families.tricks.bots.search import apart
from lilygames.games.families.tricks.bots.worlds import Worlds
from lilygames.games.families.tricks.bots.worth import worth
from lilygames.games.ohell import house as ohell
from lilygames.games.wizard import house as wizard
from lilygames.testing import play
from lilygames_rules import wizard as wizard_rules
from lilygames_rules.cards import DECK, WIZARD, Card, Suit, cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.ohell import Match, Options, View, score
from lilygames_rules.tricks.exactbid import Bid, Deal, Play, Sight

STAKES = Stakes(DECK, score, hook=True)


def sight(hand, trick="", *, bids, taken=(0, 0, 0), tricks=(), turned="5D", turn=0, size=None):
    (up,) = cards(turned)
    size = size or len(cards(hand)) + len(tricks)
    return Sight(Deal(1, size, (0, 1, 2), 2, up, up.suit), cards(hand), bids, taken, tricks, cards(trick), turn)


def move(now, iterations=3000, seed=b"luck"):
    view = View(0, Match(Options(max=7), 3, 0, 7, (0, 0, 0), ()), now)
    moves = [Bid(n) for n in range(now.deal.cards + 1)] if None in now.bids else [*map(Play, now.hand)]
    return ohell.PLAYERS.search(view, moves, KeyedLuck(seed), Budget(iterations))


def positions(game, house, options, seats):
    """Yield the scene of the seat to move, all through a game."""
    for turn in play(game, seats, options, 1):
        seat, now = game.rules.turn(turn.state), turn.state.round
        if seat is not None and now is not None and not now.deal.unnamed:
            view = game.rules.view(turn.state, seat)
            yield scene(view.round, seat, house.stakes(view))


@pytest.mark.parametrize(
    ("game", "house", "options", "seats"),
    [
        (ohell_bot.GAME, ohell, Options(max=12), 4),
        (ohell_bot.GAME, ohell, Options(max=12), 9),
        (wizard_bot.GAME, wizard, wizard_rules.Options(), 4),
    ],
)
def test_imagined_deals_fit_the_view(game, house, options, seats):
    """Every hand has the right number of cards, none that is seen elsewhere, and no suit that its player lacks."""
    rng = random.Random(1)
    for here in positions(game, house, options, seats):
        worlds = Worlds(here, rng)
        worlds.exchange()
        *hands, nobody = worlds.hands

        assert here.hand == hands[here.me]
        assert list(here.sizes) == [hand.bit_count() for hand in hands]
        assert here.hidden_set | here.hand == sum(hands) + nobody
        assert not any(hand & void for hand, void in zip(hands, here.voids, strict=True))


def test_high_bidder_is_given_good_cards():
    def held(bid):
        here = scene(sight("2C 3C 4C 7C", bids=(0, bid, 1)), 0, STAKES)
        worlds, found = Worlds(here, random.Random(1)), []
        for _ in range(300):
            worlds.exchange()
            found.append(guess(here, worlds.hands[1]))
        return fmean(found)

    assert held(3) > held(1) + 0.5 > held(0) + 0.6


def test_deals_are_uniform_without_bids():
    """Two cards are out, and one of them is in the other hand: each equally often."""
    deal = Deal(1, 1, (0, 1), 1, Card.parse("5D"), Suit.DIAMONDS)
    small = Stakes(cards("KH 5D 2C AD"), score, hook=True)
    here = scene(Sight(deal, cards("KH"), (None, None), (0, 0), (), (), 0), 0, small)
    worlds, often = Worlds(here, random.Random(1)), 0
    for _ in range(2000):
        worlds.exchange()
        often += worlds.hands[1] == here.kit.set_of(cards("AD"))

    assert 900 < often < 1100


@pytest.mark.parametrize(
    ("hand", "bid"),
    [("QD KD AD", 3), ("2C 3H 2S", 0), ("2C AD 2S", 1)],
)
def test_obvious_bid_is_found(hand, bid):
    assert Bid(bid) == move(sight(hand, bids=(None, None, None)))


@pytest.mark.parametrize(
    ("hand", "trick", "bids", "played"),
    [("2H AH", "9H TH", (1, 0, 1), "AH"), ("2H AH", "9H TH", (0, 1, 0), "2H"), ("2C QC", "9H TD", (0, 1, 1), "QC")],
)
def test_obvious_card_is_found(hand, trick, bids, played):
    """The last player takes a trick that they need, and otherwise discards a card that could take one later."""
    assert Play(Card.parse(played)) == move(sight(hand, trick, bids=bids))


def test_equivalent_cards_are_tried_once():
    """King and ace are adjacent once the queen is accounted for; the nine has others in between."""
    here = scene(sight("9H KH AH 2C", bids=(1, 1, 1)), 0, STAKES)
    found = apart(here, [*map(Play, cards("2C 9H KH AH"))])

    assert {"2C", "9H", "KH"} == {str(here.kit.cards[bit]) for bit in found}


def test_same_view_and_luck_give_the_same_move():
    now = sight("2C 9H TH QS AS 3D 7D", bids=(None, None, None))

    assert 1 == len({move(now, 500) for _ in range(5)})


def test_move_without_a_choice_needs_no_luck():
    now = sight("AH", "9H TH", bids=(1, 0, 1))

    assert Play(Card.parse("AH")) == move(now, 10**9)


@pytest.mark.parametrize(
    ("about", "barred", "bid"), [(1.2, None, 1), (1.2, 1, 2), (0.8, 1, 0), (-0.3, 0, 1), (5.0, 3, 2), (-1, None, 0)]
)
def test_barred_bid_is_replaced_by_the_next(about, barred, bid):
    assert bid == rounded(about, 3, barred)


@pytest.mark.parametrize("trump", [Suit.HEARTS, None])
@pytest.mark.parametrize("crowned", [None, WIZARD])
def test_higher_cards_are_worth_more(trump, crowned):
    """All cards of a deal together are worth about as many tricks as there are."""
    for seats, size in ((3, 2), (4, 5), (4, 10), (6, 7)):
        for suit in Suit:
            values = [worth(Card(suit, rank), trump, crowned, seats, size) for rank in range(2, 15)]
            assert sorted(values) == values
            assert -0.5 < values[0]
            assert values[-1] < 2.5


def test_wizard_is_worth_a_trick_and_the_jester_none():
    assert (1, 0) == tuple(worth(card, Suit.HEARTS, WIZARD, 4, 5) for card in cards("W J"))


@pytest.mark.parametrize(
    ("style", "number", "scores", "hook"),
    [
        ("american", 9, (9, 0, 0), False),
        ("german", 3, (0, 0, 0), False),
        ("german", 4, (0, 0, 0), True),
        ("canadian", 4, (0, 0, 9), True),
        ("canadian", 4, (9, 0, 9), False),
        ("canadian", 4, (9, 0, 0), False),
    ],
)
def test_dealers_restriction_follows_the_style(style, number, scores, hook):
    deal = Deal(number, 3, (0, 1, 2), 2, Card.parse("5D"), Suit.DIAMONDS, WIZARD)
    now = Sight(deal, cards("2C 3C 4C"), (None,) * 3, (0,) * 3, (), (), 0)
    match = wizard_rules.Match(wizard_rules.Options(style=style), (0, 1, 2), scores, ())

    assert hook == wizard.stakes(wizard_rules.View(0, match, now)).hook
