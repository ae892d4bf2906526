"""Bytes typed key by key become keys: runs of text, and the names of the others.

prompt_toolkit's table says what each escape sequence means. Its parser is not fed with what strangers send: it keeps
every beginning of a sequence that it has met, for ever (20 kB of digits after `ESC [` take 200 MB and four seconds).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.keys import Keys

Key = str | tuple[str, ...]
"""The name of a key as prompt_toolkit writes it (`c-a`, `up`), with `escape` before it where Alt was held."""

LONGEST_ESCAPE = 32
"""Characters of an escape sequence; a longer one is none."""

_ESCAPE = r"\x1b{1,2}(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-Z\\-~]|O[ -~]|[^\x1b\[O])"
_TOKEN = re.compile(rf"(?P<text>[^\x00-\x1f\x7f]+)|{_ESCAPE}|[^\x1b]", re.DOTALL)
_BEGUN = re.compile(r"\x1b{1,2}(?:\[\[?|\[[0-?]*[ -/]*|O)?\Z")
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"


def named(sequence: str) -> Key:
    """Return the key that a control character or an escape sequence stands for; `ESC x` is Alt and x."""
    known = ANSI_SEQUENCES.get(sequence)
    if known is not None:
        return tuple(key.value for key in known) if isinstance(known, tuple) else known.value
    if sequence[:1] != "\x1b" or len(sequence) == 1:
        return sequence
    held = named(sequence[1:])
    return (Keys.Escape.value, *((held,) if isinstance(held, str) else held))


class Keyboard:
    """Reads what one terminal sends as text, typed or pasted, and as the names of the other keys.

    Line ends within a bracketed paste are text; outside, CR LF and CR NUL are one Enter, as in `Splitter`. An Escape
    waits for the key after it, whenever that comes.
    """

    __slots__ = ("_after_return", "_decoder", "_pasting", "_rest", "charset")

    def __init__(self, charset: str) -> None:
        self._rest = ""
        self._pasting = False
        self._after_return = False
        self.read_in(charset)

    def read_in(self, charset: str) -> None:
        """Read bytes in this charset from now on."""
        self.charset = charset
        self._decoder = codecs.getincrementaldecoder(charset)("replace")

    def put_back(self, keys: str) -> None:
        """Take back keys that were not wanted yet; they come before those that follow."""
        self._rest = keys

    @property
    def waiting(self) -> int:
        """How many characters were put back."""
        return len(self._rest)

    def decoded(self, data: bytes) -> str:
        """Return the characters that `data` completes, after those put back or begun."""
        return self._rest + self._decoder.decode(data)

    def plain(self, typed: str) -> bool:
        """Whether these characters are plain letters only, as nearly all are; then they need not go through `keys`."""
        if not (typed.isascii() and typed.isprintable()):
            return False
        self._after_return, self._rest = False, ""
        return True

    def keys(self, typed: str) -> Iterator[tuple[str, Key, int]]:
        """Yield text or key, and where in `typed` it ends; what is left is the beginning of an escape sequence."""
        place, self._rest = 0, ""
        while place < len(typed):
            if token := _TOKEN.match(typed, place):
                place = token.end()
                yield from self._told(token, place)
            elif _BEGUN.match(typed, place) and len(typed) - place <= LONGEST_ESCAPE:
                self._rest = typed[place:]
                return
            else:
                place += 1  # an Escape that begins nothing

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
