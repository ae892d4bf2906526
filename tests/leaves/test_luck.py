"""Test luck: fair and reproducible from a key, alone or by purpose, or scripted to set up a deal in a test."""

from __future__ import annotations

import hmac
import json
import sys
from collections import Counter
from hashlib import sha256
from itertools import count, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.kit import KeyedLuck, PurposeLuck, Scripted

ONE_IN_A_THOUSAND = {2: 10.83, 3: 13.82, 6: 20.52, 24: 49.73}
"""The chi-square value that a fair draw of so many outcomes exceeds once in a thousand."""


def chi_square(drawn, outcomes):
    fair = len(drawn) / outcomes
    return sum((seen - fair) ** 2 / fair for seen in Counter(drawn).values()) + (outcomes - len(set(drawn))) * fair


def stream(key):
    """Yield the bits of the stream by the definition in the docstring of `KeyedLuck`, the slow way."""
    for block in count():
        for byte in sha256(key + block.to_bytes(8, "big")).digest():
            yield from (byte >> place & 1 for place in range(7, -1, -1))


def read(bits, n):
    """Return the next number below n: as many bits as n - 1 has, drawn again if the result is too large."""
    number = int("0" + "".join(map(str, islice(bits, (n - 1).bit_length()))), 2)
    return number if number < n else read(bits, n)


def test_key_always_gives_the_same_luck():
    """These numbers must never change: every table ever played is replayed from them."""
    luck = KeyedLuck(b"lily")

    assert [65, 61, 19, 2, 60, 96, 40, 27] == [luck.below(100) for _ in range(8)]
    assert (2, 4, 1, 5, 3, 6, 0, 9, 7, 8) == luck.shuffle(range(10))
    assert (4, True, "b") == (luck.roll(6), luck.coin(), luck.choice("abc"))


@given(st.binary(max_size=40), st.lists(st.integers(1, 5000), max_size=300))
def test_numbers_come_from_the_stream_by_rejection(key, limits):
    """Numbers that are too large are dropped entirely, so every number has the same chance."""
    luck, bits = KeyedLuck(key), stream(key)

    assert [read(bits, n) for n in limits] == [luck.below(n) for n in limits]


@pytest.mark.parametrize("sides", [2, 3, 6, 24])
def test_die_shows_each_side_equally_often(sides):
    """A thousand throws per side."""
    luck = KeyedLuck(b"a die")

    assert chi_square([luck.roll(sides) for _ in range(1000 * sides)], sides) < ONE_IN_A_THOUSAND[sides]


def test_coin_shows_both_sides_equally_often():
    """True as often as False."""
    luck = KeyedLuck(b"a coin")

    assert chi_square([luck.coin() for _ in range(2000)], 2) < ONE_IN_A_THOUSAND[2]


def test_shuffle_gives_each_order_equally_often():
    """Four cards have 24 orders."""
    luck = KeyedLuck(b"a deck")
    orders = [luck.shuffle("CDHS") for _ in range(4800)]

    assert set(permutations("CDHS")) == set(orders)
    assert chi_square(orders, 24) < ONE_IN_A_THOUSAND[24]


@given(st.lists(st.integers()))
def test_shuffle_keeps_every_card(cards):
    """No card is lost or repeated, and the original deck is unchanged."""
    before = list(cards)

    assert sorted(cards) == sorted(KeyedLuck(b"").shuffle(cards))
    assert before == cards


def test_different_keys_give_different_luck():
    """Two tables don't share a deck."""
    assert KeyedLuck(b"a").shuffle(range(52)) != KeyedLuck(b"b").shuffle(range(52))


@pytest.mark.parametrize("draw", [lambda luck: luck.below(0), lambda luck: luck.roll(0), lambda luck: luck.choice(())])
def test_draw_from_nothing_raises_an_error(draw):
    """A bug in the rules is an error, never a table that hangs."""
    with pytest.raises(ValueError, match="can't draw a whole number from 0 to -1"):
        draw(KeyedLuck(b""))


def test_version_1_ignores_purposes():
    """Stored games are replayed from these draws: `for_` is the same stream, `pick` a choice, `order` a shuffle."""
    named, plain = KeyedLuck(b"old"), KeyedLuck(b"old")

    assert named.for_("deal", 3) is named
    assert plain.choice("bd") == named.for_("first").pick("abcd", "bd")
    assert plain.choice("abcd") == named.pick("abcd")
    assert plain.shuffle("ca") == named.for_("reshuffle", 1).order("abc", "ca")
    assert plain.below(1000) == named.below(1000)


