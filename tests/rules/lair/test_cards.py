"""Card sets of Liar's Lair: which texts are valid, and what the generator makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.kit import KeyedLuck, Malformed
from lilygames_rules.lair import cards
from lilygames_rules.lair.card_set import CAST, CLAIMS, SUBJECTS, THINGS
from lilygames_rules.lair.table import Options


def test_pair_is_a_line_of_two_statements():
    text = "# Pets\n\nCats  sing.|Cats do not sing.\n  Dogs vote. | Dogs never vote.  \n"

    assert (("Cats sing.", "Cats do not sing."), ("Dogs vote.", "Dogs never vote.")) == cards.read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# nothing\n", "a set has 1 to 500 pairs; this one has 0"),
        ("One|Two\n\nCats sing.", "line 3: a pair needs two statements with one | between them"),
        ("a|b|c", "line 1: a pair needs two statements with one | between them"),
        ("Cats sing.|", "line 1: a statement is missing next to the |"),
        ("a|b\nc|A", "line 2: “A” is already on line 1"),
        ("a|a", "line 1: “a” is already on line 1"),
        ("a|b\x1b[2J", "line 1: a statement has a character that can't be shown"),
        (f"a|{'b' * 59}", "line 1: a statement can have 58 characters; “bbbbbbbbbbbbbbbbbbbb...” has 59"),
        ("WHO sings.|Nobody sings.", "line 1: use WHO in both statements of a pair or in neither"),
        ("a|b\nWHO c|WHO d", "line 2: use WHO in every statement of the set or in none"),
    ],
)
def test_bad_set_is_refused_with_the_line_number(text, said):
    with pytest.raises(Malformed) as no:
        cards.read(text)

    assert said == str(no.value)


def test_added_set_is_saved_with_the_options():
    """So a game can be replayed without the file."""
    sets = {"pets": "Cats sing. | Cats do not sing."}

    assert (("Cats sing.", "Cats do not sing."),) == Options(cards="pets").with_cards(sets.get).pairs
    assert Options(cards="fish") == Options(cards="fish").with_cards(sets.get)
    assert Options() == Options().with_cards({"standard": "x"}.get)
    with pytest.raises(Malformed, match="line 1: a pair needs two statements"):
        Options(cards="bad").with_cards({"bad": "x"}.get)


@given(st.text())
def test_any_text_is_a_set_or_is_refused(text):
    try:
        pairs = cards.read(text)
    except Malformed:
        return

    assert all(0 < len(statement) <= cards.LONGEST for pair in pairs for statement in pair)


def test_standard_sets_have_enough_pairs_for_the_largest_tables():
    assert len(cards.shipped(people=False)) >= 8 * 6 + 16
    assert len(cards.shipped(people=True)) >= 6 + 16 / 3
    assert len(SUBJECTS) >= 8 * 6 + 16


@given(st.binary(max_size=4))
def test_generated_pairs_are_a_valid_set(seed):
    pairs = cards.drawn(None, 64, KeyedLuck(seed))

    assert pairs == list(cards.read("\n".join(" | ".join(pair) for pair in pairs)))


def test_generated_statements_fit_in_a_row():
    longest = (max(map(len, words)) for words in ((*SUBJECTS, *CAST), sum(CLAIMS, ()), THINGS))

    assert sum(longest) + 3 <= cards.LONGEST


@pytest.mark.parametrize("made_up", [True, False])
def test_pairs_are_spread_evenly_over_people(made_up):
    pairs = cards.drawn_about(None if made_up else cards.shipped(people=True), CAST[:3], 10, KeyedLuck(b""))

    assert [4, 3, 3] == [sum(about == name for about, _ in pairs) for name in CAST[:3]]
    assert all(about in yes and about in no for about, (yes, no) in pairs)
    assert 20 == len({statement for _, pair in pairs for statement in pair})
