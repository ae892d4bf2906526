"""A picture of a table as rows: drawn around the table if that fits, otherwise as a list of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from lilygames.game import Reader
from lilygames.layout import packed, sheet, short, width_for
from lilygames.picture import Picture, PictureSeat
from lilygames.text import columns, wrap
from lilygames_rules.kit import Seat

_NAME, _SLIM_NAME = 8, 6
"""Columns of a name in a sheet."""
_ROUND = range(3, 7)
"""Numbers of seats that are drawn around the table; other numbers are listed."""
_HALF = 5
"""Largest list in one column; with more seats, half are listed below the others."""
_MARGIN = " " * 10
"""Goes before the cards of a seat that has too many for its row."""
_CELL = 25
"""Columns of a seat drawn around the table."""


def rows(picture: Picture, title: str, reader: Reader) -> list[str]:
    """Return a picture as rows for a reader: drawn around the table if that fits, otherwise as a list of the seats."""
    found = _headed(picture, title, reader)
    if _drawn_round(picture, reader):
        found += _around(picture, reader)
    elif picture.seats:
        found += _listed(picture, reader)
    return [*found, *_texts(picture, reader), *_hand("Hand", held(picture), reader)]


def held(picture: Picture) -> tuple[str, ...]:
    """Return what the reader holds, for a row of its own: neither sentences nor what their seat's row shows."""
    mine = picture.mine
    return mine.faces if mine and mine.seat is None and mine.pieces[0].kind != "statement" else ()


def rows_with_hands(picture: Picture, title: str, reader: Reader, hands: Mapping[Seat, Sequence[str]]) -> list[str]:
    """Return a picture as a list of the seats with these hands: after the seats if that fits, otherwise below them."""
    found, beside = _headed(picture, title, reader), _listed_with(picture, reader, hands)
    if picture.seats and max(map(columns, beside)) <= width_for(reader):
        return [*found, *beside, *_texts(picture, reader)]
    below = ((short(reader.who(seat), _NAME), hand) for seat, hand in hands.items())
    listed = [*found, *_listed(picture, reader), *_texts(picture, reader)]
    return [*listed, *(row for name, hand in below for row in _hand(name, hand, reader))]


def _headed(picture: Picture, title: str, reader: Reader) -> list[str]:
    return packed([title, *picture.facts], width_for(reader), indent="  ", gap="   ")


def _texts(picture: Picture, reader: Reader) -> list[str]:
    return [row for text in picture.texts for row in wrap(text, width_for(reader), margin="     ")]


def _hand(whose: str, hand: Sequence[str], reader: Reader) -> list[str]:
    if not hand:
        return []
    indent = " " * (columns(whose) + 2)
    return packed((f"{whose}: {hand[0]}", *hand[1:]), width_for(reader), indent=indent, gap=" ")


def _listed_with(picture: Picture, reader: Reader, hands: Mapping[Seat, Sequence[str]]) -> list[str]:
    """Return the list of the seats with their cards and their hands."""
    before = [_before(picture, one) for one in picture.seats]
    widest = max(map(columns, before), default=0)
    filled = [text + " " * (widest - columns(text)) for text in before]
    held = [" ".join(hands.get(one.seat, ())) for one in picture.seats]
    heads = ("  seat", *(column.head for column in picture.columns))
    table: list[tuple[str, ...]] = [(*heads, *([" " * widest] if widest else []), "hand" if any(held) else "")]
    for one, lies, hand in zip(picture.seats, filled, held, strict=True):
        table.append((f" {_mark(one)}{_name(one, reader)}", *one.values, *([lies] if widest else []), hand))
    return sheet(table, len(heads))


def _drawn_round(picture: Picture, reader: Reader) -> bool:
    """Whether seats are drawn around the table: three to six, on a wide screen with more than plain letters.

    Each must fit in its cell.
    """
    plain = reader.voice.spoken or reader.voice.narrow or reader.voice.suits == "letters"
    if plain or len(picture.seats) not in _ROUND or not any(next(_lying(picture, seat), "") for seat in picture.seats):
        return False
    return all(columns(row) < _CELL for one in picture.seats for row in _cell(picture, one, reader))


def _around(picture: Picture, reader: Reader) -> Iterator[str]:
    """Yield the seats clockwise, with the reader at the bottom (for a spectator: the first seat)."""
    seats = picture.seats
    own = next((place for place, one in enumerate(seats) if one.seat == reader.seat), 0)
    bottom, left, *above = [*seats[own:], *seats[:own]]
    right = above.pop()
    cells = {one.seat: _cell(picture, one, reader) for one in seats}
    yield from _side_by_side([cells[one.seat] for one in above], start=(3 - len(above)) * (_CELL // 2))
    yield from _side_by_side([cells[left.seat], ("", ""), cells[right.seat]])
    yield from _side_by_side([cells[bottom.seat]], start=_CELL)


def _side_by_side(cells: Sequence[tuple[str, str]], start: int = 0) -> Iterator[str]:
    for place in (0, 1):
        row = " " * start + "".join(cell[place] + " " * (_CELL - columns(cell[place])) for cell in cells)
        if row.strip():
            yield row.rstrip()


def _cell(picture: Picture, one: PictureSeat, reader: Reader) -> tuple[str, str]:
    """Return the two rows of a seat: its name with its cards, and its values with their units."""
    values = "   ".join(column.in_units(value) for column, value in zip(picture.columns, one.values, strict=True))
    return (f"{_mark(one)}{_name(one, reader)}  {_before(picture, one)}".rstrip(), f" {values}")


def _listed(picture: Picture, reader: Reader) -> list[str]:
    """Return a row for each seat; a large table takes two blocks side by side if they fit."""
    half = (len(picture.seats) + 1) // 2
    if half > _HALF:
        left, right = (_block(picture, seats, reader) for seats in (picture.seats[:half], picture.seats[half:]))
        across = max(map(columns, left)) + 2
        rows = [row + " " * (across - columns(row)) + other for row, other in zip_longest(left, right, fillvalue="")]
        if max(map(columns, rows)) <= width_for(reader):
            return [row.rstrip() for row in rows]
    return [part for row in _block(picture, picture.seats, reader) for part in wrap(row, width_for(reader), _MARGIN)]


def _block(picture: Picture, seats: Sequence[PictureSeat], reader: Reader) -> list[str]:
    heads = ("  seat", *(column.head for column in picture.columns))
    table = [heads, *((f" {_mark(one)}{_name(one, reader)}", *one.values, _before(picture, one)) for one in seats)]
    return sheet(table, len(heads))


def _name(one: PictureSeat, reader: Reader) -> str:
    name = short(reader.who(one.seat), _SLIM_NAME if reader.voice.narrow else _NAME)
    return f"{name}{' D' if one.dealer else ''}"


def _mark(one: PictureSeat) -> str:
    return ">" if one.to_move else " "


def _before(picture: Picture, one: PictureSeat) -> str:
    """Return what lies in front of a seat, the winning card in square brackets, and the word after it."""
    texts = " ".join(_lying(picture, one))
    return f"{f'[{texts}]' if one.winning else texts} {one.note}".strip()


def _lying(picture: Picture, one: PictureSeat) -> Iterator[str]:
    """Yield the pieces in front of a seat and those of a zone that is its own, and the words it has said to someone."""
    yield from (piece.face for piece in one.pieces)
    zones = (picture.mine, *picture.zones) if picture.mine else picture.zones
    yield from next((zone.faces for zone in zones if zone.seat == one.seat), ())
    quote = picture.quote
    if quote and quote.hearer is not None and quote.speaker == one.seat:
        yield quote.text
