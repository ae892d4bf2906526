import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.wire.render import CHARSETS, Look, encoded, prompted, rendered, renderings
from lilygames.text import Line

UTF8 = Look(78, "utf-8")


def test_line_ends_in_cr_lf():
    """RFC 854: the end of a line on the wire, whatever the system."""
    assert rendered(Line("bob bids 0."), UTF8) == b"bob bids 0.\r\n"


def test_long_line_continues_at_its_margin():
    line = Line(" -> whammy says that this goes on", margin="    ")

    assert rendered(line, Look(20, "utf-8")) == b" -> whammy says that\r\n    this goes on\r\n"


def test_typographic_marks_become_plain_where_only_ascii_is_read():
    assert encoded("“hi” – it’s… K♥", "ascii") == b'"hi" - it\'s... KH'


def test_accent_is_dropped_and_an_unknown_letter_is_a_question_mark():
    assert encoded("Zoë 日", "ascii") == b"Zoe ?"


def test_charset_keeps_its_own_letters():
    assert encoded("é – ж", "cp1252") == b"\xe9 \x96 ?"


def test_iac_is_doubled_once():
    """RFC 854: the data byte 255 is sent twice; in Latin-1 it is a letter."""
    assert rendered(Line("ÿ"), Look(78, "iso8859-1")) == b"\xff\xff\r\n"


def test_line_cannot_become_two_or_move_the_cursor():
    assert rendered(Line("bob\r\n[tally-2] ann wins\x1b[2J"), UTF8) == b"bob[tally-2] ann wins\r\n"


def test_two_hundred_readers_cost_one_rendering():
    before = renderings()
    line = Line("said to everybody, and never before in this test run")
    for _ in range(200):
        rendered(Line(line.text), Look(78, "utf-8"))

    assert renderings() - before == 1


def test_another_width_or_charset_is_another_rendering():
    before = renderings()
    line = Line("said to three kinds of screen, and never before in this test run")
    for look in (UTF8, Look(40, "utf-8"), Look(78, "ascii")):
        rendered(line, look)

    assert renderings() - before == 3


def test_question_has_no_line_end_and_keeps_its_last_space():
    assert prompted("login: ", UTF8) == b"login: "


def test_long_question_is_wrapped_and_keeps_its_last_space():
    assert prompted("Choose a password to keep it: ", Look(20, "ascii")) == b"Choose a password to\r\n  keep it: "


@pytest.mark.parametrize("charset", CHARSETS)
def test_every_charset_contains_ascii(charset):
    """So a line end is the same two bytes in each."""
    ascii_letters = "".join(map(chr, range(128)))

    assert ascii_letters.encode(charset) == ascii_letters.encode("ascii")


@given(st.text(), st.integers(18, 100), st.sampled_from(CHARSETS))
def test_any_text_can_be_shown_on_any_screen(text, width, charset):
    shown = rendered(Line(text), Look(width, charset))

    assert shown.endswith(b"\r\n")
    assert b"\x1b" not in shown
