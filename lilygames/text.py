"""Lines, prompts, and the small craft of putting words on a screen: cleaning, wrapping, listing, counting."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

import attrs
from wcwidth import wcwidth

WIDTH = 78
"""Columns of a screen that has not said how wide it is."""

NARROW = 72
"""Columns below which a screen gets the narrow layout of tables and turns, which fits 39."""

Kind = Literal["answer", "notice", "talk", "game", "turn"]
"""What a line is: an answer to oneself, a notice about others, talk, a game's line, or the ask to move."""


MARGIN = "  "
"""What begins each row of a line but its first."""
QUOTE = " - "
"""What begins a row of somebody's own words. No line of the host's begins so."""


def _margin(line: Line) -> str:
    return QUOTE if line.by else MARGIN


@attrs.frozen
class Line:
    """One line to show, wrapped at the reader's width.

    Screens must show whose words a line carries, so that nobody can write a row that reads as the host's own: what the
    host says comes first (a `QUOTE` where it says nothing), and each continued row begins with a mark.
    """

    text: str
    kind: Kind = "answer"
    by: str = ""
    """The name of the person whose words are in the text; empty where all of it is the host's."""
    margin: str | None = attrs.field(default=attrs.Factory(_margin, takes_self=True))
    """What begins each continued row; None: the line is never wrapped."""
    aloud: str | None = None
    """What is read aloud in place of the text, where that is something else; nothing is read where it is empty."""
    secret: bool = False
    """Whether only the person who reads it may have it, like a password: nothing else keeps it."""


def quoted(name: str, text: str, about: str, kind: Kind = "answer") -> Line:
    """Return a line of nothing but somebody's own words, which `about` leads where they are read aloud."""
    text = clean(text).strip()
    return Line(QUOTE + text, kind, by=name, aloud=f"{about} {text}")


@attrs.frozen
class Prompt:
    """A question that waits for a line on the same row; the answer to a `secret` one is not shown."""

    text: str
    secret: bool = False


@attrs.frozen
class Packet:
    """Something for a program, beside the lines: a name, and a value that JSON can write."""

    name: str
    value: Any


@attrs.frozen
class Voice:
    """How things are worded for a person.

    `spoken` is for a screen reader, `suits` are letters or symbols, `narrow` lays out rows for 39 columns.
    """

    spoken: bool = False
    suits: Literal["letters", "symbols"] = "letters"
    narrow: bool = False


_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)")
_COMBINING_CAP = 4
_JOINERS = "\u200c\u200d"
_HIDDEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u2060\u3164\ufeff\uffa0") | {
    chr(c)
    for start, end in (
        (0x180B, 0x1810),
        (0x202A, 0x202F),
        (0x2061, 0x2070),
        (0xFFF9, 0xFFFC),
        (0x1BCA0, 0x1BCA4),
        (0x1D173, 0x1D17B),
        (0xE0000, 0xE1000),
    )
    for c in range(start, end)
}
_PAD = "\ue000"
_NARROW = "    "
"""What begins a row where the margin would take more than a third of it."""


def clean(text: str) -> str:
    """Return people's text without what could move a cursor, hide, or forge a line.

    Escape sequences, control, bidi and invisible characters go, tabs become spaces, letters are composed (NFC) and
    carry at most four combining marks. Applied at input and again before output.
    """
    return text if text.isascii() and text.isprintable() else _cleaned(text)


@lru_cache(maxsize=256)  # a line is cleaned for each look of a screen, letter by letter: milliseconds each time
def _cleaned(text: str) -> str:
    seen = "".join(character for character in _ESCAPES.sub("", text).replace("\t", " ") if not _hides(character))
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", seen):
        marks = marks + 1 if _is_mark(character) else 0
        if marks <= _COMBINING_CAP:
            kept.append(character)
    return "".join(kept)


@lru_cache(maxsize=8192)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me") or character in _JOINERS


@lru_cache(maxsize=8192)
def _hides(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _INVISIBLE


def columns(text: str) -> int:
    """Return how many columns the text takes on a screen: two for a wide letter, none for a combining mark.

    Where terminals differ it is the most that one of them takes: a row that is too long would go on at its beginning.
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _cells(letter: str) -> int:
    here = 0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    return max(here, wcwidth(letter))


def wrap(text: str, width: int = WIDTH, margin: str | None = "  ") -> list[str]:
    """Return `text` as rows of at most `width` columns, continued rows led by `margin`; never an empty list.

    The first row keeps the blanks it begins with. Where they or the margin take too much of a narrow row, they are cut.
    Without a margin it stays one row, however long: such a row is for programs.
    """
    if margin is None or columns(text) <= width:
        return [text]
    padded = text if text.isascii() else "".join(c + _PAD * (columns(c) - 1) for c in text)
    words = padded.lstrip(" ")
    indent = padded[: len(padded) - len(words)]
    rows = textwrap.wrap(
        words,
        width - 1 if _PAD in padded else width,  # a row may end between a wide letter and its pad
        initial_indent=indent if len(indent) <= width // 3 else _NARROW,
        subsequent_indent=margin if len(margin) <= width // 3 else _NARROW,
        drop_whitespace=True,
        break_on_hyphens=False,
        tabsize=1,
    )
    return [row.replace(_PAD, "") for row in rows] or [""]


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return the words as people say them: `a`, `a and b`, `a, b and c`."""
    *first, final = [*words] or [""]
    return f"{', '.join(first)} {last} {final}" if first else final


def signed(number: int) -> str:
    """Return a number with its sign: `+3`, `-2`, and `0` without one."""
    return f"{number:+}" if number else "0"


def count(number: int, thing: str, things: str = "") -> str:
    """Return `1 card`, `2 cards`; `things` is the plural where it is not `thing` with an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
