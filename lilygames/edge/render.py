"""A line becomes bytes once for everybody who reads it in the same way."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Sequence
from encodings.aliases import aliases
from functools import lru_cache

import attrs

from lilygames.edge.colour import Palette
from lilygames.text import WIDTH, Line, clean, wrap

CHARSETS = ("utf-8", "iso8859-1", "cp1252", "cp437", "ascii")
"""The codecs we speak, by Python's name: each contains ASCII, so that line ends are the same bytes in all."""

_MODULES = {"utf_8": "utf-8", "latin_1": "iso8859-1", "cp1252": "cp1252", "cp437": "cp437", "ascii": "ascii"}
_SPOKEN = _MODULES | {alias: _MODULES[codec] for alias, codec in aliases.items() if codec in _MODULES}


def spoken(charset: str) -> str | None:
    """Return Python's name of a charset that we speak, None for any other codec a peer may name.

    Python is not asked: it remembers, for ever, every name that it was ever asked for in vain.
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
    """How a screen shows text: its columns, the charset it reads, and its colours (None: it shows none)."""

    width: int = WIDTH
    charset: str = "ascii"
    colour: Palette | None = None


def _in_ascii(character: str) -> str:
    """Return the nearest ASCII: quotes and dashes straight, suits as letters, letters without accents, else `?`."""
    plain = character.translate(_PLAIN)
    if plain.isascii():
        return plain
    base = "".join(mark for mark in unicodedata.normalize("NFKD", character) if not unicodedata.combining(mark))
    return base if base.isascii() else "?"


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_in_ascii, error.object[error.start : error.end])), error.end


codecs.register_error("lilygames.plainly", _plainly)


def encoded(text: str, charset: str) -> bytes:
    """Return `text` in `charset`, plainer where the charset lacks a letter, and safe on a telnet wire (IAC doubled)."""
    return text.encode(charset, "lilygames.plainly").replace(_IAC, _IAC + _IAC)


_BLOCKS = str.maketrans("▁▂▃▄▅▆▇█", "12345678")
"""Small bars as digits, where a charset lacks one of them: a line of both could not be read."""


def shown(text: str, charset: str) -> str:
    """Return clean `text` in the letters that a charset has. They may take more room, so it is wrapped after that."""
    text = clean(text)
    if not text.isascii() and charset != "utf-8":
        text = text.translate(_BLOCKS)
    return text if text.isascii() else text.encode(charset, "lilygames.plainly").decode(charset)


class Rows(bytes):
    """Bytes that people read as rows, of all that is sent to them: the last of them can be asked for again."""

    __slots__ = ()


def drawn(line: Line, look: Look) -> bytes:
    """Return the bytes of `line`: cleaned, wrapped at its margin, each row ended by CR LF.

    They are `Rows`, unless the line is secret or meant for a program.
    """
    rows = wrap(shown(line.text, look.charset), look.width, line.margin)
    if look.colour:
        rows = [look.colour.painted(row, line) for row in rows]
    data = encoded("".join(f"{row}\r\n" for row in rows), look.charset)
    return data if line.secret or line.margin is None else Rows(data)


rendered = lru_cache(maxsize=1024)(drawn)
"""The same, for those who are shown a line one by one: it is drawn once."""


def page(lines: Sequence[Line], look: Look) -> bytes:
    """Return the bytes of several lines that many are shown, so that none is secret.

    Those of plain ASCII that fit, as most do, need nothing but line ends.
    """
    texts = [line.text for line in lines]
    words = "".join(texts)
    if words.isascii() and words.isprintable() and not look.colour and max(map(len, texts), default=0) <= look.width:
        return Rows("\r\n".join([*texts, ""]), "ascii")
    return Rows(b"".join([drawn(line, look) for line in lines]))


def prompted(text: str, look: Look) -> bytes:
    """Return the bytes of a question: wrapped like a line, without an end, its last space kept."""
    asked = shown(text, look.charset)
    words = asked.rstrip(" ")
    return encoded("\r\n".join(wrap(words, look.width)) + asked[len(words) :], look.charset)


def renderings() -> int:
    """Return how many lines have been rendered so far; lines found ready do not count."""
    return rendered.cache_info().misses
