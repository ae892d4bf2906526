"""A package made from the maker pages of an earlier release still runs once `--convert` has changed it.

`pages-0.1.0` has those pages as they were; the files of the package stand in them.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.packaging.test_plugin import PLAY

PAGES = Path(__file__).parent / "pages-0.1.0"


@pytest.fixture(scope="module")
def package(root, python, tmp_path_factory):
    """A folder with the files on the pages, changed by `new-game --convert`."""
    checkout, folder = tmp_path_factory.mktemp("earlier"), tmp_path_factory.mktemp("package")
    shutil.copytree(PAGES, checkout / "help")
    (checkout / "scripts").mkdir()
    (checkout / "lilygames/gametest").mkdir(parents=True)
    for file in ("scripts/new-game", "lilygames/gametest/new_game.py", "lilygames/gametest/convert.py"):
        shutil.copy(root / file, checkout / file)
    python(checkout / "scripts/new-game", "dicey", "--package", folder, cwd=folder)
    python(checkout / "scripts/new-game", "--convert", folder, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(package, python, tmp_path_factory):
    """A folder with the package installed by pip."""
    target = tmp_path_factory.mktemp("installed")
    alone = ("--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check")
    python("-m", "pip", "-qq", "install", *alone, "--target", target, package, cwd=package)
    return target


def test_package_is_converted_once(package, root, python):
    assert f"{package}: nothing to change.\n" == python(root / "scripts/new-game", "--convert", package, cwd=package)


def test_converted_rules_name_the_turn(package):
    assert "from lilygames_rules.kit import" in (package / "lily_dicey/rules.py").read_text("utf-8")
    assert "def turn(" in (package / "lily_dicey/rules.py").read_text("utf-8")


def test_earlier_package_passes_its_own_test(package, installed, root, python, tmp_path):
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    told = python(
        "-m", "pytest", *options, package / "test_dicey.py", cwd=tmp_path, path=[installed, root, root / "rules"]
    )

    assert "2 passed" in told


def test_earlier_package_can_be_played_and_verified(installed, root, python, tmp_path):
    file = tmp_path / "strangers.txt"
    file.write_text(PLAY, "utf-8")
    python("-m", "lilygames.gametest.playthrough", file, cwd=tmp_path, path=[installed, root, root / "rules"])
    played = file.read_text("utf-8")

    over = re.findall(r"^(\w+)< Game over: ", played.partition("bob> /quick")[0], re.MULTILINE)
    assert ["ann", "bob"] == over
    assert re.search(r"^ann< Match: ", played, re.MULTILINE)
    assert re.search(r"^bob< \*.* sit down\.$", played, re.MULTILINE)
    assert "bob< DICEY " in played
