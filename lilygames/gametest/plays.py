"""One play of a game, and the places to look at it from: what promises are asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import attrs

from lilygames.codec import to_text
from lilygames.game import Game, Reader
from lilygames.tables import visible
from lilygames.text import Voice
from rules.kit import Event, KeyedLuck, Luck, Refused, Rules, Seat, Step

T = TypeVar("T")
Hide = Callable[[Any, Seat | None, Luck], Any]
"""From a state and a seat (None: a watcher) to a state that differs only in what that seat cannot know."""

NAMES = (
    *("ann", "Bob", "cat", "Christopher", "eve", "fay", "gus", "hal", "ida", "jo", "kim", "lou"),
    *(f"player{number}" for number in range(13, 101)),
)
VOICES = (Voice(), Voice(suits="symbols"), Voice(spoken=True))
_POSITIONS = 30
SOME = 12
FEW = 3


class Broken(AssertionError):
    """A game broke a promise: `promise` is its name, the text says what happened and in which play."""

    def __init__(self, promise: str, happened: str) -> None:
        super().__init__(f"{promise}: {happened}")
        self.promise = promise


class Turn(NamedTuple):
    """A state and what led to it: who made which move (None: the start), and the events that told of it."""

    state: Any
    seat: Seat | None
    move: Any
    events: tuple[Event, ...]


class Spot(NamedTuple):
    """A place to look from: a state, reached after so many moves, as one seat (None: a watcher)."""

    number: int
    state: Any
    seat: Any

    def __str__(self) -> str:
        return f"after {self.number} moves, {'a watcher' if self.seat is None else f'seat {self.seat}'}"


class Try(NamedTuple):
    """A move tried: whether it was listed, what came of it, the draws it took, whether the state stayed as it was."""

    spot: Spot
    move: Any
    listed: bool
    result: Step[Any] | Refused
    draws: int
    unchanged: bool


class Counted:
    """Luck that counts its draws."""

    def __init__(self, luck: Luck) -> None:
        self._luck = luck
        self.draws = 0

    def __getattr__(self, name: str) -> Any:
        self.draws += 1
        return getattr(self._luck, name)


def luck_of(seed: int, number: int, purpose: str = "luck") -> KeyedLuck:
    """Return the luck of one move of a play; `purpose` keeps the draws of the game and of the check apart."""
    return KeyedLuck(f"{purpose} {seed} {number}".encode())


def attempt(rules: Rules, spot: Spot, move: Any, luck: Any) -> Step[Any] | Refused:
    """Return what follows from the move, or the refusal."""
    try:
        return rules.apply(spot.state, spot.seat, move, luck)
    except Refused as refused:
        return refused


def some(items: Sequence[T], luck: KeyedLuck, most: int = SOME) -> list[T]:
    """Return the items, or the first, the last and some between where there are more than `most`."""
    if len(items) <= most:
        return list(items)
    return [items[0], *(luck.choice(items) for _ in range(most - 2)), items[len(items) - 1]]


@attrs.frozen(eq=False)
class Check:
    """One play under check, with what its promises share."""

    game: Game
    options: Any
    seats: int
    seed: int
    purses: tuple[int, ...]
    turns: tuple[Turn, ...]
    hide: Hide | None
    zero_sum: bool

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    @cached_property
    def numbers(self) -> list[int]:
        """The positions looked at: all of a short play, some of a long one."""
        return sorted(set(some(range(len(self.turns)), luck_of(self.seed, 0, "positions"), _POSITIONS)))

    def spots(self, *watcher: None) -> Iterator[Spot]:
        """Yield each position looked at, from each seat; with None from a watcher as well."""
        for number in self.numbers:
            for seat in (*range(self.seats), *watcher):
                yield Spot(number, self.turns[number].state, seat)

    def luck(self, spot: Spot, purpose: str) -> KeyedLuck:
        """Return the luck that a look from this spot draws on."""
        return luck_of(self.seed, spot.number, f"{purpose} {spot.seat}")

    def moves(self, spot: Spot) -> Sequence[Any]:
        """Return the moves listed there; a watcher has none."""
        return () if spot.seat is None else self.rules.moves(spot.state, spot.seat)

    def reader(self, seat: Seat | None, number: int = 0) -> Reader:
        """Return a reader in that seat; the voices take turns."""
        return Reader(seat, NAMES[: self.seats], VOICES[number % len(VOICES)])

    def told(self, events: Sequence[Event], seat: Seat | None, number: int = 0) -> list[tuple[Event, str]]:
        """Return what the seat sees of the events, and the lines it reads."""
        seen = visible.all_seen(events, seat)
        return [(event, self.game.tell(event, self.reader(seat, number))) for event in seen]

    @cached_property
    def pool(self) -> list[Any]:
        """The moves that were listed for anybody at the positions looked at."""
        return list(dict.fromkeys(move for spot in self.spots() for move in self.some_moves(spot)))

    def some_moves(self, spot: Spot, most: int = SOME) -> list[Any]:
        """Return moves listed there."""
        return some(self.moves(spot), self.luck(spot, "moves"), most)

    def others(self, spot: Spot) -> list[Any]:
        """Return moves that are not listed there, but for other seats or at other steps of the play."""
        now = [spot._replace(seat=seat) for seat in range(self.seats)]
        elsewhere = [*(move for other in now for move in self.some_moves(other, FEW)), *self.pool_of(spot)]
        return [move for move in dict.fromkeys(elsewhere) if move not in self.moves(spot)]

    def pool_of(self, spot: Spot) -> list[Any]:
        """Return the part of the pool tried there."""
        return some(self.pool, self.luck(spot, "pool"))

    @cached_property
    def tries(self) -> list[Try]:
        """Moves tried at every position by every seat, the listed ones and others."""
        return [tried for spot in self.spots() for tried in self.tries_at(spot)]

    def tries_at(self, spot: Spot) -> list[Try]:
        """Return what came of the moves tried there."""
        before = to_text(spot.state)
        moves = [(move, True) for move in self.some_moves(spot)] + [(move, False) for move in self.others(spot)]
        results = [(move, listed, *self.tried(spot, move)) for move, listed in moves]
        unchanged = before == to_text(spot.state)
        return [Try(spot, *result, unchanged) for result in results]

    def tried(self, spot: Spot, move: Any) -> tuple[Step[Any] | Refused, int]:
        """Return what came of a move, and how many draws it took."""
        luck = Counted(self.luck(spot, "try"))
        return attempt(self.rules, spot, move, luck), luck.draws

    @cached_property
    def worlds(self) -> list[tuple[Spot, Spot]]:
        """Each spot, watchers' too, beside the same spot in a world that differs in what is hidden from it."""
        if self.hide is None:
            return []
        spots = self.spots(None)
        return [
            (spot, spot._replace(state=self.hide(spot.state, spot.seat, self.luck(spot, "hide")))) for spot in spots
        ]

    def refusal(self, spot: Spot, result: Step[Any] | Refused) -> Any:
        """Return code, facts and sentence of a refusal, None where the move was accepted."""
        if isinstance(result, Step):
            return None
        return result.code, result.facts, self.game.refusal(result.code, result.facts, self.reader(spot.seat))

    def screen(self, spot: Spot) -> tuple[Any, list[str]]:
        """Return the view from there and all the lines that are made from it, the question of a turn last."""
        view, reader, moves = (
            self.rules.view(spot.state, spot.seat),
            self.reader(spot.seat, spot.number),
            self.moves(spot),
        )
        lines = [*self.game.show(view, reader), *self.game.score(view, reader)]
        lines += self.game.hand(view, reader) if spot.seat is not None else ()
        lines += [self.game.ask(view, moves, reader)] if len(moves) else ()
        return view, lines
