"""Pages of a long list: as many rows as fit on a screen of 24 rows, and how to see the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")
ROWS = 18
"""Things on one page. With a heading and two rows below they fit on a screen of 24 rows."""


@attrs.frozen
class Page(Generic[T]):
    """A page of a list: its number from 1, its things, and whether there is another page after it."""

    number: int
    things: Sequence[T]
    has_next: bool

    @property
    def first(self) -> int:
        """The place of its first thing in the list, from 1."""
        return ROWS * (self.number - 1) + 1

    @property
    def last(self) -> int:
        """The place of its last thing in the list, from 1."""
        return self.first + len(self.things) - 1


def page_of(things: Iterable[T], number: int) -> Page[T]:
    """Return the page of this number, from 1. It reads no further than one thing after that page."""
    number = max(number, 1)
    first = ROWS * (number - 1)
    found = [*islice(things, first, first + ROWS + 1)]
    return Page(number, found[:ROWS], len(found) > ROWS)


def page_number(word: str) -> int | None:
    """Return the number of a page as it is typed; None if the word isn't a number."""
    return int(word[:9]) if word.isascii() and word.isdigit() else None
