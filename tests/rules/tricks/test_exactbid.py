"""The common rules of Ohell and Wizard: dealing, bidding in turn, playing tricks, and secrets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules.cards import DECK, JESTER, WIZARD, Card, Suit, cards, pack, sorted_hand
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.tricks import exactbid, hidden
from lilygames_rules.tricks.exactbid import (
    Bid,
    BidMade,
    CardPlayed,
    Deal,
    HandDealt,
    Play,
    Round,
    TrickCancelled,
    TrickWon,
)

TURNED = Card(Suit.HEARTS, 9)


def opened(text, *, dealer=0, order=(), crowned=None, dupes="first"):
    """Return a round before its first bid, from the hands by seat: `2C KH | 3C 3H`."""
    hands = [cards(hand) for hand in text.split("|")]
    deal = Deal(1, len(hands[0]), order or tuple(range(len(hands))), dealer, TURNED, TURNED.suit, crowned, dupes)
    return exactbid.opened(deal, hands)


def after_bids(now, *bids):
    for tricks in bids:
        now, _ = exactbid.bid(now, tricks, None)
    return now


def after_cards(now, text):
    for card in cards(text):
        now, _ = exactbid.play(now, card)
    return now


def at_random(seed, seats, size, decks, moves):
    luck = KeyedLuck(f"{seed}".encode())
    order = luck.shuffle(range(seats))
    hands, turned = exactbid.hand_out(order, 0, size, pack(decks), luck)
    now = exactbid.opened(Deal(1, size, order, 0, turned, turned.suit, None, "cancel-pair"), hands)
    for _ in range(moves):
        if exactbid.bidding(now):
            now, _ = exactbid.bid(now, luck.choice(exactbid.bids(now, None)).tricks, None)
        elif len(now.tricks) < now.deal.cards:
            now, _ = exactbid.play(now, luck.choice(exactbid.plays(now.hands[now.turn], now.trick)).card)
    return now


def test_cards_go_round_one_at_a_time_from_the_dealers_left():
    hands, turned = exactbid.hand_out(range(3), 1, 2, DECK, Scripted(cards("2S 3D 4H 5C 6C 7C 8C")))

    assert [cards("6C 3D"), cards("7C 4H"), cards("5C 2S")] == hands
    assert Card(Suit.CLUBS, 8) is turned


def test_nothing_is_turned_up_when_the_pack_is_used_up():
    assert exactbid.hand_out(range(4), 0, 13, DECK, KeyedLuck(b"all"))[1] is None


def test_bids_go_from_the_dealers_left_and_the_dealer_bids_last():
    now = opened("2C | 3C | 4C", dealer=1)
    turns = []
    while exactbid.bidding(now):
        turns.append(now.turn)
        now, events = exactbid.bid(now, 0, None)
        assert (BidMade(turns[-1], 0),) == events

    assert [2, 0, 1] == turns


def test_order_of_play_need_not_be_that_of_the_seats():
    """Seats are numbers at the table; the deal fixes their order."""
    now = opened("2C | 9H | 4C", dealer=1, order=(0, 2, 1))
    turns = []
    while exactbid.bidding(now):
        turns.append(now.turn)
        now, _ = exactbid.bid(now, 0, None)

    assert [0, 2, 1] == turns
    assert TrickWon(1, TURNED, 1, 0) == exactbid.play(after_cards(now, "2C 4C"), TURNED)[1][-1]


def test_cards_go_round_in_the_order_of_play():
    hands, _ = exactbid.hand_out((0, 2, 1), 1, 1, DECK, Scripted(cards("2S 3D 4H")))

    assert [cards("2S"), cards("4H"), cards("3D")] == hands


def test_first_bidder_leads_first():
    """The person who bids first leads first (lily's Ohell help)."""
    assert 2 == after_bids(opened("2C | 3C | 4C", dealer=1), 0, 0, 0).turn


def test_winner_of_a_trick_leads_the_next():
    now = after_bids(opened("2C 2D | AC 3D | 4C 4D"), 1, 1, 1)
    now = after_cards(now, "AC 4C 2C")

    assert (1, (0, 1, 0), ()) == (now.turn, now.taken, now.trick)


def test_last_bid_can_make_all_add_up():
    now = after_bids(opened("2C 2D | AC 3D | 4C 4D"), 1, 0)

    assert 1 == exactbid.evening_bid(now)
    assert [0, 2] == [bid.tricks for bid in exactbid.bids(now, 1)]


def test_only_the_last_bid_can():
    assert exactbid.evening_bid(opened("2C | 3C")) is None


def test_no_bid_is_barred_when_bids_exceed_the_tricks():
    assert exactbid.evening_bid(after_bids(opened("2C | AC | 4C"), 1, 1)) is None


@pytest.mark.parametrize(("tricks", "code"), [(-1, "bad-bid"), (3, "bad-bid"), (1, "hook")])
def test_bid_out_of_range_or_barred_is_refused(tricks, code):
    with pytest.raises(Refused) as refused:
        exactbid.bid(opened("2C 2D | AC 3D"), tricks, 1)

    assert (code, {"cards": 2, "barred": 1}) == (refused.value.code, refused.value.facts)


def test_trick_goes_to_its_winner_with_the_card_that_won():
    now = after_cards(after_bids(opened("2C | AC | 4C"), 1, 0, 0), "AC 4C")
    now, events = exactbid.play(now, Card(Suit.CLUBS, 2))

    assert (CardPlayed(0, Card(Suit.CLUBS, 2)), TrickWon(1, Card(Suit.CLUBS, 14), 1, 1)) == events
    assert len(now.tricks) == now.deal.cards


def test_cancelled_trick_counts_for_nobody_and_its_leader_leads_again():
    """9H turned up: A 5C, B 5C, C KC, D KC."""
    now = after_bids(opened("5C 2D | 5C 3D | KC 4D | KC 5D", dealer=3, dupes="cancel-pair"), 0, 0, 0, 0)
    now = after_cards(now, "5C 5C KC")
    now, events = exactbid.play(now, Card(Suit.CLUBS, 13))

    assert TrickCancelled(0) == events[-1]
    assert (0, (0, 0, 0, 0)) == (now.turn, now.taken)
    assert now.tricks[0].winner is None


def test_move_in_the_wrong_phase_is_refused():
    now = opened("2C | 5C")
    bid_all = after_bids(now, 0, 0)
    for state, move, phase in [(now, Play(TURNED), "bid"), (bid_all, Bid(0), "play"), (now, None, "bid")]:
        with pytest.raises(Refused) as refused:
            exactbid.act(state, move, None)

        assert ("wrong-phase", {"phase": phase}) == (refused.value.code, refused.value.facts)


def test_refused_card_off_suit_names_the_legal_cards():
    now = after_cards(after_bids(opened("2C AH KC | 5C 3D 4D"), 0, 0), "5C")
    with pytest.raises(Refused) as refused:
        exactbid.play(now, Card(Suit.HEARTS, 14))

    assert "must-follow" == refused.value.code
    assert (Suit.CLUBS, cards("2C KC")) == (refused.value.facts["suit"], refused.value.facts["cards"])


@given(st.lists(st.sampled_from([*DECK, WIZARD, JESTER]), min_size=2, max_size=16))
def test_accepted_cards_are_exactly_the_listed_ones(dealt):
    size = len(dealt) // 2
    deal = Deal(1, size, (0, 1), 0, TURNED, TURNED.suit, WIZARD)
    now = exactbid.opened(deal, [sorted_hand(dealt[:size]), sorted_hand(dealt[size : 2 * size])])
    now = after_cards(after_bids(now, 0, 0), str(dealt[size]))
    taken = [card for card in now.hands[0] if not refused(now, card)]

    assert [play.card for play in exactbid.plays(now.hands[0], now.trick)] == list(dict.fromkeys(taken))


def refused(now, card):
    try:
        exactbid.play(now, card)
    except Refused as no:
        return no.code
    return None


def test_card_in_another_hand_is_refused():
    with pytest.raises(Refused) as refused:
        exactbid.play(after_bids(opened("2C | 5C"), 0, 0), Card(Suit.CLUBS, 2))

    assert "not-in-hand" == refused.value.code


def test_two_copies_of_a_card_are_one_move():
    assert 2 == len(exactbid.plays(cards("2C 2C 3D"), ()))


def test_suitless_card_does_not_show_a_void():
    """A player who could follow may play a wizard."""
    now = after_cards(after_bids(opened("2C W | 5C 3D"), 0, 0), "5C W")

    assert (frozenset(), frozenset()) == hidden.voids(now)
    assert WIZARD in now.tricks[0].cards


def test_player_who_does_not_follow_is_known_to_be_void():
    now = after_cards(after_bids(opened("2D 3D | 5C 3D"), 0, 0), "5C 2D")

    assert (frozenset({Suit.CLUBS}), frozenset()) == hidden.voids(now)


def test_only_the_holder_sees_a_hand_dealt():
    dealt = HandDealt(1, cards("2C"))

    assert (None, dealt, None) == (dealt.seen_by(0), dealt.seen_by(1), dealt.seen_by(None))


positions = st.tuples(
    st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 8), st.integers(1, 2), st.integers(0, 60)
)


