"""A game can be deleted: its rules, its folder, its pages and its tests. Nothing is edited, all else goes on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.conftest import LEFT_OUT, ROOT

GAMES = sorted(file.parent.name for file in ROOT.glob("lilygames/games/*/house.py") if file.parent.name != "families")
OF_A_GAME = (
    *("rules/{}.py", "rules/past/{}[0-9].py", "lilygames/games/{}", "help/games/{}.txt", "help/games/{}-*.txt"),
    *("tests/games/{}", "scripts/*-{}"),
)
"""All that there is of a game; README and the news may still speak of it."""
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
        (bot,) = stage.place.tables.open.values()
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
    *("tests/games/test_check_game.py", "tests/tables/test_bot.py", "tests/tables/test_large_tables.py"),
    *("tests/tables/test_never_stuck.py", "tests/chat/test_talk.py", "tests/edge/test_edge_front.py"),
)
"""Tests that are run at every run; with --slow whole folders are."""
FIRST_ONLY = [pytest.param(game, marks=pytest.mark.slow if number else ()) for number, game in enumerate(GAMES)]
"""One deletion is tried at every run, all of them with --slow."""
ALL = ("tests/rules", "tests/games", "tests/tables", "tests/chat", "tests/edge")


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """Return what makes a copy of the checkout from which a game has been deleted."""
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
    """Run tests in a copy and return their last row; fail with what they say where they fail."""
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments)
    told = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{done.stdout[-5000:]}\n{done.stderr[-2000:]}")
    return done.stdout.splitlines()[-1]


def played(folder, python):
    """Return the games that are listed and what became of one game of each, as a host of that copy tells."""
    told = python("-c", PLAY, cwd=folder, path=[folder]).splitlines()
    (listed,) = [row.split()[1:] for row in told if row.startswith("listed:")]
    return listed, [row.removeprefix("played: ") for row in told if row.startswith("played:")]


def test_there_are_games_to_delete():
    assert len(GAMES) > 1


@pytest.mark.parametrize("game", FIRST_ONLY)
def test_a_host_without_a_game_lists_the_others_and_plays_them_to_the_end(without, python, game):
    others = [name for name in GAMES if name != game]

    assert (others, [f"{name} to the end" for name in others]) == played(without(game), python)


def test_tests_of_all_else_pass_without_a_game(without):
    """Those of all folders can be collected, and some are run; which game is missing makes no difference to them."""
    folder = without(GAMES[0])

    assert " collected" in outcome_of(folder, "--collect-only", *ALL)
    assert " passed" in outcome_of(folder, *SOME)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_tests_of_all_else_pass_without_a_game(without, game):
    assert " passed" in outcome_of(without(game), "-n", "2", *ALL)
