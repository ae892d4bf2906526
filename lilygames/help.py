"""Find help pages and show them. A page is a text file that fits one screen; its first row is its title."""

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
"""Maximum rows of a page, so that it fits the smallest screen."""
_GAP = re.compile(r"(?:^ +| {2,})(?=\S)")
_FULL = 72
"""Columns from which a row counts as continued in the next one."""
POLICIES = ("appeal", "conduct", "privacy")
"""The pages that a sysop can replace: see the setting `policy`."""
INDEX, RULES = "index", "rules"
"""The page for `/help` alone, and the page that lists the games' rules."""
OTHER_WORDS: Mapping[str, str] = {
    "abort": "resign",
    "account": "names",
    "clocks": "time",
    "club": "bots",
    "discussions": "rooms",
    "email": "mail",
    "glossary": "words",
    "guest": "names",
    "house": "bots",
    "lapse": "disconnect",
    "levels": "bots",
    "lobby": "rooms",
    "master": "bots",
    "memory": "bots-memory",
    "messages": "talk",
    "mute": "notifications",
    "noise": "notifications",
    "novice": "bots",
    "presence": "people",
    "push": "mail",
    "quiet": "set",
    "reconnect": "disconnect",
    "screenreader": "reader",
    "sends": "talk",
    "settings": "set",
    "shark": "bots",
    "spectators": "watching",
    "statistics": "stats",
    "tempers": "bots-tempers",
    "tie": "resign",
    "tigerlily": "slcp",
    "tokens": "sessions",
}
"""Other words for pages: common guesses and former names."""


def folder() -> Traversable:
    """Return the folder of the server's pages, in the package or in the checkout."""
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
    """Return the column where a row's text starts, after its last gap."""
    return max((gap.end() for gap in _GAP.finditer(row)), default=0)


def _goes_on(line: Line, before: str, row: str) -> bool:
    """Return whether a row continues a line that ends with the row `before`: a paragraph, or text after a gap.

    Indented rows, such as programs, are never continued.
    """
    first = row.split(maxsplit=1)[0] if row.strip() else ""
    full = len(before) + 1 + len(first) > _FULL
    behind = _column(line.text) == _column(row) == _indent(row) <= WIDTH // 3
    return full and first[:1].isalnum() and behind and (_indent(line.text) < _indent(row) or not _indent(row))


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


@attrs.frozen
class Pages:
    """All pages by name, each as rows."""

    rows: Mapping[str, tuple[str, ...]]
    other_words: Mapping[str, str] = OTHER_WORDS
    _lines: dict[str, tuple[Line, ...]] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """Pages already set in lines, because that takes a while and some are read often."""

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The names of the pages in the form used for comparison."""
        return {_squeezed(name): name for name in self.rows}

    def find(self, words: str = "") -> str:
        """Return the name of the page for `words`: `Ohell scoring` is `ohell-scoring`, `oh` is `ohell`.

        Ignores case, spaces and hyphens, and knows `other_words`. A prefix is enough if it fits only one page, or one
        page and those that continue it. Raises `Several` if it fits more, and `Unknown` with the nearest names if it
        fits none.
        """
        wanted = _squeezed(words) or INDEX
        names = self._names
        if wanted not in names:
            wanted = _squeezed(self.other_words.get(wanted, wanted))
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
        """Return whether `word` is the full name of a page, or another word for one."""
        return word.casefold() in self.rows or self.other_words.get(word.casefold()) in self.rows

    def title(self, name: str) -> str:
        """Return the first row of a page. Raises `KeyError` if the page doesn't exist."""
        return next(iter(self.rows[name]), "")

    def lines(self, name: str) -> Sequence[Line]:
        """Return a page as lines, to be wrapped at any width. Raises `KeyError`."""
        if name not in self._lines:
            self._lines[name] = tuple(self._set(name))
        return self._lines[name]

    def _set(self, name: str) -> Sequence[Line]:
        """Join the rows of a page into lines: a continued row belongs to the line before."""
        lines: list[Line] = []
        for before, row in pairwise(("", *self.rows[name])):
            if lines and _goes_on(lines[-1], before, row):
                lines[-1] = attrs.evolve(lines[-1], text=f"{lines[-1].text} {row.strip()}")
            else:
                lines.append(Line(row, margin=" " * _column(row)))
        return lines

    def search(self, words: str) -> tuple[str, ...]:
        """Return the names of the pages that contain `words`, ignoring case."""
        sought = words.casefold()
        return tuple(name for name, rows in self.rows.items() if sought in " ".join(rows).casefold())


def pages(
    more: Iterable[Traversable] = (),
    games: Iterable[str] = (),
    other_words: Mapping[str, str] | None = None,
    *,
    policy: Path | None = None,
) -> Pages:
    """Return the server's pages and those in the folders of `more`. Of two with one name, the server's keeps it.

    The other one is then called `NAME-more`, and the server's ends with a row about it. Two pages list the `games` in
    place of `{games}`. `other_words` are other names of games, each with its page. Pages in `POLICIES` are replaced by
    those in the folder `policy`.
    """
    own = folder()
    found = {**_written_in(own / "games"), **_written_in(own)}
    if policy:
        found |= {name: rows for name, rows in _written_in(policy).items() if name in POLICIES}
    ours = frozenset(found)
    for place in more:
        for name, rows in _written_in(place).items():
            if name in ours and f"{name}-more" not in found:
                found[f"{name}-more"] = rows
                found[name] = (*found[name], f"A game has a page of this name, too: /help {name}-more")
            found.setdefault(name, rows)
    names = ", ".join(games) or "none is installed"
    for page in (INDEX, RULES):
        found[page] = tuple(row.replace("{games}", names) for row in found[page])
    words = {_squeezed(word): page for word, page in (other_words or {}).items()}
    return Pages(dict(sorted(found.items())), {**words, **OTHER_WORDS})


def about(command: Command, width: int = WIDTH) -> tuple[str, ...]:
    """Return the page of a command from its declaration: usage, description and aliases."""
    rows = [f"Usage: {command.usage}", *wrap(f"{command.summary}.", width, "")]
    if command.details:
        rows += ["", *command.details.splitlines()]
    if command.aliases:
        rows += ["", f"Also typed: {', '.join(f'/{alias}' for alias in command.aliases)}"]
    return tuple(rows)
