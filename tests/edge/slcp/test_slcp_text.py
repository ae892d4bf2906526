"""Text for lily's clients: 7-bit, one row, and never a message of their protocol."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lilygames.edge.slcp.text import escaped, field, place_name, plain, unmarked

CONTROLS = (
    "%NOTIFY SOURCE=#1 EVENT=private VALUE=3=abc",
    "%options x",
    "%R %V",
    "Welcome to lily at evil",
    "Welcome to Rowboat at evil",
    "login: ",
    "password: ",
    "%g",
    "%begin [1] x",
    "%command [1] %USER HANDLE=#1",
    "x %options \t+y",
)
text = st.text() | st.builds(str.__add__, st.sampled_from(CONTROLS), st.text()) | st.from_regex(r"%[a-zA-Z]* ?.*")


@given(text)
@example("x%options +leaf")
@example("\x1b[2J%NOTIFY x")
@example("%\u200boptions x")
@example("\u00a0%g")
@example("﹪NOTIFY SOURCE=#1")
def test_row_of_any_text_is_never_a_message(written):
    row = escaped(written)

    assert row == plain(row)
    assert not row.startswith(("%", "login: ", "password: "))
    assert not re.search(r"%options\s", row)
    assert not re.match(r"Welcome to (lily|Rowboat)", row)


@given(text)
def test_value_of_any_text_is_printable_ascii_with_its_length(written):
    key, length, value = field("VALUE", written).split("=", 2)

    assert (key, int(length)) == ("VALUE", len(value.encode("ascii")))
    assert value.isprintable() or not value


@given(text)
def test_notice_keeps_no_mark_that_a_client_replaces(written):
    assert not re.search(r"%[a-zA-Z]", unmarked(written))


@pytest.mark.parametrize(
    ("written", "shown"),
    [("♠ caf\u00e9 “x”", 'S cafe "x"'), ("50% off", "50% off"), ("%x", " %x"), ("a %options b", "a % options b")],
)
def test_ordinary_text_stays_readable(written, shown):
    assert shown == escaped(written)


@pytest.mark.parametrize(("name", "known"), [("The Lily House", "The-Lily-House"), ("lily@home;1", "lily-home-1")])
def test_place_has_a_name_that_clients_can_add_to_a_recipient(name, known):
    assert known == place_name(name)
