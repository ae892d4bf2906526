"""Formulas: what they accept, and what is wrong with those that can't be read."""

import itertools

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.errors import UserError
from lilygames.tables.seeks.formula import DEEPEST, LONGEST, WORDS, Facts, accepts, checked

GAMES = ("ohell", "wizard")
FACTS = Facts(game="ohell", rated=True, registered=True, rating=31.5, games=12, friend=False)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("", True),
        ("rating>30", True),
        ("rating>31.5", False),
        ("rating>=31.5", True),
        ("rating < 40", True),
        ("rating>-5", True),
        ("games=12", True),
        ("games!=12", False),
        ("registered", True),
        ("guest", False),
        ("!guest", True),
        ("not guests", True),
        ("rating>30 registered", True),
        ("rating>30 guest", False),
        ("rating>30 and registered", True),
        ("rating>30, registered", True),
        ("guest or rating>30", True),
        ("guest | friend", False),
        ("guest or registered rating>40", False),
        ("(guest or registered) rating>30", True),
        ("!(guest or friend)", True),
        ("not not registered", True),
        ("ohell", True),
        ("wizard or ohell rated", True),
        ("!ohell", False),
        ("unrated", False),
        ("OHELL Rating>30", True),
    ],
)
def test_formula_accepts_who_meets_all_conditions(text, accepted):
    assert accepted == accepts(checked(text, GAMES) if text else "", FACTS)


@pytest.mark.parametrize("word", WORDS)
def test_word_of_a_formula_is_true_or_its_negation_is(word):
    assert accepts(word, FACTS) is not accepts(f"!{word}", FACTS)


def test_guest_is_the_opposite_of_registered():
    guest = attrs.evolve(FACTS, registered=False)

    assert [False, True] == [accepts(word, guest) for word in ("registered", "guest")]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("rating", "“rating” needs a comparison, as in rating>30."),
        ("rating>", "“rating>” needs a number after it, as in rating>30."),
        ("rating>high", "“rating>” needs a number after it, as in rating>30."),
        ("ratng>30", "a formula can't compare “ratng”. It can compare rating and games, as in rating>30."),
        ("registerd", "a formula can't contain “registerd”. Use rating>30, games>30, registered, guest,"),
        ("chess", "a formula can't contain “chess”."),
        ("(guest", "a “(” is never closed in your formula. Add a “)”."),
        ("guest)", "there's a “)” without a “(” in your formula."),
        ("guest or", "something is missing after “or” in your formula."),
        ("!", "something is missing after “!” in your formula."),
        ("", "something is missing in your formula."),
        ("guest $x", "I can't read “$x” in a formula."),
        ("__import__", "I can't read “__import__” in a formula."),
        ("х>1", "I can't read “х>1” in a formula."),
        ("x" * 101, "that formula has 101 characters. Use at most 100."),
        ("(" * 40 + "guest" + ")" * 40, "that formula has more than 10 brackets in each other."),
        ("!" * 40 + "guest", "that formula has more than 10 brackets in each other."),
    ],
)
def test_wrong_formula_is_refused_with_what_is_wrong(text, wrong):
    with pytest.raises(UserError) as refused:
        checked(text, GAMES)
    assert wrong in str(refused.value)


@given(st.text(max_size=LONGEST + 20) | st.text("()!|&<>= ratinguesor0123456789", max_size=LONGEST))
def test_any_text_is_a_formula_or_refused(text):
    try:
        stored = checked(text, GAMES)
    except UserError:
        return
    assert isinstance(accepts(stored, FACTS), bool)
    assert stored == checked(stored, GAMES)


def test_formula_of_a_game_that_is_no_longer_installed_still_decides():
    assert not accepts("oldgame", FACTS)
    assert accepts("!oldgame", FACTS)


def test_every_pair_of_conditions_means_both_and_or_means_either():
    for one, other in itertools.product(WORDS, repeat=2):
        both, either = accepts(f"{one} {other}", FACTS), accepts(f"{one} or {other}", FACTS)
        assert (accepts(one, FACTS) and accepts(other, FACTS), accepts(one, FACTS) or accepts(other, FACTS)) == (
            both,
            either,
        )


def test_brackets_up_to_the_limit_are_read():
    assert accepts(checked("(" * DEEPEST + "rated" + ")" * DEEPEST, GAMES), FACTS)
