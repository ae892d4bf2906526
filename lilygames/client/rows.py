"""Bytes from the host become rows to show: nothing passes but letters and the host's own colours."""

from __future__ import annotations

import codecs
import re

from lilygames.text import clean

LONGEST = 8192
"""Letters after which a row is shown though it has not ended."""

_COLOURS = re.compile(r"(\x1b\[(?:(?:1;)?(?:38;5;\d{1,3}|31)|0|1|2|7|33|36)m)")
"""The colours and weights that hosts use, those of earlier versions too. Every other escape is somebody's mischief."""


def shown(row: str) -> str:
    """Return a row without what could move a cursor, hide, ask the terminal anything, or paint otherwise."""
    return "".join(part if number % 2 else clean(part) for number, part in enumerate(_COLOURS.split(row)))


class Rows:
    """What has been heard: whole rows are taken away, `partial_row` is the one that has not ended.

    A question (RFC 885) stays `partial_row` until it is answered; what the host shows meanwhile it puts after a line
    end, and the question again below, so an unanswered one is no row.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self._question: str | None = None
        self._after_secret = False

    @property
    def partial_row(self) -> str:
        """What stands on the last row, which has not ended."""
        return shown(self._begun)

    def asked(self) -> None:
        """Take note that what has begun is a question."""
        self._question = self._begun

    def answered(self, *, secret: bool) -> None:
        """Take note that the row has been ended at this end; after a secret the host ends it once more."""
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
