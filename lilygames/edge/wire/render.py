"""Render lines to bytes, once for everyone whose screen looks the same."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Sequence
from encodings.aliases import aliases
from functools import lru_cache
from operator import attrgetter

import attrs

from lilygames.edge.wire.colour import Palette
from lilygames.edge.wire.screen_reader import MORE, wrapped
from lilygames.text import MARGIN, QUOTE, WIDTH, Line, clean, columns, wrap

CHARSETS = ("utf-8", "iso8859-1", "cp1252", "cp437", "ascii")
"""Supported codecs by Python's name. All contain ASCII, so line ends are the same bytes in each."""

_MODULES = {"utf_8": "utf-8", "latin_1": "iso8859-1", "cp1252": "cp1252", "cp437": "cp437", "ascii": "ascii"}
_SPOKEN = _MODULES | {alias: _MODULES[codec] for alias, codec in aliases.items() if codec in _MODULES}


def spoken(charset: str) -> str | None:
    """Return Python's name of a supported charset; None for any other a client may name.

    Python isn't asked, because it caches every unknown name for ever.
    """
    return _SPOKEN.get(charset.casefold().replace("-", "_").replace(" ", "_"))


_PLAIN = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‹": "<", "›": ">", "«": "<<", "»": ">>",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "×": "x", "…": "...", "•": "*", "·": ".",
        "\u00a0": " ", "\u2009": " ", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "→": "->", "←": "<-", "ß": "ss",
        "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    }
)  # fmt: skip
_IAC = b"\xff"


@attrs.frozen(cache_hash=True)
class Look:
    """How a screen shows text: columns, charset and colours (None for no colours), or as JSON for a program."""

    width: int = WIDTH
    charset: str = "ascii"
    colour: Palette | None = None
    program: bool = False


look_of = lru_cache(maxsize=256)(Look)
"""A `Look` with these values, shared by all screens that show text alike, so that equal ones are the same object."""


def _in_ascii(character: str) -> str:
    """Return the nearest ASCII: straight quotes and dashes, letters for suits, no accents, else `?`."""
    plain = character.translate(_PLAIN)
    if plain.isascii():
        return plain
    base = "".join(mark for mark in unicodedata.normalize("NFKD", character) if not unicodedata.combining(mark))
    return base if base.isascii() else "?"


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_in_ascii, error.object[error.start : error.end])), error.end


def is_lost(text: str) -> bool:
    """Return whether plain ASCII shows any letter of a text as `?`."""
    return not text.isascii() and any(_in_ascii(letter) == "?" for letter in text if not letter.isascii())


codecs.register_error("lilygames.plainly", _plainly)


def encoded(text: str, charset: str) -> bytes:
    """Encode `text` in `charset`, with replacements for missing letters, and IAC doubled for telnet."""
    return text.encode(charset, "lilygames.plainly").replace(_IAC, _IAC + _IAC)


_BLOCKS = str.maketrans("▁▂▃▄▅▆▇█", "12345678")
"""Digits for small bars, used for all of them if the charset lacks one, because a mix is unreadable."""


def shown(text: str, charset: str) -> str:
    """Replace letters that a charset lacks. The result may be longer, so it is wrapped afterwards."""
    text = clean(text)
    if not text.isascii() and charset != "utf-8":
        text = text.translate(_BLOCKS)
    return text if text.isascii() else text.encode(charset, "lilygames.plainly").decode(charset)


class Rows(bytes):
    """Bytes that people read as rows. The last ones sent are remembered."""

    __slots__ = ()


def drawn(line: Line, look: Look) -> bytes:
    """Return the bytes of `line`: cleaned, wrapped at its margin, each row ending in CR LF.

    They are `Rows`, unless the line is secret or meant for a program.
    """
    rows = wrapped(shown(line.text, look.charset), look.width, line.margin)
    if look.colour:
        rows = [look.colour.painted(row, line) for row in rows]
    data = encoded("".join(f"{row}\r\n" for row in rows), look.charset)
    return data if line.secret or line.margin is None else Rows(data)


rendered = lru_cache(maxsize=1024)(drawn)
"""A cached `drawn`, for lines shown to people one by one."""


_text = attrgetter("text")


def page(lines: Sequence[Line], look: Look) -> bytes:
    """Return the bytes of several lines shown to many people; none may be secret.

    Most lines are plain ASCII that fits, and only need line ends.
    """
    texts = [*map(_text, lines)]
    words = "".join(texts)
    if words.isascii() and words.isprintable() and not look.colour and max(map(len, texts), default=0) <= look.width:
        return Rows("\r\n".join([*texts, ""]), "ascii")
    return Rows(b"".join([drawn(line, look) for line in lines]))


def unwrapped(rows: Rows, look: Look) -> list[str]:
    """Return the lines that were rendered as `rows`, as plain text.

    A row continues the one above if it starts with `MORE`, or with another margin and its first word didn't fit there.
    """
    lines: list[str] = []
    above = ""
    for row in map(clean, rows.replace(_IAC + _IAC, _IAC).decode(look.charset, "replace").split("\r\n")):
        margin = next((margin for margin in (QUOTE, MARGIN, MORE) if row.startswith(margin)), "")
        rest = row.removeprefix(margin)
        first = rest.partition(" ")[0]
        if above and (margin == MORE or (margin and first and columns(f"{above} {first}") > look.width)):
            lines[-1] += f" {rest}"
        else:
            lines.append(row)
        above = row
    return lines


def prompted(text: str, look: Look) -> bytes:
    """Return the bytes of a prompt: wrapped like a line, without a line end, its last space kept."""
    asked = shown(text, look.charset)
    words = asked.rstrip(" ")
    return encoded("\r\n".join(wrap(words, look.width)) + asked[len(words) :], look.charset)


def renderings() -> int:
    """Return how many lines have been rendered so far, not counting cache hits."""
    return rendered.cache_info().misses
