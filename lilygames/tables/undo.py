"""Whether the last move may be taken back: only one that drew no luck and showed nothing hidden. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from lilygames import codec
from lilygames.tables.table import Table
from rules.kit import Event, KeyedLuck, Refused, Rules, Seat

T = TypeVar("T")
_WORLDS = 20
"""Worlds, for each other seat, in which the move must have told the same."""


class _Drawn(Exception):
    """The move asked for luck."""


class _NoLuck:
    """Luck that has none to give."""

    def shuffle(self, items: Iterable[T]) -> NoReturn:  # noqa: ARG002 - the shape of every luck
        raise _Drawn

    def roll(self, sides: int) -> NoReturn:  # noqa: ARG002 - the shape of every luck
        raise _Drawn

    def choice(self, items: Sequence[T]) -> NoReturn:  # noqa: ARG002 - the shape of every luck
        raise _Drawn

    def coin(self) -> NoReturn:
        raise _Drawn


def tells_nothing(table: Table) -> bool:
    """Return whether the last act of a table was a move that told the others nothing but itself.

    It did where it is legal, and makes the same happen, in every world that the others could have thought theirs, of
    which some are sampled: a bid that is public anyway, but no card from a hand.
    """
    before, act = table.before, table.last
    if before is None or act is None:
        return False
    rules, move = table.game.rules, codec.load(act.move, table.game.rules.Move)
    told = _told(rules, before, act.seat, move)
    luck = KeyedLuck(b"undo")
    others = [seat for seat in range(len(table.seats)) if seat != act.seat]
    worlds = (rules.sample(rules.view(before, seat), luck) for seat in others for _ in range(_WORLDS))
    return told is not None and all(_told(rules, world, act.seat, move) == told for world in worlds)


def _told(rules: Rules, state: Any, seat: Seat, move: Any) -> tuple[Event, ...] | None:
    """Return what a move makes happen; None where it is not legal there, or draws luck."""
    try:
        return rules.apply(state, seat, move, _NoLuck()).events
    except (Refused, _Drawn):
        return None
