"""A table's layout, as data that a game makes from a seat's view: `/table` draws it, and so can other screens.

A picture shows only facts in its view, so anyone who may see the view may see the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import attrs

from lilygames_rules.kit import Seat

Tone = Literal["", "on", "over", "under"]
"""How a number stands to what the seat needs: reached, passed, or not yet."""
Kind = Literal["card", "die", "digit", "statement", "chips", "words"]
"""Kinds of pieces: a screen draws each in its own way."""
Mark = Literal["", "lit", "true", "false", "unknown"]
"""Marks of a piece: the bid is about it, or what the reader knows of a statement's truth."""


NOTHING = "--"
"""The face of a place where nothing lies."""
UNKNOWN = "?"
"""The face of a piece that the reader may not see."""


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


_LEFT_OUT: dict[Any, Any] = {"added later": True}
"""A field that isn't sent while it has its default: a table has dozens of pieces."""


@attrs.frozen
class Piece:
    """A card, a die, a digit, a statement, chips or words, on the table or in a hand.

    The face is its text: `K♥`, `3`, the number of a statement, an amount of chips. It is `?` if the reader doesn't know
    it, and `--` for a place where nothing lies.
    """

    kind: Kind
    face: str
    id: str = attrs.field(default="", metadata=_LEFT_OUT)
    """The same in the next picture, so that two pictures show what has moved; as it is typed, if a move names it."""
    open: bool = attrs.field(default=True, metadata=_LEFT_OUT)
    """Whether everyone sees its face."""
    text: str = attrs.field(default="", metadata=_LEFT_OUT)
    """The sentence on a statement."""
    mark: Mark = attrs.field(default="", metadata=_LEFT_OUT)
    owner: Seat | None = attrs.field(default=None, metadata=_LEFT_OUT)
    """The seat that holds a statement, or has played it to the table."""
    played: bool = attrs.field(default=False, metadata=_LEFT_OUT)
    """Whether its owner has played it to the table in this round."""


@attrs.frozen
class Zone:
    """Pieces that lie together, with what they are called: `Your dice`, `Board`."""

    label: str
    pieces: tuple[Piece, ...]
    seat: Seat | None = attrs.field(default=None, metadata=_LEFT_OUT)
    """The seat that has them, for a list of the seats."""
    text: str = attrs.field(default="", metadata=_LEFT_OUT)
    """The pieces in one text for a list, if that isn't their faces in a row."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The texts for a list: that of the zone, or the faces."""
        return (self.text,) if self.text else tuple(piece.face for piece in self.pieces)


def cards(texts: Sequence[str], names: Iterable[str] | None = None, seat: Seat | None = None) -> tuple[Piece, ...]:
    """Return cards as pieces: their texts, and the names that their ids are made of if those are others.

    `seat` is the one that they lie in front of, if they don't belong to the reader.
    """
    return tuple(Piece("card", text, one) for text, one in zip(texts, ids(names or texts, seat), strict=True))


@attrs.frozen
class Column:
    """A column of the list of seats: its heading, or the unit (`point`) of the value if it has none."""

    head: str
    unit: str = ""
    leads: bool = False
    """Whether it holds scores, so that the largest one leads."""
    units: str = attrs.field(default="", metadata=_LEFT_OUT)
    """The unit of any other value than 1, if an `s` doesn't make it: `dice`."""

    def in_units(self, value: str) -> str:
        """Return a value with its unit."""
        if not self.unit:
            return value
        return f"{value} {self.unit if value.lstrip('+-') == '1' else self.units or f'{self.unit}s'}"


@attrs.frozen
class PictureSeat:
    """One seat: a value for each column, what lies in front of it, and its marks."""

    seat: Seat
    values: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    """The pieces in front of it: cards, dice, a statement, or the words of a bid."""
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
    mine: Zone | None = None
    """The pieces that the reader holds, and may choose from."""
    zones: tuple[Zone, ...] = ()
    """The pieces in the middle: dice, the board, the pot."""
    listed: tuple[Piece, ...] = ()
    """Pieces with sentences to be read below the table, wherever they lie; none of the reader's own."""
    texts: tuple[str, ...] = ()
    """Further rows, such as statements on cards."""
    middle: tuple[str, ...] = ()
    """Short lines for the middle of the table, about what is going on there: `hearts led`."""
    quote: Quote | None = None
    """The claim or the highest bid that stands."""
    led: Seat | None = None
    """The seat that leads the trick."""
    last_trick: TrickTaken | None = None
    ladder: tuple[Quote, ...] = ()
    """The bids and answers so far, the latest last."""
    contradictions: tuple[tuple[Piece, Piece], ...] = ()
    """Statements that the reader has read and that contradict each other; a known truth comes first."""
    verdict: str = ""
    """How what was in question just before turned out."""
    barred: tuple[Barred, ...] = ()
    """Moves that the reader may not make now, and would look for."""
    grid: Grid | None = None
    """The score sheet so far."""
