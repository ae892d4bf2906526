"""Wizard's play, score and end, from pbmserv's Wizard help, and invariants of every game."""

from __future__ import annotations

from collections import Counter

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import wizard
from lilygames_rules.cards import WIZARD, Card, Suit, cards
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, GameEnded, Play, RoundScored, Row, TrickWon
from lilygames_rules.wizard import PACK, CoinFlipped, NameTrump, Options, TopTied
from tests.games.wizard.positions import at_random, begun, code, of_kind, played, position, trick

# Playing.


def test_first_player_to_bid_leads():
    assert 2 == wizard.turn(position("2C | 3C | 4C", dealer=1, bids=(0, 0, 0)))


def test_jesters_and_wizards_may_be_played_at_any_time():
    """A leads 7C; B holds KC, W, J, 2D (WZ-11)."""
    state = position("7C 2S 3S 4S | 2D KC J W | 5S 6S 7S 8S", bids=(0, 0, 0))
    legal = {move.card for move in wizard.moves(played(state, "7C").state, 1)}

    assert {*cards("KC W J")} == legal
    assert "must-follow" == code(played(state, "7C").state, 1, Play(Card.parse("2D")))


def test_led_wizard_frees_everyone():
    """If a wizard is led, any cards may be played: no suit is led, not even by the next card."""
    state = played(position("W 2S | 7C 3S | 2D KC", bids=(0, 0, 0)), "W 7C").state

    assert {*cards("2D KC")} == {move.card for move in wizard.moves(state, 2)}


def test_led_jester_leaves_the_suit_to_the_next_card():
    state = played(position("J 2S | 7C 3S | 2D KC", bids=(0, 0, 0)), "J 7C").state

    assert [Play(Card.parse("KC"))] == list(wizard.moves(state, 2))


def test_wizard_after_a_led_jester_leaves_no_suit():
    """It follows from both rules."""
    state = played(position("J 2S | W 3S | 2D KC | 9C 4D", bids=(0,) * 4), "J W 2D").state

    assert {*cards("9C 4D")} == {move.card for move in wizard.moves(state, 3)}


@pytest.mark.parametrize(
    ("text", "turned", "winner"),
    [
        ("5C 2C KC AD", "9H", "C"),
        ("AC 2H 3H KC", "9H", "C"),
        ("AD W W 2D", "9D", "B"),
        ("J J J J", "9H", "A"),
        ("J J J", "9H", "A"),
        ("J 2D J J", "9H", "B"),
        ("J 7C 2D 9C", "J", "D"),
        ("2C J J 3H", "9H", "D"),
        ("W AH W J", "9H", "A"),
    ],
)
def test_highest_card_takes_the_trick(text, turned, winner):
    """The first wizard, else the highest trump, else the highest of the lead suit, else the first of all jesters.

    WZ-3 is the third row, WZ-5 the fourth.
    """
    assert winner == trick(text, turned=turned)


@pytest.mark.parametrize("deal", ["AH W 2H 5H", "AH W 2H W"])
def test_wizard_that_was_dealt_beats_the_ace_of_trumps(deal):
    """Even beating the Ace of the trump suit, turned up or named."""
    state = begun(3, deal).state
    for move in [*wizard.moves(state, 2)[2:3], Bid(0), Bid(0), Bid(0), *map(Play, cards("AH W 2H"))]:
        state = wizard.apply(state, wizard.turn(state), move, KeyedLuck(b"")).state

    assert (0, 1, 0) == state.match.sheet[0].taken


def test_winner_of_a_trick_leads_the_next():
    step = played(position("5C 2S | W 3S | 2C 4S", bids=(0, 1, 0)), "5C W 2C")

    assert TrickWon(1, WIZARD, 1, 1) == step.events[-1]
    assert 1 == wizard.turn(step.state)


# Scoring and the end.


@pytest.mark.parametrize(
    ("bid", "taken", "points"), [(3, 3, 50), (15, 15, 170), (0, 0, 20), (1, 3, -20), (3, 1, -20), (0, 1, -10)]
)
def test_made_bid_pays_20_plus_10_per_trick_and_a_miss_costs_10_each(bid, taken, points):
    """WZ-1 is the first two rows."""
    assert points == wizard.score(bid, taken, 15)


def test_each_round_adds_to_the_score():
    step = played(position("2C | AC | KC", bids=(1, 1, 0), scores=(50, -10, 0)), "2C AC KC")

    assert [RoundScored(1, (1, 1, 0), (0, 1, 0), (-10, 30, 20), (40, 20, 20))] == of_kind(RoundScored, step)
    assert 2 == step.state.round.deal.cards


def ended(*rows, luck=None):
    """Return a game of three before its last scoring, after rounds in which these seats made their bids."""
    sheet = [Row(1, 0, (0, 0, 0), tuple(int(seat not in made) for seat in range(3)), (0, 0, 0)) for made in rows]
    filler = [Row(1, 0, (0, 0, 0), (1, 1, 1), (0, 0, 0))] * (19 - len(sheet))
    state = position("2C | AC | KC", bids=(0, 1, 1), scores=(10, 0, 0), sheet=(*sheet, *filler))
    return played(state, "2C AC KC", luck or Scripted())


