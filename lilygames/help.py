"""Find a help page and say what is on it. A page is a text file of one screen at most; its first row is its title."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path

import attrs

from lilygames.commands import Command, Several, Unknown
from lilygames.text import WIDTH, Line, clean, wrap

ROWS = 24
"""How many rows a page may have, so that it fits the smallest screen."""
_GAP = re.compile(r"(?:^ +| {2,})(?=\S)")
_FULL = 72
"""Columns beyond which a row goes on in the next one."""
INDEX, RULES = "index", "rules"
"""The page that somebody gets who asks for none, and the one that says which games have rules to read."""
OTHER_WORDS: Mapping[str, str] = {
    "account": "names",
    "clocks": "time",
    "discussions": "rooms",
    "glossary": "words",
    "guest": "names",
    "house": "bots",
    "lapse": "disconnect",
    "messages": "talk",
    "mute": "notifications",
    "noise": "notifications",
    "presence": "people",
    "reconnect": "disconnect",
    "screenreader": "reader",
    "sends": "talk",
    "spectators": "watching",
    "tokens": "sessions",
}
"""Words that lead to a page of another name: what people try first, and names that pages had before."""


def folder() -> Traversable:
    """Return where the host's own pages lie: packed into the package, or beside a checkout."""
    packed = resources.files("lilygames") / "_help"
    return packed if packed.is_dir() else Path(__file__).resolve().parents[1] / "help"


def _squeezed(words: str) -> str:
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def _written_in(place: Traversable) -> dict[str, tuple[str, ...]]:
    files = [file for file in place.iterdir() if file.name.endswith(".txt")] if place.is_dir() else []
    return {
        file.name.removesuffix(".txt"): tuple(map(clean, file.read_text("utf-8").splitlines()))
        for file in sorted(files, key=lambda file: file.name)
    }


def _column(row: str) -> int:
    """Return where the text of a row stands: behind its last gap, or at its beginning."""
    return max((gap.end() for gap in _GAP.finditer(row)), default=0)


def _goes_on(line: Line, before: str, row: str) -> bool:
    """Whether a row goes on with a line, whose last row is the one before it: prose, or the text behind a gap.

    What is set in as it stands, as programs are, goes on with nothing.
    """
    first = row.split(maxsplit=1)[0] if row.strip() else ""
    full = len(before) + 1 + len(first) > _FULL
    behind = _column(line.text) == _column(row) == _indent(row) <= WIDTH // 3
    return full and first[:1].isalnum() and behind and (_indent(line.text) < _indent(row) or not _indent(row))


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


@attrs.frozen
class Pages:
    """All pages by name, each as its rows."""

    rows: Mapping[str, tuple[str, ...]]
    other_words: Mapping[str, str] = OTHER_WORDS
    _lines: dict[str, tuple[Line, ...]] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """The pages that have been asked for, as lines: making them takes a while, and some ask again and again."""

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The names of the pages, by what is compared of them."""
        return {_squeezed(name): name for name in self.rows}

    def find(self, words: str = "") -> str:
        """Return the name of the page that `words` mean: `Ohell scoring` is `ohell-scoring`, `oh` is `ohell`.

        Case, spaces and hyphens do not matter, and `other_words` lead to a page too. A prefix is enough where one page,
        or one page and those that carry it on, begin with it. Raises `Several` where more do, `Unknown` with the
        nearest names where none does.
        """
        wanted = _squeezed(words) or INDEX
        names = self._names
        if wanted not in names:
            wanted = self.other_words.get(wanted, wanted)
        if wanted in names:
            return names[wanted]
        matches = sorted((name for name in names if name.startswith(wanted)), key=len)
        if not matches:
            near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.6)
            raise Unknown(words, [names[name] for name in near])
        if not all(name.startswith(matches[0]) for name in matches):
            raise Several(words, sorted(names[name] for name in matches))
        return names[matches[0]]

    def has(self, word: str) -> bool:
        """Return whether `word` is the whole name of a page, or another word for one."""
        return word.casefold() in self.rows or self.other_words.get(word.casefold()) in self.rows

    def title(self, name: str) -> str:
        """Return the first row of a page; raises `KeyError` where there is no such page."""
        return next(iter(self.rows[name]), "")

    def lines(self, name: str) -> Sequence[Line]:
        """Return a page as lines, which a screen of any width wraps anew; raises `KeyError`."""
        if name not in self._lines:
            self._lines[name] = tuple(self._set(name))
        return self._lines[name]

    def _set(self, name: str) -> Sequence[Line]:
        """Set a page in lines: what goes on in the next row is one line."""
        lines: list[Line] = []
        for before, row in pairwise(("", *self.rows[name])):
            if lines and _goes_on(lines[-1], before, row):
                lines[-1] = attrs.evolve(lines[-1], text=f"{lines[-1].text} {row.strip()}")
            else:
                lines.append(Line(row, margin=" " * _column(row)))
        return lines

    def search(self, words: str) -> tuple[str, ...]:
        """Return the names of the pages on which `words` stand, in any case."""
        sought = words.casefold()
        return tuple(name for name, rows in self.rows.items() if sought in " ".join(rows).casefold())


def pages(
    more: Iterable[Traversable] = (), games: Iterable[str] = (), other_words: Mapping[str, str] | None = None
) -> Pages:
    """Return the host's pages and those in the folders of `more`; where two have one name, the host's stays.

    Two pages name the `games`, where their files have `{games}`. `other_words` are what else the games are called, each
    with the name of a page.
    """
    own = folder()
    found: dict[str, tuple[str, ...]] = {}
    for place in (own, own / "games", *more):
        found = _written_in(place) | found
    names = ", ".join(games) or "none is installed"
    for page in (INDEX, RULES):
        found[page] = tuple(row.replace("{games}", names) for row in found[page])
    words = {_squeezed(word): page for word, page in (other_words or {}).items()}
    return Pages(dict(sorted(found.items())), {**words, **OTHER_WORDS})


def about(command: Command, width: int = WIDTH) -> tuple[str, ...]:
    """Return the page of a command, as its declaration states it: usage, what it does, and how else it is typed."""
    rows = [f"Usage: {command.usage}", *wrap(f"{command.summary}.", width, "")]
    if command.details:
        rows += ["", *command.details.splitlines()]
    if command.aliases:
        rows += ["", f"Also typed: {', '.join(f'/{alias}' for alias in command.aliases)}"]
    return tuple(rows)
