"""The seats of a table: who sits in them, and the rules for sitting down and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from lilygames.chat.names.names import fold
from lilygames.tables.log.acts import Sitter
from lilygames_rules.kit import Refused, Seat


class Seats(tuple[Sitter, ...]):  # noqa: SLOT001 - cached properties need a __dict__
    """The seats of a table in order. Lookups are cached, because every move needs them and seats seldom change."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names."""
        return tuple(map(str, self))

    @cached_property
    def starred(self) -> tuple[str, ...]:
        """The names for lists of seats, with a star for bots."""
        return tuple(who.starred for who in self)

    @cached_property
    def levels(self) -> frozenset[str]:
        """The levels of the bots."""
        return frozenset(who.level for who in self if who.house and not who.gone)

    @cached_property
    def bots(self) -> tuple[Sitter, ...]:
        """The bots, even those who have left."""
        return tuple(who for who in self if who.house)

    @cached_property
    def by_name(self) -> Mapping[str, Seat]:
        """People's seats by folded name; the first one if a person has several."""
        return {fold(who.name): seat for seat, who in reversed([*enumerate(self)]) if who.person}

    @cached_property
    def kept(self) -> Mapping[str, Seat]:
        """The seats that bots keep, by the folded name of the player who may take them back."""
        return {fold(who.stands_in): seat for seat, who in reversed([*enumerate(self)]) if who.stands_in}

    @cached_property
    def owners(self) -> frozenset[str]:
        """Folded names of the seats' owners, including those whose seats bots keep."""
        seats = (who for who in self if who.person or (who.stands_in and not who.gone))
        return frozenset(fold(who.stands_in or who.name) for who in seats)

    @cached_property
    def holders(self) -> frozenset[str]:
        """Folded names of everyone who has a seat here, even if a bot keeps it."""
        return frozenset((*self.by_name, *self.kept))

    @cached_property
    def people(self) -> tuple[Sitter, ...]:
        """The people seated here, in seat order."""
        return tuple(who for who in self if who.person)

    @cached_property
    def _present(self) -> frozenset[str]:
        """Folded names of everyone who hasn't left for good; it prevents a second seat for anyone."""
        return frozenset(fold(who.name) for who in self if not who.gone)

    def reseated(self, seat: Seat, who: Sitter | None, *, started: bool, limit: int) -> Seats:
        """Return the seats after someone has taken one, or left it (None); raises `Refused`.

        Before the start seats are added, up to `limit`, and removed. Afterwards a seat can pass to someone else but
        can't become empty.
        """
        if started and (who is None or seat >= len(self)):
            raise Refused("started")
        if who is None:
            return Seats(self[:seat] + self[seat + 1 :])
        if fold(who.name) in self._present:
            raise Refused("seated")
        if started:
            return Seats((*self[:seat], who, *self[seat + 1 :]))
        if len(self) >= limit:
            raise Refused("table-full")
        return Seats((*self[:seat], who, *self[seat:]))

    def joined(self, seat: Seat, who: Sitter) -> Seats:
        """Return the seats with a new player in the last one; players who left can sit down again. Raises `Refused`."""
        if seat != len(self) or fold(who.name) in self._present:
            raise Refused("seated")
        return Seats((*self, who))

    def left(self, seat: Seat) -> Seats:
        """Return the seats after a player has left for good; raises `Refused` if they had left already."""
        if self[seat].gone:
            raise Refused("started")
        return Seats((*self[:seat], attrs.evolve(self[seat], gone=True), *self[seat + 1 :]))
