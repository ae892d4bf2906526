"""Test the tools of an installed wheel: without the checkout, they do what its scripts do."""

import re

import pytest

from lilygames.server.commands import bot


@pytest.fixture
def lilygames(python, unpacked, tmp_path):
    """Run a command of the wheel in an empty folder, and return what it prints."""

    def run(*words):
        return python("-m", "lilygames", *words, cwd=tmp_path, path=[unpacked])

    return run


def test_new_game_is_a_package_that_passes_its_test(lilygames, python, unpacked, tmp_path):
    told = lilygames("new-game", "pig")

    assert "lily-pig/lily_pig/rules.py" in told.splitlines()
    assert re.search(rf"Test it, .*: \S+ -m pytest {re.escape(str(tmp_path))}/lily-pig\n$", told)
    assert "2 passed" in python("-m", "pytest", "-q", "lily-pig", cwd=tmp_path, path=[unpacked])


def test_manual_can_be_read_without_a_server(lilygames):
    """Every page by its name, as `/help` shows it; games' pages, too."""
    assert lilygames("docs", "ohell").startswith("OHELL")
    assert lilygames("docs", "host", "nodes").startswith("HOST NODES")
    names = {row.split()[0] for row in lilygames("docs").splitlines()}
    assert {"host", "seal", "ohell", "maker-game"} < names


def test_files_for_sysops_are_found(lilygames, unpacked):
    """Such as the systemd unit."""
    _, folder = lilygames("docs", "--files").splitlines()

    assert str(unpacked / "lilygames/_help/host") == folder


def test_bot_is_the_example_of_the_checkout(lilygames):
    """One file: `tests/wire/test_randombot.py` lets it play."""
    assert bot.IN_CHECKOUT.read_text("utf-8") == lilygames("bot", "ohell", "--source")


def test_duel_is_played(lilygames):
    told = lilygames("duel", "ohell", "novice", "random", "--seats", "3", "--deals", "1", "--option", "max=3")

    assert {"novice", "random"} <= {row.split()[0] for row in told.splitlines() if row.split()}
