"""Lines and prompts, and functions to clean, wrap, list and count text for screens."""

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
"""Columns of a screen of unknown width."""

NARROW = 72
"""Columns below which a screen gets the narrow layout of tables and turns, which fits 38."""

Kind = Literal["answer", "notice", "talk", "game", "turn"]
"""Kinds of lines: an answer, a notice about others, talk, a game's line, or the request for a move."""


Asks = Literal["", "login", "password", "new-password", "same-password"]
"""The kinds of answers: a name, the password, a new password, and that once more. It is empty for other questions."""

MARGIN = "  "
"""Prefix of a line's continued rows."""
QUOTE = " - "
"""Prefix of a row that someone else wrote. The server's own rows never start like this."""


def _margin(line: Line) -> str:
    return QUOTE if line.by else MARGIN


@attrs.frozen
class Tag:
    """The table that a line is of. Programs read its room before each line; people its number, if they hear several."""

    room: str
    number: int


@attrs.frozen
class Problem:
    """Why something was refused, for programs: a stable code, and the code of the game's rules if they refused it."""

    code: str
    rule: str = ""


@attrs.frozen
class Line:
    """A line to show, wrapped at the reader's width.

    Screens must show who wrote a line, so that nobody can fake a row from the server. The server's words come first (or
    a `QUOTE` if there are none), and each continued row starts with a mark.
    """

    text: str
    kind: Kind = "answer"
    by: str = ""
    """The person whose words are in the text; empty if the server wrote all of it."""
    margin: str | None = attrs.field(default=attrs.Factory(_margin, takes_self=True))
    """Prefix of each continued row; None means the line is never wrapped."""
    aloud: str | None = None
    """Text for screen readers, if it differs; an empty one isn't read."""
    on_page: str | None = None
    """Text for the page, which shows the seats and comes back by itself, if it differs; an empty one isn't shown."""
    secret: bool = False
    """Whether only the reader may have it, as with a password: it isn't stored anywhere."""
    tag: Tag | None = None
    problem: Problem | None = None
    """The refusal that this line words, for programs; None if it refuses nothing."""


def quoted(name: str, text: str, about: str, kind: Kind = "answer") -> Line:
    """Return a line of someone's own words. A screen reader reads `about` first."""
    text = clean(text).strip()
    return Line(QUOTE + text, kind, by=name, aloud=f"{about} {text}")


@attrs.frozen
class Prompt:
    """A question on the row where the answer is typed. The answer to a `secret` one isn't shown.

    `begun` is the start of the answer, on screens where the person can edit it.
    """

    text: str
    secret: bool = False
    asks: Asks = ""
    """The kind of answer, for programs: they read no wording."""
    begun: str = ""


@attrs.frozen
class Packet:
    """A message for programs: a name and a JSON value."""

    name: str
    value: Any


@attrs.frozen(cache_hash=True)
class Voice:
    """How things are worded for a person.

    `spoken` is for a screen reader, `suits` are letters or symbols, `narrow` lays out rows for 38 columns. `each` gives
    each move a row of its own, for programs.
    """

    spoken: bool = False
    suits: Literal["letters", "symbols"] = "letters"
    narrow: bool = False
    each: bool = False

    merges: bool = attrs.field(init=False, eq=False, repr=False)
    """Whether moves in sequence may share a row."""
    key: tuple[object, ...] = attrs.field(init=False, eq=False, repr=False)
    """The values by which voices are compared. As a key of dictionaries it is hashed in a fraction of the time."""

    @merges.default
    def _merges(self) -> bool:
        return not (self.spoken or self.each)

    @key.default
    def _key(self) -> tuple[object, ...]:
        return self.spoken, self.suits, self.narrow, self.each


_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
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
"""Prefix for rows so narrow that the margin would take more than a third."""


def clean(text: str) -> str:
    """Return people's text without anything that could move a cursor, hide, or fake a line.

    Removes escape sequences and control, bidi and invisible characters. Tabs become spaces. Letters are composed (NFC)
    and keep at most four combining marks. Text is cleaned on input and again before output.
    """
    return text if text.isascii() and text.isprintable() else _cleaned(text)


@lru_cache(maxsize=256)  # each screen cleans a line again, letter by letter, which takes milliseconds
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
    """Return the columns that text takes on a screen: two for a wide letter, none for a combining mark.

    Terminals differ; this is the most that any of them takes, because a row that is too long would wrap.
    """
    return (
        len(text) if text.isascii() else len(text) + sum(_cells(letter) - 1 for letter in _BEYOND_ASCII.findall(text))
    )


@lru_cache(maxsize=4096)
def _cells(letter: str) -> int:
    here = 0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    return max(here, wcwidth(letter))


def wrap(text: str, width: int = WIDTH, margin: str | None = "  ") -> list[str]:
    """Wrap `text` to rows of at most `width` columns, with `margin` before continued rows. Never returns an empty list.

    The first row keeps its leading spaces, unless they or the margin take too much of a narrow row. Without a margin
    the text stays one row of any length, for programs.
    """
    if margin is None or columns(text) <= width:
        return [text]
    padded = text if text.isascii() else "".join(c + _PAD * (columns(c) - 1) for c in text)
    words = padded.lstrip(" ")
    indent = padded[: len(padded) - len(words)]
    rows = textwrap.wrap(
        words,
        width - 1 if _PAD in padded else width,  # a row may break between a wide letter and its padding
        initial_indent=indent if len(indent) <= width // 3 else _NARROW,
        subsequent_indent=margin if len(margin) <= width // 3 else _NARROW,
        drop_whitespace=True,
        break_on_hyphens=False,
        tabsize=1,
    )
    return [row.replace(_PAD, "") for row in rows] or [""]


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return the words as a list in words: `a`, `a and b`, `a, b and c`."""
    *first, final = [*words] or [""]
    return f"{', '.join(first)} {last} {final}" if first else final


def shortened(text: str, most: int) -> str:
    """Return a text for a refusal: whole words of it, and an ellipsis if it has more than `most` characters.

    A single word that is longer is cut.
    """
    if len(text) <= most:
        return text
    head, blank, _ = text[: most + 1].rpartition(" ")
    return f"{head.rstrip() if blank else text[: most - 1]}…"


def signed(number: int) -> str:
    """Return a number with its sign: `+3`, `-2`, and `0`."""
    return f"{number:+}" if number else "0"


def count(number: int, thing: str, things: str = "") -> str:
    """Return `1 card`, `2 cards`. `things` is an irregular plural."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
