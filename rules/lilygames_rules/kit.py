"""The contract of a rules module: seats, luck, events, steps, refusals, and the names every game must define."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Generic, Protocol, Self

import attrs
from typing_extensions import TypeVar

Seat = int
"""A place at the table, counted clockwise from 0; never a person."""

Purpose = tuple[str | int, ...]
"""The purpose of a draw, such as `("deal", 3)`."""
T = TypeVar("T")
S_co = TypeVar("S_co", covariant=True)


class Refused(Exception):
    """A move or a start that the rules don't allow; the state is unchanged.

    `code` names the reason (`must-follow`). `facts` holds what the game needs to word it, and only what the mover
    may know.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


class Malformed(ValueError):
    """The text isn't a card, a claim or a throw."""


class Ambiguous(ValueError):
    """The text could be read as several things; `choices` are their notations."""

    def __init__(self, text: str, choices: Sequence[str]) -> None:
        super().__init__(text)
        self.choices = tuple(choices)


class Event:
    """Something that happened; subclasses are frozen attrs classes named in the past tense."""

    __slots__ = ()

    def seen_by(self, seat: Seat | None) -> Self | None:  # noqa: ARG002 - most events are public
        """Return the event as `seat` (None: a spectator) sees it: itself, a redacted copy, or None."""
        return self


@attrs.frozen
class Step(Generic[S_co]):
    """The result of a move: the new state, and the events in order."""

    state: S_co
    events: tuple[Event, ...]


@attrs.frozen
class Outcome:
    """The result of a game: each seat's score, the winning seats, and why it ended."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str


@attrs.frozen
class Join:
    """A new player sits down between deals; only the table makes this move."""

    purse: int = 0


@attrs.frozen
class Leave:
    """A player leaves for good between deals; only the table makes this move."""


class Luck(Protocol):
    """Random draws for one move.

    The rules say what each draw is for: `luck.for_("deal", 3).shuffle(DECK)`. So a draw depends only on its purpose,
    and nothing else that happens at the table can change it. Draws without a purpose happen in a fixed order.
    """

    def for_(self, *purpose: str | int) -> Luck:
        """Return the luck for this purpose, such as `"roll", round, seat`; each purpose can be used once in a game."""

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""

    def roll(self, sides: int) -> int:
        """Return a whole number from 1 to `sides`."""

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""

    def coin(self) -> bool:
        """Return True or False, each with probability 1/2."""

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return one of the items that is allowed (None: any of them), each allowed one equally likely."""

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:
        """Return those of the items that are `present`, in a uniformly random order."""


class KeyedLuck:
    """Luck expanded from a key: the same draws on every machine and Python version.

    SHA-256 of the key and a block number gives 32 bytes per block. Numbers below `n` come from rejection sampling, so
    they are exactly uniform. `shuffle` is Fisher-Yates from the last position down.

    This is all the luck of a move at tables of version 1. There the purposes mean nothing, and the order of the draws
    decides.
    """

    __slots__ = ("_block", "_key", "_left", "_pool")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._pool = 0
        self._left = 0

    def _filled(self, pool: int, left: int) -> tuple[int, int]:
        """Return the unused bits with the next block appended, and their number."""
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
        """Return a uniform whole number from 0 to n - 1; raises `ValueError` if n is less than 1."""
        if n < 1:
            raise ValueError(f"can't draw a whole number from 0 to {n - 1}")
        bits = (n - 1).bit_length()
        while (drawn := self._take(bits)) >= n:
            pass
        return drawn

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order, with the same draws as `below`."""
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
        """Return one of the items, each equally likely; `items` must not be empty."""
        return items[self.below(len(items))]

    def coin(self) -> bool:
        """Return True or False, each with probability 1/2."""
        return self._take(1) == 1

    def for_(self, *purpose: str | int) -> Luck:  # noqa: ARG002 - the interface of luck
        """Return the same luck, whatever the purpose."""
        return self

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return one of the allowed items, with the same draw as `choice`."""
        return self.choice(items if allowed is None else allowed)

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002 - the interface of luck
        """Return the items that are present in a random order, with the same draws as `shuffle`."""
        return self.shuffle(present)


