"""Tags name the table of a line on screens that have lately shown another one."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.screens.tags import Tags
from lilygames.text import Line, Tag


def shown(tags, number, *, always=False):
    """Return the text of a table's line on a screen."""
    (line,) = tags.named([Line("Your turn", tag=Tag(f"room{number}", number))], always=always)
    return line.text


def test_line_has_no_tag_while_one_table_is_shown():
    tags = Tags()
    assert ["Your turn"] * 50 == [shown(tags, 1) for _ in range(50)]


def test_line_is_tagged_until_forty_lines_after_another_table():
    tags = Tags()
    shown(tags, 2)
    assert ["#1 Your turn"] * 39 + ["Your turn"] == [shown(tags, 1) for _ in range(40)]


def test_line_names_its_room_if_that_is_always_wanted():
    assert "[room1] Your turn" == shown(Tags(), 1, always=True)


def test_narrow_screen_has_a_tag_only_on_the_first_of_several_lines_of_a_table():
    """A row of a table may be as wide as the screen."""
    tags = Tags()
    shown(tags, 2)
    lines = [Line(text, tag=Tag(f"room{number}", number)) for text, number in (("a", 1), ("b", 1), ("c", 3), ("d", 3))]

    assert ["#1 a", "b", "#3 c", "d"] == [line.text for line in tags.named(lines, always=False, narrow=True)]
    assert ["#3 c", "#3 d"] == [line.text for line in tags.named(lines[2:], always=False)]


@given(st.lists(st.sampled_from([1, 1, 1, 2, 3]), max_size=120))
def test_line_is_tagged_if_the_last_forty_are_not_all_of_its_table(numbers):
    tags, lately = Tags(), deque[int](maxlen=40)
    for number in numbers:
        lately.append(number)
        several = {number} != {*lately}
        lead = f"#{number} " if several else ""
        assert f"{lead}Your turn" == shown(tags, number)
