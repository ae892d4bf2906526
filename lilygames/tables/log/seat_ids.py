"""Ids that stand for people in a table's log, with their names. Pure.

The names are stored beside the log. So an account can be deleted: its names are removed there, and the log itself, its
seal and all digests stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import attrs

from lilygames.proofs import commitments

FORMER = "former player"
"""Name shown for a person whose name is deleted. No account can have it, because it contains a space."""


@attrs.frozen
class SeatId:
    """The id of a person at one table, with the name and salt it is made of; both are empty if they are deleted."""

    id: str
    name: str = ""
    salt: str = ""

    @classmethod
    def of(cls, name: str, salt: bytes) -> SeatId:
        """Return the id that a name and a new salt make."""
        return cls(commitments.seat_id(name, salt), name, salt.hex())

    @property
    def fits(self) -> bool:
        """Whether the id is that of its name."""
        try:
            return not self.name or commitments.seat_id(self.name, bytes.fromhex(self.salt)) == self.id
        except ValueError:
            return False


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class SeatIds:
    """The ids of the people in a table's log. Former players are numbered in this order."""

    pairs: tuple[SeatId, ...] = ()

    @cached_property
    def _names(self) -> dict[str, str]:
        """Names by id, also those shown for former players."""
        names, former = dict[str, str](), 0
        for pair in self.pairs:
            former += not pair.name
            names[pair.id] = pair.name or (f"{FORMER} {former}" if former > 1 else FORMER)
        return names

    @cached_property
    def _ids(self) -> dict[str, str]:
        return {name: id_ for id_, name in self._names.items()}

    @property
    def fit(self) -> bool:
        """Whether each id is that of its name, and no two of them are the same person."""
        return all(pair.fits for pair in self.pairs) and len(self._ids) == len(self.pairs)

    def id_of(self, name: str) -> str:
        """Return the id of a person; any other name (a bot's) stays as it is."""
        return self._ids.get(name, name)

    def name_of(self, id_: str) -> str:
        """Return the name of the person with this id; any other text stays as it is."""
        return self._names.get(id_, id_)

    def pair_of(self, name: str) -> SeatId | None:
        """Return the id of a person with its salt; None for a name without an id."""
        return next((pair for pair in self.pairs if pair.name == name), None)

    def knows(self, id_: str) -> bool:
        """Return whether an id is known, even if its name is deleted."""
        return id_ in self._names

    def have(self, names: Iterable[str]) -> bool:
        """Return whether all people of these names have an id."""
        return self._ids.keys() >= {*names}

    def with_people(self, names: Iterable[str], new_salt: Callable[[], bytes]) -> SeatIds:
        """Return the ids with new ones for the names that have none."""
        new = [name for name in dict.fromkeys(names) if name not in self._ids]
        return SeatIds((*self.pairs, *(SeatId.of(name, new_salt()) for name in new))) if new else self

    def meeting(self, ids: Iterable[str]) -> SeatIds:
        """Return the ids with those whose names are missing: former players."""
        new = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._names]
        return SeatIds((*self.pairs, *map(SeatId, new))) if new else self

    def joined_with(self, others: SeatIds) -> SeatIds:
        """Return these ids, and those of `others` whose id and name are both new."""
        new = [pair for pair in others.pairs if pair.id not in self._names and pair.name not in self._ids]
        return SeatIds((*self.pairs, *new)) if new else self

    def without(self, names: Iterable[str]) -> SeatIds:
        """Return the ids of everyone but these people (folded names)."""
        gone = {*names}
        return SeatIds(tuple(pair for pair in self.pairs if pair.name.casefold() not in gone)) if gone else self

    @property
    def rows(self) -> list[list[str]]:
        """The id, name and salt of each person whose name isn't deleted."""
        return [[pair.id, pair.name, pair.salt] for pair in self.pairs if pair.name]

    @classmethod
    def of_rows(cls, rows: Iterable[Iterable[str]]) -> SeatIds:
        """Return the ids in such rows; raises `ValueError` or `TypeError`."""
        pairs = tuple([SeatId(*map(_text, row)) for row in rows])
        return cls(pairs)


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError(data)
    return data