def test_highest_score_wins():
    state = position("2C | AC | KC", bids=(1, 1, 1), scores=(50, 0, 0), sheet=(Row(1, 0, (0,) * 3, (0,) * 3, ()),) * 19)
    step = played(state, "2C AC KC", Scripted())

    assert GameEnded((40, 30, -10), (0,)) == step.events[-1]
    assert ([], ()) == (of_kind(TopTied, step), wizard.moves(step.state, 0))
    assert ((40, 30, -10), (0,)) == (wizard.outcome(step.state).scores, wizard.outcome(step.state).winners)
    assert "game-over" == code(step.state, 0, Bid(0))


def test_tie_goes_to_the_most_bids_made():
    """Seats 0 and 1 have 30 each; both made the last round, and seat 1 one more before."""
    step = ended({1, 2})

    assert [TopTied((0, 1), (1, 2)), GameEnded((30, 30, -10), (1,))] == list(step.events[-2:])
    assert (1,) == wizard.outcome(step.state).winners


def test_coin_flip_breaks_a_tie_in_bids_made():
    step = ended({0, 1}, luck=Scripted(1))

    assert [TopTied((0, 1), (2, 2)), CoinFlipped((0, 1), 1), GameEnded((30, 30, -10), (1,))] == list(step.events[-3:])
    assert ((1,), "all rounds are played, and a coin flip broke the tie") == (
        wizard.outcome(step.state).winners,
        wizard.outcome(step.state).reason,
    )


def test_coin_flip_is_only_between_tied_seats():
    """All three have 30, but seat 2 has bid fewer rounds correctly."""
    sheet = (Row(1, 0, (0, 0, 0), (0, 0, 1), (0, 0, 0)),) * 19
    state = position("2C | AC | KC", bids=(0, 1, 1), scores=(10, 0, 40), sheet=sheet)
    steps = [played(state, "2C AC KC", KeyedLuck(b"%d" % number)) for number in range(20)]

    assert {TopTied((0, 1, 2), (20, 20, 0))} == {event for step in steps for event in of_kind(TopTied, step)}
    assert {0, 1} == {wizard.outcome(step.state).winners[0] for step in steps}


def test_default_is_clubs_the_lowest_bid_and_the_lowest_card():
    assert NameTrump(Suit.CLUBS) == wizard.default(begun(3, "2H 9H KH W").state, 2)
    assert Bid(1) == wizard.default(position("2C | 3C | 4C", number=4, style="german", bids=(0, 1)), 2)
    assert Play(Card.parse("3C")) == wizard.default(position("3C 2S W | 4C 5C 6C | 7C 8C 9C", bids=(0,) * 3), 0)


# Invariants.

games = st.tuples(
    st.integers(3, 6),
    st.builds(
        Options,
        order=st.sampled_from(["random", "inorder"]),
        style=st.sampled_from(["american", "german", "canadian"]),
        wizard_up=st.sampled_from(["dealer", "none"]),
        canadian_zero=st.booleans(),
    ),
    st.integers(0, 10**6),
)


@given(games)
@settings(max_examples=12)
def test_game_ends_with_the_sum_of_its_rounds(game):
    seats, options, seed = game
    steps = list(at_random(seats, options, seed))
    match = steps[-1].state.match

    assert list(range(1, 60 // seats + 1)) == [row.cards for row in match.sheet]
    assert match.scores == tuple(map(sum, zip(*(row.points for row in match.sheet), strict=True)))
    assert all(row.cards == sum(row.taken) for row in match.sheet)
    assert wizard.outcome(steps[-1].state).winners[0] in exactbid.leaders(match.scores)


@given(games)
@settings(max_examples=12)
def test_someone_misses_a_bid_when_the_dealer_is_restricted(game):
    seats, options, seed = game
    rows = list(at_random(seats, attrs.evolve(options, style="german"), seed))[-1].state.match.sheet

    assert all(row.cards != sum(row.bids) and min(row.points) < 0 for row in rows[3:])


@given(games, st.integers(0, 400))
@settings(max_examples=12)
def test_no_card_is_lost_or_made(game, most):
    seats, options, seed = game
    now = list(at_random(seats, options, seed, most))[-1].state.round
    if now is not None:
        shown = [*now.trick, *(card for done in now.tricks for card in done.cards), *filter(None, [now.deal.turned])]
        dealt = Counter(shown) + Counter(card for hand in now.hands for card in hand)

        assert not dealt - Counter(PACK)
        assert seats * now.deal.cards + (now.deal.turned is not None) == dealt.total()
        assert (now.deal.turned is None) == (now.deal.number == 60 // seats)


@given(games, st.integers(0, 200))
@settings(max_examples=15)
def test_listed_moves_are_exactly_the_accepted_ones(game, most):
    seats, options, seed = game
    state = list(at_random(seats, options, seed, most))[-1].state
    every = [*map(Play, dict.fromkeys(PACK)), *map(Bid, range(-1, 22)), *map(NameTrump, Suit)]
    for seat in range(seats):
        legal = list(wizard.moves(state, seat))

        assert len(legal) == len(set(legal))
        assert set(legal) == {move for move in every if accepted(state, seat, move)}


def accepted(state, seat, move):
    try:
        wizard.apply(state, seat, move, KeyedLuck(b"any"))
    except Refused:
        return False
    return True
