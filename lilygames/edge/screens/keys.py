"""Decode typed bytes into keys: runs of text, and the names of other keys.

prompt_toolkit's table maps escape sequences to keys. Its parser isn't used on untrusted input, because it caches every
prefix of a sequence for ever. After `ESC [`, 20 kB of digits would take 200 MB and four seconds.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from time import monotonic

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.keys import Keys

Key = str | tuple[str, ...]
"""A key's name in prompt_toolkit (`c-a`, `up`), with `escape` before it for Alt."""

ESCAPE_LASTS = 0.5
"""Seconds in which an escape sequence must come. Someone who presses Esc and then a letter takes longer."""
LONGEST_ESCAPE = 32
"""Maximum characters of an escape sequence; a longer one is ignored."""

_ESCAPE = r"\x1b{1,2}(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-Z\\-~]|O[ -~]|[^\x1b\[O])"
_TOKEN = re.compile(rf"(?P<text>[^\x00-\x1f\x7f]+)|{_ESCAPE}|[^\x1b]", re.DOTALL)
_BEGUN = re.compile(r"\x1b{1,2}(?:\[\[?|\[[0-?]*[ -/]*|O)?\Z")
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"


def named(sequence: str) -> Key:
    """Return the key for a control character or an escape sequence; `ESC x` is Alt and x."""
    known = ANSI_SEQUENCES.get(sequence)
    if known is not None:
        return tuple(key.value for key in known) if isinstance(known, tuple) else known.value
    if sequence[:1] != "\x1b" or len(sequence) == 1:
        return sequence
    held = named(sequence[1:])
    return (Keys.Escape.value, *((held,) if isinstance(held, str) else held))


class Keyboard:
    """Decodes a terminal's input into text, typed or pasted, and names of other keys.

    Line ends in a bracketed paste are text. Outside, CR LF and CR NUL are one Enter, as in `Splitter`. The beginning of
    an escape sequence waits for the rest, but if that doesn't come within `ESCAPE_LASTS` seconds, it was a key alone.
    """

    __slots__ = ("_after_return", "_begun_at", "_decoder", "_pasting", "_rest", "charset")

    def __init__(self, charset: str) -> None:
        self._rest = ""
        self._pasting = False
        self._after_return = False
        self._begun_at: float | None = None
        """When the escape sequence began that isn't complete."""
        self.read_in(charset)

    def read_in(self, charset: str) -> None:
        """Decode bytes in this charset from now on."""
        self.charset = charset
        self._decoder = codecs.getincrementaldecoder(charset)("replace")

    def put_back(self, keys: str) -> None:
        """Put back unused keys, before those that follow."""
        self._rest, self._begun_at = keys, None

    @property
    def waiting(self) -> int:
        """Number of characters that were put back."""
        return len(self._rest)

    def decoded(self, data: bytes) -> str:
        """Return the decoded characters, after those put back or incomplete."""
        begun, self._begun_at = self._begun_at, None
        if begun is not None and monotonic() - begun > ESCAPE_LASTS and not self._pasting:
            self._rest = ""  # nothing happens for the key alone
        return self._rest + self._decoder.decode(data)

    def plain(self, typed: str) -> bool:
        """Whether these are only plain letters, the usual case, which needs no `keys`."""
        if not (typed.isascii() and typed.isprintable()):
            return False
        self._after_return, self._rest = False, ""
        return True

    def keys(self, typed: str) -> Iterator[tuple[str, Key, int]]:
        """Yield text or a key, and where it ends in `typed`; the rest is an incomplete escape sequence."""
        place, self._rest = 0, ""
        while place < len(typed):
            if token := _TOKEN.match(typed, place):
                place = token.end()
                yield from self._told(token, place)
            elif _BEGUN.match(typed, place) and len(typed) - place <= LONGEST_ESCAPE:
                self._rest, self._begun_at = typed[place:], monotonic()
                return
            else:
                place += 1  # an Escape that starts no sequence

    def _told(self, token: re.Match[str], place: int) -> Iterator[tuple[str, Key, int]]:
        word = token[0]
        after_return, self._after_return = self._after_return, word == "\r"
        if after_return and word in "\n\0":
            return
        if word in (_PASTE_BEGINS, _PASTE_ENDS):
            self._pasting = word == _PASTE_BEGINS
        elif token["text"]:
            yield word, "", place
        elif not self._pasting:
            yield "", named(word), place
        elif word in "\r\n\t":
            yield " " if word == "\t" else "\n", "", place
