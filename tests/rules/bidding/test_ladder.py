"""The ladder of bids, and an auction that ends when all others challenge: "Liars Poker", rules of February 10, 1986."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.bidding.ladder import (
    Auction,
    Bid,
    Challenge,
    Stand,
    bid_on,
    challenge,
    choices,
    climb,
    round_from,
    stand,
)
from lilygames_rules.kit import Ambiguous, Malformed, Refused

bids = st.builds(Bid, st.integers(1, 80), st.integers(1, 10))


def auction(players=3, said="", *, most=None, rebids=True):
    """Return an auction after these calls of the seats in turn: `3 sevens, x, x` (x challenges, = stands)."""
    now = Auction(tuple(range(players)), most or 8 * players, rebids, 0)
    for word in filter(None, said.split(", ")):
        now = challenge(now) if word == "x" else stand(now) if word == "=" else climb(now, Bid.parse(word))
    return now


def code(now, move):
    with pytest.raises(Refused) as refused:
        climb(now, move) if isinstance(move, Bid) else (challenge if isinstance(move, Challenge) else stand)(now)
    return refused.value.code


# Bids.


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("5 sevens", Bid(5, 7)),
        ("5x7", Bid(5, 7)),
        ("5 7", Bid(5, 7)),
        ("7 tens", Bid(7, 10)),
        ("7 0", Bid(7, 10)),
        ("7 10", Bid(7, 10)),
        ("7x0", Bid(7, 10)),
        ("7 zeros", Bid(7, 10)),
        ("7 ZEROES", Bid(7, 10)),
        ("1 zero", Bid(1, 10)),
        ("5 x 7", Bid(5, 7)),
        ("5*7", Bid(5, 7)),
        ("5sevens", Bid(5, 7)),
        ("  12   Sixes ", Bid(12, 6)),
        ("1 six", Bid(1, 6)),
        ("5 sev", Bid(5, 7)),
        ("1 one", Bid(1, 1)),
    ],
)
def test_bid_is_parsed_as_people_type_it(text, bid):
    assert bid == Bid.parse(text)


@pytest.mark.parametrize(
    "text", ["", "5", "57", "sevens", "5 11", "5 jacks", "5x", "5 7 7", "-5 7", "5 07", "٥ sevens", "99999 7"]
)
def test_text_that_isnt_a_bid_is_malformed(text):
    with pytest.raises(Malformed):
        Bid.parse(text)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("5 s", ("5 sixes", "5 sevens")),
        ("1 t", ("1 two", "1 three", "1 ten")),
        ("2 f", ("2 fours", "2 fives")),
    ],
)
def test_start_of_several_ranks_is_ambiguous(text, choices):
    with pytest.raises(Ambiguous) as several:
        Bid.parse(text)

    assert choices == several.value.choices


@given(bids)
def test_bid_in_words_parses_back(bid):
    assert bid == Bid.parse(bid.words) == Bid.parse(f"{bid.count}x{bid.rank % 10}") == bid_on(bid.rung)


def test_same_number_of_a_higher_rank_or_a_greater_number_is_stronger():
    """E.g., "5 nines" or "6 threes" after "5 sevens"."""
    assert Bid.parse("5 nines").beats(Bid.parse("5 sevens"))
    assert Bid.parse("6 threes").beats(Bid.parse("5 sevens"))
    assert not Bid.parse("5 threes").beats(Bid.parse("5 sevens"))
    assert not Bid.parse("4 tens").beats(Bid.parse("5 sevens"))


def test_zero_is_the_highest_rank():
    assert Bid.parse("5 tens").beats(Bid.parse("5 nines"))
    assert not Bid.parse("5 tens").beats(Bid.parse("6 ones"))


@given(bids, bids)
def test_stronger_bid_has_the_higher_count_then_rank(one, other):
    assert one.beats(other) == ((one.count, one.rank) > (other.count, other.rank))


# Turns and legal calls.


def test_turn_passes_to_the_left():
    assert [0, 1, 2, 0] == [auction(said=said).turn for said in ("", "3 sevens", "3 sevens, x", "3 sevens, x, 4 ones")]


def test_opener_can_only_bid():
    now = auction()

    assert "wrong-phase" == code(now, Challenge()) == code(now, Stand())
    assert Bid(24, 10) in choices(now)
    assert Challenge() not in choices(now)


def test_likeliest_openings_come_first():
    """As many of each rank as there are players, then more, then fewer."""
    listed = choices(auction())

    assert tuple(Bid(3, rank) for rank in range(1, 11)) == listed[:10]
    assert (Bid(1, 1), Bid(2, 10)) == (listed[-20], listed[-1])
    assert 240 == len(listed) == len(set(listed))


def test_next_must_bid_more_or_challenge():
    now = auction(said="5 sevens")

    assert (Challenge(), Bid(5, 8), Bid(5, 9), Bid(5, 10), Bid(6, 1)) == choices(now)[:5]
    assert "not-higher" == code(now, Bid(5, 7)) == code(now, Bid(4, 10))
    assert "wrong-phase" == code(now, Stand())


def test_refused_bid_names_the_lowest_legal_one():
    with pytest.raises(Refused) as refused:
        climb(auction(said="5 tens"), Bid(5, 2))

    assert {"bid": Bid(5, 10), "least": Bid(6, 1)} == refused.value.facts


@pytest.mark.parametrize("bid", [Bid(0, 7), Bid(25, 1), Bid(3, 0), Bid(3, 11)])
def test_bid_off_the_ladder_is_refused(bid):
    now = auction()

    assert "bad-bid" == code(now, bid)
    assert bid not in choices(now)


def test_bid_challenged_by_all_may_be_played_or_made_stronger():
    """Three players: A "3 sevens", B and C challenge; A may stand, or bid "3 eights" or more."""
    now = auction(said="3 sevens, x, x")

    assert ("rebid", 0) == (now.phase, now.turn)
    assert (Stand(), Bid(3, 8)) == choices(now)[:2]
    assert "wrong-phase" == code(now, Challenge())


@pytest.mark.parametrize("said", ["", "3 sevens", "3 sevens, x, x", "24 tens"])
def test_legal_bid_is_found_by_its_rung_also_after_pickling(said):
    listed = choices(auction(said=said))
    travelled = pickle.loads(pickle.dumps(listed))

    assert listed == travelled
    for move in (*map(bid_on, range(250)), Challenge(), Stand()):
        assert (move in [*listed]) == (move in listed) == (move in travelled)


def test_only_one_rebid_is_allowed():
    """If this new bid is also challenged by all the players, the bidding then stops."""
    now = auction(said="3 sevens, x, x, 4 ones, x, x")

    assert ("closed", (Bid(4, 1), 0)) == (now.phase, now.standing)
    assert () == choices(now)
    assert "wrong-phase" == code(now, Challenge()) == code(now, Stand()) == code(now, Bid(9, 9))


def test_higher_bid_after_a_rebid_restores_everyones_rebid():
    """The bidding continues with each player, including the bidder who just made a rebid, having the right."""
    rebidder = "3 sevens, x, x, 4 ones, x, 5 ones, 6 ones, x, x"

    assert ("rebid", 2) == (auction(said="3 sevens, x, x, 4 ones, x, 5 ones, x, x").phase, 2)
    assert ("rebid", 0) == (auction(said=rebidder).phase, auction(said=rebidder).turn)


def test_challenger_may_bid_after_a_new_bid():
    now = auction(said="3 sevens, x, 4 ones, 5 ones, x, x")

    assert ("rebid", 0) == (now.phase, now.turn)


def test_two_players_challenge_each_other_all_around():
    assert "rebid" == auction(2, "3 sevens, x").phase
    assert "closed" == auction(2, "3 sevens, x, 4 sevens, x").phase


def test_bidder_who_stands_closes_the_bidding():
    now = auction(said="3 sevens, x, x, =")

    assert ("closed", (Bid(3, 7), 0)) == (now.phase, now.standing)


def test_without_rebids_a_bid_challenged_by_all_is_counted():
    assert "closed" == auction(said="3 sevens, x, x", rebids=False).phase


def test_strongest_bid_can_only_be_challenged():
    """It can only be challenged, and then it stands automatically."""
    now = auction(said="24 tens")

    assert [Challenge()] == list(choices(now))
    assert "not-higher" == code(now, Bid(24, 9))
    assert "closed" == auction(said="24 tens, x, x").phase


def test_no_bid_stands_before_the_first():
    with pytest.raises(LookupError):
        _ = auction().standing


def test_round_begins_with_the_seat_or_the_next_that_plays():
    assert (3, 5, 0, 1) == round_from((0, 1, 3, 5), 3) == round_from((0, 1, 3, 5), 2)
    assert (0, 1, 3) == round_from((0, 1, 3), 4)


walks = st.lists(st.integers(0, 10**6), max_size=40)


@given(st.integers(2, 10), walks, bids)
def test_listed_moves_are_exactly_the_accepted_ones(players, walk, bid):
    """At every step of any auction; most steps are near the beginning of the list, so this takes a while."""
    now = auction(players)
    for place in walk:
        if not (open_to := choices(now)):
            break
        move = open_to[place % min(len(open_to), 6)]
        now = climb(now, move) if isinstance(move, Bid) else (challenge if isinstance(move, Challenge) else stand)(now)

    listed = choices(now)
    accepted = _takes(lambda: climb(now, bid))
    assert accepted == (bid in listed) == (bid in list(listed))
    assert _takes(lambda: challenge(now)) == (Challenge() in listed)
    assert _takes(lambda: stand(now)) == (Stand() in listed)
    assert all(listed.index(move) == place for place, move in enumerate(listed[:9]))


def _takes(job):
    try:
        job()
    except Refused:
        return False
    return True


def test_list_is_as_long_as_it_says():
    listed = choices(auction(said="3 sevens"))

    assert len(list(listed)) == len(listed)
    assert listed[-1] == Bid(24, 10)
    with pytest.raises(IndexError):
        listed[len(listed)]
