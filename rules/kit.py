"""What every game is made of: seats, luck, events, steps, refusals, and the names a rules module must have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Generic, Protocol, Self

import attrs
from typing_extensions import TypeVar

Seat = int
"""A place at the table, counted clockwise from 0; never a person."""

T = TypeVar("T")
S_co = TypeVar("S_co", covariant=True)


class Refused(Exception):
    """The rules said no, and nothing has happened.

    `code` names the reason (`must-follow`), `facts` what a sentence about it needs: only what the mover may know.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


class Malformed(ValueError):
    """The text is no card, claim or throw at all."""


class Ambiguous(ValueError):
    """The text could be read as several things; `choices` are their notations."""

    def __init__(self, text: str, choices: Sequence[str]) -> None:
        super().__init__(text)
        self.choices = tuple(choices)


class Event:
    """Something that happened. Subclasses are frozen attrs classes, named in the past tense."""

    __slots__ = ()

    def seen_by(self, seat: Seat | None) -> Self | None:  # noqa: ARG002 - most events are public
        """Return what `seat` (None: a watcher) learns of it: itself, a redacted copy, or None."""
        return self


@attrs.frozen
class Step(Generic[S_co]):
    """What follows from a move: the new state, and the events in the order they happened."""

    state: S_co
    events: tuple[Event, ...]


@attrs.frozen
class Outcome:
    """How a game ended: a score for each seat, the seats that share the win, and why it is over."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str


@attrs.frozen
class Join:
    """A newcomer sits down between deals; only the table makes this move."""

    purse: int = 0


@attrs.frozen
class Leave:
    """A seat gets up for good between deals; only the table makes this move."""


class Luck(Protocol):
    """The fair draws of one move, always in the order that the rules of the game state."""

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly drawn order."""

    def roll(self, sides: int) -> int:
        """Return a whole number from 1 to `sides`."""

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""

    def coin(self) -> bool:
        """Return True as often as False."""


class KeyedLuck:
    """Luck expanded from a key, the same on every machine and Python for ever.

    SHA-256 of key and block number gives 32 bytes a block; numbers below `n` come by rejection of the uneven rest, so
    that they are exactly uniform; `shuffle` is Fisher and Yates from the last place down.
    """

    __slots__ = ("_block", "_key", "_left", "_pool")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._pool = 0
        self._left = 0

    def _filled(self, pool: int, left: int) -> tuple[int, int]:
        """Return the bits that are left, the next block behind them, and how many those are."""
        fresh = sha256(self._key + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        return (pool & (1 << left) - 1) << 256 | int.from_bytes(fresh, "big"), left + 256

    def _take(self, bits: int) -> int:
        while self._left < bits:
            self._pool, self._left = self._filled(self._pool, self._left)
        self._left -= bits
        taken = self._pool >> self._left
        self._pool &= (1 << self._left) - 1
        return taken

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each as likely; raises `ValueError` where there is none."""
        if n < 1:
            raise ValueError(f"there is no whole number below {n} to draw")
        bits = (n - 1).bit_length()
        while (drawn := self._take(bits)) >= n:
            pass
        return drawn

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly drawn order, each place drawn as `below` draws."""
        pack, pool, left = list(items), self._pool, self._left
        for last in range(len(pack) - 1, 0, -1):
            other, bits = last + 1, last.bit_length()
            while other > last:
                if left < bits:
                    pool, left = self._filled(pool, left)
                left -= bits
                other = pool >> left & (1 << bits) - 1
            pack[last], pack[other] = pack[other], pack[last]
        self._pool, self._left = pool & (1 << left) - 1, left
        return tuple(pack)

    def roll(self, sides: int) -> int:
        """Return a whole number from 1 to `sides`."""
        return self.below(sides) + 1

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely; `items` must not be empty."""
        return items[self.below(len(items))]

    def coin(self) -> bool:
        """Return True as often as False."""
        return self._take(1) == 1


class Scripted:
    """Luck that hands out what it is given, so that a test can state a deal.

    Each draw is checked against what was asked for: a shuffle takes a sequence of items that come first (the rest
    follow in pack order), a roll a number, a choice an item, a coin a bool. Raises `AssertionError` where they differ.
    """

    def __init__(self, *draws: Any) -> None:
        self._draws = list(draws)

    def _next(self, wanted: str) -> Any:
        if not self._draws:
            raise AssertionError(f"the script has no draw left for {wanted}")
        return self._draws.pop(0)

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the scripted items first, then the others in the order given."""
        rest, first = list(items), tuple(self._next("a shuffle"))
        for item in first:
            if item not in rest:
                raise AssertionError(f"{item} is not in the pack, or not so often")
            rest.remove(item)
        return (*first, *rest)

    def roll(self, sides: int) -> int:
        """Return the scripted number."""
        number: int = self._next("a roll")
        if not 1 <= number <= sides:
            raise AssertionError(f"a die of {sides} sides does not show {number}")
        return number

    def choice(self, items: Sequence[T]) -> T:
        """Return the scripted item."""
        item: T = self._next("a choice")
        if item not in items:
            raise AssertionError(f"{item} is not one of {items}")
        return item

    def coin(self) -> bool:
        """Return the scripted side."""
        side: bool = self._next("a coin")
        if side not in (True, False):
            raise AssertionError(f"a coin does not show {side}")
        return side

    @property
    def spent(self) -> bool:
        """Whether every scripted draw was asked for."""
        return not self._draws


StateT = TypeVar("StateT", default=Any)
ViewT = TypeVar("ViewT", default=Any)
MoveT = TypeVar("MoveT", default=Any)


class Rules(Protocol[StateT, ViewT, MoveT]):
    """The names of a rules module: all that the rest of the house knows of a game's rules.

    `State`, `View` and `Move` are the game's own, as its functions say; of `Rules` alone they may be anything.
    """

    @property
    def NAME(self) -> str:
        """The game's name as people type it: `ohell`."""

    @property
    def VERSION(self) -> int:
        """Raised by every change of a rule; a table finishes under the version it began with."""

    @property
    def SEATS(self) -> range:
        """How many may sit: `range(2, 13)` is 2 to 12."""

    @property
    def Options(self) -> Any:
        """The frozen class of house rules, each typed, with its default."""

    @property
    def Move(self) -> Any:
        """The union of the frozen move classes."""

    @property
    def State(self) -> Any:
        """The frozen class of full states."""

    def start(self, seats: int, options: Any, purses: Sequence[int], luck: Luck) -> Step[StateT]:
        """Return the first state and its events; raises `Refused` for options that do not fit the seats."""

    def moves(self, state: StateT, seat: Seat) -> Sequence[MoveT]:
        """Return the legal moves of `seat`, none when it has to wait."""

    def apply(self, state: StateT, seat: Seat, move: MoveT, luck: Luck) -> Step[StateT]:
        """Return what follows when `seat` makes `move`; raises `Refused`, and then nothing has happened."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return all that `seat` may know; None is a watcher."""

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended, None while it goes on."""

    def default(self, state: StateT, seat: Seat) -> MoveT:
        """Return a legal, never clever move for somebody who is away."""

    def sample(self, view: ViewT, luck: Luck) -> StateT:
        """Return some full state that `view` could come from."""
