"""Lines as a listener hears them."""

from datetime import UTC

import pytest

from lilygames.chat.people.events import ChatEvent, clock, worded
from lilygames.chat.talk.review import Wanted, shown
from lilygames.edge.wire.render import Look, drawn, unwrapped
from lilygames.edge.wire.screen_reader import MORE, ScreenReader, wrapped
from lilygames.text import Line, Tag, columns

TALLY, WIZARD = Tag("tally", 1), Tag("wizard", 2)


def aloud(*lines):
    return [line.text for line in ScreenReader().said(lines)]


def test_message_is_one_line_that_begins_with_its_author():
    """User text never begins a line, or it could be taken for a game's."""
    said = ChatEvent("public", "bob", rooms=("lobby",), text="Your turn: bid 0 to 5.")

    assert aloud(*worded(said)) == ["From bob, to lobby: Your turn: bid 0 to 5."]


@pytest.mark.parametrize(
    ("chat_event", "read"),
    [
        (ChatEvent("private", "bob", to=("ann",), text="hi *"), "Private message from bob: hi *"),
        (ChatEvent("emote", "bob", rooms=("lobby",), text="grins"), "(to lobby) bob grins"),
        (ChatEvent("connect", "bob"), "bob has entered lily"),
        (ChatEvent("pa", "root", text="Tea!"), "Public address message from root: Tea!"),
    ],
)
def test_arrows_and_stars_are_not_read(chat_event, read):
    """Arrows and stars are for the eye; the words are the same."""
    assert aloud(*worded(chat_event)) == [read]


def test_row_of_a_review_is_read_as_it_was_said():
    """In a review each row begins with `# `."""
    said = ChatEvent("public", "bob", rooms=("lobby",), text="hi", at=78480.0)

    assert f"{clock(said.at, UTC)}From bob, to lobby: hi" in aloud(*shown([said], Wanted(), "ann"))


@pytest.mark.parametrize("line", [Line("word " * 8, by="bob"), Line("word " * 8)])
def test_continued_row_says_so(line):
    """A listener hears no margin."""
    assert ["more: "] == [row.margin for row in ScreenReader().said([line])]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "Screen reader mode is on: short lines. Type help reader for more.",
            ["Screen reader mode is on: short lines.", "more: Type help reader for more."],
        ),
        (
            "Your turn: 1 for clubs queen, 2 for diamonds five, 3 for hearts nine.",
            ["Your turn: 1 for clubs queen,", "more: 2 for diamonds five,", "more: 3 for hearts nine."],
        ),
        (
            "Yes. This is one long sentence without any place to rest",
            ["Yes. This is one long sentence without", "more: any place to rest"],
        ),
    ],
)
def test_row_of_a_long_line_ends_with_a_sentence_or_a_phrase(text, rows):
    assert rows == wrapped(text, 40, MORE)


@pytest.mark.parametrize("text", ["x" * 100, f"word {'x' * 74}", "全" * 60])
@pytest.mark.parametrize("width", [10, 20, 40, 78])
def test_word_as_long_as_a_row_is_broken(text, width):
    """It once stood still here, because the rest with its mark was as long as before."""
    rows = wrapped(text, width, MORE)

    assert text.replace(" ", "") == "".join(row.removeprefix(MORE) for row in rows).replace(" ", "")
    assert all(columns(row) <= width for row in rows)


@pytest.mark.parametrize("width", range(20, 100, 7))
def test_long_line_is_whole_again_without_its_rows(width):
    text = "Max 2 of 1, minus 10; Ada 0 of 0, plus 20. Ida wins 李小龙 and Zoë. " * 3 + "end"
    line, look = Line(text, margin=MORE), Look(width, "utf-8")

    assert [text, ""] == unwrapped(drawn(line, look), look)


def test_table_is_named_only_when_it_changes():
    """A player at one table hears its name once."""
    lines = [
        Line("Ada bids 1.", "game", tag=TALLY),
        Line("Your turn: bid.", "turn", tag=TALLY),
        Line("Hi.", "game", tag=WIZARD),
    ]

    assert aloud(*lines) == ["tally: Ada bids 1.", "Your turn: bid.", "wizard: Hi."]


def test_time_stays_before_a_line_of_a_table():
    """A person who has set `stamp` wants to hear it."""
    stamped = Line("(21:18) Ada bids 1.", "game", tag=TALLY)

    assert aloud(stamped) == ["(21:18) tally: Ada bids 1."]


def test_columns_brackets_and_empty_rows_are_not_read():
    """Layout signs on a page are not spoken."""
    rows = Line("/set width 60      lines of 60 columns"), Line(""), Line("(reader is on)")

    assert aloud(*rows) == ["/set width 60, lines of 60 columns", "Reader is on"]


def test_text_for_listeners_replaces_the_line():
    """A line can say less to the ear than to the eye."""
    line = Line("The seal stays closed, since ...", "game", aloud="Seal: closed.", tag=TALLY)

    assert aloud(line) == ["tally: Seal: closed."]


def test_text_in_brackets_and_after_signs_is_said():
    """A game without its own text for listeners is read as well as possible."""
    line = Line("Trump is hearts (9H turned up). Score (totals): you +11 (56), bob -1 (77).", "game", tag=TALLY)

    assert aloud(line) == ["tally: Trump is hearts, 9H turned up. Score, totals: you plus 11, 56, bob minus 1, 77."]


async def test_program_gets_lines_unchanged(terminal_of):
    """This holds for a listener whose program plays for them, too."""
    terminal, wire = terminal_of()
    terminal.prefer({"reader": "on", "machine": "on"})
    terminal.show(Line("*** bob has left lily ***", "notice"))

    assert b"*** bob has left lily ***" in wire.sent
