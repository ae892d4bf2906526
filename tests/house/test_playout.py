"""The fast model of trick games: whole hands end as by the rules, with any pack, trump and option."""

from __future__ import annotations

import itertools

import pytest

from lilygames.games.families.tricks.bots.playout import kit, lying, play_out, rule_of_thumb
from lilygames.gametest.plays import luck_of
from lilygames_rules.cards import DECK, Card, Suit, cards, pack
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, Deal, Play
from lilygames_rules.wizard import PACK, WIZARD

SEATS = 4


def dealt(table, cards_each, seed, *, crowned=False, dupes="first"):
    """Return a round that waits for its first card."""
    order = tuple(range(SEATS))
    hands, turned = exactbid.hand_out(order, 3, cards_each, table, luck_of(seed, 0))
    crown = WIZARD if WIZARD in table else turned if crowned else None
    deal = Deal(1, cards_each, order, 3, turned, turned.suit if turned else None, crown, dupes)
    now = exactbid.opened(deal, hands)
    for seat in range(SEATS):
        now, _ = exactbid.act(now, Bid((seed + seat) % min(3, cards_each + 1)), None)
    return now


def as_sets(now, known):
    """Return the hands as sets of bits, no bit in two of them."""
    left = {card: list(bits) for card, bits in known.bits.items()}
    return [sum(1 << left[card].pop() for card in hand) for hand in now.hands]


def by_the_rules(now, known, hands, strong):
    """Return the tricks of each seat if all play by the rule of thumb; each card is checked by the rules."""
    hands = list(hands)
    while len(now.tricks) < now.deal.cards:
        seat, trick = now.turn, [known.bits[card][0] for card in now.trick]
        lies = lying(known, trick, exactbid.leader(now), SEATS)
        need, last = now.bids[seat] - now.taken[seat], len(trick) == SEATS - 1
        bit = rule_of_thumb(known, hands[seat], need, strong, lies.led, lies.best, last=last)
        hands[seat] ^= 1 << bit
        now, _ = exactbid.act(now, Play(known.cards[bit]), None)
    return list(now.taken)


PACKS = [
    (DECK, False, "first"),
    (PACK, False, "first"),
    (pack(2), False, "first"),
    (pack(2), True, "first"),
    (pack(3), True, "last"),
    (pack(4), True, "cancel-pair"),
    (pack(4), False, "cancel-pair"),
    (pack(4), False, "cancel-trick"),
]


@pytest.mark.parametrize(("table", "crowned", "dupes"), PACKS)
@pytest.mark.parametrize("size", [1, 4, 12])
def test_hand_played_out_ends_as_by_the_rules(table, crowned, dupes, size):
    """Every card is legal, and the same seats take the same tricks; cancelled tricks belong to nobody."""
    for seed in range(10):
        now = dealt(table, size, seed, crowned=crowned, dupes=dupes)
        known = kit(table, now.deal.trump, now.deal.crowned, dupes)
        hands, strong = as_sets(now, known), sum(1 << bit for bit in range(len(table) * 3 // 4, len(table)))
        expected = by_the_rules(now, known, hands, strong)
        lies = lying(known, [], exactbid.leader(now), SEATS)
        needs = play_out(known, list(hands), list(now.bids), exactbid.leader(now), strong, lies)

        assert expected == [bid - need for bid, need in zip(now.bids, needs, strict=True)]


def test_bits_are_ordered_by_how_easily_cards_win():
    known = kit(PACK, Suit.HEARTS, WIZARD, "first")
    marks = [key for key, _ in itertools.groupby(known.cards, key=lambda card: (card.suit is Suit.HEARTS, card.rank))]

    assert [(False, 0), (False, 2)] == marks[:2]
    assert [(True, 13), (True, 14), (False, 15)] == marks[-3:]


def chosen(hand, trick="", *, need, strong="", last=False):
    known = kit(DECK, Suit.DIAMONDS, None, "first")
    lies = lying(known, [known.bits[card][0] for card in cards(trick)], 0, SEATS)
    held, high = known.set_of(cards(hand)), known.set_of(cards(strong))
    return str(known.cards[rule_of_thumb(known, held, need, high, lies.led, lies.best, last=last)])


@pytest.mark.parametrize(
    ("hand", "trick", "need", "last", "played"),
    [
        ("2C AH 5D", "", 1, False, "5D"),
        ("2C AH 5D", "", 0, False, "2C"),
        ("2H JH AH", "9H TH", 1, True, "JH"),
        ("2H JH AH", "9H TH", 1, False, "AH"),
        ("2H 9H AH", "TH 3H", 0, False, "9H"),
        ("QH KH", "TH 3H", 0, True, "KH"),
        ("QH KH", "TH 3H", 0, False, "QH"),
        ("2H 9H", "KH", 1, False, "2H"),
        ("KS 2C", "KH", 0, False, "KS"),
    ],
)
def test_rule_of_thumb_chooses_the_expected_card(hand, trick, need, last, played):
    """It takes a wanted trick, cheaply if last, or else gets rid of dangerous cards."""
    assert Card.parse(played) == Card.parse(chosen(hand, trick, need=need, last=last))


def test_player_with_more_strong_cards_than_needed_tricks_ducks():
    assert "5H" == chosen("5H AH AS", "TH", need=1, strong="AH AS")
