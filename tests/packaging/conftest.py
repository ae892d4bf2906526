"""Fixtures for the built distribution: built once, unpacked, and run outside the checkout."""

import asyncio
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", ".coverage*", "__pycache__", "data")


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the checkout, without files that tools have created."""
    copy = tmp_path_factory.mktemp("stranger") / "checkout"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    return copy


@pytest.fixture(scope="session")
def python():
    """Run Python in a folder with additional import paths; return its output, or fail with it.

    A copy of the checkout imports its own rules, not those of this one.
    """

    def run(*arguments, cwd, path=()):
        told = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (*path, Path(cwd, "rules")))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, env=told, capture_output=True, text=True, timeout=5 * DEADLINE, check=False
        )
        if done.returncode:
            pytest.fail(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    return run


@pytest.fixture(scope="session")
def built(python, tmp_path_factory):
    """The wheel, built from the sdist, which is built from the checkout."""
    folder = tmp_path_factory.mktemp("built")
    python("-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def unpacked(built, tmp_path_factory):
    """A folder with the contents of the wheel."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(built).extractall(folder)
    return folder


@pytest.fixture
def commands():
    """The names of all slash commands, of the server and of each game."""

    async def known():
        stage = await Stage.open(games())
        found = [
            *stage.place.dispatcher.commands,
            *(command for game in games().values() for command in game.commands),
        ]
        return {name for command in found for name in command.names}

    return asyncio.run(known())
