"""A table's layout, as data that a game makes from a seat's view: `/table` draws it, and so can other screens.

A picture shows only facts in its view, so anyone who may see the view may see the picture.
"""

from __future__ import annotations

from typing import Literal

import attrs

from rules.kit import Seat

Tone = Literal["", "on", "over", "under"]
"""How a number stands to what the seat needs: reached, passed, or not yet."""


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
    tone: Tone = ""
    """The tone of its first value."""
    bet: int | None = None
    """The chips in front of it."""


@attrs.frozen
class Quote:
    """Words that a seat has said, and whom it said them to; None is everyone."""

    text: str
    speaker: Seat
    hearer: Seat | None = None


@attrs.frozen
class TrickTaken:
    """A complete trick: who played what, in order, and who took it; None if nobody did."""

    cards: tuple[tuple[Seat, str], ...]
    winner: Seat | None


@attrs.frozen
class Die:
    """A die under or beside the cup: its face, `?` if the reader doesn't know it, and whether everyone sees it."""

    face: str
    open: bool


@attrs.frozen
class Statement:
    """A card with a sentence on it: its number, and what the reader knows of its truth (`T`, `F`, `?` or empty)."""

    number: int
    text: str
    mark: str = ""
    owner: Seat | None = None
    """The seat that holds it; None if it lies on the table."""
    player: Seat | None = None
    """The seat that played it to the table in this round."""


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
    middle: tuple[str, ...] = ()
    """Short lines for the middle of the table, about what is going on there: `hearts led`."""
    quote: Quote | None = None
    """The claim or the highest bid that stands."""
    led: Seat | None = None
    """The seat that leads the trick."""
    last_trick: TrickTaken | None = None
    dice: tuple[Die, ...] = ()
    board: tuple[str, ...] = ()
    """Cards that belong to everyone."""
    pot: int | None = None
    digits: tuple[str, ...] = ()
    """The digits of the reader's own number."""
    lit: str = ""
    """The digit that the standing bid is about."""
    ladder: tuple[Quote, ...] = ()
    """The bids and answers so far, the latest last."""
    statements: tuple[Statement, ...] = ()
    verdict: str = ""
    """How what was in question just before turned out."""
