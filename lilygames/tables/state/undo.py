"""Decide whether a game still counts after an undo: no luck was drawn and no secret was revealed. Pure.

A move may reveal that it was made, and no more. A bid, a claim or a pass is public, whoever makes it. A bot may decide
differently the second time, since it doesn't remember moves that were taken back. A card from a hand, a look under the
cup, a count of fingers or a showdown reveals more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from lilygames import codec
from lilygames.tables.state.table import Past, Table
from lilygames.tables.state.visible import seen
from lilygames_rules.kit import Event, KeyedLuck, Refused, Rules, Seat

T = TypeVar("T")
Made = Sequence[tuple[Seat, Any]]
"""Moves in order, each with the seat that made it."""
_WORLDS, _FEWEST = 60, 6
"""Number of worlds to try in total, and the minimum for each seat."""


class _Drawn(Exception):
    """The move asked for luck."""


class _NoLuck:
    """Luck that raises `_Drawn` when used."""

    def for_(self, *purpose: str | int) -> _NoLuck:  # noqa: ARG002 - the interface of luck
        return self

    def shuffle(self, items: Iterable[T]) -> NoReturn:  # noqa: ARG002 - the interface of luck
        raise _Drawn

    def roll(self, sides: int) -> NoReturn:  # noqa: ARG002 - the interface of luck
        raise _Drawn

    def choice(self, items: Sequence[T]) -> NoReturn:  # noqa: ARG002 - the interface of luck
        raise _Drawn

    def coin(self) -> NoReturn:
        raise _Drawn

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> NoReturn:  # noqa: ARG002
        raise _Drawn

    def order(self, items: Sequence[T], present: Sequence[T]) -> NoReturn:  # noqa: ARG002
        raise _Drawn


def last_decision(table: Table, seat: Seat) -> Past | None:
    """Return the last move of the seat's player, or made for them; None if it can't be taken back."""
    mine = (one for one in reversed(table.past) if one.act.seat == seat and one.who == table.seats[seat])
    return next(mine, None)


def revelations(table: Table, moves: Sequence[Past]) -> Iterator[bool]:
    """Yield, for each sampled world, whether the latest moves revealed more than that they were made.

    They did if they drew luck. They also did if one of them isn't legal, or changes a seat's view, in some world that
    this seat could have believed in. Worlds are sampled for each seat, including those that
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
    """Return the events of some moves; None if one isn't legal or draws luck."""
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
