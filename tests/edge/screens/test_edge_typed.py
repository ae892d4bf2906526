"""The line being typed, without a screen: the effect of each editing key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.screens.line_buffer import MEMORY, LineBuffer
from lilygames.edge.wire.cells import cells


def typed(text):
    """Return a line with the cursor at the bar."""
    line = LineBuffer()
    before, _, after = text.partition("|")
    line.insert(before + after)
    line.home()
    for _ in before:
        line.right()
    return line


def seen(line):
    return f"{line.before}|{line.text[line.cursor :]}"


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        ("ab|c", LineBuffer.left, "a|bc"),
        ("|ab", LineBuffer.left, "|ab"),
        ("ab|c", LineBuffer.right, "abc|"),
        ("abc|", LineBuffer.right, "abc|"),
        ("ab|c", LineBuffer.home, "|abc"),
        ("ab|c", LineBuffer.end, "abc|"),
        ("say hello there|", LineBuffer.word_left, "say hello |there"),
        ("say he|llo", LineBuffer.word_left, "say |hello"),
        ("|say hello", LineBuffer.word_left, "|say hello"),
        ("say| hello there", LineBuffer.word_right, "say hello| there"),
        ("say he|llo", LineBuffer.word_right, "say hello|"),
        ("ab|c", LineBuffer.rub_out, "a|c"),
        ("|abc", LineBuffer.rub_out, "|abc"),
        ("ab|c", LineBuffer.delete, "ab|"),
        ("/tell bob,ann|!", LineBuffer.cut_word_before, "/tell |!"),
        ("/tell bob,ann|!", LineBuffer.cut_part_before, "/tell bob,|!"),
        ("play |KH now", LineBuffer.cut_word_after, "play | now"),
        ("play |KH", LineBuffer.cut_before, "|KH"),
        ("play |KH", LineBuffer.cut_after, "play |"),
        ("teh|", LineBuffer.swap, "the|"),
        ("|teh", LineBuffer.swap, "|teh"),
    ],
)
def test_each_key_does_what_it_does_in_every_shell(before, action, after):
    line = typed(before)
    action(line)

    assert after == seen(line)


def test_letter_is_deleted_with_its_marks():
    """Lines from clients are treated alike; no mark is left alone."""
    line = typed("ae\u0301|")
    line.left()
    assert "a|e\u0301" == seen(line)
    line.delete()
    assert "a|" == seen(line)


def test_text_cut_last_is_pasted_anywhere():
    line = typed("/play |KH")
    line.cut_after()
    line.home()
    line.yank()

    assert "KH|/play " == seen(line)


def test_line_too_long_stays_as_it_was():
    line = typed("x" * 4000 + "|")

    assert line.insert("y" * 97) is False
    assert "x" * 4000 == line.text
    assert line.insert("y" * 96) is True


def test_limit_is_in_bytes():
    line = LineBuffer()

    assert line.insert("é" * 2048)
    assert not line.insert("é")


@pytest.fixture
def remembering():
    """A line after some others."""
    line = LineBuffer()
    for before in ("/bid 1", "hello", "/bid 2"):
        line.history.remember(before)
    return line


def test_earlier_lines_come_back_latest_first(remembering):
    older = []
    while remembering.older():
        older.append(remembering.text)

    assert ["/bid 2", "hello", "/bid 1"] == older


def test_only_lines_with_the_same_beginning_come_back(remembering):
    remembering.insert("/b")
    older = []
    while remembering.older():
        older.append(remembering.text)

    assert ["/bid 2", "/bid 1"] == older


def test_unfinished_line_comes_after_the_newest(remembering):
    remembering.insert("/b")
    remembering.older()
    remembering.older()
    remembering.newer()
    assert "/bid 2|" == seen(remembering)
    remembering.newer()
    assert "/b|" == seen(remembering)


def test_same_line_twice_is_remembered_once(remembering):
    remembering.history.remember("/bid 2")
    remembering.older()
    remembering.older()

    assert "hello" == remembering.text


def test_number_of_remembered_lines_is_limited():
    line = LineBuffer()
    for number in range(200):
        line.history.remember(f"{number}" * 1000)

    assert sum(map(len, line.history.lines)) <= MEMORY


ACTIONS = [value for name, value in vars(LineBuffer).items() if callable(value) and not name.startswith("_")]
KEYS = [action for action in ACTIONS if action.__name__ not in ("append", "insert", "replace")]


@given(st.lists(st.sampled_from(KEYS) | st.text(alphabet="ab /é漢e\u0301\u200d", max_size=5)))
def test_cursor_is_always_before_a_whole_letter(presses):
    line = LineBuffer()
    for press in presses:
        line.insert(press) if isinstance(press, str) else press(line)

        assert 0 <= line.cursor <= len(line.text)
        assert line.cursor == len(line.text) or not line.text or cells(line.text[line.cursor]) or not line.cursor
        assert not line.text or cells(line.text[0])
