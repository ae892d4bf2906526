import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lilygames.edge.screens.line import HEAD, Splitter, TooLong, erased
from lilygames.edge.wire.limits import LONGEST

ENDS = (b"\r\n", b"\r\0", b"\n", b"\r")
typed = st.lists(st.sampled_from([b"a", b"bid 3", b"\r", b"\n", b"\0", b"\xc3\xa9", b"\xff", b"\b", b" " * 2100])).map(
    b"".join
)


def reference(data):
    """Split lines byte by byte: a line ends at LF or CR; an LF or NUL right after a CR belongs to it."""
    lines, line, before = [], b"", 0
    for byte in data:
        if before == 13 and byte in (0, 10):
            before = 0
            continue
        before = byte
        if byte in (10, 13):
            lines.append(line)
            line = b""
        else:
            line += bytes([byte])
    return [
        TooLong(raw[:HEAD].replace(b"\0", b""))
        if len(raw) > LONGEST
        else erased(raw.replace(b"\0", b"").decode("utf-8", "replace")).rstrip("\0")
        for raw in lines
    ]


@pytest.mark.parametrize("end", ENDS)
def test_each_of_the_four_line_ends_ends_one_line(end):
    """RFC 854 has CR LF and CR NUL; netcat sends LF, and clients in binary mode a bare CR."""
    assert Splitter().feed(b"bid 3" + end + b"hi" + end) == ["bid 3", "hi"]


@pytest.mark.parametrize(("first", "second"), [(b"one\r", b"\ntwo\r\n"), (b"one\r", b"\0two\r\0")])
def test_line_end_cut_into_two_packets_is_one_line_end(first, second):
    splitter = Splitter()

    assert splitter.feed(first) + splitter.feed(second) == ["one", "two"]


def test_empty_packet_between_cr_and_lf_changes_nothing():
    splitter = Splitter()

    assert splitter.feed(b"one\r") + splitter.feed(b"") + splitter.feed(b"\ntwo\n") == ["one", "two"]


def test_two_line_ends_make_an_empty_line():
    """Enter alone is an answer too."""
    assert Splitter().feed(b"\r\n\r\0\n\r\r") == ["", "", "", "", ""]


@given(typed, st.data())
@example(b"one\r\n\0\r", None)
def test_packet_boundaries_change_no_lines(data, draw):
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8))) if draw else [1, 4, 4, 5]
    splitter = Splitter()
    pieces = [data[start:end] for start, end in itertools.pairwise([0, *cuts, len(data)])]

    assert [line for piece in pieces for line in splitter.feed(piece)] == Splitter().feed(data)


@given(typed)
def test_lines_equal_those_split_byte_by_byte(data):
    assert Splitter().feed(data) == reference(data)


def test_letter_cut_into_two_packets_is_whole():
    splitter = Splitter()

    assert splitter.feed(b"Zo\xc3") + splitter.feed(b"\xab\n") == ["Zoë"]


def test_invalid_utf8_is_replaced():
    assert Splitter().feed(b"caf\xe9 ok\n") == ["caf\ufffd ok"]


def test_other_charset_is_decoded():
    assert Splitter("cp437").feed(b"caf\x82\n") == ["café"]


def test_backspace_and_delete_remove_the_letter_before():
    """A netcat on a raw terminal sends them as they are typed."""
    assert Splitter().feed(b"bix\bd 33\x7f\n\b\bhi\n") == ["bid 3", "hi"]


def test_backspace_removes_a_letter_with_its_accent():
    assert erased("Zoe\u0308\b") == "Zo"


def test_cursor_movements_are_removed():
    assert Splitter().feed(b"\x1b[2Jhi\x07 \xe2\x80\xaebob\n") == ["hi bob"]


def test_line_of_the_maximum_length_is_kept():
    assert Splitter().feed(b"x" * LONGEST + b"\n") == ["x" * LONGEST]


def test_line_too_long_is_dropped_whole_and_reported_once():
    splitter = Splitter()

    assert splitter.feed(b"x" * LONGEST + b"y") == []
    assert splitter.feed(b"/bid 3") == []
    assert splitter.feed(b"\nnext\n") == [TooLong(b"x" * HEAD), "next"]


def test_ten_megabytes_without_a_line_end_take_no_memory():
    splitter = Splitter()
    for _ in range(160):
        splitter.feed(b"x" * 65536)

        assert len(splitter._begun) <= LONGEST

    assert splitter.feed(b"\r\nback\r\n") == [TooLong(b"x" * HEAD), "back"]
