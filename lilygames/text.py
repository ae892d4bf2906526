"""Lines, prompts, and the small craft of putting words on a screen: cleaning, wrapping, listing, counting."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from typing import Literal

import attrs

WIDTH = 78
"""Columns of a screen that has not said how wide it is."""

Kind = Literal["answer", "notice", "talk", "game", "turn"]
"""What a line is: an answer to oneself, a notice about others, talk, a game's line, or the ask to move."""


@attrs.frozen
class Line:
    """One line to show, wrapped at the reader's width; what continues it begins with `margin` (None: never wrapped)."""

    text: str
    kind: Kind = "answer"
    margin: str | None = "  "


@attrs.frozen
class Prompt:
    """A question that waits for a line on the same row; the answer to a `secret` one is not shown."""

    text: str
    secret: bool = False


@attrs.frozen
class Voice:
    """How a person wants things worded: `spoken` for a screen reader, `suits` as letters or as symbols."""

    spoken: bool = False
    suits: Literal["letters", "symbols"] = "letters"


_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)")
_COMBINING_CAP = 4
_INVISIBLE = frozenset(
    map(chr, (0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200E, 0x200F, 0x2060, 0x3164))
) | {chr(c) for start, end in ((0x202A, 0x202F), (0x2061, 0x2070), (0xE0000, 0xE0080)) for c in range(start, end)}


def clean(text: str) -> str:
    """Return people's text without what could move a cursor, hide, or forge a line.

    Escape sequences, control, bidi and invisible characters go, tabs become spaces, letters are composed (NFC) and
    carry at most four combining marks. Applied at input and again before output.
    """
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", _ESCAPES.sub("", text).replace("\t", " "))
    kept: list[str] = []
    marks = 0
    for character in composed:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        hidden = category in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or character in _INVISIBLE or character == "\ufeff"
        if not hidden and marks <= _COMBINING_CAP:
            kept.append(character)
    return "".join(kept)


def wrap(text: str, width: int = WIDTH, margin: str | None = "  ") -> list[str]:
    """Return `text` as rows of at most `width` columns, continued rows led by `margin`; never an empty list.

    Without a margin it stays one row, however long: such a row is for programs.
    """
    if margin is None or len(text) <= width:
        return [text]
    return textwrap.wrap(
        text, width, subsequent_indent=margin, drop_whitespace=True, break_on_hyphens=False, tabsize=1
    ) or [""]


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return the words as people say them: `a`, `a and b`, `a, b and c`."""
    *first, final = [*words] or [""]
    return f"{', '.join(first)} {last} {final}" if first else final


def count(number: int, thing: str, things: str = "") -> str:
    """Return `1 card`, `2 cards`; `things` is the plural where it is not `thing` with an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
