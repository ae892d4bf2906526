"""Test conversion of values to JSON and back: what is dumped, read and refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum, IntEnum
from typing import Any, Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.codec import dump, encode, from_text, load, text_of_parts, to_text
from lilygames_rules.kit import Event, Join, Leave, Malformed, Outcome


class Suit(Enum):
    CLUBS = "C"
    HEARTS = "H"


class Phase(Enum):
    BID = 1
    PLAY = 2


class Rank(IntEnum):
    TWO = 2
    ACE = 14


@attrs.frozen
class Card:
    rank: int
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        if len(text) < 2 or not text[:-1].isdigit():
            raise Malformed(f"{text} is no card")
        return cls(int(text[:-1]), Suit(text[-1]))

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.value}"


@attrs.frozen
class Bid:
    tricks: int


@attrs.frozen
class Play:
    card: Card


@attrs.frozen
class BidMade(Event):
    seat: int
    tricks: int | None


@attrs.frozen
class Options:
    decks: int | Literal["auto"] = "auto"
    hook: bool = True


@attrs.frozen
class Position:
    options: Options
    phase: Phase
    hands: tuple[frozenset[Card], ...]
    turned: Card | None
    lead: tuple[int, Card]
    taken: dict[int, int]
    held: dict[Card, Rank]
    last: Bid | Play | None
    secret: bytes
    history: Sequence[Bid | Play]
    before: Position | None = None


Move = Bid | Play
NAMES = st.sampled_from(["is", "tricks", "card", "Bid"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TWO, ACE = Card.parse("2C"), Card.parse("14H")
POSITION = Position(
    Options(2),
    Phase.PLAY,
    (frozenset({TWO, ACE}), frozenset()),
    TWO,
    (1, ACE),
    {0: 3, 10: 0},
    {ACE: Rank.ACE},
    Play(TWO),
    b"\x00\xff",
    (Bid(1), Play(ACE)),
)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Bid(3), Move),
        (Play(ACE), Move),
        (Join(5), Join | Leave),
        (Leave(), Join | Leave),
        (BidMade(1, None), BidMade),
        (ACE, Card | None),
        (None, Card | None),
        (Options(), Options),
        (Options(3, hook=False), Options),
        (Outcome((1, -1), (0,), "the pot is empty"), Outcome),
        (POSITION, Position),
        (attrs.evolve(POSITION, before=POSITION), Position),
        ((1, (2, 3)), tuple[int, tuple[int, ...]]),
        ({"a": None}, dict[str, None]),
        ({Suit.CLUBS: 1.5}, dict[Suit, float]),
        (Rank.TWO, Rank),
    ],
)
def test_value_is_read_back_from_its_text(value, kind):
    """Including nested values."""
    assert value == from_text(to_text(value), kind)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Bid(3), {"is": "Bid", "tricks": 3}),
        (Play(ACE), {"is": "Play", "card": "14H"}),
        (Suit.HEARTS, "H"),
        (Phase.PLAY, "PLAY"),
        (Rank.ACE, "ACE"),
        (b"\x0f", "0f"),
        ((TWO, None), ["2C", None]),
        (frozenset({TWO, ACE}), ["14H", "2C"]),
        ({3: True}, {"3": True}),
    ],
)
def test_json_is_plain_and_names_the_class(value, data):
    """Other programs can read it without our classes."""
    assert data == dump(value)


def test_dumped_data_stays_unchanged():
    """So `to_text` of data and of the value agree."""
    assert to_text(POSITION) == to_text(dump(POSITION))


def test_text_is_compact_and_sorted():
    """Digests depend on every byte."""
    text = '{"is":"Outcome","reason":"\\u00e9","scores":[1],"winners":[0]}'

    assert text == to_text(Outcome((1,), (0,), "é"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_text_is_that_of_the_standard_library(data):
    assert json.dumps(data, sort_keys=True, separators=(",", ":")) == encode(data)


@given(JSON, JSON)
def test_text_of_a_value_is_made_of_the_texts_of_its_fields(base, hook):
    options = Options(base, hook=hook)  # any data: the form is what counts
    assert to_text(options) == text_of_parts(Options, decks=encode(base), hook=encode(hook))


def test_missing_field_gets_its_default():
    """Logs from before an option existed can still be read."""
    assert Options("auto", hook=False) == load({"is": "Options", "hook": False}, Options)


@given(st.frozensets(st.builds(Card, st.integers(2, 14), st.sampled_from(Suit))))
def test_equal_sets_have_equal_text(cards):
    """The order inside a set doesn't show."""
    assert to_text(cards) == to_text(frozenset(sorted(cards, key=str)))
    assert cards == from_text(to_text(cards), frozenset[Card])


