"""Create a small working game to start from, the example of /help maker.

In a checkout it can be four files that pass `check_game` at once; otherwise it is a package of its own. This needs only
the standard library, so that `scripts/new-game` works before anything is installed.
"""

from __future__ import annotations

import keyword
import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

HOME = Path(os.path.relpath(Path(__file__).resolve().parents[2]))
"""The folder of lilygames and rules: a checkout, or the folder where both are installed."""
PAGES = HOME / "lilygames/_help" if (HOME / "lilygames/_help").is_dir() else HOME / "help"
IN_CHECKOUT = (HOME / "scripts/test").exists()
EXAMPLE = "dicey"
"""The name of the game on the pages."""
BLOCK = re.compile(r"^--- (\S+)(?: \((\d+) of \d+\))?\n(.*?)(?=^--- |\Z)", re.MULTILINE | re.DOTALL)
"""A row with a file's name, and its part if there are several; then the text up to the next such row."""
PLACES = {
    "lily_dicey/rules.py": "rules/lilygames_rules/dicey.py",
    "lily_dicey/__init__.py": "lilygames/games/dicey/__init__.py",
    "lily_dicey/dicey.txt": "help/games/dicey.txt",
    "test_dicey.py": "tests/games/dicey/test_dicey.py",
}
"""Where the package's files are in a checkout; it needs no other files."""
AT_HOME = (
    ("from lily_dicey import GAME\n", "from lilygames.games.dicey import GAME\n"),
    ("from lily_dicey import rules\n", "from lilygames_rules import dicey as rules\n"),
    ("from importlib.resources import files\n", ""),
    ("    pages=files(__name__),\n", ""),
)
"""Other differences in a checkout: imports, and pages that the server already has."""


def _package() -> dict[str, str]:
    """Return the files on the pages, by path."""
    pages = [page.read_text("utf-8") for page in sorted(PAGES.glob("maker*.txt"))]
    blocks = [block for page in pages for block in BLOCK.findall(page)]
    files: dict[str, list[str]] = {}
    for path, _, text in sorted(blocks, key=lambda block: int(block[1] or 1)):
        files.setdefault(path, []).append(text.strip("\n"))
    return {path: "\n\n\n".join(parts) + "\n" for path, parts in files.items()}


def _at_home(files: Mapping[str, str]) -> dict[str, str]:
    """Return the package's files as they are in a checkout."""
    texts = {place: files[path] for path, place in PLACES.items()}
    for abroad, here in AT_HOME:
        texts = {place: text.replace(abroad, here) for place, text in texts.items()}
    return texts


def _named(text: str, name: str) -> str:
    """Replace the example's name in lower, title and upper case."""
    for case in (str.lower, str.capitalize, str.upper):
        text = text.replace(case(EXAMPLE), case(name))
    return text


def _complaint(name: str, files: Mapping[Path, str]) -> str:
    """Return why the game can't have this name, in one sentence; "" if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9]{1,11}", name) or keyword.iskeyword(name):
        rule = "use 2 to 12 lower-case letters and digits, a letter first, and no Python keyword"
        return f"{name!r} can't be a game's name: {rule}. Its title can be anything."
    pages = [*PAGES.glob(f"{name}.txt"), *PAGES.glob(f"games/{name}.txt")]
    for path in (HOME / f"rules/lilygames_rules/{name}.py", *pages, *files):
        if path.exists():
            return f"{name} is taken: {path} already exists. Choose another name or folder."
    return "lobby is taken: everyone starts in that room. Choose another name." if name == "lobby" else ""


class Refused(Exception):
    """The game can't be created. The text is one sentence that says why."""


def create(name: str, package: Path | None) -> list[str]:
    """Write a new game, as a package in a folder or into the checkout. Return the rows to print. Raises `Refused`.

    Without a checkout, the package's folder is `lily-NAME` if none is given.
    """
    folder = package or (None if IN_CHECKOUT else Path(f"lily-{name}"))
    place, written = (folder, _package()) if folder else (HOME, _at_home(_package()))
    files = {place / _named(path, name): _named(text, name) for path, text in written.items()}
    if why := _complaint(name, files):
        raise Refused(why)
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as problem:
        raise Refused(f"{problem.filename}: {problem.strerror}. Choose another folder.") from None
    return [*map(str, files), f"Test it, then change it (/help maker): {_test_command(name, folder)}"]


def _test_command(name: str, package: Path | None) -> str:
    """Return the command that tests the new game. A package's folder is absolute: scripts/test changes folders."""
    folder = package.resolve() if package else Path(f"tests/games/{name}")
    tests = [str(HOME / "scripts/test")] if IN_CHECKOUT else [sys.executable, "-m", "pytest"]
    return shlex.join([*tests, str(folder)])
