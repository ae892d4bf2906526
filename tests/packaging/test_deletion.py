"""Test that a game can be deleted with its rules, folder, pages and tests, without editing anything else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lilygames.games import games
from tests.packaging.conftest import LEFT_OUT, ROOT

GAMES = sorted(file.parent.name for file in ROOT.glob("lilygames/games/*/words.py") if file.parent.name != "families")
OF_A_GAME = (
    *(
        "rules/lilygames_rules/{}.py",
        "rules/lilygames_rules/past/{}[0-9].py",
        "lilygames/games/{}",
        "help/games/{}.txt",
        "help/games/{}-*.txt",
    ),
    *("tests/games/{}", "lab/*-{}"),
)
"""All parts of a game. README and the news may still mention it."""
PLAY = """
import asyncio
from lilygames.games import games
from lilygames.gametest.stage import Stage

SHORT = {"ohell": "max=3", "liarspoker": "hands=2", "lilypoker": "hands=2", "liarslair": "each=2 max-rounds=6"}

async def main():
    found = games()
    stage = await Stage.open(found)
    stage.enter("ann")
    rows = await stage.type("ann", "/games")
    print("listed:", *(row.partition(":")[0] for row in rows if ": " in row))
    for name, game in found.items():
        for line in (f"/new {name} {SHORT.get(name, '')}", "/house 3", "/start"):
            await stage.type("ann", line)
        (bot,) = stage.open_tables.values()
        while not bot.over and not bot.case:
            seat = bot.seat_of("ann")
            if bot.table.moves(seat):
                await stage.type("ann", "/" + game.spell(game.rules.default(bot.table.state, seat)))
            await stage.quiet()
        print("played:", name, bot.case or "to the end")
        await stage.type("ann", "/quit")

asyncio.run(main())
"""
SOME = (
    *("tests/rules/test_changed.py", "tests/rules/tricks/test_trick.py", "tests/games/test_installed.py"),
    *("tests/games/test_check_game.py", "tests/tables/room/test_bot.py", "tests/tables/room/test_large_tables.py"),
    *("tests/tables/room/test_never_stuck.py", "tests/chat/talk/test_talk.py"),
    "tests/edge/terminal/test_edge_front.py",
)
"""Tests for every run; with --slow whole folders run."""
FIRST_ONLY = [pytest.param(game, marks=pytest.mark.slow if number else ()) for number, game in enumerate(GAMES)]
"""Every run tries one deletion, --slow tries all."""
ALL = ("tests/rules", "tests/games", "tests/tables", "tests/chat", "tests/edge")


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """Return a function that copies the checkout and deletes a game from the copy."""
    made: dict[str, Path] = {}

    def copy(game):
        if game not in made:
            made[game] = tmp_path_factory.mktemp("without") / game
            shutil.copytree(ROOT, made[game], ignore=LEFT_OUT)
            for pattern in OF_A_GAME:
                for path in made[game].glob(pattern.format(game)):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        return made[game]

    return copy


def outcome_of(folder, *arguments):
    """Run tests in a copy, and return the last row of output; fail with the output if they fail."""
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments)
    told = {**os.environ, "PYTHONPATH": f"{folder}:{folder}/rules", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{done.stdout[-5000:]}\n{done.stderr[-2000:]}")
    return done.stdout.splitlines()[-1]


def played(folder, python):
    """Return a copy's list of games and the results of playing one of each."""
    told = python("-c", PLAY, cwd=folder, path=[folder]).splitlines()
    (listed,) = [row.split()[1:] for row in told if row.startswith("listed:")]
    return listed, [row.removeprefix("played: ") for row in told if row.startswith("played:")]


def test_several_games_are_installed():
    assert len(GAMES) > 1


@pytest.mark.parametrize("game", FIRST_ONLY)
def test_other_games_can_be_played_without_a_deleted_game(without, python, game):
    others = [name for name in GAMES if name != game]

    assert (others, [f"{name} to the end" for name in others]) == played(without(game), python)


def test_other_tests_pass_without_a_deleted_game(without):
    """All folders can be collected and some are run, whichever game is missing."""
    folder = without(GAMES[0])

    assert " collected" in outcome_of(folder, "--collect-only", *ALL)
    assert " passed" in outcome_of(folder, *SOME)


def mentioning(folder, game):
    """Return the test files that mention a game or ask for all games: no other test can notice that one is missing."""
    words = (game, games()[game].title.casefold(), "games()")
    files = (file for top in ALL for file in sorted((folder / top).rglob("test_*.py")))
    texts = ((file, file.read_text("utf-8").casefold()) for file in files)
    return [str(file.relative_to(folder)) for file, text in texts if any(word in text for word in words)]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_tests_that_mention_a_game_pass_without_it(without, game):
    """Running all tests without each game would take half an hour; a whole run found nothing that these don't."""
    folder = without(game)

    assert " collected" in outcome_of(folder, "--collect-only", *ALL)
    assert " passed" in outcome_of(folder, "-n", "2", *mentioning(folder, game))
