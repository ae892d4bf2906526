"""Test that a command's usage, parsing and lookup follow from its function."""

from __future__ import annotations

import inspect
import sys
from difflib import SequenceMatcher
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.commands import (
    _AS_LIKE,
    _LIKE,
    Misread,
    Reads,
    Rest,
    Several,
    Unknown,
    _near,
    command,
    complete,
    declared,
    declared_in,
    find,
)


def parsed(text):
    if text not in ("KH", "2S"):
        raise ValueError(text)
    return text


Card = Annotated[str, Reads("CARD", parsed, "a card is like KH")]


@command("bid")
def bid(view, tricks: int):
    """Say how many tricks you will take.

    The dealer may not even out.
    """
    return tricks


@command("challenge", "liar", group="moves")
def challenge(view):
    """Doubt the claim."""


@command("tell")
def tell(caller, name: str, text: Rest):
    """Say something to one person only."""


@command("sit")
def sit(caller, room: str = "lobby"):
    """Sit down."""


@command("discard")
def discard(view, *cards: Card):
    """Throw cards away."""


@command("gift")
def gift(view, card: Card, seat: int = 0):
    """Give a card away."""


@command("shout")
def shout(caller, text: Rest = "hello"):
    """Say it to all."""


BID, CHALLENGE, TELL, SIT, DISCARD, GIFT, SHOUT = EVERY = declared(bid, challenge, tell, sit, discard, gift, shout)


@pytest.mark.parametrize(
    ("known", "usage"),
    [
        (BID, "/bid TRICKS"),
        (CHALLENGE, "/challenge"),
        (TELL, "/tell NAME TEXT"),
        (SIT, "/sit [ROOM]"),
        (DISCARD, "/discard [CARD...]"),
        (GIFT, "/gift CARD [SEAT]"),
    ],
)
def test_usage_follows_from_the_arguments(known, usage):
    """Optional arguments are in brackets."""
    assert usage == known.usage


def test_usage_may_name_what_any_words_stand_for():
    @command("bots", syntax="[LEVEL] [NUMBER]")
    def bots(caller, *words: str):
        """Add bots."""

    (known,) = declared(bots)
    assert "/bots [LEVEL] [NUMBER]" == known.usage
    assert ("shark", "2") == known.read("shark 2")


def test_help_follows_from_the_docstring():
    """The first line is the summary, the rest the details."""
    assert ("Say how many tricks you will take", "The dealer may not even out.") == (BID.summary, BID.details)
    assert ("moves", ("challenge", "liar")) == (CHALLENGE.group, CHALLENGE.names)


def test_declared_function_can_be_called():
    """A declared function can be called as usual."""
    assert 3 == bid(None, 3) == BID.run(None, 3)


def test_module_declares_its_own_commands_in_source_order():
    """Imported commands aren't declared again."""
    assert EVERY == declared_in(sys.modules[__name__])
    assert () == declared_in(inspect)


def test_unknown_argument_type_raises_key_error():
    """There is no way to parse it."""
    with pytest.raises(KeyError):

        @command("weigh")
        def weigh(caller, pounds: float):
            """Weigh."""


@pytest.mark.parametrize(
    ("known", "text", "values"),
    [
        (BID, "3", (3,)),
        (BID, "  007 ", (7,)),
        (CHALLENGE, "", ()),
        (TELL, "bob  it was   me ", ("bob", "it was   me")),
        (SIT, "", ("lobby",)),
        (SIT, "tally", ("tally",)),
        (DISCARD, "", ()),
        (DISCARD, "KH  2S", ("KH", "2S")),
        (GIFT, "KH", ("KH", 0)),
        (GIFT, "KH  2", ("KH", 2)),
        (SHOUT, "", ("hello",)),
        (SHOUT, "to all of you", ("to all of you",)),
    ],
)
def test_line_is_parsed_into_arguments(known, text, values):
    """Word by word; a rest argument gets the rest of the line; missing ones get their defaults."""
    assert values == known.read(text)


