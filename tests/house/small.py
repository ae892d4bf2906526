"""Our games made small enough to solve: rules and bots imported again with some of their text replaced.

Only numbers are replaced: dice, faces, digits, ranks of cards. Everything else is the code that people play with.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OURS = ("lilygames_rules", "lilygames", "lab", "scripts")
RECORD = re.compile(r"lilygames\.games\.\w+")
"""The package of a game, without its record, whose words need the usual number of dice and cards."""
Changes = Mapping[str, Sequence[tuple[str, str]]]
"""For each module, the replacements for its text; each text must occur."""


class Changed(SourceFileLoader):
    """A loader of a module whose text is partly replaced."""

    changes: Sequence[tuple[str, str]] = ()

    def get_code(self, fullname: str) -> Any:
        text = "" if RECORD.fullmatch(fullname) else self.get_data(self.path).decode()
        for old, new in self.changes:
            if old not in text:
                raise LookupError(f"{fullname} has no {old!r} to change any more")
            text = text.replace(old, new)
        return self.source_to_code(text.encode(), self.path)


class Finder(MetaPathFinder):
    """A finder of the modules to change."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname.startswith("lab/"):
            place = str(ROOT / fullname)
        elif (fullname in self._changes or RECORD.fullmatch(fullname)) and (
            found := PathFinder.find_spec(fullname, path)
        ):
            place = str(found.origin)
        else:
            return None
        loader = Changed(fullname, place)
        loader.changes = self._changes.get(fullname, ())
        return spec_from_file_location(fullname, place, loader=loader)


def small(changes: Changes, *names: str) -> list[ModuleType]:
    """Return these modules (or `lab/NAME`), imported apart from all our others, with their text changed."""
    with _apart(Finder(changes)):
        return [import_module(name) for name in names]


@contextmanager
def _apart(finder: MetaPathFinder) -> Iterator[None]:
    """Import our modules again for a while, and drop them afterwards."""
    known = _taken_away()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _taken_away()
        sys.modules.update(known)


def _taken_away() -> dict[str, ModuleType]:
    ours = [name for name in sys.modules if name.startswith(OURS)]
    return {name: sys.modules.pop(name) for name in ours}
