"""Help pages as HTML: `/help/TOPIC`. They are made once, of the same text as `/help`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby

import attrs

from lilygames.edge.web.pages import PageAnswer
from lilygames.help import INDEX, RULES, Pages
from lilygames.sites.frame import Frame, Sheet, heading
from lilygames.sites.markup import Child, Html, h

KEEP = 3600.0
"""Seconds for which a help page may be kept; a new release may change it."""
_TERM = re.compile(r" *(?P<term>\S.*?) {2,}(?P<text>\S.*)")
_LINK = re.compile(r"/help (?P<page>[a-z]+(?:[- ][a-z]+)?)")
_NAMED = re.compile(r"(?<![\w/-])[a-z]+(?:-[a-z]+)+(?![\w-])")
"""Names of pages in a list, such as `tournament-points`."""
_LISTED = re.compile(r"(?<![\w/-])[a-z]+(?:-[a-z]+)*(?=[,;.:)]| and |$)")
"""Names in the lists of pages: short words, too."""
_LISTS = frozenset((INDEX, RULES, "topics"))
"""The pages that list others."""
_LONG_TERM = 44
"""Columns of a term at most: what is longer stays as it is."""
_DEEP = 10
"""Columns from which an indented row continues the text of a term."""


@attrs.frozen
class Topics:
    """The help pages of a place. Links between them begin with `above` and end with `ending`."""

    pages: Pages
    frame: Frame
    games: Mapping[str, str]
    """The titles of the games that are installed, by name."""
    above: str = "/help/"
    ending: str = ""

    async def page(self, name: str) -> PageAnswer | None:
        """Return a help page, or None."""
        name = name or INDEX
        return self.frame.answer(self.sheet(name), keep=KEEP) if name in self.pages.rows else None

    def sheet(self, name: str) -> Sheet:
        """Return a help page. Raises `KeyError` if there is none."""
        title = self.pages.title(name)
        word, _, subject = title.partition("  ")
        head = subject.strip() or word.capitalize()
        content = [*self._content(name)]
        above = h("p", {"class": "crumb"}, self._link(INDEX, "Help"), " › ", h("code", {}, f"/help {name}"))
        path = f"{self.above}{name}{self.ending}" if name != INDEX else self._first
        return Sheet(
            self.games.get(name, "How to play here" if name == INDEX else f"{name}: {head}"),
            path,
            f"{head[:1].upper()}{head[1:]}. From the manual of {self.frame.name}.",
            h(
                "article",
                {"class": "topic"},
                heading(f"{head[:1].upper()}{head[1:]}", above=above),
                content,
            ),
            game=name.partition("-")[0],
        )

    def _content(self, name: str) -> Iterator[Html]:
        """Yield a page's paragraphs, lists of terms, and rows that stay as they are."""
        linked = partial(self._linked, named=_LISTED if name in _LISTS else _NAMED)
        lines = _whole([line.text for line in self.pages.lines(name)][1:])
        for kind, rows in groupby(lines, _kind):
            match kind:
                case "term":
                    yield h("dl", {}, (_term(row, linked) for row in rows))
                case "row":
                    yield h("pre", {"tabindex": "0"}, (linked(f"{row}\n") for row in rows))
                case "text":
                    yield from (h("p", {}, linked(row.strip())) for row in rows)

    def _linked(self, text: str, named: re.Pattern[str]) -> Iterator[Child]:
        """Yield a text with a link for each page that it names."""
        listed = named is _LISTED or "/help" in text or text.startswith("Pages:")
        end = 0
        for match in re.finditer(f"{_LINK.pattern}|{named.pattern}" if listed else _LINK.pattern, text):
            name = self._named(match["page"] or match[0])
            if name:
                yield text[end : match.start()]
                shown = match[0] if match["page"] is None else match[0][: len("/help ") + len(name)]
                yield self._link(name, shown)
                end = match.start() + len(shown)
        yield text[end:]

    def _named(self, words: str) -> str:
        """Return the page that these words name: two words are one page if there is one of that name."""
        whole, first = words.replace(" ", "-"), words.partition(" ")[0]
        return next((name for name in (whole, first) if name in self.pages.rows), "")

    def _link(self, name: str, words: str) -> Html:
        return h("a", {"href": f"{self.above}{name}{self.ending}" if name != INDEX else self._first}, words)

    @property
    def _first(self) -> str:
        """The address of the first page."""
        return f"{self.above}{INDEX}{self.ending}" if self.ending else self.above.rstrip("/") or "/"


def _term(row: str, linked: Callable[[str], Iterable[Child]]) -> Iterable[Html]:
    """Return a term and its text."""
    found = _TERM.fullmatch(row)
    term, text = (found["term"], found["text"]) if found else (row, "")
    return h("dt", {}, h("code", {}, term)), h("dd", {}, linked(text))


def _whole(rows: Iterable[str]) -> list[str]:
    """Return rows in which what continues a term's text is part of it."""
    found: list[str] = []
    for row in rows:
        if found and row.startswith(" " * _DEEP) and _kind(found[-1]) == "term" and not _TERM.fullmatch(row.strip()):
            found[-1] += f" {row.strip()}"
        else:
            found.append(row)
    return found


def _kind(row: str) -> str:
    """Return what a row is: `term` with its text, a `row` that stays as it is, `text`, or nothing."""
    if not row.strip():
        return ""
    found = _TERM.fullmatch(row)
    if found and len(found["term"]) <= _LONG_TERM and "  " not in found["text"]:
        return "term"
    return "row" if found or row.startswith(" ") else "text"
