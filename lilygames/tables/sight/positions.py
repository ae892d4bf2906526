"""Positions of a finished game, as rows: the table after a step, and the next move. Pure.

The callers have asked `visible` which views and hands may be shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from lilygames import drawing
from lilygames.game import Reader
from lilygames.layout import width_for
from lilygames.picture import UNKNOWN, Picture, PictureSeat, Zone
from lilygames.tables.sight import narrate
from lilygames.tables.sight.replay import Step
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames.text import wrap
from lilygames_rules.kit import Event, Seat

_SCREEN = 20
"""Maximum rows of a position and its last events, so that the keys and the next move fit on the screen, too."""

_NUMBERED = re.compile(r"(\w+) \d+")
"""A fact that says which round, hand, game or trick it is."""


@attrs.frozen
class Viewpoint:
    """A viewpoint: the reader with their seat, and the seats whose hands they may also see."""

    reader: Reader
    hands: Sequence[Seat] = ()
    goes_on: bool = False
    """Whether they have just seen the previous step."""


def rows(step: Step, viewpoint: Viewpoint, title: str, *, first: bool) -> list[str]:
    """Return the table after a step; above it the step's events, apart from the move itself.

    A screen reader that continues from the previous step reads only the events.
    """
    table, reader = step.table, _seated(step.table, viewpoint.reader)
    brought = [] if first else _brought(step, viewpoint)
    if reader.voice.spoken:
        return [title, *(brought if viewpoint.goes_on else _told(table, reader))]
    picture = _picture(table, reader.seat, reader)
    if picture is None:
        return [*brought, title, *_told(table, reader)]
    found = _drawn(table, picture, title, Viewpoint(reader, viewpoint.hands))
    return [*brought, *found] if _height([*brought, *found], reader) <= _SCREEN else found


def last_rows(step: Step, viewpoint: Viewpoint, title: str) -> list[str]:
    """Return the events of the last step, and the table if the game ended without a result."""
    if step.table.outcome is None:
        return rows(step, viewpoint, title, first=False)
    brought = _brought(step, viewpoint)
    return [title, *brought] if viewpoint.reader.voice.spoken else [*brought, title]


def following(step: Step, viewpoint: Viewpoint) -> list[str]:
    """Return the row about the next step: the move, as the reader may see it, or the undo."""
    table, reader = step.table, viewpoint.reader
    move = _rows(table, visible.all_seen(step.events, reader.seat), reader)
    said = narrate.taken_back(table) or next(iter(move), "")
    you = said.startswith("You ")
    return [f"Next: {said[:1].lower() if you else said[:1]}{said[1:]}"] if said else []


def _brought(step: Step, viewpoint: Viewpoint) -> list[str]:
    """Return the events of a step apart from the move itself, as everyone heard them."""
    return _rows(step.table, visible.all_seen(step.events[1:], None), viewpoint.reader)


def _rows(table: Table, events: Sequence[Event], reader: Reader) -> list[str]:
    return [line.text for line in narrate.told(table.header.tag, table.game, events, reader)]


def parts(step: Step) -> list[str]:
    """Return the parts that a replay can jump by, if its picture tells: rounds (or hands, or games), and tricks."""
    facts = [part_of(step, part)[-1] for part in ("round", "trick")]
    return [found[1] if (found := _NUMBERED.match(fact)) else "round" for fact in facts if fact]


def part_of(step: Step, part: str) -> tuple[str, ...]:
    """Return the number of the round after a step, or of the trick and its round, from the facts of its picture."""
    facts = _facts(step.table)
    now = next(iter(facts), "")
    return (now,) if part == "round" else (now, next((fact for fact in facts if fact.startswith(f"{part} ")), ""))


def round_of(table: Table) -> str:
    """Return `round 3`, or the hand or game by number, if the table's picture tells; else an empty string."""
    found = _NUMBERED.match(next(iter(_facts(table)), ""))
    return found[0] if found else ""


def _facts(table: Table) -> Sequence[str]:
    picture = _picture(table, None, Reader(None, table.names))
    return picture.facts if picture else ()


def _seated(table: Table, reader: Reader) -> Reader:
    """Return the reader as a spectator if their seat came later than this table."""
    later = reader.seat is not None and reader.seat >= len(table.seats)
    return attrs.evolve(reader, seat=None) if later else reader


