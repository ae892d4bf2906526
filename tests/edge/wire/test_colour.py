"""Colour only adds to the text: the words stay the same without it, and user text has none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.colour import Palette
from lilygames.text import Line

KINDS = ("answer", "notice", "talk", "game", "turn")
PALETTES = [Palette(depth, deck) for depth in (16, 256) for deck in ("2", "4", "safe", "off")]
ROW = "Your turn: follow ♥: 1. J♥  2. A♥  (9♦)  [K♠]"


def plain(row: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", row)


@given(st.text("♠♥♦♣AKQJ1052 you:()[].\tYour turn", max_size=60), st.sampled_from(KINDS), st.sampled_from(PALETTES))
def test_text_is_the_same_without_colours(row, kind, palette):
    assert row == plain(palette.painted(row, Line(row, kind)))


@given(st.text("♠♥♦♣AKQJ you:()[]. Coach:", max_size=60), st.sampled_from(("answer", "game", "turn")))
def test_user_text_has_no_colour(row, kind):
    assert row == Palette(256).painted(row, Line(row, kind, by="bob"))


@pytest.mark.parametrize(
    ("palette", "hearts", "clubs"),
    [
        (Palette(256, "2"), "\x1b[38;5;161mJ♥\x1b[0m", "J♣"),
        (Palette(256, "4"), "\x1b[38;5;161mJ♥\x1b[0m", "\x1b[38;5;28mJ♣\x1b[0m"),
        (Palette(256, "safe"), "\x1b[38;5;130mJ♥\x1b[0m", "\x1b[38;5;129mJ♣\x1b[0m"),
        (Palette(16, "2"), "\x1b[31mJ♥\x1b[0m", "J♣"),
        (Palette(16, "safe"), "J♥", "J♣"),
        (Palette(256, "off"), "J♥", "J♣"),
    ],
)
def test_suit_has_the_colour_of_its_deck(palette, hearts, clubs):
    assert [hearts, clubs] == [palette.painted(card, Line(card, "game")) for card in ("J♥", "J♣")]


def test_turn_highlights_numbers_winning_card_and_forbidden_moves():
    painted = Palette(256).painted(ROW, Line(ROW, "turn"))

    assert "\x1b[1mYour turn:\x1b[0m" in painted
    assert "\x1b[1m1.\x1b[0m \x1b[38;5;161mJ♥\x1b[0m" in painted
    assert "\x1b[38;5;243m(9♦)\x1b[0m" in painted
    assert "\x1b[1m[K♠]\x1b[0m" in painted


def test_only_numbers_that_can_be_typed_are_highlighted():
    row = "Ada opens round 1. Max bids."

    assert row == Palette(256).painted(row, Line(row, "game"))


@pytest.mark.parametrize(
    ("peer", "colours"),
    [
        (Peer(), 0),
        (Peer(negotiates=True, names=("XTERM-256COLOR",), settled=True), 256),
        (Peer(negotiates=True, names=("XTERM",), settled=True), 16),
        (Peer(negotiates=True, names=("KITTY",), settled=True), 256),
        (Peer(negotiates=True, names=("DUMB",), settled=True), 0),
        (Peer(negotiates=True, names=("MUDLET", "ANSI", "MTTS 13")), 256),
        (Peer(negotiates=True, names=("TINTIN++", "ANSI", "MTTS 5")), 16),
        (Peer(negotiates=True, names=("PLAIN", "ANSI", "MTTS 4")), 0),
    ],
)
def test_terminal_shows_as_many_colours_as_it_supports(peer, colours):
    assert colours == peer.colours


def test_time_warning_stands_out_from_the_rest():
    row = "You have 20 seconds left."

    assert f"\x1b[7m{row}\x1b[0m" == Palette(16).painted(row, Line(row, "game"))