class PurposeStream(KeyedLuck):
    """The luck of one purpose. `pick` and `order` shuffle all items, so that choices made before can't steer them."""

    __slots__ = ()

    def for_(self, *purpose: str | int) -> Luck:
        """Raise `ValueError`: a purpose has no parts."""
        raise ValueError(f"name the whole purpose at once; {purpose} was asked of the luck of another purpose")

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return the first allowed item of a shuffle of all; raises `ValueError` if there is none."""
        for item in self.shuffle(items):
            if allowed is None or item in allowed:
                return item
        raise ValueError(f"can't pick one of {allowed}")

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:
        """Return the items that are present in the order of a shuffle of all; raises `ValueError` for other items."""
        left, ordered = list(present), []
        for item in self.shuffle(items):
            if item in left:
                left.remove(item)
                ordered.append(item)
        if left:
            raise ValueError(f"can't put {left} in order")
        return tuple(ordered)


class PurposeLuck:
    """The luck of one move, keyed by the purposes of its draws (version 2).

    A purpose always has the same luck at a table, whatever is said, voted or taken back there. `acts` is the number of
    moves made before this one; it keys the draws for which the rules name no purpose.

    `key` is the table's, or a function that returns the one for a purpose (`()` for draws without one). A function is
    called only if something is drawn, because most moves draw nothing.
    """

    __slots__ = ("_acts", "_drawn", "_key", "_unnamed")

    def __init__(self, key: bytes | Callable[[Purpose], bytes], acts: int = 0) -> None:
        self._key = key
        self._acts = acts
        self._drawn: set[Purpose] = set()
        self._unnamed: PurposeStream | None = None

    def for_(self, *purpose: str | int) -> Luck:
        """Return fresh luck for this purpose; raises `ValueError` if this move has already used it."""
        if purpose in self._drawn:
            raise ValueError(f"luck for {purpose} is drawn twice")
        self._drawn.add(purpose)
        return PurposeStream(_derived(self._key_for(purpose), "luck", *purpose))

    def _key_for(self, purpose: Purpose) -> bytes:
        return self._key if isinstance(self._key, bytes) else self._key(purpose)

    @property
    def _own(self) -> PurposeStream:
        """The luck of the draws without a purpose; it is made for the first one, because most moves have none."""
        if self._unnamed is None:
            self._unnamed = PurposeStream(_derived(self._key_for(()), "act", self._acts))
        return self._unnamed

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""
        return self._own.shuffle(items)

    def roll(self, sides: int) -> int:
        """Return a whole number from 1 to `sides`."""
        return self._own.roll(sides)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely."""
        return self._own.choice(items)

    def coin(self) -> bool:
        """Return True or False, each with probability 1/2."""
        return self._own.coin()

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return the first allowed item of a shuffle of all."""
        return self._own.pick(items, allowed)

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:
        """Return the items that are present in the order of a shuffle of all."""
        return self._own.order(items, present)


def _derived(key: bytes, tag: str, *parts: str | int) -> bytes:
    """Return HMAC-SHA-256 of the key and a JSON array: the tag, then the parts (ASCII, no spaces)."""
    text = json.dumps([f"lilygames/2/{tag}", *parts], separators=(",", ":"))
    return hmac.new(key, text.encode(), "sha256").digest()


class Scripted:
    """Luck that returns scripted draws, so that a test can set up a deal.

    Each draw must fit the call. A shuffle needs a sequence of the first items; the rest follow in pack order. A roll
    needs a number, a choice an item, a coin a bool. Raises `AssertionError` if it doesn't fit.
    """

    def __init__(self, *draws: Any) -> None:
        self._draws = list(draws)

    def _next(self, wanted: str) -> Any:
        if not self._draws:
            raise AssertionError(f"no scripted draw is left for {wanted}")
        return self._draws.pop(0)

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the scripted items first, then the others in the order given."""
        rest, first = list(items), tuple(self._next("a shuffle"))
        for item in first:
            if item not in rest:
                raise AssertionError(f"{item} is not in the pack, or was drawn too often")
            rest.remove(item)
        return (*first, *rest)

    def roll(self, sides: int) -> int:
        """Return the scripted number."""
        number: int = self._next("a roll")
        if not 1 <= number <= sides:
            raise AssertionError(f"a die with {sides} sides can't show {number}")
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
            raise AssertionError(f"a coin can't show {side}")
        return side

    def for_(self, *purpose: str | int) -> Luck:  # noqa: ARG002 - the interface of luck
        """Return the same script: its draws are in the order in which the rules ask for them."""
        return self

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return the scripted item, as `choice` does."""
        return self.choice(items if allowed is None else allowed)

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002 - the interface of luck
        """Return the scripted items first, then the others that are present, as `shuffle` does."""
        return self.shuffle(present)

    @property
    def spent(self) -> bool:
        """Whether every scripted draw has been used."""
        return not self._draws


StateT = TypeVar("StateT", default=Any)
ViewT = TypeVar("ViewT", default=Any)
MoveT = TypeVar("MoveT", default=Any)


class Rules(Protocol[StateT, ViewT, MoveT]):
    """The names a rules module defines; the rest of the program uses no others.

    `State`, `View` and `Move` are the game's own types; a plain `Rules` leaves them as `Any`.
    """

    @property
    def NAME(self) -> str:
        """The game's name as people type it: `ohell`."""

    @property
    def VERSION(self) -> int:
        """Rules version: goes up with every change of a rule. A table finishes under the version it started with."""

    @property
    def SEATS(self) -> range:
        """Allowed numbers of players: `range(2, 13)` is 2 to 12."""

    @property
    def Options(self) -> Any:
        """The frozen class of table options, each with a type and a default."""

    @property
    def Move(self) -> Any:
        """The union of the frozen move classes."""

    @property
    def State(self) -> Any:
        """The frozen class of full game states."""

    def start(self, seats: int, options: Any, purses: Sequence[int], luck: Luck) -> Step[StateT]:
        """Return the first state and its events; raises `Refused` if the options don't fit the number of seats."""

    def turn(self, state: StateT) -> Seat | None:
        """Return the seat to move if it is the only one; None if several may move, or the game is over."""

    def moves(self, state: StateT, seat: Seat) -> Sequence[MoveT]:
        """Return the legal moves of `seat`; empty if it has to wait."""

    def apply(self, state: StateT, seat: Seat, move: MoveT, luck: Luck) -> Step[StateT]:
        """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return everything `seat` may know; None is a spectator."""

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result of the game, None while it is in progress."""

    def default(self, state: StateT, seat: Seat) -> MoveT:
        """Return a simple legal move for a player who is away."""

    def sample(self, view: ViewT, luck: Luck) -> StateT:
        """Return a random full state that is consistent with `view`."""
