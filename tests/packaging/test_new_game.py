"""Test scripts/new-game: one command creates a working game and changes nothing else."""

import os
import re
import shlex
import subprocess

import pytest

WRITTEN = [
    "rules/lilygames_rules/pig.py",
    "lilygames/games/pig/__init__.py",
    "help/games/pig.txt",
    "tests/games/pig/test_pig.py",
]


@pytest.fixture(scope="module")
def pig(checkout, python):
    """A checkout with the new game pig."""
    python("scripts/new-game", "pig", cwd=checkout)
    return checkout


def refused(checkout, *arguments):
    """Return the refusal of a bad request: one sentence, with exit code 2."""
    command = ["scripts/new-game", *map(str, arguments)]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)

    assert (2, "") == (done.returncode, done.stdout)
    assert 1 == len(done.stderr.splitlines())
    return done.stderr


def test_new_game_prints_the_files_it_writes(checkout, python):
    told = python("scripts/new-game", "hog", cwd=checkout)

    assert [path.replace("pig", "hog") for path in WRITTEN] == told.splitlines()[:-1]


def test_new_game_prints_how_to_test_it(checkout, python):
    told = python("scripts/new-game", "dog", cwd=checkout)

    assert told.endswith("Test it, then change it (/help maker): scripts/test tests/games/dog\n")


def test_new_package_prints_how_to_test_it(checkout, python, tmp_path):
    """The folder is absolute, because scripts/test changes to the checkout."""
    told = python(checkout / "scripts/new-game", "cat", "--package", "my cat", cwd=tmp_path)

    said = "Test it, then change it (/help maker): "
    assert [os.path.relpath(checkout / "scripts/test", tmp_path), str(tmp_path / "my cat")] == shlex.split(
        told.rpartition(said)[2]
    )


def test_new_game_passes_its_test_at_once(pig, python):
    """Its own test passes before anything is edited."""
    told = python("-m", "pytest", "-q", "-p", "no:cacheprovider", WRITTEN[-1], cwd=pig)

    assert "2 passed" in told


def test_server_finds_the_new_game_and_its_page(pig, python):
    """Built-in games are found in their folders, not in a list."""
    asks = "from lilygames import help; from lilygames.games import games; "
    asks += "print(games()['pig'].title, help.pages().title('pig'))"
    told = python("-c", asks, cwd=pig)

    assert ["Pig", "PIG"] == told.split()[:2]


def test_example_name_is_replaced_everywhere(pig):
    assert not [path for path in WRITTEN if "dicey" in (pig / path).read_text("utf-8").casefold()]


def test_new_game_passes_the_linter(pig, python):
    """Style and format pass scripts/check."""
    pytest.importorskip("ruff", reason="ruff is in the dependency group check")
    modules = [path for path in WRITTEN if path.endswith(".py")]

    python("-m", "ruff", "check", "--no-cache", *modules, cwd=pig)
    python("-m", "ruff", "format", "--no-cache", "--check", *modules, cwd=pig)


def test_new_game_keeps_the_import_contracts(pig, python):
    """Imports and everything else that scripts/check measures."""
    pytest.importorskip("importlinter", reason="import-linter is in the dependency group check")
    contracts = "import sys; from importlinter import cli; sys.exit(cli.lint_imports(no_cache=True))"

    python("-c", contracts, cwd=pig, path=[pig])
    python("scripts/sizes", cwd=pig, path=[pig])
    python("scripts/shape", cwd=pig, path=[pig])


@pytest.mark.slow
def test_new_game_passes_the_type_checker(pig, python):
    """With mypy --strict."""
    pytest.importorskip("mypy", reason="mypy is in the dependency group check")

    python("-m", "mypy", *WRITTEN[:2], cwd=pig)


@pytest.mark.slow
def test_functions_of_the_record_are_typed(pig, python):
    """`show(view: View, reader)` is checked: the type of views follows from the rules."""
    pytest.importorskip("mypy", reason="mypy is in the dependency group check")
    (pig / "asks.py").write_text("from lilygames.games.pig import GAME\nreveal_type(GAME.show)\n", "utf-8")

    assert "def (rules.pig.View, lilygames.game.Reader)" in python("-m", "mypy", "--strict", "asks.py", cwd=pig)


@pytest.mark.parametrize("name", ["ohell", "cards", "host", "maker", "lobby", "Pig", "p", "pig-2", "../pig", "class"])
def test_name_is_refused_if_it_is_invalid_or_taken(checkout, name):
    """Names of games, engines, pages and the lobby are taken."""
    said = refused(checkout, name)

    assert re.match(rf"scripts/new-game: '?{name}'? (is taken|can't be a game's name)", said)


def test_existing_game_is_never_overwritten(pig):
    before = (pig / WRITTEN[0]).read_text("utf-8")

    assert "rules/lilygames_rules/pig.py already exists" in refused(pig, "pig")
    assert before == (pig / WRITTEN[0]).read_text("utf-8")


def test_invalid_folder_is_named(checkout):
    assert "LICENSE" in refused(checkout, "snap", "--package", checkout / "LICENSE")
