"""Change a package with a game that was written for `lilygames.API` 1 into one for API 2.

In API 1 the rules' contract was `rules.kit`, and a rules module had no `turn`. This needs only the standard library, as
`new_game` does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CONTRACT = {"NAME", "VERSION", "SEATS", "start", "moves", "apply", "outcome"}
"""Names by which a rules module is known."""
IMPORTED = re.compile(r"^(\s*(?:from|import) )rules(?=\.| import )", re.MULTILINE)
WHOLE = re.compile(r"^\s*import rules\.", re.MULTILINE)
"""An import after which the modules are named in full: `rules.kit.Step`."""
NAMED = re.compile(r"(?<![\w.])rules(?=\.(?:kit|cards|changed|bidding|dice|lair|poker|tricks)\b)")
API = re.compile(r"\bapi=1\b")
TURN = '''

def turn(state: State) -> int | None:
    """Return the seat to move if it is the only one; None if several may move, or the game is over."""
    if outcome(state) is not None:
        return None
    ready = [seat for seat in range(SEATS.stop - 1) if len(moves(state, seat))]
    return ready[0] if len(ready) == 1 else None
'''


class NotConverted(Exception):
    """The package can't be changed. The text is one sentence that says why."""


def convert(folder: Path) -> list[str]:
    """Change the package's modules in place. Return the rows to print; raises `NotConverted`.

    A module that has been changed already stays as it is.
    """
    if not folder.is_dir():
        raise NotConverted(f"{folder} isn't a folder: give the one with the package's pyproject.toml.")
    try:
        rows = [row for path in sorted(_modules(folder)) if (row := _converted(path))]
    except OSError as problem:
        raise NotConverted(f"{problem.filename}: {problem.strerror}.") from None
    except (SyntaxError, UnicodeDecodeError) as problem:
        raise NotConverted(f"{folder} has a file that isn't Python: {problem}.") from None
    return [*rows, "Run its tests, then install it again."] if rows else [f"{folder}: nothing to change."]


def _modules(folder: Path) -> Iterator[Path]:
    """Yield the package's modules and tests, without environments and other hidden folders."""
    for path in folder.rglob("*.py"):
        if not any(part.startswith(".") or part == "site-packages" for part in path.relative_to(folder).parts):
            yield path


def _converted(path: Path) -> str:
    """Change one module; return a row that says what was changed, "" if nothing was."""
    before = path.read_text("utf-8")
    text = NAMED.sub("lilygames_rules", before) if WHOLE.search(before) else before
    text = API.sub("api=2", IMPORTED.sub(r"\1lilygames_rules", text))
    names = _defined(text)
    added = names >= CONTRACT and "turn" not in names
    if added:
        text = f"{text.rstrip()}\n{TURN}"
    if text == before:
        return ""
    path.write_text(text, "utf-8")
    return f"{path}: changed; it has a new function turn(), which you can simplify" if added else f"{path}: changed"


def _defined(text: str) -> set[str]:
    """Return the names that a module defines or imports at its top level."""
    names: set[str] = set()
    for node in ast.parse(text).body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                names.add(name)
            case ast.Assign(targets):
                names.update(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
            case ast.ImportFrom(_, found) | ast.Import(found):
                names.update(one.asname or one.name for one in found)
    return names
