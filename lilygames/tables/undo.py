"""Whether moves can be taken back with the game still counting: if nothing was drawn and nobody learned a secret. Pure.

A move may tell that it was made, and no more. A bid, a claim or a pass is public, whoever makes it; a house player may
decide otherwise the second time, since it keeps no memory of what is taken back. A card from a hand, a look under the
cup, a count of fingers or a showdown tell more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from lilygames import codec
from lilygames.tables.table import Past, Table
from lilygames.tables.visible import seen
from rules.kit import Event, KeyedLuck, Refused, Rules, Seat

T = TypeVar("T")
Made = Sequence[tuple[Seat, Any]]
"""Moves in order, each with the seat that made it."""
_WORLDS, _FEWEST = 60, 6
"""Worlds that are tried in all, and the fewest for each seat."""


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


def last_decision(table: Table, seat: Seat) -> Past | None:
    """Return the last move of whoever sits there now, or the table's for them; None if it can't be taken back."""
    mine = (one for one in reversed(table.past) if one.act.seat == seat and one.who == table.seats[seat])
    return next(mine, None)


def revelations(table: Table, moves: Sequence[Past]) -> Iterator[bool]:
    """Yield, world by world, whether some latest moves of a table told somebody more than that they were made.

    They did if they drew luck, or if in some world that a seat could have believed in before the first of them, one of
    them isn't legal or makes that seat see something else. Such worlds are sampled for each seat, also for those that
    moved: they may have looked at something.
    """
    rules, state = table.game.rules, moves[0].state
    made = [(past.act.seat, codec.load(past.act.move, rules.Move)) for past in moves]
    told = _told(rules, state, made)
    if told is None:
        yield True
        return
    luck, seats = KeyedLuck(b"undo"), range(len(table.seats))
    for seat in seats:
        view, seen = rules.view(state, seat), _seen(told, seat)
        for _ in range(max(_FEWEST, _WORLDS // len(seats))):
            other = _told(rules, rules.sample(view, luck), made)
            differs = other is None or _seen(other, seat) != seen
            yield differs
            if differs:
                return


def _told(rules: Rules, state: Any, made: Made) -> list[Event] | None:
    """Return what some moves make happen; None if one is not legal there, or draws luck."""
    told: list[Event] = []
    try:
        for seat, move in made:
            step = rules.apply(state, seat, move, _NoLuck())
            state = step.state
            told += step.events
    except (Refused, _Drawn):
        return None
    return told


def _seen(told: Iterable[Event], seat: Seat) -> list[Event | None]:
    return [seen(event, seat) for event in told]
