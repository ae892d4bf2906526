"""Compare Wizard, without wizards and jesters, with OpenSpiel's `oh_hell`: bids, cards and tricks."""

from __future__ import annotations

import pytest

from lilygames_rules import wizard
from lilygames_rules.cards import DECK, WIZARD
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Deal
from lilygames_rules.wizard import FREE_ROUNDS, Match, Options, State
from tests.rules.tricks.openspiel_oh_hell import agree, load

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")

pytestmark = pytest.mark.oracle

ROUNDS = 150


def ours(seats, size, luck):
    """Return a round of the German style with a restricted dealer, dealt from the 52 cards in a drawn order of play."""
    order = luck.shuffle(range(seats))
    dealer = luck.choice(order)
    hands, turned = exactbid.hand_out(order, dealer, size, DECK, luck)
    deal = Deal(FREE_ROUNDS + 1, size, order, dealer, turned, turned.suit, WIZARD)
    return State(Match(Options(style="german"), order, (0,) * seats, ()), exactbid.opened(deal, hands))


@pytest.mark.parametrize("seats", wizard.SEATS)
def test_we_agree_with_openspiel_where_no_wizard_or_jester_is_dealt(seats):
    """150 rounds at each size of table, from one card each to as many as 52 cards allow."""
    luck = KeyedLuck(b"wizard oracle %d" % seats)
    games = {size: load(pyspiel, seats, size) for size in range(1, 51 // seats + 1)}
    for _ in range(ROUNDS):
        size = luck.choice(sorted(games))

        agree(wizard, ours(seats, size, luck), games[size], luck)
