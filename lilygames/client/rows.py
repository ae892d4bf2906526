"""Split the server's output into rows, keeping only text and the server's own colours."""

from __future__ import annotations

import codecs
import re

from lilygames.text import clean

LONGEST = 8192
"""Characters after which an unfinished row is shown."""

_COLOURS = re.compile(r"(\x1b\[(?:(?:1;)?(?:38;5;\d{1,3}|31)|0|1|2|7|33|36)m)")
"""Colours and weights that servers use, earlier versions too. Every other escape sequence is removed."""


def shown(row: str) -> str:
    """Return a row without control characters or escape sequences other than known colours."""
    return "".join(part if number % 2 else clean(part) for number, part in enumerate(_COLOURS.split(row)))


class Rows:
    """The received output: complete rows are taken out, and `partial_row` is the unfinished one.

    A prompt (RFC 885) stays in `partial_row` until it is answered. If the server shows something before that, it
    sends a line end first and repeats the prompt below. So an open prompt isn't a row.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self._question: str | None = None
        self._after_secret = False

    @property
    def partial_row(self) -> str:
        """The unfinished last row."""
        return shown(self._begun)

    @property
    def prompts(self) -> bool:
        """Whether the unfinished row is a prompt."""
        return self._question is not None

    def asked(self) -> None:
        """Record that the unfinished row is a prompt."""
        self._question = self._begun

    def answered(self, *, secret: bool) -> None:
        """Record that the person ended the row; after a secret, the server ends it once more."""
        self._begun, self._question = "", None
        self._after_secret = secret

    def feed(self, data: bytes) -> list[str]:
        """Return the rows that `data` completes."""
        *ended, self._begun = (self._begun + self._decoder.decode(data)).split("\n")
        rows = [shown(row) for row in ended if self._counts(row.rstrip("\r"))]
        if len(self._begun) > LONGEST:
            rows.append(self.partial_row)
            self._begun = ""
        return rows

    def _counts(self, row: str) -> bool:
        question, self._question = self._question, None
        after_secret, self._after_secret = self._after_secret, False
        return row != question and not (after_secret and not row)
