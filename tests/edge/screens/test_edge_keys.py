"""Bytes of a keyboard become keys, however they are cut into packets."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.screens import keys
from lilygames.edge.screens.keys import Keyboard


def read(keyboard, data):
    return [(text, key) for text, key, _ in keyboard.keys(keyboard.decoded(data))]


@pytest.fixture
def keyboard():
    return Keyboard("utf-8")


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x01", "c-a"),
        (b"\x7f", "c-h"),
        (b"\x1b[A", "up"),
        (b"\x1bOA", "up"),
        (b"\x1b[1~", "home"),
        (b"\x1b[3~", "delete"),
        (b"\x1b[1;5D", "c-left"),
        (b"\x1bb", ("escape", "b")),
        (b"\x1b\x7f", ("escape", "c-h")),
        (b"\x1b[1;3C", ("escape", "right")),
        (b"\x1b\x1b[D", ("escape", "left")),
    ],
)
def test_keys_have_the_names_of_prompt_toolkit(keyboard, data, key):
    assert [("", key)] == read(keyboard, data)


def test_letters_that_arrive_together_are_one_text(keyboard):
    assert [("héllo", ""), ("", "c-m")] == read(keyboard, "héllo\r".encode())


def test_escape_waits_for_the_rest_of_its_sequence(keyboard):
    assert [] == read(keyboard, b"\x1b")
    assert [] == read(keyboard, b"[1;")
    assert [("", "c-left"), ("x", "")] == read(keyboard, b"5Dx")


def test_unknown_key_is_still_a_key(keyboard):
    """No part of it becomes text."""
    assert ["", "a"] == [text for text, _ in read(keyboard, b"\x1b[?1;2ca")]


@pytest.mark.parametrize("data", [b"\x1b\x1b\x1bz", b"\x1b[\x07z", b"\x1b[" + b"1" * 99 + b"z"])
def test_escape_without_a_sequence_takes_no_letters_with_it(keyboard, data):
    read(keyboard, data)

    assert [("y", "")] == read(keyboard, b"y")


def test_plain_letters_separate_a_return_from_a_line_feed(keyboard):
    """Any letter between the two makes them two line ends."""
    read(keyboard, b"a\r")
    assert keyboard.plain("b")

    assert [("", "c-j")] == read(keyboard, b"\n")


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\r\0"])
def test_each_line_end_is_one_enter(keyboard, end):
    assert 2 == sum(key in ("c-m", "c-j") for _, key in read(keyboard, (b"a" + end) * 2))


def test_bracketed_paste_is_text_with_its_line_ends(keyboard):
    """Pasted text is shown before it is sent."""
    assert "one\ntwo x" == "".join(text for text, _ in read(keyboard, b"\x1b[200~one\r\ntwo\tx\x03\x1b[201~"))


def test_keys_put_back_come_first(keyboard):
    keyboard.put_back("bid")

    assert [("bid 3", "")] == read(keyboard, b" 3")


@given(
    st.lists(
        st.sampled_from(
            [b"\x1b[A", b"\x1bb", b"\r\n", b"\r\0", b"\x01", b"\x1b[200~", b"\x1b[201~", "é".encode(), b"a"]
        )
    ),
    st.data(),
)
def test_packet_boundaries_change_nothing(pieces, data):
    typed = b"".join(pieces)
    whole = read(Keyboard("utf-8"), typed)
    keyboard, cut, place = Keyboard("utf-8"), [], 0
    while place < len(typed):
        step = data.draw(st.integers(1, 4))
        cut += read(keyboard, typed[place : place + step])
        place += step

    assert joined(whole) == joined(cut)


def joined(keys):
    """Return keys, with runs of text joined."""
    told = []
    for text, key in keys:
        if text and told and told[-1][0]:
            told[-1] = (told[-1][0] + text, "")
        else:
            told.append((text, key))
    return told


@given(st.binary(max_size=200))
def test_no_input_raises_or_keeps_more_than_an_escape(data):
    keyboard = Keyboard("utf-8")
    read(keyboard, data)

    assert keyboard.waiting <= 32


def test_endless_escape_sequence_takes_no_memory(keyboard):
    """The parser of prompt_toolkit keeps every prefix of it: 200 MB for these 20 kB."""
    tracemalloc.start()
    for _ in range(20):
        read(keyboard, b"\x1b[" + b"1" * 1000)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 100_000


def test_escape_alone_takes_no_later_letter_with_it(keyboard, monkeypatch):
    """Someone presses Esc, and types on after a moment."""
    clock = [0.0]
    monkeypatch.setattr(keys, "monotonic", lambda: clock[0])
    for begun in (b"\x1b", b"\x1b[", b"abc\x1b"):
        read(keyboard, begun)
        clock[0] += 0.6
        assert [("b", "")] == read(keyboard, b"b")


def test_end_of_a_paste_is_read_however_late_it_comes(keyboard, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(keys, "monotonic", lambda: clock[0])
    read(keyboard, b"\x1b[200~pasted\x1b[20")
    clock[0] += 5

    assert [("", "c-m")] == read(keyboard, b"1~\r")
