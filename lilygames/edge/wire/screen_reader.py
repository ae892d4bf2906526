"""Text for screen readers: the words of a line, without visual signs."""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from lilygames.text import MARGIN, Line, Tag, wrap

MORE = "more: "
"""Prefix of each continued row, because margins are inaudible: nobody can fake one of the server's rows."""

_SIGNS = re.compile(r"(?:->|<-|>>|<<|[#>*\s])*")
"""Visual signs of talk and news: arrows, stars, the `#` of a review."""
_STAMP = re.compile(r"\(\d\d:\d\d\) ")
_GAP = re.compile(r"(?<=\S)\s{2,}")
"""The space between two columns."""
_ASIDE = re.compile(r"(?<=\w) \(([^()]*)\)( (?=\w))?")
"""Text in brackets after a word."""
_SIGNED = re.compile(r"(?<!\S)[+-](?=\d)")
_SIGN = {"+": "plus ", "-": "minus "}
_ENDS = (re.compile(r"[.?!] "), re.compile(r"[,;:] "))
"""Ends of sentences, and of phrases."""
_BOT = re.compile(r"(?<![\w*])\*(?=[A-Z][a-z])")
"""The star of a bot in a list of seats: `*Ada` is read as `bot Ada`."""


class ScreenReader:
    """The lines of one screen for a screen reader; the table is named when it changes."""

    def __init__(self) -> None:
        self._table = ""

    def said(self, lines: Iterable[Line]) -> list[Line]:
        """Return the lines to read, without empty ones."""
        said: list[Line] = []
        for line in map(_to_hear, lines):
            if words := self._told(line.text, line.tag) if line.tag else _words(line):
                margin = MORE if line.by or line.margin == MARGIN else line.margin
                said.append(attrs.evolve(line, text=words, margin=margin, tag=None))
        return said

    def _told(self, text: str, tag: Tag) -> str:
        """Return a table's line, preceded by its room if the last line was another table's."""
        before, self._table = self._table, tag.room
        stamp = _STAMP.match(text)
        when, text = (stamp[0], text[stamp.end() :]) if stamp else ("", text)
        words = _SIGNED.sub(lambda sign: _SIGN[sign[0]], _ASIDE.sub(_aside, text))
        return f"{when}{words}" if tag.room == before else f"{when}{tag.room}: {words}"


def wrapped(text: str, width: int, margin: str | None) -> list[str]:
    """Wrap the text of a line to rows of at most `width` columns, as `lilygames.text.wrap` does.

    Before `MORE` a row ends with a sentence or a phrase, unless that would leave more than half of it empty. `MORE`
    between words that belong together is hard to follow.
    """
    if margin != MORE:
        return wrap(text, width, margin)
    rows: list[str] = []
    while True:
        first, *others = wrap(text, width, MORE)
        if not others or not text.startswith(first):
            return [*rows, first, *others]
        ends = (max((end.end() for end in kind.finditer(text[: len(first) + 1])), default=0) for kind in _ENDS)
        cut = next((end for end in ends if end > width // 2), len(first))
        rest = f"{MORE}{text[cut:].lstrip()}"
        if len(rest) >= len(text):  # only the mark fits before a word as long as a row
            if not rows:
                return [first, *others]
            return [*rows, *(f"{MORE}{row}" for row in wrap(text.removeprefix(MORE), width - len(MORE), ""))]
        rows.append(text[:cut].rstrip())
        text = rest


def _to_hear(line: Line) -> Line:
    """Return the spoken form of a line, with `bot` for a bot's star; people's own words don't change."""
    text = line.text if line.aloud is None else line.aloud
    if not line.by and line.kind not in ("talk", "notice"):
        text = _BOT.sub("bot ", text)
    return attrs.evolve(line, text=text, aloud=None)


def _aside(found: re.Match[str]) -> str:
    return f", {found[1]}{', ' if found[2] else ''}"


def _words(line: Line) -> str:
    """Return the words of a line that isn't a table's."""
    if line.kind in ("talk", "notice"):
        return _unmarked(line.text)
    text = line.text.strip() if line.margin is None else _GAP.sub(", ", line.text.strip())
    return text[1].upper() + text[2:-1] if re.fullmatch(r"\(.+\)", text) else text


def _unmarked(text: str) -> str:
    """Return talk or news without its leading signs, and without closing stars if it starts with stars."""
    words = _SIGNS.sub("", text, count=1)
    return words.rstrip(" *") if "**" in text.removesuffix(words) else words
