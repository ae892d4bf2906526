"""Wizard's deal, order of play, trump and bids, from pbmserv's Wizard help and, where that is silent, as printed."""

from __future__ import annotations

import pytest

from lilygames import codec
from lilygames_rules import wizard
from lilygames_rules.cards import JESTER, WIZARD, Card, Suit, cards
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, BidMade, Dealt, HandDealt, Play, Row
from lilygames_rules.wizard import PACK, BidBarred, NameTrump, Options, OrderSettled, TrumpNamed
from tests.games.wizard.positions import at_random, begun, code, of_kind, played, position, trick

HEARTS, DIAMONDS = Suit.HEARTS, Suit.DIAMONDS


def bid_up_to_the_dealer(*bids, **options):
    """Return a hand of as many cards as there are rounds so far, with the dealer still to bid."""
    size = options.pop("size")
    suits = [" ".join(f"{rank}{suit}" for rank in range(2, 2 + size)) for suit in Suit]
    return position(" | ".join(suits[: len(bids) + 1]), bids=bids, **options)


def open_bids(state):
    return [move.tricks for move in wizard.moves(state, wizard.turn(state))]


# The deck and the deal.


def test_deck_is_52_cards_four_jesters_and_four_wizards():
    assert (60, 4, 4) == (len(PACK), PACK.count(JESTER), PACK.count(WIZARD))


