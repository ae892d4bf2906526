"""Bytes typed far away become lines of text, however the network cut them into packets."""

from __future__ import annotations

import re
import unicodedata

from lilygames.text import clean

LONGEST = 4096
"""Bytes of a line, where nothing else is said; a longer one is dropped whole."""

_END = re.compile(rb"\r[\n\0]?|\n")
_ERASERS = "\b\x7f"
_LF = 0x0A


def erased(text: str) -> str:
    """Return `text` as it stands once its backspaces have taken letters away, each with the marks it carries."""
    if "\b" not in text and "\x7f" not in text:
        return text
    kept: list[str] = []
    for character in text:
        if character not in _ERASERS:
            kept.append(character)
            continue
        while kept and unicodedata.combining(kept.pop()):
            pass
    return "".join(kept)


class Splitter:
    """Cuts what arrives into lines that end in CR LF, CR NUL, LF or CR, and reads them in `charset`.

    All four ends are met among real clients (RFC 854 knows the first two); a CR at the end of one packet and its LF or
    NUL at the start of the next are one end. No more than `longest` bytes are ever kept.
    """

    __slots__ = ("_after_return", "_begun", "_dropping", "_longest", "charset")

    def __init__(self, charset: str = "utf-8", longest: int = LONGEST) -> None:
        self.charset = charset
        self._longest = longest
        self._begun = bytearray()
        self._dropping = False
        self._after_return = False

    @property
    def begun(self) -> bool:
        """Whether a line has begun that has not ended."""
        return bool(self._begun) or self._dropping

    @property
    def text(self) -> str:
        """The line that has begun, as far as it can be read."""
        return self._begun.decode(self.charset, "replace")

    def feed(self, data: bytes) -> list[str | None]:
        """Return the lines that `data` completes, clean; None stands for one that was too long."""
        if not data:
            return []
        if (lines := self._plain(data)) is not None:
            return lines
        if self._after_return and data[0] in b"\n\0":
            data = data[1:]
        self._after_return = data.endswith(b"\r")
        *ended, begun = _END.split(data)
        lines = [self._finish(piece) for piece in ended]
        self._keep(begun)
        return lines

    def _plain(self, data: bytes) -> list[str | None] | None:
        """Return whole lines of printable ASCII, to which nothing needs to be done; None where there is more to do."""
        if self.begun or self._after_return or len(data) > self._longest or not (data.isascii() and data[-1] == _LF):
            return None
        *lines, _ = data.decode("ascii").replace("\r\n", "\n").split("\n")
        return [*lines] if "".join(lines).isprintable() else None

    def _keep(self, piece: bytes) -> None:
        if self._dropping or len(self._begun) + len(piece) > self._longest:
            self._dropping = True
            self._begun.clear()
        else:
            self._begun += piece

    def _finish(self, piece: bytes) -> str | None:
        if self.begun or len(piece) > self._longest:
            self._keep(piece)
            piece = bytes(self._begun)
        raw, dropped = piece.replace(b"\0", b""), self._dropping
        self._begun.clear()
        self._dropping = False
        return None if dropped else clean(erased(raw.decode(self.charset, "replace")))
