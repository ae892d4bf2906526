"""Test that the tables which bots have learned are small, and that a page says how to make each one."""

import re

import pytest

MOST = 2_000_000
"""Bytes of all tables together."""


@pytest.fixture
def tables(root):
    games = root / "lilygames/games"
    return {
        path.relative_to(games).as_posix(): path for path in [*games.glob("*/**/*.bin"), *games.glob("*/learned.json")]
    }


@pytest.fixture
def page(root):
    return (root / "help/host/bots.md").read_text("utf-8")


def test_tables_of_all_games_are_small(tables):
    assert 0 < sum(path.stat().st_size for path in tables.values()) <= MOST


def test_page_gives_the_size_of_each_table(tables, page):
    told = {name: int(size) for name, size in re.findall(r"^\| `([\w/.]+)` \| (\d+) \|", page, re.MULTILINE)}

    assert told.keys() == tables.keys()
    for name, size in told.items():
        assert tables[name].stat().st_size / 1000 == pytest.approx(size, rel=0.3, abs=3), name


def test_page_links_to_existing_files(root, page):
    for name in re.findall(r"\]\(([\w.]+)\)", page):
        assert (root / "help/host" / name).is_file(), name