def canonical(tag, *parts):
    """Return the bytes that everything in version 2 is hashed from: `["lilygames/2/tag",...]`."""
    return json.dumps([f"lilygames/2/{tag}", *parts], sort_keys=True, separators=(",", ":")).encode()


def digest(tag, *parts):
    return sha256(canonical(tag, *parts)).hexdigest()


def example_key():
    """Return the key of the published example: table 12, bob and carol with a nonce each, and a bot."""
    secret, nonces = bytes(range(32)), ["11" * 32, "22" * 32]
    seal = digest("seal", secret.hex())
    table = digest("table", 12, "ohell", 1, seal)
    commits = [
        [name, digest("commit", table, 1, name, nonce)] for name, nonce in zip(("bob", "carol"), nonces, strict=True)
    ]
    sealing = {
        "round": 1,
        "seal": seal,
        "root": "",
        "options": {"decks": 1},
        "seats": [["bob", ""], ["carol", ""], ["Ada", "club"]],
        "purses": [],
        "words": [["bob", "pips"]],
        "commits": commits,
    }
    return hmac.digest(secret, canonical("key", table, digest("sealing", table, sealing), nonces), "sha256")


def test_luck_by_purpose_matches_the_published_example():
    """These numbers must never change: games are verified from them, also by other programs."""
    key, luck = example_key(), PurposeLuck(example_key())

    assert key.hex().startswith("8f69b6ee6d62ec81")
    assert (50, 35, 39, 37, 42, 22, 31, 11) == luck.for_("deal", 1).shuffle(range(52))[:8]
    assert [3, 2, 6, 5, 2] == [luck.for_("roll", 2, 1, 1, place).roll(6) for place in range(1, 6)]
    assert (0, 2, 1) == luck.for_("starter").shuffle(range(3))


def test_draw_without_a_purpose_follows_from_the_number_of_moves():
    """A game that names none has different luck for each move, and the same again if a move is taken back."""
    key = example_key()
    drawn = {acts: PurposeLuck(key, acts).shuffle(range(52)) for acts in range(20)}

    assert 20 == len(set(drawn.values()))
    assert drawn == {acts: PurposeLuck(key, acts).shuffle(range(52)) for acts in range(20)}
    assert drawn[3] == KeyedLuck(hmac.digest(key, canonical("act", 3), "sha256")).shuffle(range(52))


def test_draws_without_a_purpose_follow_each_other():
    luck, stream = PurposeLuck(b"k", 5), PurposeLuck(b"k", 5)
    stream.for_("another").coin()

    assert 9 == len({luck.shuffle(range(52)) for _ in range(9)})
    assert PurposeLuck(b"k", 5).roll(6) == stream.roll(6)


def test_key_may_depend_on_the_purpose():
    """It is asked for only when something is drawn, since most moves draw nothing."""
    asked = []
    luck = PurposeLuck(lambda purpose: asked.append(purpose) or b"k", 2)
    assert [] == asked
    drawn = luck.for_("deal", 1).shuffle(range(52)), luck.coin(), luck.coin()
    plain = PurposeLuck(b"k", 2)

    assert [("deal", 1), ()] == asked
    assert (plain.for_("deal", 1).shuffle(range(52)), plain.coin(), plain.coin()) == drawn


@pytest.mark.parametrize("purposes", [[("deal", 1), ("deal", 1)], [(), ()], [("a", 1), ("b", 2), ("a", 1)]])
def test_purpose_used_twice_in_a_move_is_an_error(purposes):
    """The second draw would repeat the first, so the table stops."""
    luck = PurposeLuck(b"")

    with pytest.raises(ValueError, match="is drawn twice"):
        [luck.for_(*purpose) for purpose in purposes]


def test_purpose_within_a_purpose_is_an_error():
    with pytest.raises(ValueError, match="name the whole purpose at once"):
        PurposeLuck(b"").for_("deal").for_("trump")


