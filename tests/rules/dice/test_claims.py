"""The ladder of claims about poker dice: higher claims need only be more specific than the previous (CONNECT)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.dice import claim_text
from lilygames_rules.dice.claims import Category, Claim, best, ladder
from lilygames_rules.kit import Ambiguous, Malformed

claims = st.sampled_from(ladder())
throws = st.tuples(*[st.integers(1, 6)] * 5)

ASCENDING = (
    "high 9, pair, pair + 9, pair 9, pair 9 + T, pair A + KQJ, two pair, two pair K, KK99, KK99A, three, straight, "
    "9TJQK, TJQKA, full, TTT99, four, four 9 + A, five, AAAAA"
).split(", ")


def dice(text):
    return tuple(face for word in text.split() for face in claim_text.faces(word.casefold()))


def test_pair_and_a_nine_is_a_higher_claim_than_a_pair():
    """Since more dice are specified (CONNECT)."""
    assert Claim.parse("a pair and a nine").beats(Claim.parse("a pair"))
    assert not Claim.parse("a pair").beats(Claim.parse("a pair and a nine"))


@pytest.mark.parametrize(("low", "high"), [*pairwise(ASCENDING)])
def test_claims_climb_by_poker_convention_and_by_what_they_name(low, high):
    assert Claim.parse(high).beats(Claim.parse(low))
    assert not Claim.parse(low).beats(Claim.parse(high))


def test_there_are_579_claims():
    """Named kickers differ from each other and from the ranks; counted by category, high to five of a kind."""
    counts = Counter(claim.category for claim in ladder())

    assert 579 == len(ladder()) == len(set(ladder()))
    assert [61, 198, 112, 118, 3, 37, 43, 7] == [counts[category] for category in Category]


def test_throw_is_one_of_252_whole_claims():
    """They cover all 7,776 rolls of five dice, by category."""
    falls = Counter(best(fallen).category for fallen in product(range(1, 7), repeat=5))

    assert [480, 3600, 1800, 1200, 240, 300, 150, 6] == [falls[category] for category in Category]
    assert 252 == len({best(fallen) for fallen in product(range(1, 7), repeat=5)})


@given(claims, claims, claims)
def test_ladder_is_a_strict_total_order(one, two, three):
    assert one.beats(two) + two.beats(one) + (one == two) == 1
    if one.beats(two) and two.beats(three):
        assert one.beats(three)


@given(claims, claims)
def test_claim_beats_all_lower_rungs(one, two):
    assert one.beats(two) == (one.rung > two.rung)


@given(claims, claims, throws)
def test_hand_that_makes_a_claim_true_makes_every_lower_one_true(one, two, fallen):
    if one.true_of(fallen) and one.beats(two):
        assert two.true_of(fallen)


@given(throws)
def test_dice_make_their_own_claim_true_and_no_higher_one(fallen):
    whole = best(fallen)

    assert whole.true_of(fallen)
    assert not any(claim.true_of(fallen) for claim in ladder()[whole.rung + 1 :])


@given(claims, throws)
def test_strictly_true_claim_is_true(claim, fallen):
    """The strict reading of kickers only doubts more claims."""
    assert claim.true_of(fallen) >= claim.true_of(fallen, "strict")


@pytest.mark.parametrize(
    ("claim", "fallen", "loosely", "strictly"),
    [
        ("pair + 9", "K K A Q J", True, False),
        ("pair + 9", "K K 9 Q J", True, True),
        ("pair 9 + K", "9 9 A Q J", True, False),
        ("pair 9 + K", "T T A Q J", True, True),
        ("pair + 9", "K K K Q J", True, True),
        ("pair + 9", "A K Q J 9", False, False),
        ("pair A + 9", "K K 9 Q J", False, False),
    ],
)
def test_named_kickers_need_not_be_there_unless_the_table_is_strict(claim, fallen, loosely, strictly):
    """A pair and a nine is true of any pair; with strict claims the nine must be there, or a better hand."""
    meant = Claim.parse(claim)

    assert loosely is meant.true_of(dice(fallen))
    assert strictly is meant.true_of(dice(fallen), "strict")


# Claims as typed and as said.


def test_every_claim_is_read_back_from_its_notation_and_from_its_words():
    for claim in ladder():
        texts = [str(claim), claim.words, str(claim).lower().replace(" ", "  "), claim.words.upper().replace(",", "")]

        assert [claim] * 4 == list(map(Claim.parse, texts))


def test_no_two_claims_are_said_alike():
    assert 579 == len({claim.words for claim in ladder()}) == len(set(map(str, ladder())))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("pair 9", "pair 9"),
        ("pair of nines", "pair 9"),
        ("a pair of 9s", "pair 9"),
        ("pair nine", "pair 9"),
        ("pair 10", "pair T"),
        ("99", "pair 9"),
        ("a pair with an ace", "pair + A"),
        ("pair & 9", "pair + 9"),
        ("pair+9", "pair + 9"),
        ("pair a nine", "pair + 9"),
        ("pair A", "pair A"),
        ("pair a, 9", "pair A + 9"),
        ("pair A + 9", "pair A + 9"),
        ("pair 9 K", "pair 9 + K"),
        ("pair + t k 9", "pair + KT9"),
        ("two pair kings", "two pair K"),
        ("two pairs, kings up", "two pair K"),
        ("two pair 9 K", "KK99"),
        ("two pair kings and nines", "KK99"),
        ("k k 9 9 a", "KK99A"),
        ("a a k k 9", "AAKK9"),
        ("trips", "three"),
        ("three of a kind", "three"),
        ("TTT", "three T"),
        ("full house", "full"),
        ("full of tens", "full T"),
        ("full tens over nines", "TTT99"),
        ("99TTT", "TTT99"),
        ("straight K", "low straight"),
        ("a high straight", "high straight"),
        ("9tjqk", "low straight"),
        ("quads", "four"),
        ("four A", "four A"),
        ("four aces", "four A"),
        ("4 aces", "four A"),
        ("5 9", "99999"),
        ("king high", "high K"),
        ("high card", "high"),
        ("AKQ", "high AKQ"),
        ("an ace", "high A"),
    ],
)
def test_claims_are_read_as_people_type_them(text, claim):
    assert claim == str(Claim.parse(text))


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("pair a 9", ("pair + 9", "pair A + 9")),
        ("pair + a k", ("pair + K", "pair + AK")),
        ("high a k q", ("high KQ", "high AKQ")),
        ("a high", ("high", "high A")),
    ],
)
def test_ambiguous_a_in_a_claim_asks_which_is_meant(text, choices):
    with pytest.raises(Ambiguous) as several:
        Claim.parse(text)

    assert choices == several.value.choices


@pytest.mark.parametrize(
    "text",
    "|+|6|hello|pair x|pair 9 + 9|pair + 9 9|two pair 9|two pair K K|KKKKKK|TTT99 A|straight + 9|straight Q|five A + 9|"
    "three 9 K Q J|kings|a a a a a a 9|low".split("|"),
)
def test_text_that_isnt_a_claim_is_malformed(text):
    """A full hand has no other dice, two pair cannot have nines as the higher one, and so on."""
    with pytest.raises(Malformed):
        Claim.parse(text)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("high", "high card"),
        ("high KQ9", "king high with a queen and a nine"),
        ("pair 9 + K", "a pair of nines and a king"),
        ("pair A + KQJ", "a pair of aces, a king, a queen and a jack"),
        ("two pair K + A", "two pair, kings up, an ace"),
        ("KK99A", "two pair, kings and nines, an ace"),
        ("three", "three of a kind"),
        ("low straight", "a low straight"),
        ("full T", "a full house, tens"),
        ("TTT99", "a full house, tens over nines"),
        ("AAAAA", "five aces"),
    ],
)
def test_claims_are_said_in_words(claim, words):
    assert words == Claim.parse(claim).words


def meant(text):
    try:
        return (Claim.parse(text),)
    except Ambiguous as several:
        return tuple(map(Claim.parse, several.choices))
    except Malformed:
        return ()


@given(st.text(alphabet="9tjqka+, andpairofhgstw", max_size=30))
def test_any_text_is_refused_or_a_claim_or_a_choice_of_claims_that_read_back(text):
    assert set(meant(text)) <= set(ladder())


def test_only_five_dice_have_a_whole_claim():
    with pytest.raises(ValueError, match="are not five dice"):
        best((1, 2, 3))


def test_the_truth_about_five_dice_is_kept_once_whatever_their_order():
    assert best((1, 2, 2, 5, 6)) is best((6, 2, 5, 1, 2))