@given(positions)
@settings(max_examples=60)
def test_no_card_is_lost_or_made(position):
    now = at_random(*position)
    shown = [*now.trick, *(card for trick in now.tricks for card in trick.cards)]
    dealt = Counter(shown) + Counter(card for hand in now.hands for card in hand)

    assert not dealt - Counter(pack(position[3]))
    assert position[1] * position[2] == dealt.total()


@given(positions)
@settings(max_examples=60)
def test_tricks_taken_and_cancelled_make_all_tricks(position):
    now = at_random(*position)
    cancelled = sum(trick.winner is None for trick in now.tricks)

    assert len(now.tricks) == sum(now.taken) + cancelled
    assert tuple(map(len, now.hands)) == hidden.held(now)


@given(positions, st.integers(0, 6))
@settings(max_examples=60)
def test_imagined_round_looks_the_same_and_respects_voids(position, seat):
    now = at_random(*position)
    seat = seat if seat < position[1] else None
    sight = exactbid.see(now, seat)
    imagined = hidden.imagined(sight, seat, pack(position[3]), KeyedLuck(b"imagine"))

    assert sight == exactbid.see(imagined, seat)
    for hand, void in zip(imagined.hands, hidden.voids(now), strict=True):
        assert void.isdisjoint(card.suit for card in hand)
    open_cards = [card for _, card, _ in hidden.cards_played(now)] + [now.deal.turned]
    held = [card for hand in imagined.hands for card in hand]
    assert not Counter(held + open_cards) - Counter(pack(position[3]))


def test_imagined_rounds_are_uniform_over_the_deals_that_fit():
    """A led 2C and B threw AD, so B has no club: each of its possible hands is equally often imagined.

    Of the six cards that C does not see A holds one, and B one that isn't a club.
    """
    small = (*cards("2C 3C 4C 5C 2D 3D 2H 3H"), TURNED, *cards("AD KD"))
    deal = Deal(1, 2, (0, 1, 2), 1, TURNED, TURNED.suit)
    now = Round(deal, (cards("KD"), cards("3D"), cards("5C 3C")), (0, 0, 0), (0, 0, 0), (), cards("2C AD"), 2)
    sight = exactbid.see(now, 2)
    counts = Counter()
    for number in range(4000):
        hands = hidden.imagined(sight, 2, small, KeyedLuck(b"%d" % number)).hands
        counts[hands[:2]] += 1

    assert 25 == len(counts)
    expected = 4000 / 25
    chi_square = sum((seen - expected) ** 2 / expected for seen in counts.values())
    assert chi_square < 52
