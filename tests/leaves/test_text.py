"""Test text for screens: what people write can't move the cursor, hide, or overflow a row."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lilygames.text import WIDTH, clean, columns, count, listing, shortened, wrap

JOINERS = "\u200c\u200d"
MISCHIEF = st.text(
    st.sampled_from(
        "ae\u0301\u0327\u20dd\x1b[]m;31\x07\\\x9b\r\n\t\u200b\u200d\u202e\u2066\ufeff\u00ad全가\u1100\u1161"
    )
    | st.characters(),
)


@given(MISCHIEF)
@example("".join(map(chr, range(0xD800))))
@example("".join(map(chr, range(0xE000, 0x20000))))
@example("".join(map(chr, range(0xE0000, 0xE0200))))
def test_clean_text_has_no_control_characters(text):
    """No control or format character that moves the cursor, reorders text or is invisible."""
    for character in clean(text):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
        assert unicodedata.bidirectional(character) != "BN" or character in JOINERS


@given(MISCHIEF)
@example("e\u200b\u0301")
@example("\x1b\x1b[31m")
def test_clean_text_stays_unchanged(text):
    """Text is cleaned on input and again before output."""
    assert clean(text) == clean(clean(text))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b]0;title\x07named", "named"),
        ("a\tb", "a b"),
        ("a\r\n*** bob leaves ***", "a*** bob leaves ***"),
        ("abc\u202edef", "abcdef"),
        ("e\u0301", "é"),
        ("p\u200bass", "pass"),
        ("z" + "\u0301" * 50, "ź" + "\u0301" * 4),
        ("z" + "\u0323\u200b" * 50, "ẓ" + "\u0323" * 4),
        ("z" + "\u20dd\u200d" * 50, "z" + "\u20dd\u200d" * 2),
        ("👩\u200d❤\ufe0f\u200d👩 is whole", "👩\u200d❤\ufe0f\u200d👩 is whole"),
        ("نامه\u200cای is whole", "نامه\u200cای is whole"),
        ("a\ufffbb\U0001d173c\uffa0d\U000e0141", "abcd"),
    ],
)
def test_clean_text_contains_only_the_words(typed, shown):
    """Readers get only the words, without escapes, faked lines, reversed letters or piled-up marks."""
    assert shown == clean(typed)


@given(MISCHIEF, st.integers(20, 100))
@example("全" * 40, 21)
@example("word " * 30 + "全", 20)
def test_no_row_is_wider_than_the_screen(text, width):
    """Wide letters take two columns."""
    rows = wrap(clean(text), width)

    assert rows
    assert all(columns(row) <= width for row in rows)


@given(st.text(st.sampled_from("ab é全 "), max_size=200))
def test_wrapping_loses_no_word(text):
    """Only spaces at the ends of rows are lost."""
    assert text.replace(" ", "") == "".join(wrap(text, 20)).replace(" ", "")


def test_continued_row_starts_with_the_margin():
    """So people's text never starts a line."""
    assert ["one two", "> three", "> four"] == wrap("one two three four", 8, "> ")


def test_line_without_margin_is_never_wrapped():
    """Such lines are for programs."""
    assert ["x" * 200] == wrap("x" * 200, margin=None)


@pytest.mark.parametrize("text", ["", " ", " " * (WIDTH + 1), "x" * WIDTH])
def test_wrap_always_returns_a_row(text):
    """An empty line is a row too."""
    assert [text if len(text) <= WIDTH else ""] == wrap(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), (iter("ab"), "a and b")],
)
def test_words_are_listed_as_people_say_them(words, said):
    """Commas, and one and."""
    assert said == listing(words)


def test_list_can_end_in_or():
    """A turn asks for one of them."""
    assert "bid 0 or 1" == f"bid {listing(['0', '1'], 'or')}"


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [(0, ("card",), "0 cards"), (1, ("card",), "1 card"), (2, ("card",), "2 cards"), (2, ("die", "dice"), "2 dice")],
)
def test_count_uses_singular_and_plural(number, words, said):
    """One is singular, everything else plural."""
    assert said == count(number, *words)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("what do you have", "what do you have"),
        ("what do you have in your hand", "what do you have in…"),
        ("what do you have ohell", "what do you have…"),
        ("twenty letters, no mo", "twenty letters, no…"),
        ("onewordthatisratherlong", "onewordthatisrather…"),
    ],
)
def test_shortened_text_ends_with_a_whole_word(text, shown):
    assert shown == shortened(text, 20)
