"""A table's layout, as data that a game makes from a seat's view: `/table` draws it, and so can other screens.

A picture shows only facts in its view, so anyone who may see the view may see the picture.
"""

from __future__ import annotations

import attrs

from rules.kit import Seat


@attrs.frozen
class Column:
    """A column of the list of seats: its heading, or the unit (`point`) of the value if there is no heading."""

    head: str
    unit: str = ""
    leads: bool = False
    """Whether it holds scores, so that the largest one leads."""


@attrs.frozen
class PictureSeat:
    """One seat: a value for each column, its cards or words, and its marks."""

    seat: Seat
    values: tuple[str, ...]
    cards: tuple[str, ...] = ()
    """Its face-up cards as text: `K♥`."""
    note: str = ""
    """A word after the cards: `led`."""
    winning: bool = False
    to_move: bool = False
    dealer: bool = False


@attrs.frozen
class Picture:
    """A table as a reader may see it; parts that a game doesn't have are empty."""

    facts: tuple[str, ...]
    """Short facts about the whole: first the round, hand or game (`round 3 of 5`), then `trump ♠ (Q♠)`."""
    columns: tuple[Column, ...] = ()
    seats: tuple[PictureSeat, ...] = ()
    """The seats clockwise."""
    hand: tuple[str, ...] = ()
    """The reader's own cards."""
    texts: tuple[str, ...] = ()
    """Further rows, such as statements on cards."""
