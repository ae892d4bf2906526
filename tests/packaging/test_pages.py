"""Every page of the manual fits the smallest screen."""

from pathlib import Path

import pytest

from lilygames import help as manual
from lilygames.text import WIDTH, clean, columns

FOLDER = Path(__file__).resolve().parents[2] / "help"
PAGES = sorted(FOLDER.rglob("*.txt"))


def test_there_are_pages():
    assert {"index", "host", "maker", "news", "words"} <= {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_at_most_24_rows_of_78_columns(page):
    """Without a tab, a space at the end of a row, or anything else that a screen would show otherwise."""
    rows = page.read_text("utf-8").splitlines()

    assert 1 <= len(rows) <= manual.ROWS
    assert [] == [row for row in rows if columns(row) > WIDTH]
    assert [] == [row for row in rows if row != clean(row).rstrip()]
    assert rows[0]
    assert rows[-1]


def test_no_two_pages_have_one_name():
    """A game's page must not stand before one of the host's."""
    assert len(PAGES) == len({page.stem for page in PAGES})


def test_every_page_is_found_by_its_name():
    pages = manual.pages()

    assert {page.stem: page.stem for page in PAGES} == {page.stem: pages.find(page.stem) for page in PAGES}
