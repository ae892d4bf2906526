"""The visible part of a line: where it begins, and how little of a long line is measured."""

import pytest

from lilygames.edge.wire import cells
from lilygames.edge.wire.cells import Row, row


@pytest.mark.parametrize(
    ("line", "cursor", "start", "drawn"),
    [
        ("abc", 3, 0, Row("abc", 3, 3, 0, whole=True)),
        ("abcdefgh", 8, 0, Row("fgh", 3, 3, 5, whole=False)),
        ("abcdefgh", 3, 2, Row("cdefgh", 6, 1, 2, whole=False)),
        ("字字字字", 4, 0, Row("字", 2, 2, 3, whole=False)),
        ("abcde\u0301\u0301fgh", 10, 0, Row("fgh", 3, 3, 7, whole=False)),
    ],
)
def test_row_shows_the_text_near_the_cursor(line, cursor, start, drawn):
    assert drawn == row(line, cursor, 6, "utf-8", start)


@pytest.mark.parametrize("cursor", [0, 1000, 2000])
def test_only_the_part_of_a_long_line_that_may_be_visible_is_measured(monkeypatch, cursor):
    """Each key redraws the row, and everyone else would wait while thousands of letters are measured."""
    measured, columns = [], cells._columns
    monkeypatch.setattr(cells, "_columns", lambda letter, charset: measured.append(letter) or columns(letter, charset))
    row("字" * 2000, cursor, 79, "utf-8", cursor)

    assert len(measured) < 4 * 79
