"""Test luck: fair and reproducible from a key, or scripted to set up a deal in a test."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import count, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kit import KeyedLuck, Scripted

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


def test_script_is_used_in_order():
    """The scripted cards come first, the rest of the deck follows."""
    luck = Scripted(*("HS", 3, "b", False))

    assert ("H", "S", "C", "D") == luck.shuffle("CDHS")
    assert not luck.spent
    assert (3, "b", False) == (luck.roll(6), luck.choice("abc"), luck.coin())
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
        (["HH"], lambda luck: luck.shuffle("CDHS"), "H is not in the pack, or was drawn too often"),
    ],
)
def test_impossible_script_raises_an_error(script, draw, sentence):
    """A test with an impossible deal proves nothing."""
    with pytest.raises(AssertionError, match=sentence):
        draw(Scripted(*script))