@given(st.binary(), st.sets(st.integers(0, 9), min_size=1), st.integers(0, 9))
def test_another_volunteer_can_only_be_picked_himself(key, willing, other):
    """More people to pick from never make it another one of those before."""
    one = PurposeLuck(key).for_("starter").pick(range(10), sorted(willing))
    picked = PurposeLuck(key).for_("starter").pick(range(10), sorted({*willing, other}))

    assert picked in (one, other)


@given(st.binary(), st.sets(st.integers(0, 19)), st.integers(0, 19))
def test_another_card_in_the_shuffle_leaves_the_others_in_their_order(key, present, other):
    """So the size of a discard doesn't steer the cards that come back."""
    one = PurposeLuck(key).for_("reshuffle").order(range(20), sorted(present - {other}))
    more = PurposeLuck(key).for_("reshuffle").order(range(20), sorted(present | {other}))

    assert one == tuple(item for item in more if item != other)
    assert sorted(present - {other}) == sorted(one)


def test_equal_cards_stay_in_the_shuffle_as_often_as_they_are_present():
    ordered = PurposeLuck(b"pairs").for_("reshuffle").order("AABBC", "BCA")

    assert ["A", "B", "C"] == sorted(ordered)


@pytest.mark.parametrize(
    "draw", [lambda luck: luck.pick("abc", ""), lambda luck: luck.pick("abc", "d"), lambda luck: luck.order("ab", "c")]
)
def test_drawing_other_items_than_there_are_is_an_error(draw):
    with pytest.raises(ValueError, match="can't p"):
        draw(PurposeLuck(b"").for_("it"))


def top_cards(shuffles):
    """Return chi-square for the top card of shuffles by purpose, and for the place of the first card."""
    luck = PurposeLuck(b"shuffles by purpose")
    packs = [luck.for_("deal", number).shuffle(range(52)) for number in range(shuffles)]
    return chi_square([pack[0] for pack in packs], 52), chi_square([pack.index(0) for pack in packs], 52)


CARDS = 87.97
"""The chi-square value that 52 equally likely cards exceed once in a thousand."""


def test_shuffles_by_purpose_give_each_card_equally_often():
    assert [True, True] == [value < CARDS for value in top_cards(5_000)]


@pytest.mark.slow
def test_200_000_shuffles_by_purpose_give_each_card_equally_often(capsys):
    values = top_cards(200_000)
    with capsys.disabled():
        sys.stdout.write(f"\nchi-square of 200,000 shuffles, 51 degrees of freedom: {values[0]:.1f}, {values[1]:.1f}\n")

    assert [True, True] == [value < CARDS for value in values]


def test_script_is_used_in_order():
    """The scripted cards come first, the rest of the deck follows."""
    luck = Scripted(*("HS", 3, "b", False))

    assert ("H", "S", "C", "D") == luck.shuffle("CDHS")
    assert not luck.spent
    assert (3, "b", False) == (luck.roll(6), luck.choice("abc"), luck.coin())
    assert luck.spent


def test_script_takes_no_notice_of_purposes():
    luck = Scripted(*(4, "c", "CA"))

    assert 4 == luck.for_("roll", 1).roll(6)
    assert "c" == luck.for_("first").pick("abc", "bc")
    assert ("C", "A", "B") == luck.for_("reshuffle").order("ABCD", "ABC")
    assert luck.spent


@pytest.mark.parametrize(
    ("script", "draw", "sentence"),
    [
        ([], lambda luck: luck.coin(), "no scripted draw is left for a coin"),
        ([7], lambda luck: luck.roll(6), "a die with 6 sides can't show 7"),
        ([0], lambda luck: luck.roll(6), "a die with 6 sides can't show 0"),
        (["d"], lambda luck: luck.choice("abc"), "d is not one of abc"),
        ([3], lambda luck: luck.coin(), "a coin can't show 3"),
        (["HX"], lambda luck: luck.shuffle("CDHS"), "X is not in the pack"),
        (["a"], lambda luck: luck.pick("abc", "bc"), "a is not one of bc"),
        (["AD"], lambda luck: luck.order("ABCD", "ABC"), "D is not in the pack"),
        (["HH"], lambda luck: luck.shuffle("CDHS"), "H is not in the pack, or was drawn too often"),
    ],
)
def test_impossible_script_raises_an_error(script, draw, sentence):
    """A test with an impossible deal proves nothing."""
    with pytest.raises(AssertionError, match=sentence):
        draw(Scripted(*script))
