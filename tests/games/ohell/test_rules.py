"""The rules of Ohell, sentence by sentence, from lily's Ohell help."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import ohell
from lilygames_rules.cards import Card, Suit, cards, pack
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.ohell import ChooseMax, Match, MaxChosen, Options, State
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import (
    Bid,
    Deal,
    Dealt,
    GameEnded,
    Play,
    RoundScored,
    Row,
    TrickCancelled,
    TrickWon,
)

HOST = {"first_dealer": "host"}


def begun(seats, luck=None, **options):
    return ohell.start(seats, Options(**{**HOST, **options}), (), luck or KeyedLuck(b"ohell"))


def position(text, *, trump="9H", bids=None, dealer=-1, decks=1, dupes="cancel-pair", sheet=(), largest=7, **options):
    """Return a round in play from the hands by seat: `2C KH | 3C 3H`; seat 0 leads."""
    hands = tuple(cards(hand) for hand in text.split("|"))
    (turned,) = cards(trump)
    seats, size = len(hands), len(hands[0])
    match = Match(Options(decks=decks, dupes=dupes, **options), seats, 0, largest, (0,) * seats, sheet)
    crowned = turned if decks > 1 else None
    deal = Deal(1, size, tuple(range(seats)), dealer % seats, turned, turned.suit, crowned, dupes)
    now = exactbid.opened(deal, hands)
    for tricks in bids or ():
        now, _ = exactbid.bid(now, tricks, None)
    return State(match, now)


def played(state, text):
    step = None
    for card in cards(text):
        step = ohell.apply(state, ohell.turn(state), Play(card), KeyedLuck(b"next"))
        state = step.state
    return step


def code(state, seat, move):
    with pytest.raises(Refused) as refused:
        ohell.apply(state, seat, move, Scripted())
    return refused.value.code


def at_random(seats, options, seed, most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = ohell.start(seats, options, (), luck)
    yield step
    while (seat := ohell.turn(step.state)) is not None and most:
        step = ohell.apply(step.state, seat, luck.choice(ohell.moves(step.state, seat)), luck)
        most -= 1
        yield step


# Scoring.


@pytest.mark.parametrize(
    ("bid", "taken", "dealt", "points"),
    [(6, 3, 7, -27), (6, 6, 7, 46), (0, 0, 4, 14), (1, 1, 4, 11), (0, 1, 4, -1), (1, 3, 5, -8), (0, 0, 1, 11)],
)
def test_made_bid_pays_its_square_and_a_miss_costs_its_cube(bid, taken, dealt, points):
    """If you bid 6 and made 3, you lose 27. A 6 bid is worth 46; a bid of 0 made with 4 cards is worth 14."""
    assert points == ohell.score(bid, taken, dealt)


@given(st.integers(0, 20), st.integers(0, 20))
def test_it_is_just_as_bad_to_take_too_many_as_too_few(bid, miss):
    assert miss == 0 or ohell.score(bid, bid + miss, 20) == ohell.score(bid + miss, bid, 20) == -(miss**3)


def test_zero_bid_pays_by_the_cards_dealt():
    """At round 4, a bid of 0 is worth 14 points: the cards dealt count, not the number of the round."""
    down = [Row(n, 0, (0, 0), (0, 0), (0, 0)) for n in (1, 2, 3, 4, 5)]
    state = position("2D 3D 4D 5D | 6D 7D 8D 9D", bids=(0, 4), sheet=tuple(down), largest=5)
    step = played(state, "2D 6D 7D 3D 8D 4D 9D 5D")

    assert (14, 26) == next(event for event in step.events if isinstance(event, RoundScored)).points


# Dealing.


def test_hands_go_up_to_the_largest_and_back_to_one():
    assert (1, 2, 3, 2, 1) == ohell.schedule(3)
    assert 13 == len(ohell.schedule(7))


def test_three_is_the_least_maximum():
    """The minimum number of hands, or rounds, is 5 (1 to 3 and back)."""
    state = begun(4).state

    assert "bad-max" == code(state, 0, ChooseMax(2))
    assert ChooseMax(3) == ohell.moves(state, 0)[0]


def test_first_dealer_picks_the_maximum_and_nobody_else():
    state = begun(4).state

    assert "not-your-turn" == code(state, 1, ChooseMax(5))
    assert ((), ChooseMax(20)) == (ohell.moves(state, 1), ohell.default(state, 0))
    assert 13 == ohell.apply(state, 0, ChooseMax(7), KeyedLuck(b"x")).state.match.rounds


@pytest.mark.parametrize(
    ("seats", "options", "most"),
    [
        (2, {}, 20),
        (12, {}, 17),
        (4, {}, 20),
        (4, {"decks": 1}, 12),
        (4, {"decks": 2}, 25),
        (12, {"decks": 1}, 4),
        (5, {"max": 41}, 41),
    ],
)
def test_largest_hand_leaves_a_card_to_turn_up(seats, options, most):
    assert most == ohell.largest_possible(seats, Options(**options))


def test_first_dealer_picks_at_most_what_is_offered():
    state = begun(12).state

    assert "bad-max" == code(state, 0, ChooseMax(18))
    assert ohell.apply(state, 0, ChooseMax(17), KeyedLuck(b"x")).state.match.decks == 4


@pytest.mark.parametrize(("seats", "largest", "decks"), [(4, 12, 1), (4, 13, 2), (3, 17, 1), (3, 18, 2), (12, 17, 4)])
def test_fewest_sufficient_decks_are_shuffled(seats, largest, decks):
    chosen = next(event for event in begun(seats, max=largest).events if isinstance(event, MaxChosen))

    assert (decks, 2 * largest - 1) == (chosen.decks, chosen.rounds)


def test_dealer_turns_over_the_top_card_and_its_suit_is_trump():
    step = begun(3, Scripted(cards("2H 9H KH 5D")), max=3)
    deal = step.state.round.deal

    assert (Card.parse("5D"), Suit.DIAMONDS) == (deal.turned, deal.trump)
    assert (cards("KH"), cards("2H"), cards("9H")) == step.state.round.hands


@pytest.mark.parametrize(("decks", "on", "crowned"), [(1, True, None), (2, True, "5D"), (2, False, None)])
def test_super_trump_is_the_turned_card_of_a_multi_deck_game(decks, on, crowned):
    """In a multi-deck game, the value of the card determines super-trump."""
    step = begun(3, Scripted(cards("2H 9H KH 5D")), max=3, decks=decks, supertrump=on)

    assert crowned == (step.state.round.deal.crowned and str(step.state.round.deal.crowned))


@pytest.mark.parametrize(
    ("seats", "options", "refused"),
    [
        (1, {}, "bad-seats"),
        (13, {}, "bad-seats"),
        (4, {"decks": 5}, "bad-decks"),
        (4, {"decks": 0}, "bad-decks"),
        (4, {"max": 2}, "bad-max"),
        (4, {"decks": 1, "max": 13}, "bad-max"),
    ],
)
def test_impossible_game_is_refused(seats, options, refused):
    with pytest.raises(Refused) as no:
        begun(seats, **options)

    assert refused == no.value.code


def test_first_dealer_is_drawn_before_anything_else():
    script = Scripted(2, cards("2H 9H KH 5D"))
    step = ohell.start(3, Options(max=3), (), script)

    assert script.spent
    assert 2 == step.state.match.first == step.state.round.deal.dealer


def test_deal_passes_to_the_left():
    steps = at_random(4, Options(max=3, **HOST), 1)
    dealers = [(e.deal.dealer, e.deal.cards) for step in steps for e in step.events if isinstance(e, Dealt)]

    assert [(0, 1), (1, 2), (2, 3), (3, 2), (0, 1)] == dealers


# Bidding.


def test_dealer_may_not_make_the_bids_equal_the_tricks():
    """4 seats, 5 cards, bids 1, 2, 1: someone must go down."""
    state = position("2C 3C 4C 5C 6C | 2D 3D 4D 5D 6D | 2H 3H 4H 5H 6H | 2S 3S 4S 5S 6S", bids=(1, 2, 1))

    assert [Bid(n) for n in (0, 2, 3, 4, 5)] == list(ohell.moves(state, 3))
    assert "hook" == code(state, 3, Bid(1))


def test_without_the_hook_the_dealer_may():
    state = position("2C 3C | 2D 3D", bids=(1,), hook=False)

    assert Bid(1) in ohell.moves(state, 1)
    assert (1, 1) == ohell.apply(state, 1, Bid(1), Scripted()).state.round.bids


def test_only_the_dealers_bid_is_restricted():
    assert 3 == len(ohell.moves(position("2C 3C | 2D 3D"), 0))


def test_bid_is_at_most_the_cards_dealt():
    assert "bad-bid" == code(position("2C 3C | 2D 3D"), 0, Bid(3))


def test_nobody_bids_or_plays_out_of_turn():
    state = position("2C 3C | 2D 3D")

    assert "not-your-turn" == code(state, 1, Bid(0))
    assert "wrong-phase" == code(state, 0, Play(Card.parse("2C")))
    assert "wrong-phase" == code(position("2C 3C | 2D 3D", bids=(0, 0)), 0, Bid(0))
    assert "wrong-phase" == code(state, 0, ChooseMax(5))
    assert "wrong-phase" == code(begun(3).state, 0, Bid(1))


# Playing.


def test_super_trump_beats_the_ace_of_trumps():
    """5 of hearts turned over: A leads AH, B the other 5H, C KH; B wins."""
    step = played(position("AH 2C | 5H 3C | KH 4C", trump="5H", decks=2, bids=(1, 1, 1)), "AH 5H KH")

    assert TrickWon(1, Card.parse("5H"), 1, 1) == step.events[-1]


@pytest.mark.parametrize(("dupes", "winner"), [("cancel-pair", 1), ("cancel-trick", None), ("first", 0), ("last", 2)])
def test_identical_cards_meet_by_the_tables_rule(dupes, winner):
    """2 decks, 9H turned up: A AC, B KC, C AC, D 3C."""
    state = position("AC 2D | KC 3D | AC 4D | 3C 5D", decks=2, dupes=dupes, bids=(0, 0, 0, 0))
    step = played(state, "AC KC AC 3C")

    assert winner == step.state.round.tricks[0].winner


@pytest.mark.parametrize("trick", ["5C 5C KC KC", "7D AC 7D 8S"])
def test_cancelled_trick_is_nobodys_and_its_leader_leads_again(trick):
    """That is, someone must go down (unless tricks are cancelled)."""
    hands = " | ".join(f"{card} {rest}" for card, rest in zip(trick.split(), ("2H", "3H", "4H", "6H"), strict=True))
    step = played(position(hands, decks=2, bids=(0, 0, 0, 0)), trick)

    assert TrickCancelled(0) == step.events[-1]
    assert (0, (0, 0, 0, 0)) == (ohell.turn(step.state), step.state.round.taken)


def test_super_trump_is_a_card_of_the_trump_suit_for_following():
    state = position("AH 2C | 5H 3C", trump="5H", decks=2, bids=(1, 0))

    assert [Play(Card.parse("5H"))] == list(ohell.moves(played(state, "AH").state, 1))


def test_following_goes_by_the_first_card_even_where_it_is_cancelled():
    state = position("7C 2D | 7C 3D | 4C 4D", decks=2, bids=(0, 0, 0))

    assert [Play(Card.parse("4C"))] == list(ohell.moves(played(state, "7C 7C").state, 2))


def test_all_can_make_their_bids_once_a_trick_is_cancelled():
    """Two bid 0 and the dealer, who may not bid 2, bids 1; the other trick is cancelled."""
    state = position("5C 2D | 5C AD | 3S AS", decks=2, trump="9H", dealer=2, bids=(0, 1, 0))
    step = played(state, "5C 5C 3S 2D AD AS")
    scored = next(event for event in step.events if isinstance(event, RoundScored))

    assert ((0, 1, 0), (12, 11, 12)) == (scored.taken, scored.points)


# The end, and absent players.


def test_highest_total_wins_and_ties_share_the_win():
    sheet = tuple(Row(n, 0, (0, 0, 0), (0, 0, 0), (0, 0, 0)) for n in (1, 2, 3, 2))
    state = position("2C | AC | KC", bids=(0, 1, 0), sheet=sheet, largest=3)
    step = played(state, "2C AC KC")

    assert GameEnded((11, 11, 11), (0, 1, 2)) == step.events[-1]
    assert ((11, 11, 11), (0, 1, 2)) == (ohell.outcome(step.state).scores, ohell.outcome(step.state).winners)
    assert "game-over" == code(step.state, 0, Bid(0))
    assert () == ohell.moves(step.state, 0)
    assert "over" == ohell.phase(step.state)


def test_default_is_the_lowest_bid_and_the_lowest_card():
    state = position("2S 3C | 2D 3D", bids=(1,), dealer=1)

    assert Bid(0) == ohell.default(state, 1)
    assert Play(Card.parse("2H")) == ohell.default(position("2H 3H | 2D 3D", bids=(0, 0)), 0)


def test_spectator_sees_no_hand():
    seen = ohell.view(position("2H 3H | 2D 3D"), None)

    assert (None, ()) == (seen.seat, seen.round.hand)


def test_nothing_is_hidden_before_the_first_deal():
    state = begun(3).state

    assert state == ohell.sample(ohell.view(state, 1), Scripted())


games = st.tuples(st.integers(2, 12), st.integers(3, 6), st.booleans(), st.integers(0, 10**6))


@given(games)
@settings(max_examples=15)
def test_game_ends_with_the_sum_of_its_rounds(game):
    seats, largest, hook, seed = game
    steps = list(at_random(seats, Options(max=min(largest, 207 // seats), hook=hook), seed))
    match, scored = steps[-1].state.match, [e for s in steps for e in s.events if isinstance(e, RoundScored)]

    assert match.rounds == len(scored) == len(match.sheet)
    assert match.scores == tuple(map(sum, zip(*(row.points for row in match.sheet), strict=True)))
    assert match.rounds * seats + sum(row.cards for row in match.sheet) * seats == len(steps) - 1


@given(games)
@settings(max_examples=15)
def test_someone_misses_a_bid_every_round_with_the_hook_and_one_deck(game):
    seats, largest, _, seed = game
    options = Options(max=min(largest, 51 // seats), decks=1)
    for row in list(at_random(seats, options, seed))[-1].state.match.sheet:
        assert row.cards == sum(row.taken)
        assert row.cards != sum(row.bids)
        assert min(row.points) < 0


@given(games, st.integers(0, 120))
@settings(max_examples=25)
def test_listed_moves_are_exactly_the_accepted_ones(game, most):
    seats, largest, hook, seed = game
    options = Options(max=min(largest, 207 // seats), hook=hook)
    state = list(at_random(seats, options, seed, most))[-1].state
    every = [*map(Play, dict.fromkeys(pack(1))), *map(Bid, range(-1, 9)), *map(ChooseMax, range(1, 9))]
    for seat in range(seats):
        legal = list(ohell.moves(state, seat))
        taken = [move for move in every if accepted(state, seat, move)]
        assert len(legal) == len(set(legal))
        assert set(taken) == set(legal)


def accepted(state, seat, move):
    try:
        ohell.apply(state, seat, move, KeyedLuck(b"any"))
    except Refused:
        return False
    return True