def _picture(table: Table, seat: Seat | None, reader: Reader) -> Picture | None:
    return table.game.picture(table.view(seat), reader) if table.game.picture else None


def _drawn(table: Table, picture: Picture, title: str, viewpoint: Viewpoint) -> list[str]:
    """Return the picture with the hands that may be seen; if they don't fit, the reader's own, then without texts."""
    reader = viewpoint.reader
    picture, hands = _with_open_hands(table, picture, viewpoint)
    bare = attrs.evolve(picture, texts=())
    own = {} if reader.seat is None else {reader.seat: drawing.held(picture)}
    for shown, drawn in ((hands or own, picture), (own, picture), (own, bare)):
        found = drawing.rows_with_hands(drawn, title, reader, shown)
        if _height(found, reader) <= _SCREEN:
            return found
    return drawing.rows(bare, title, reader)


def _with_open_hands(table: Table, picture: Picture, viewpoint: Viewpoint) -> tuple[Picture, dict[Seat, Sequence[str]]]:
    """Return a picture with everything that may be seen now, and the hands of the seats that may be seen."""
    there = (seat for seat in viewpoint.hands if seat < len(table.seats))
    looks = ((seat, _picture(table, seat, attrs.evolve(viewpoint.reader, seat=seat))) for seat in there)
    seen = {seat: one for seat, one in looks if one}
    return _best_known(picture, [*seen.values()]), {seat: drawing.held(one) for seat, one in seen.items()}


def pictured(step: Step, viewpoint: Viewpoint) -> tuple[Picture | None, Mapping[Seat, Sequence[str]]]:
    """Return the table after a step as a picture, and the hands that may be seen; None if the game has no picture."""
    reader = _seated(step.table, viewpoint.reader)
    picture = _picture(step.table, reader.seat, reader)
    return _with_open_hands(step.table, picture, Viewpoint(reader, viewpoint.hands)) if picture else (None, {})


def told(step: Step, reader: Reader) -> list[str]:
    """Return the events of a step in words, as the reader may see them, or the undo."""
    undone = narrate.taken_back(step.table)
    said = _rows(step.table, visible.all_seen(step.events, reader.seat), reader)
    return [undone, *said] if undone else said


def _best_known(picture: Picture, others: Sequence[Picture]) -> Picture:
    """Return a picture whose hidden cards and dice (`?`) are those that another picture knows, and open.

    A zone is the one of the pictures that knows most of it; dice in a hand are among them.
    """
    alike = [other for other in others if len(other.seats) == len(picture.seats)]

    def known(zone: Zone, at: int) -> Zone:
        those = (found for other in (picture, *others) for found in (other.mine, *other.zones[at : at + 1]) if found)
        same = (found for found in those if _kinds(found) == _kinds(zone))
        best = min((zone, *same), key=lambda found: sum(piece.face == UNKNOWN for piece in found.pieces))
        pieces = (attrs.evolve(piece, open=piece.open or piece.face != UNKNOWN) for piece in best.pieces)
        return attrs.evolve(picture.mine if best is picture.mine else zone, pieces=tuple(pieces))

    def shown(place: int) -> PictureSeat:
        one = picture.seats[place]
        seen = (one, *(other.seats[place] for other in alike))
        best = min(seen, key=lambda other: sum(piece.face.count(UNKNOWN) for piece in other.pieces))
        return attrs.evolve(one, pieces=best.pieces)

    zones = tuple(known(zone, at) for at, zone in enumerate(picture.zones))
    return attrs.evolve(picture, seats=tuple(map(shown, range(len(picture.seats)))), zones=zones)


def _kinds(zone: Zone) -> list[str]:
    return [piece.kind for piece in zone.pieces]


def _height(found: Sequence[str], reader: Reader) -> int:
    """Return how many rows of the screen these take, with long ones wrapped."""
    return sum(len(wrap(row, width_for(reader))) for row in found)


def _told(table: Table, reader: Reader) -> list[str]:
    """Return the table and the reader's hand in words."""
    shown = [*table.game.show(table.view(reader.seat), reader)]
    held = () if reader.seat is None else table.game.hand(table.view(reader.seat), reader)
    return [*shown, *(row for row in held if row not in shown)]