@pytest.mark.parametrize(
    ("data", "kind", "sentence"),
    [
        ({"is": "Bid", "tricks": 3, "card": 1}, Move, "there is no card in Bid at Bid or Play"),
        ({"is": "Bid"}, Bid, "it is missing at Bid.tricks"),
        ({"is": "Bid", "tricks": "3"}, Bid, "'3' is not of type int at Bid.tricks"),
        ({"is": "Bid", "tricks": True}, Bid, "True is not of type int at Bid.tricks"),
        ({"is": "Bid", "tricks": 3.0}, Bid, "3.0 is not of type int at Bid.tricks"),
        ({"is": "Join"}, Bid, "{'is': 'Join'} isn't a valid Bid"),
        ({"tricks": 3}, Bid, "{'tricks': 3} isn't a valid Bid"),
        ({"is": "Join"}, Move, "{'is': 'Join'} isn't a valid Bid or Play"),
        ({"is": []}, Move, "{'is': []} isn't a valid Bid or Play"),
        ([], Move, "[] isn't a valid Bid or Play"),
        ({"is": "Play", "card": "xx"}, Play, "xx is no card at Play.card"),
        ({"is": "Play", "card": None}, Play, "None is not of type str at Play.card"),
        ("abc", tuple[str, ...], "'abc' is not of type list"),
        ([1], tuple[int, int], "[1] has not 2 parts"),
        (1, bool, "1 is not of type bool"),
        ("C", Rank, "'C' isn't a valid Rank"),
        (True, Literal[1, "auto"], 'True is not one of 1, "auto"'),
        ("x" * 99, Suit, f"'{'x' * 39}… isn't a valid Suit"),
        ({"01": 1}, dict[int, int], "'01' is not how a whole number is written"),
    ],
)
def test_invalid_data_is_refused_in_a_sentence(data: Any, kind, sentence):
    """Machine clients send anything: a wrong key or class gives a sentence, never another exception."""
    with pytest.raises(ValueError, match=r".") as refused:
        load(data, kind)

    assert sentence == str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "NaN", "[" * 100_000, '{"is":"Bid","tricks":' + "9" * 5000 + "}"])
def test_text_is_refused_if_it_is_not_json(text):
    """Including text that is too deep, or too long for a number."""
    with pytest.raises(ValueError, match=r"."):
        from_text(text, Bid)


@given(JSON)
def test_any_data_is_read_or_refused(data):
    """Reading returns a value that dumps to the same data, or raises ValueError."""
    try:
        move = load(data, Move)
    except ValueError:
        return
    assert json.dumps(data, sort_keys=True) == json.dumps(dump(move), sort_keys=True)


@pytest.mark.parametrize("value", [object(), {(1, 2): 3}, {None: 1}])
def test_value_of_an_unsupported_class_raises_type_error(value):
    """A plain class has neither fields nor a notation; a key must be text or become text."""
    with pytest.raises(TypeError, match=r"make it a frozen attrs class|cannot be a key"):
        dump(value)


def test_number_is_refused_if_json_cannot_hold_it():
    """Other programs couldn't read infinity."""
    with pytest.raises(ValueError, match="JSON"):
        to_text(float("inf"))
