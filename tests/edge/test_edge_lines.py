import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lilygames.edge.limits import LONGEST
from lilygames.edge.line import Splitter, erased

ENDS = (b"\r\n", b"\r\0", b"\n", b"\r")
typed = st.lists(st.sampled_from([b"a", b"bid 3", b"\r", b"\n", b"\0", b"\xc3\xa9", b"\xff", b"\b", b" " * 2100])).map(
    b"".join
)


def reference(data):
    """The same rule told byte by byte: a line ends at LF or CR; LF or NUL right after CR belongs to that CR."""
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
        None if len(raw) > LONGEST else erased(raw.replace(b"\0", b"").decode("utf-8", "replace")).rstrip("\0")
        for raw in lines
    ]


@pytest.mark.parametrize("end", ENDS)
def test_each_of_the_four_line_ends_ends_one_line(end):
    """RFC 854 knows CR LF and CR NUL; netcat sends LF, and clients in binary mode a bare CR."""
    assert Splitter().feed(b"bid 3" + end + b"hi" + end) == ["bid 3", "hi"]


@pytest.mark.parametrize(("first", "second"), [(b"one\r", b"\ntwo\r\n"), (b"one\r", b"\0two\r\0")])
def test_a_line_end_cut_in_two_packets_is_one_line_end(first, second):
    splitter = Splitter()

    assert splitter.feed(first) + splitter.feed(second) == ["one", "two"]


def test_an_empty_packet_between_cr_and_lf_changes_nothing():
    splitter = Splitter()

    assert splitter.feed(b"one\r") + splitter.feed(b"") + splitter.feed(b"\ntwo\n") == ["one", "two"]


def test_two_line_ends_make_an_empty_line():
    """Enter alone is an answer too."""
    assert Splitter().feed(b"\r\n\r\0\n\r\r") == ["", "", "", "", ""]


@given(typed, st.data())
@example(b"one\r\n\0\r", None)
def test_no_cutting_into_packets_changes_the_lines(data, draw):
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8))) if draw else [1, 4, 4, 5]
    splitter = Splitter()
    pieces = [data[start:end] for start, end in itertools.pairwise([0, *cuts, len(data)])]

    assert [line for piece in pieces for line in splitter.feed(piece)] == Splitter().feed(data)


@given(typed)
def test_lines_are_those_of_the_rule_told_byte_by_byte(data):
    assert Splitter().feed(data) == reference(data)


def test_a_letter_cut_in_two_packets_is_whole():
    splitter = Splitter()

    assert splitter.feed(b"Zo\xc3") + splitter.feed(b"\xab\n") == ["Zoë"]


def test_bytes_that_are_no_utf8_are_replaced():
    assert Splitter().feed(b"caf\xe9 ok\n") == ["caf\ufffd ok"]


def test_another_charset_is_read_as_it_is():
    assert Splitter("cp437").feed(b"caf\x82\n") == ["café"]


def test_backspace_and_delete_take_the_letter_before():
    """A netcat on a raw terminal sends them as they are typed."""
    assert Splitter().feed(b"bix\bd 33\x7f\n\b\bhi\n") == ["bid 3", "hi"]


def test_backspace_takes_a_letter_with_its_accent():
    assert erased("Zoe\u0308\b") == "Zo"


def test_what_could_move_a_cursor_is_taken_out():
    assert Splitter().feed(b"\x1b[2Jhi\x07 \xe2\x80\xaebob\n") == ["hi bob"]


def test_a_line_of_the_longest_length_is_kept():
    assert Splitter().feed(b"x" * LONGEST + b"\n") == ["x" * LONGEST]


def test_a_line_too_long_is_dropped_whole_and_said_once():
    splitter = Splitter()

    assert splitter.feed(b"x" * LONGEST + b"y") == []
    assert splitter.feed(b"/bid 3") == []
    assert splitter.feed(b"\nnext\n") == [None, "next"]


def test_ten_megabytes_without_an_end_take_no_room():
    splitter = Splitter()
    for _ in range(160):
        splitter.feed(b"x" * 65536)

        assert len(splitter._begun) <= LONGEST

    assert splitter.feed(b"\r\nback\r\n") == [None, "back"]
