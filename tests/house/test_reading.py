"""Reading cards: a player who could have done better with another hand probably doesn't hold it."""

from __future__ import annotations

import pytest

from lilygames.games import ohell as ohell_bot
from lilygames.games import wizard as wizard_bot
from lilygames.games.families.tricks.bots.reading import likelihood
from lilygames.games.families.tricks.bots.scene import Stakes, scene
from lilygames.games.ohell import house as ohell
from lilygames.games.wizard import house as wizard
from lilygames.testing import play
from lilygames_rules import ohell as ohell_rules
from lilygames_rules.cards import DECK, Card, Suit, cards
from lilygames_rules.ohell import score
from lilygames_rules.tricks.exactbid import Deal, Sight, Trick

STAKES = Stakes(DECK, score, hook=True)


def read(theirs, tricks=(), trick="", *, bids, taken, turn=0):
    """The probability of the table's cards if the seat on your left holds these, as seat 0 sees it."""
    size = 2 + len(tricks)
    deal = Deal(1, size, (0, 1, 2), 2, Card.parse("5D"), Suit.DIAMONDS)
    here = scene(Sight(deal, cards("2S 3S"), bids, taken, tricks, cards(trick), turn), 0, STAKES)
    return likelihood(here.kit, here.strong, here.chosen, [here.hand, here.kit.set_of(cards(theirs)), 0])


def test_player_who_ducks_a_wanted_trick_is_not_given_the_winning_card():
    tricks = (Trick(0, cards("TH 4H 2H"), 0),)
    likely = {theirs: read(theirs, tricks, bids=(1, 1, 0), taken=(1, 0, 0)) for theirs in ("AH 6C", "7S 6C")}

    assert likely["AH 6C"] < likely["7S 6C"] == 1


def test_player_who_discards_low_is_not_given_a_higher_card():
    tricks = (Trick(0, cards("TH 4H 2H"), 0),)
    likely = {theirs: read(theirs, tricks, bids=(1, 0, 0), taken=(1, 0, 0)) for theirs in ("9H 6C", "3H 6C")}

    assert likely["9H 6C"] < likely["3H 6C"] == 1


def test_nothing_is_inferred_before_the_last_bid():
    assert 1 == read("AD KD", bids=(0, None, None), taken=(0, 0, 0))


@pytest.mark.parametrize(("game", "house"), [(ohell_bot.GAME, ohell), (wizard_bot.GAME, wizard)])
def test_true_deal_explains_most_choices_by_the_rule_of_thumb(game, house):
    """The cards are read in the order of play, and each card of another player once."""
    explained = []
    for turn in play(game, 4, ohell_rules.Options(max=5) if house is ohell else None, 3, house.PLAYERS.club):
        seat, now = game.rules.turn(turn.state), turn.state.round
        if seat is None or now is None or now.deal.unnamed:
            continue
        view = game.rules.view(turn.state, seat)
        here = scene(view.round, seat, house.stakes(view))
        if here.chosen:
            hands = [here.kit.set_of(now.hands[place]) for place in now.deal.order]
            explained.append(likelihood(here.kit, here.strong, here.chosen, hands) == 1)
            played = [now.deal.cards - size for size in here.sizes]
            assert len(here.chosen) == sum(played) - played[here.me]

    assert sum(explained) > len(explained) / 2
