"""Compare Ohell with one deck with OpenSpiel's `oh_hell`: legal bids and cards, and the winner of each trick."""

from __future__ import annotations

import pytest

from lilygames_rules import ohell
from lilygames_rules.cards import DECK
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.ohell import Match, Options, State
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Deal
from tests.rules.tricks.openspiel_oh_hell import agree, load

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")

pytestmark = pytest.mark.oracle

ROUNDS = 400


def ours(seats, size, dealer, luck):
    """Return the first round of a game: `size` cards each, dealt from one deck by `dealer`."""
    order = tuple(range(seats))
    hands, turned = exactbid.hand_out(order, dealer, size, DECK, luck)
    match = Match(Options(decks=1), seats, dealer, 51 // seats, (0,) * seats, ())
    deal = Deal(1, size, order, dealer, turned, turned.suit, None, "cancel-pair")
    return State(match, exactbid.opened(deal, hands))


@pytest.mark.parametrize("seats", range(3, 8))
def test_we_agree_with_openspiel_on_every_bid_card_and_trick(seats):
    """400 rounds at each size of table, from one card each to as many as the deck has."""
    luck = KeyedLuck(b"oracle %d" % seats)
    games = {size: load(pyspiel, seats, size) for size in range(1, 51 // seats + 1)}
    for _ in range(ROUNDS):
        size = luck.choice(sorted(games))

        agree(ohell, ours(seats, size, luck.choice(range(seats)), luck), games[size], luck)
