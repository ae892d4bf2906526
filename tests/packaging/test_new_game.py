"""A stranger in a checkout makes a game of its own by one command, and nothing else is touched."""

import os
import re
import shlex
import subprocess

import pytest

WRITTEN = ["rules/pig.py", "lilygames/games/pig/__init__.py", "help/games/pig.txt", "tests/games/pig/test_pig.py"]


@pytest.fixture(scope="module")
def pig(checkout, python):
    """A checkout with the new game pig."""
    python("scripts/new-game", "pig", cwd=checkout)
    return checkout


def refused(checkout, *arguments):
    """Return what is said to somebody who asks for what cannot be: one sentence, and the exit code is 2."""
    command = ["scripts/new-game", *map(str, arguments)]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)

    assert (2, "") == (done.returncode, done.stdout)
    assert 1 == len(done.stderr.splitlines())
    return done.stderr


def test_it_names_the_four_files_it_writes(checkout, python):
    told = python("scripts/new-game", "hog", cwd=checkout)

    assert [path.replace("pig", "hog") for path in WRITTEN] == told.splitlines()[:-1]


def test_it_says_how_to_test_the_new_game(checkout, python):
    told = python("scripts/new-game", "dog", cwd=checkout)

    assert told.endswith("Test it, then change it (/help maker): scripts/test tests/games/dog\n")


def test_it_says_how_to_test_a_new_package(checkout, python, tmp_path):
    """The folder is absolute, as scripts/test changes to the checkout."""
    told = python(checkout / "scripts/new-game", "cat", "--package", "my cat", cwd=tmp_path)

    said = "Test it, then change it (/help maker): "
    assert [os.path.relpath(checkout / "scripts/test", tmp_path), str(tmp_path / "my cat")] == shlex.split(
        told.rpartition(said)[2]
    )


def test_the_new_game_keeps_its_promises_at_once(pig, python):
    """The test that comes with it passes before anything is edited."""
    told = python("-m", "pytest", "-q", "-p", "no:cacheprovider", WRITTEN[-1], cwd=pig)

    assert "2 passed" in told


def test_the_host_finds_the_new_game_and_its_page(pig, python):
    """Built-in games are found by walking: no list names them."""
    asks = "from lilygames import help; from lilygames.games import games; "
    asks += "print(games()['pig'].title, help.pages().title('pig'))"
    told = python("-c", asks, cwd=pig)

    assert ["Pig", "PIG"] == told.split()[:2]


def test_nothing_is_left_of_the_example_it_was_made_from(pig):
    assert not [path for path in WRITTEN if "dicey" in (pig / path).read_text("utf-8").casefold()]


def test_the_new_game_is_as_tidy_as_the_house(pig, python):
    """Style and form are those that scripts/check asks for."""
    pytest.importorskip("ruff", reason="ruff is in the dependency group check")
    modules = [path for path in WRITTEN if path.endswith(".py")]

    python("-m", "ruff", "check", "--no-cache", *modules, cwd=pig)
    python("-m", "ruff", "format", "--no-cache", "--check", *modules, cwd=pig)


def test_the_new_game_keeps_the_floors_and_the_shape_of_the_house(pig, python):
    """Who may import whom, and what else scripts/check measures."""
    pytest.importorskip("importlinter", reason="import-linter is in the dependency group check")
    contracts = "import sys; from importlinter import cli; sys.exit(cli.lint_imports(no_cache=True))"

    python("-c", contracts, cwd=pig, path=[pig])
    python("scripts/sizes", cwd=pig, path=[pig])
    python("scripts/shape", cwd=pig, path=[pig])


@pytest.mark.slow
def test_the_new_game_is_typed(pig, python):
    """Types are those of mypy --strict."""
    pytest.importorskip("mypy", reason="mypy is in the dependency group check")

    python("-m", "mypy", *WRITTEN[:2], cwd=pig)


@pytest.mark.slow
def test_the_record_knows_what_its_functions_are_given(pig, python):
    """`show(view: View, reader)` is checked: the type of views follows from the rules."""
    pytest.importorskip("mypy", reason="mypy is in the dependency group check")
    (pig / "asks.py").write_text("from lilygames.games.pig import GAME\nreveal_type(GAME.show)\n", "utf-8")

    assert "def (rules.pig.View, lilygames.game.Reader)" in python("-m", "mypy", "--strict", "asks.py", cwd=pig)


@pytest.mark.parametrize("name", ["ohell", "cards", "host", "maker", "lobby", "Pig", "p", "pig-2", "../pig", "class"])
def test_a_bad_or_taken_name_is_refused_in_one_sentence(checkout, name):
    """Taken are the names of games, of engines, of pages, and that of the room where everybody begins."""
    said = refused(checkout, name)

    assert re.match(rf"scripts/new-game: '?{name}'? (is taken|can't be a game's name)", said)


def test_a_game_is_never_written_over(pig):
    before = (pig / WRITTEN[0]).read_text("utf-8")

    assert "rules/pig.py is there already" in refused(pig, "pig")
    assert before == (pig / WRITTEN[0]).read_text("utf-8")


def test_a_folder_that_cannot_be_is_named(checkout):
    assert "LICENSE" in refused(checkout, "snap", "--package", checkout / "LICENSE")