@pytest.mark.parametrize(
    ("known", "text", "said"),
    [
        (BID, "", "/bid TRICKS"),
        (BID, "three", "/bid TRICKS  (TRICKS is a whole number)"),
        (BID, "3 4", "/bid TRICKS  (I don't understand “4”)"),
        (CHALLENGE, "him", "/challenge  (it takes no arguments)"),
        (TELL, "bob", "/tell NAME TEXT"),
        (SIT, "tally 2", "/sit [ROOM]  (I don't understand “2”)"),
        (DISCARD, "KH XX", "/discard [CARD...]  (a card is like KH)"),
        (GIFT, "2S bob", "/gift CARD [SEAT]  (SEAT is a whole number)"),
    ],
)
def test_invalid_line_shows_the_usage(known, text, said):
    """With a hint if one helps."""
    with pytest.raises(Misread) as misread:
        known.read(text)

    assert said == str(misread.value)
    assert known is misread.value.command


@pytest.mark.parametrize("text", ["-1", "+1", "1.0", "1e3", "1_000", "٣", "²", "0x10", "9" * 10])
def test_number_must_be_plain_digits(text):
    """At most nine digits: no game needs more."""
    with pytest.raises(Misread):
        BID.read(text)


@given(st.integers(0, 999_999_999))
def test_every_number_is_parsed_as_itself(number):
    """Up to nine digits."""
    assert (number,) == BID.read(str(number))


@pytest.mark.parametrize(
    ("word", "tiers", "found"),
    [
        ("bid", [EVERY], BID),
        ("BID", [EVERY], BID),
        ("b", [EVERY], BID),
        ("liar", [EVERY], CHALLENGE),
        ("li", [EVERY], CHALLENGE),
        ("s", [(BID, SIT), EVERY], SIT),
        ("sh", [(SIT,), EVERY], SHOUT),
        ("sit", [(SHOUT,), EVERY], SIT),
        ("shout", [(SIT,), (SIT, TELL), EVERY], SHOUT),
    ],
)
def test_command_is_found_by_its_name_or_a_prefix(word, tiers, found):
    """Ignoring case; a prefix matches in the first tier that knows one, a full name in any."""
    assert found is find(word, *tiers)


def test_full_name_wins_over_a_longer_one():
    """`/sit` never asks whether it means `/sitout`."""

    @command("sitout")
    def sitout(caller):
        """Sit out."""

    assert SIT is find("sit", [sitout.command, SIT])


def test_command_and_its_alias_are_one_match():
    """A prefix of both isn't ambiguous."""

    @command("quit", "quiet")
    def leave(caller):
        """Leave."""

    assert leave.command is find("qui", [leave.command])


def test_ambiguous_prefix_lists_the_commands():
    """Their names are listed in order."""
    with pytest.raises(Several) as several:
        find("s", EVERY)

    assert ("s", ("shout", "sit")) == (several.value.word, several.value.names)


def test_ambiguity_in_the_first_group_is_not_resolved_by_the_next():
    """A legal move is what people mean."""
    with pytest.raises(Several):
        find("s", (SIT, SHOUT), (BID,))


@pytest.mark.parametrize(
    ("word", "near"), [("bidd", ("bid",)), ("chalenge", ("challenge",)), ("lair", ("liar",)), ("xyzzy", ()), ("", ())]
)
def test_unknown_command_suggests_similar_ones(word, near):
    """A typo is answered with the likely command."""
    with pytest.raises(Unknown) as unknown:
        find(word, (BID,), EVERY)

    assert (word, near) == (unknown.value.word, unknown.value.near)


@given(st.text("abcdehilmnrst", max_size=12))
def test_suggestions_equal_a_comparison_with_every_name(word):
    """Most names are skipped, because comparing is slow; a line of four thousand letters isn't compared at all."""
    names = ["bid", "challenge", "liar", "tell", "sit", "discard", "shout", "at", "table", "tables"]
    likeness = {name: SequenceMatcher(None, name, word).ratio() for name in sorted(names)}
    best = max(likeness.values())

    near = _near(word, names)
    assert bool(near) is (best > _LIKE)
    assert [best] * len(near[:1]) == [likeness[name] for name in near[:1]]
    assert all(likeness[name] > best - _AS_LIKE for name in near)


def test_very_long_word_is_not_compared(monkeypatch):
    monkeypatch.setattr(SequenceMatcher, "ratio", pytest.fail)

    assert [] == _near("bid" * 1000, ["bid", "challenge"])


def test_line_is_completed_by_lines_with_that_prefix():
    """Ignoring case, in the given order."""
    assert ["play KH", "play 2S"] == complete("PL", ["play KH", "pass it", "play 2S"])
    assert [] == complete("z", ["play KH"])
