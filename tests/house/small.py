"""Our games made small enough to be solved: rules and house players imported anew with some of their text changed.

Everything else is as it is played; what is changed are numbers only: dice, faces, digits, ranks of cards.
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
OURS = ("rules", "lilygames", "scripts/")
RECORD = re.compile(r"lilygames\.games\.\w+")
"""The package of a game: its record is left out, as its words are for dice and cards of the usual number."""
Changes = Mapping[str, Sequence[tuple[str, str]]]
"""By module, what to put in place of what; each text has to be there."""


class Changed(SourceFileLoader):
    """Loads a module of which some text is changed."""

    changes: Sequence[tuple[str, str]] = ()

    def get_code(self, fullname: str) -> Any:
        text = "" if RECORD.fullmatch(fullname) else self.get_data(self.path).decode()
        for old, new in self.changes:
            if old not in text:
                raise LookupError(f"{fullname} has no {old!r} to change any more")
            text = text.replace(old, new)
        return self.source_to_code(text.encode(), self.path)


class Finder(MetaPathFinder):
    """Finds the modules that are to be changed."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname.startswith("scripts/"):
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
    """Return these modules (or `scripts/NAME`), imported apart from all others of ours, changed on the way."""
    with _apart(Finder(changes)):
        return [import_module(name) for name in names]


@contextmanager
def _apart(finder: MetaPathFinder) -> Iterator[None]:
    """Import our modules anew meanwhile, and forget them afterwards."""
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
