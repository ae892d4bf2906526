"""A table's layout, as data that a game makes from a seat's view: `/table` draws it, and so can other screens.

A picture shows only facts in its view, so anyone who may see the view may see the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import attrs

from lilygames_rules.kit import Seat

Tone = Literal["", "on", "over", "under"]
"""How a number stands to what the seat needs: reached, passed, or not yet."""


NOTHING = "--"
"""The text of a place where no card lies."""


def ids(texts: Iterable[str], seat: Seat | None = None) -> tuple[str, ...]:
    """Return an id for each text: the text itself, with its seat if it is another's (`9C@2`), and a number for twins.

    A part keeps its id from one picture to the next, so two pictures show what has moved. A place without a card (`--`)
    has an empty id.
    """
    seen, found = Counter[str](), []
    for text in texts:
        if text == NOTHING:
            found.append("")
            continue
        name = text if seat is None else f"{text}@{seat}"
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return tuple(found)


def _seat_ids(seat: Any) -> tuple[str, ...]:
    return ids(seat.cards, seat.seat)


def _hand_ids(picture: Any) -> tuple[str, ...]:
    return ids(picture.hand)


def _board_ids(picture: Any) -> tuple[str, ...]:
    return ids(f"{text}@board" for text in picture.board)


@attrs.frozen
class Column:
    """A column of the list of seats: its heading, or the unit (`point`) of the value if it has none."""

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
    character: str = ""
    """The character that the player has in the game, if the reader knows it."""
    winning: bool = False
    cancelled: bool = False
    """Whether its card lost its strength to an identical one."""
    to_move: bool = False
    dealer: bool = False
    tone: Tone = ""
    """The tone of its first value."""
    bet: int | None = None
    """The chips in front of it."""
    ids: tuple[str, ...] = attrs.field(default=attrs.Factory(_seat_ids, takes_self=True))
    """The ids of `cards`, in the same order."""


@attrs.frozen
class Quote:
    """Words that a seat has said, and whom it said them to; None is everyone."""

    text: str
    speaker: Seat
    hearer: Seat | None = None
    say: str = ""
    """The words as people say them, if the text is shorter."""


@attrs.frozen
class TrickTaken:
    """A complete trick: who played what, in order, and who took it; None if nobody did."""

    cards: tuple[tuple[Seat, str], ...]
    winner: Seat | None
    ids: tuple[str, ...] = ()
    """The ids that the cards had in front of their seats."""


@attrs.frozen
class Die:
    """A die under or beside the cup: its face, `?` if the reader doesn't know it, and whether everyone sees it."""

    face: str
    open: bool
    id: str = ""
    """Its place, as it is typed: `#3`."""


@attrs.frozen
class Statement:
    """A card with a sentence on it: its number, and what the reader knows of its truth (`T`, `F`, `?` or empty).

    Its number is its id.
    """

    number: int
    text: str
    mark: str = ""
    owner: Seat | None = None
    """The seat that holds it; None if it lies on the table, has left the game, or nobody knows."""
    player: Seat | None = None
    """The seat that played it to the table in this round."""


@attrs.frozen
class Barred:
    """A move as it is typed that the rules may close, and why. If it is legal after all, it isn't barred."""

    move: str
    why: str


@attrs.frozen
class GridRow:
    """A seat's row of the score sheet: its total, and a cell for each part of the game with a word on how it came."""

    seat: Seat
    total: str
    cells: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Goes below each cell: `1/2` for one trick taken of two that were bid."""


@attrs.frozen
class Grid:
    """A score sheet: the heads of its cells, after those of the seat and the total, and a row for each seat."""

    heads: tuple[str, ...]
    rows: tuple[GridRow, ...]


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
    hand_ids: tuple[str, ...] = attrs.field(default=attrs.Factory(_hand_ids, takes_self=True))
    """The ids of `hand`, in the same order: a card as it is typed (`9C`), and `9C.2` for its twin."""
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
    board_ids: tuple[str, ...] = attrs.field(default=attrs.Factory(_board_ids, takes_self=True))
    """The ids of `board`, in the same order."""
    pot: int | None = None
    digits: tuple[str, ...] = ()
    """The digits of the reader's own number."""
    lit: str = ""
    """The digit that the standing bid is about."""
    ladder: tuple[Quote, ...] = ()
    """The bids and answers so far, the latest last."""
    statements: tuple[Statement, ...] = ()
    contradictions: tuple[tuple[Statement, Statement], ...] = ()
    """Statements that the reader has read and that contradict each other; a known truth comes first."""
    verdict: str = ""
    """How what was in question just before turned out."""
    barred: tuple[Barred, ...] = ()
    """Moves that the reader may not make now, and would look for."""
    grid: Grid | None = None
    """The score sheet so far."""
