"""A table as a page sees it from one seat: a whole packet, and what an entry of its log has changed.

Both are functions of the table and the seat, so a page that was away gets the same packets later.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property

import attrs
import structlog

from lilygames import codec
from lilygames.game import Reader
from lilygames.picture import Picture, PictureSeat
from lilygames.tables.duplicate.daily_rules import is_daily
from lilygames.tables.log import options
from lilygames.tables.log.acts import Sitter
from lilygames.tables.sight import narrate, packets
from lilygames.tables.sight.move_list import SIGNS, move_list
from lilygames.tables.sight.turn_packet import asked_now
from lilygames.tables.state import visible
from lilygames.tables.state.table import SPOKEN, Table
from lilygames_rules.kit import Event, Seat

log = structlog.get_logger()

Presence = Callable[[Sitter], Mapping[str, bool]]
"""Returns whether a player is `here` and `away`."""


@attrs.frozen
class Sight:
    """A table in a room, as a seat may see it; None is a spectator."""

    room: str
    table: Table
    seat: Seat | None
    presence: Presence

    @cached_property
    def picture(self) -> Picture | None:
        """The picture; None before the start, and if the game has none."""
        return picture_of(self.table, self.seat)

    @property
    def whole(self) -> codec.Json:
        """Everything about the table that a page needs."""
        table = self.table
        return {
            "table": self.room,
            **self._place,
            "game": table.game.name,
            "title": table.game.title,
            "host": table.header.host,
            "options": options.words(table.game, table.options),
            "private": table.header.private,
            **({"party": table.header.party} if table.header.party and self.seat is not None else {}),
            "lesson": table.lesson is not None,
            "daily": is_daily(table.header.duplicate),
            **self._seats,
            **self._standing,
            "picture": codec.dump(self.picture),
            "moves": move_list(table, self.seat, self.picture),
            "ask": asked_now(self.table, self.seat),
        }

    def since(self, before: Sight, events: Sequence[Event]) -> codec.Json:
        """Return what an entry has changed: its events in words, the turn, and each other part that is different.

        The picture has only its fields that are different, too, unless the seat is another one.
        """
        changed: dict[str, codec.Json] = {}
        if before.table.seats != self.table.seats:
            changed |= self._seats
        was = before._standing
        changed |= {name: value for name, value in self._standing.items() if value != was[name]}
        if before.seat != self.seat or before.picture is None:
            changed |= {"picture": codec.dump(self.picture)} if self.picture else {}
        elif before.picture != self.picture:
            changed["picture"] = _different(before.picture, self.picture)
        return {
            **self._place,
            "events": [*self._undone(), *self._in_words(events)],
            **changed,
            "moves": move_list(self.table, self.seat, self.picture),
            "ask": asked_now(self.table, self.seat),
        }

    @property
    def over(self) -> codec.Json:
        """How the game ended: the seats from best to worst, and whether the seal is open."""
        table, outcome = self.table, self.table.outcome
        scores = [*outcome.scores] if outcome else []
        opened = visible.is_open(table.header, over=True)
        return {
            **self._place,
            "table": table.header.number,
            "rank": sorted(range(len(scores)), key=lambda seat: -scores[seat]),
            "scores": scores,
            "winners": [*outcome.winners] if outcome else [],
            "reason": outcome.reason if outcome else "",
            "counted": table.counted,
            "seal": "closed" if not opened else "later" if table.header.duplicate else "open",
        }

    @property
    def presences(self) -> codec.Json:
        """The players, and who of them is here."""
        return {**self._place, "roster": self.roster}

    def clock(self, left: Mapping[Seat, float], more: Container[Seat]) -> codec.Json:
        """Return the seconds that each seat to move has left, the reader's own, and whether they may take more."""
        seats = {str(seat): round(seconds, 1) for seat, seconds in left.items()}
        own = None if self.seat is None else seats.get(str(self.seat))
        return {**self._place, "left": own, "more": self.seat in more, "seats": seats}

    @property
    def roster(self) -> codec.Json:
        """The players by seat: a bot's level, or whether a person is here; and which of them the reader is."""
        return [
            {
                "seat": number,
                "name": who.name,
                "bot": who.level,
                "for": who.stands_in,
                "gone": who.gone,
                **self.presence(who),
                "me": number == self.seat,
            }
            for number, who in enumerate(self.table.seats)
        ]

    @property
    def _place(self) -> codec.Json:
        table = self.table
        return {
            "number": table.header.number,
            "room": self.room,
            "seq": table.seq,
            "seat": self.seat,
            "state": packets.state(table),
            "turn": [*table.to_move],
        }

    @property
    def _seats(self) -> codec.Json:
        return {"names": [*self.table.seats.starred], "roster": self.roster}

    @property
    def _standing(self) -> codec.Json:
        rounds = self.table.rounds
        return {"counted": self.table.counted, "sealed_by": [*rounds.sealed_by] if rounds.dealt else None}

    def _undone(self) -> Iterator[codec.Json]:
        table = self.table
        if words := narrate.taken_back(table):
            yield {"is": "Undone", "moves": table.undone, "counted": table.counted, "text": words, "say": words}

    def _in_words(self, events: Sequence[Event]) -> Iterator[codec.Json]:
        """Yield the events that the seat may see, each as its player reads it and as it is read aloud."""
        tell: Callable[[Event, Reader], str] = self.table.game.tell
        eyes, ears = (narrate.reader(self.table, self.seat, voice) for voice in (SIGNS, SPOKEN))
        for event in visible.all_seen(events, self.seat):
            yield {**codec.dump(event), "text": tell(event, eyes), "say": tell(event, ears)}


def _different(before: Picture, now: Picture | None) -> codec.Json:
    """Return the fields of a picture that have changed."""
    fields = [field.name for field in attrs.fields(Picture)]
    return {name: codec.dump(getattr(now, name)) for name in fields if getattr(before, name) != getattr(now, name)}


def picture_of(table: Table, seat: Seat | None) -> Picture | None:
    """Return a table as a seat or a spectator may see it; None before the start.

    A game without pictures gets one of the seats, with the rows of `/table` below. So does one whose picture fails,
    because a fault in a game's words must not stop its table.
    """
    if not table.started:
        return None
    view, reader = table.view(seat), narrate.reader(table, seat, SIGNS)
    if table.game.picture:
        try:
            found: Picture = table.game.picture(view, reader)
        except Exception:
            log.exception("a game can't draw its table", game=table.game.name, table=table.header.number)
        else:
            return found
    seats = (PictureSeat(one, (), to_move=one in table.to_move) for one in range(len(table.seats)))
    return Picture((table.game.title,), seats=tuple(seats), texts=tuple(table.game.show(view, reader)))
