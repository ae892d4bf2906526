"""Info and memos of several lines, and how they are written line by line."""

import pytest

from lilygames.chat.host.own_texts import LINES, set_info, set_memo
from lilygames.chat.host.writing import edited
from lilygames.errors import UserError


class Paper:
    """A terminal that types given lines."""

    def __init__(self, *lines):
        self.lines, self.rows, self.prompts = [*lines], [], []

    def show(self, *lines):
        self.rows += [line.text for line in lines]

    def ask(self, prompt):
        self.prompts.append(prompt)

    async def read(self):
        return self.lines.pop(0)


async def test_text_ends_with_a_dot():
    paper = Paper("one", "", "  two ", ".", "/who")

    assert ("one", "", "  two ") == await edited(paper, (), "info", "ann")
    assert ["/who"] == paper.lines


async def test_dot_alone_leaves_the_old_text():
    paper = Paper(".")

    assert await edited(paper, ("old",), "info", "ann") is None
    assert " - old" == paper.rows[0]


async def test_old_lines_are_there_to_edit():
    paper = Paper("a", "b", "c", ".")
    await edited(paper, ("a", "b"), "info", "ann")

    assert ["a", "b", "", ""] == [prompt.begun for prompt in paper.prompts]


async def test_line_after_the_last_is_refused_and_never_said():
    paper = Paper(*"x" * (LINES + 2), ".")

    assert LINES == len(await edited(paper, (), "info", "ann"))
    assert "no room" in paper.rows[-1]


async def test_own_memo_is_read_by_its_name_alone(stage):
    set_memo(stage.host, stage.people["ann"], "todo", ("buy milk",))

    assert [" - buy milk"] == await stage.type("ann", "/memo todo")
    assert "nobody is called" in " ".join(await stage.type("bob", "/memo todo"))


async def test_memo_of_several_lines_is_shown_line_by_line(stage):
    set_memo(stage.host, stage.people["ann"], "plan", ("first", "second"))

    assert [" - first", " - second"] == await stage.type("bob", "/memo ann plan")
    assert ["(your memos: none)"] == await stage.type("ann", "/memo clear plan")


async def test_info_has_a_limit_of_lines_and_of_letters(stage):
    for lines in (["x"] * (LINES + 1), ["x" * 201]):
        with pytest.raises(UserError):
            set_info(stage.host, stage.people["ann"], lines)
    set_info(stage.host, stage.people["ann"], ["x"] * LINES)

    assert LINES == len(await stage.type("bob", "/info ann"))
