"""The part of a line that is in sight: where it begins, and how little of a long line has to be looked at."""

import pytest

from lilygames.edge import cells
from lilygames.edge.cells import Row, row


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
def test_a_row_shows_what_is_near_the_cursor(line, cursor, start, drawn):
    assert drawn == row(line, cursor, 6, "utf-8", start)


@pytest.mark.parametrize("cursor", [0, 1000, 2000])
def test_of_a_long_line_only_what_may_be_in_sight_is_measured(monkeypatch, cursor):
    """Each key draws the row anew, and everybody else would wait while thousands of letters are measured."""
    measured, columns = [], cells._columns
    monkeypatch.setattr(cells, "_columns", lambda letter, charset: measured.append(letter) or columns(letter, charset))
    row("字" * 2000, cursor, 79, "utf-8", cursor)

    assert len(measured) < 4 * 79
