"""Who sits at a table: the names and the people in its seats, and the rules for sitting down and getting up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from lilygames.chat.names import fold
from lilygames.tables.log import Sitter
from rules.kit import Refused, Seat


class Seats(tuple[Sitter, ...]):  # noqa: SLOT001 - what is worked out is kept
    """Who sits at a table, by seat. What every move asks of them is worked out once: they change seldom."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names as people read them."""
        return tuple(map(str, self))

    @cached_property
    def starred(self) -> tuple[str, ...]:
        """The names where seats are listed, with a star for bots."""
        return tuple(who.starred for who in self)

    @cached_property
    def by_name(self) -> Mapping[str, Seat]:
        """The seats of people by folded name, the first of who has several."""
        return {fold(who.name): seat for seat, who in reversed([*enumerate(self)]) if who.person}

    @cached_property
    def kept(self) -> Mapping[str, Seat]:
        """The seats that bots keep, by the folded name of who may have them back."""
        return {fold(who.stands_in): seat for seat, who in reversed([*enumerate(self)]) if who.stands_in}

    @cached_property
    def owners(self) -> frozenset[str]:
        """Folded names of those whose seats these are, even if bots keep them."""
        seats = (who for who in self if who.person or (who.stands_in and not who.gone))
        return frozenset(fold(who.stands_in or who.name) for who in seats)

    @cached_property
    def people(self) -> tuple[Sitter, ...]:
        """The people who sit here, in the order of their seats."""
        return tuple(who for who in self if who.person)

    @cached_property
    def _present(self) -> frozenset[str]:
        """Folded names of all who have not got up for good: nobody has two seats, however often they ask."""
        return frozenset(fold(who.name) for who in self if not who.gone)

    def reseated(self, seat: Seat, who: Sitter | None, *, started: bool, limit: int) -> tuple[Sitter, ...]:
        """Return the seats after somebody has taken one, or got up (None); raises `Refused`.

        Before the start seats are made, up to a `limit`, and close ranks; afterwards somebody else may take a seat,
        never nobody.
        """
        if started and (who is None or seat >= len(self)):
            raise Refused("started")
        if who is None:
            return self[:seat] + self[seat + 1 :]
        if fold(who.name) in self._present:
            raise Refused("seated")
        if started:
            return (*self[:seat], who, *self[seat + 1 :])
        if len(self) >= limit:
            raise Refused("table-full")
        return (*self[:seat], who, *self[seat:])

    def joined(self, seat: Seat, who: Sitter) -> tuple[Sitter, ...]:
        """Return the seats with somebody new behind all others; who got up before sits down anew. Raises `Refused`."""
        if seat != len(self) or fold(who.name) in self._present:
            raise Refused("seated")
        return (*self, who)

    def left(self, seat: Seat) -> tuple[Sitter, ...]:
        """Return the seats after somebody has got up for good; raises `Refused` for who has done so already."""
        if self[seat].gone:
            raise Refused("started")
        return (*self[:seat], attrs.evolve(self[seat], gone=True), *self[seat + 1 :])
