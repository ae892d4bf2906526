"""A table's layout, as data that a game makes from a seat's view: `/table` draws it, and so can other screens.

A picture shows what its view may know and nothing else, so whoever may see the view may see the picture.
"""

from __future__ import annotations

import attrs

from rules.kit import Seat


@attrs.frozen
class Column:
    """A column of the list of seats: its head, and the unit (`point`) of the value where there is no head."""

    head: str
    unit: str = ""
    leads: bool = False
    """Whether it holds scores, so that the largest one leads."""


@attrs.frozen
class PictureSeat:
    """One seat: a value for each column, the cards or words before it, and what is special about it now."""

    seat: Seat
    values: tuple[str, ...]
    cards: tuple[str, ...] = ()
    """Its face-up cards as text: `K♥`."""
    note: str = ""
    """A word behind the cards: `led`."""
    winning: bool = False
    to_move: bool = False
    dealer: bool = False


@attrs.frozen
class Picture:
    """A table as someone may see it; parts that a game doesn't have are empty."""

    facts: tuple[str, ...]
    """Short facts about the whole: first which round, hand or game it is (`round 3 of 5`), then `trump ♠ (Q♠)`."""
    columns: tuple[Column, ...] = ()
    seats: tuple[PictureSeat, ...] = ()
    """Clockwise."""
    hand: tuple[str, ...] = ()
    """The reader's own cards."""
    texts: tuple[str, ...] = ()
    """Further rows, such as statements on cards."""
