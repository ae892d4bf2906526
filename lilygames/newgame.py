"""Write a small working game for somebody to change: the one that the maker's help pages show, under another name.

The pages are the files. The first row of a page ends with the path of its file, what stands under the first empty row
is its text, and a page that goes on has a number: `maker-rules`, `maker-rules-2`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path

from lilygames.help import Pages

EXAMPLE = "nerve"
"""The game of the pages."""
_NAME = re.compile(r"[a-z][a-z0-9]{1,11}")
_HERE = {
    f"lily_{EXAMPLE}/{EXAMPLE}.py": f"rules/{EXAMPLE}.py",
    f"lily_{EXAMPLE}/bot.py": f"lilygames/games/{EXAMPLE}.py",
    f"lily_{EXAMPLE}/help/{EXAMPLE}.txt": f"help/games/{EXAMPLE}.txt",
    f"tests/test_{EXAMPLE}.py": f"tests/games/test_{EXAMPLE}.py",
}
"""Where the files of the package lie when the game is one of the house's own."""
_IMPORTS = {
    f"from lily_{EXAMPLE} import": "from rules import",
    f"from lily_{EXAMPLE}.{EXAMPLE} import": f"from rules.{EXAMPLE} import",
    f"from lily_{EXAMPLE}.bot import": f"from lilygames.games.{EXAMPLE} import",
}
_PACKED_PAGES = re.compile(r"(?m)^.*\bfiles\b.*\n")
_FROM_US = re.compile(r"(?m)(?:^from (?:lilygames|rules)\b.*\n)+")


class Unwritable(Exception):
    """The game cannot be written; the text says what would do."""


def as_package(pages: Pages, name: str) -> dict[str, str]:
    """Return the files of a package with an entry point, as path and text."""
    shown: dict[str, list[str]] = {f"lily_{EXAMPLE}/__init__.py": []}
    for page, rows in pages.rows.items():
        if page.startswith("maker-"):
            shown.setdefault(rows[0].split()[-1], []).append("\n".join(rows[rows.index("") + 1 :]))
    return _renamed({path: _joined(path, parts) for path, parts in shown.items()}, name)


def as_our_own(pages: Pages, name: str) -> dict[str, str]:
    """Return the files of a game in a checkout of the house."""
    package = as_package(pages, EXAMPLE)
    return _renamed({_HERE[path]: _ours(text) for path, text in package.items() if path in _HERE}, name)


def write(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Write the files into the folder and return their paths; raises `Unwritable` before a file is written over."""
    paths = [folder / path for path in files]
    if taken := [path for path in paths if path.exists()]:
        raise Unwritable(f"{taken[0]} is there already: choose another name")
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return paths


def _joined(path: str, parts: list[str]) -> str:
    """Return the text of a file, with the second empty row that pages leave out around what stands for itself."""
    text = "\n\n".join(parts) + "\n" * bool(parts)
    if not path.endswith(".py"):
        return text
    after_a_block = re.sub(r"(?m)(^ .*\n)\n(?=\S)", r"\1\n\n", text)
    return re.sub(r"(?<!\n)\n\n(?=@|def |class )", "\n\n\n", after_a_block)


def _ours(text: str) -> str:
    text = _PACKED_PAGES.sub("", text)
    for theirs, ours in _IMPORTS.items():
        text = text.replace(theirs, ours)
    return _FROM_US.sub(_in_order, text)


def _in_order(imports: re.Match[str]) -> str:
    return "".join(sorted(imports[0].splitlines(keepends=True), key=lambda row: row.split()[1]))


def _renamed(files: Mapping[str, str], name: str) -> dict[str, str]:
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise Unwritable(f"{name} is no name for a game: take 2 to 12 small letters and digits, a letter first")
    for spelled in (str.lower, str.upper, str.capitalize):
        old, new = spelled(EXAMPLE), spelled(name)
        files = {path.replace(old, new): text.replace(old, new) for path, text in files.items()}
    return dict(files)