@pytest.mark.parametrize(("seats", "rounds"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_game_ends_when_there_are_not_enough_cards_for_another_round(seats, rounds):
    """A 3-player game has 20 rounds, 4 players have 15, 5 players 12, and 6 players 10."""
    step = begun(seats)

    assert (rounds, 1) == (step.state.match.rounds, step.state.round.deal.cards)
    assert rounds == of_kind(Dealt, step)[0].rounds


@pytest.mark.parametrize("seats", [2, 7])
def test_three_to_six_players_may_play(seats):
    with pytest.raises(Refused) as refused:
        begun(seats)

    assert ("bad-seats", {"low": 3, "high": 6}) == (refused.value.code, refused.value.facts)


def test_next_card_is_turned_up_to_determine_the_trump_suit():
    step = begun(3, "2H 9H KH 5D")

    assert (Card.parse("5D"), DIAMONDS) == (step.state.round.deal.turned, step.state.round.deal.trump)
    assert (cards("2H"), cards("9H"), cards("KH")) == step.state.round.hands


def test_jester_turned_up_makes_no_trump():
    """As the printed rules have it."""
    deal = begun(3, "2H 9H KH J").state.round.deal

    assert (JESTER, None, False) == (deal.turned, deal.trump, deal.unnamed)


def test_last_round_has_no_trump_and_its_cards_are_as_ever():
    """Round 15 of 4 seats (WZ-9): 15 cards each, nothing turned up; A 10C, B KH, C 2S, D J goes to A."""
    luck = Scripted(cards("10C KH 2S J"))
    sheet = tuple(Row(n, 0, (0,) * 4, (0,) * 4, (0,) * 4) for n in range(1, 14))
    last_but_one = position("2C | 3C | 4C | 5C", number=14, bids=(0,) * 4, sheet=sheet, order=(0, 1, 2, 3))
    state = played(last_but_one, "2C 3C 4C 5C", luck).state
    deal = state.round.deal

    assert (15, 15, None, None) == (deal.number, deal.cards, deal.turned, deal.trump)
    assert [15] * 4 == [len(hand) for hand in state.round.hands]
    assert "A" == trick("10C KH 2S J", turned="")


# The order of play.


def test_players_play_in_the_order_drawn_at_the_beginning():
    """The default is to randomize player order; the last of the order deals, so that its first bids first."""
    step = wizard.start(4, Options(), (), Scripted((2, 0, 3, 1), cards("2H 9H KH 4C 5D")))
    now = step.state.round

    assert OrderSettled((2, 0, 3, 1)) == step.events[0]
    assert (1, 2) == (now.deal.dealer, wizard.turn(step.state))
    assert (cards("9H"), cards("4C"), cards("2H"), cards("KH")) == now.hands


def test_players_play_in_the_order_specified():
    """-inorder: the first named player bids first."""
    step = begun(4)

    assert OrderSettled((0, 1, 2, 3)) == step.events[0]
    assert (3, 0) == (step.state.round.deal.dealer, wizard.turn(step.state))


def test_bidding_and_play_go_clockwise_in_the_order_of_play():
    state = position("2C | 9C | 4C", order=(2, 1, 0), dealer=0)
    turns = []
    while wizard.turn(state) is not None and not state.match.sheet:
        seat = wizard.turn(state)
        turns.append(seat)
        state = wizard.apply(state, seat, wizard.moves(state, seat)[0], KeyedLuck(b"")).state

    assert [2, 1, 0, 2, 1, 0] == turns
    assert (0, 1, 0) == state.match.sheet[0].taken


def test_deal_passes_to_the_left():
    dealers = [deal.deal.dealer for step in at_random(5, Options(order="inorder"), 1) for deal in of_kind(Dealt, step)]

    assert [4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0] == dealers


# A wizard turned up.


def test_dealer_names_the_trump_before_the_bidding_after_a_turned_wizard():
    """As the printed rules have it: one of the four suits, once the dealer has seen the hand."""
    state = begun(3, "2H 9H KH W").state

    assert ((), (), 2, "trump") == (
        wizard.moves(state, 0),
        wizard.moves(state, 1),
        wizard.turn(state),
        exactbid.phase(state.round),
    )
    assert [*Suit] == [move.suit for move in wizard.moves(state, 2)]
    step = wizard.apply(state, 2, NameTrump(HEARTS), Scripted())
    assert (TrumpNamed(2, HEARTS),) == step.events
    assert (HEARTS, False, 0) == (step.state.round.deal.trump, step.state.round.deal.unnamed, wizard.turn(step.state))
    assert state.round.hands == step.state.round.hands


def test_nobody_bids_or_plays_before_the_trump_is_named():
    state = begun(3, "2H 9H KH W").state

    assert "wrong-phase" == code(state, 2, Bid(0))
    assert "wrong-phase" == code(state, 2, Play(Card.parse("KH")))
    assert "not-your-turn" == code(state, 0, Bid(0))


def test_trump_is_named_once_and_only_after_a_wizard():
    state = begun(3, "2H 9H KH W").state
    named = wizard.apply(state, 2, NameTrump(HEARTS), Scripted()).state

    assert "wrong-phase" == code(named, 0, NameTrump(HEARTS))
    assert "wrong-phase" == code(begun(3, "2H 9H KH 5D").state, 0, NameTrump(HEARTS))


def test_table_may_play_without_trump_after_a_wizard():
    """The mail server knows two kinds of move, bids and cards."""
    state = begun(3, "2H 9H KH W", wizard_up="none").state

    assert (None, False, 0) == (state.round.deal.trump, state.round.deal.unnamed, wizard.turn(state))


# Bidding.


def test_bids_are_from_none_to_all_of_the_tricks():
    assert [0, 1, 2] == open_bids(position("2C 3C | 2D 3D | 2S 3S"))
    assert "bad-bid" == code(position("2C 3C | 2D 3D | 2S 3S"), 0, Bid(3))


def test_american_style_never_restricts_the_dealer():
    assert [0, 1, 2, 3, 4] == open_bids(bid_up_to_the_dealer(1, 1, 1, size=4))


def test_german_style_restricts_the_dealer_after_three_rounds():
    """4 seats (WZ-7): bids 1, 1, 0 in round 3 leave the dealer free; 1, 1, 1 in round 4 do not."""
    third = bid_up_to_the_dealer(1, 1, 0, size=3, style="german")
    fourth = bid_up_to_the_dealer(1, 1, 1, size=4, style="german")

    assert ([0, 1, 2, 3], [0, 2, 3, 4]) == (open_bids(third), open_bids(fourth))
    assert "hook" == code(fourth, 3, Bid(1))


@pytest.mark.parametrize(
    ("scores", "dealer", "bids"),
    [
        ((10, 20, 20, 50), 3, [0, 2, 3, 4]),
        ((10, 20, 50, 50), 3, [0, 1, 2, 3, 4]),
        ((50, 50, 20, 10), 0, [0, 1, 2, 3, 4]),
        ((50, 20, 20, 10), 3, [0, 1, 2, 3, 4]),
    ],
)
def test_canadian_style_restricts_a_dealer_alone_in_the_lead(scores, dealer, bids):
    """WZ-8: it restricts neither a dealer who shares the lead, nor one who is behind."""
    state = bid_up_to_the_dealer(1, 1, 1, size=4, style="canadian", scores=scores, dealer=dealer)

    assert bids == open_bids(state)


def test_canadian_style_restricts_nobody_in_round_one():
    assert [0, 1] == open_bids(bid_up_to_the_dealer(0, 0, 1, size=1, style="canadian"))


@pytest.mark.parametrize(("zero", "bids"), [(False, [1, 2, 3, 4]), (True, [0, 1, 2, 3, 4])])
def test_canadian_dealer_may_bid_zero_with_canadian_zero(zero, bids):
    """The maker's own site lets a bound dealer bid 0."""
    scores = (0, 0, 0, 20)
    state = bid_up_to_the_dealer(2, 1, 1, size=4, style="canadian", scores=scores, canadian_zero=zero)

    assert bids == open_bids(state)


def test_canadian_zero_affects_no_other_bid_or_style():
    canadian = {"style": "canadian", "scores": (0, 0, 0, 20)}

    assert [0, 2, 3, 4] == open_bids(bid_up_to_the_dealer(1, 1, 1, size=4, canadian_zero=True, **canadian))
    assert [1, 2, 3, 4] == open_bids(bid_up_to_the_dealer(2, 1, 1, size=4, canadian_zero=True, style="german"))


def test_barred_bid_is_announced_before_the_dealer_bids():
    state = position("2C 3C 4C 5C | 2D 3D 4D 5D | 2S 3S 4S 5S", style="german")
    first = wizard.apply(state, 0, Bid(1), Scripted())
    second = wizard.apply(first.state, 1, Bid(2), Scripted())

    assert ((BidMade(0, 1),), (BidMade(1, 2), BidBarred(2, 1))) == (first.events, second.events)


@pytest.mark.parametrize(("style", "bids"), [("american", (1, 2)), ("german", (3, 2))])
def test_nothing_is_announced_without_a_barred_bid(style, bids):
    """That is so in the American style, or if the bids exceed the tricks already."""
    state = position("2C 3C 4C 5C | 2D 3D 4D 5D | 2S 3S 4S 5S", style=style, bids=bids[:1])

    assert (BidMade(1, 2),) == wizard.apply(state, 1, Bid(2), Scripted()).events


def test_nobody_bids_or_plays_out_of_turn():
    state = position("2C | 3C | 4C")

    assert "not-your-turn" == code(state, 1, Bid(0))
    assert "wrong-phase" == code(state, 0, Play(Card.parse("2C")))
    assert "wrong-phase" == code(position("2C | 3C | 4C", bids=(0, 0, 0)), 0, Bid(0))


# A seat's knowledge.


def test_only_the_holder_sees_a_hand():
    step = begun(3, "2H 9H KH W")
    dealt = [event for event in step.events if isinstance(event, HandDealt) and event.seen_by(1)]

    assert [HandDealt(1, cards("9H"))] == dealt
    assert ((), None) == (wizard.view(step.state, None).round.hand, wizard.view(step.state, None).seat)


# A short game: the option `rounds`, which is our own.


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_short_game_ends_after_its_rounds_with_hands_of_one_to_five(seats):
    *_, last = steps = [*at_random(seats, Options(rounds=5), seats)]
    dealt = [event.deal.cards for step in steps for event in of_kind(Dealt, step)]

    assert [1, 2, 3, 4, 5] == dealt
    assert wizard.outcome(last.state)


def test_every_round_of_a_short_game_turns_a_card_up():
    """Cards are left after the last hands, so the last round has a trump like the others, or a jester makes none."""
    steps = [*at_random(6, Options(rounds=5), "short")]

    assert all(event.deal.turned for step in steps for event in of_kind(Dealt, step))


@pytest.mark.parametrize(("seats", "rounds"), [(4, 0), (4, 16), (6, 11)])
def test_more_rounds_than_the_cards_allow_are_refused(seats, rounds):
    with pytest.raises(Refused) as refused:
        begun(seats, rounds=rounds)

    assert ("bad-rounds", {"low": 1, "high": 60 // seats}) == (refused.value.code, refused.value.facts)


@pytest.mark.parametrize("seats", [3, 6])
def test_all_rounds_asked_for_by_number_are_dealt_like_all_rounds(seats):
    every = [step.events for step in at_random(seats, Options(), "same")]

    assert every == [step.events for step in at_random(seats, Options(rounds=60 // seats), "same")]


def test_log_from_before_the_option_plays_all_rounds():
    kept = codec.dump(Options())
    del kept["rounds"]

    assert Options() == codec.load(kept, Options)
