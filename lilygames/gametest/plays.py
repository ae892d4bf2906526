"""Sample plays of a game and the positions in them that promises are checked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple, TypeVar

import attrs

from lilygames import drawing
from lilygames.codec import to_text
from lilygames.game import Game, Reader
from lilygames.scene_rows import asking
from lilygames.tables.state import visible
from lilygames.text import Voice
from lilygames_rules.kit import Event, KeyedLuck, Luck, Refused, Rules, Seat, Step

T = TypeVar("T")
Hide = Callable[[Any, Seat | None, Luck], Any]
"""Returns a state that differs only in what a seat (None: a spectator) can't know."""

NAMES = (
    *("ann", "Bob", "cat", "Christopher", "eve", "fay", "gus", "hal", "ida", "jo", "kim", "lou"),
    *(f"player{number}" for number in range(13, 101)),
)
VOICES = (Voice(), Voice(suits="symbols"), Voice(spoken=True))
_POSITIONS = 30
SOME = 12
FEW = 3


class Broken(AssertionError):
    """A game broke a promise: `promise` is its name, the text says how and in which play."""

    def __init__(self, promise: str, happened: str) -> None:
        super().__init__(f"{promise}: {happened}")
        self.promise = promise


class Turn(NamedTuple):
    """A state with the move that led to it (None: the start), its seat, and the events."""

    state: Any
    seat: Seat | None
    move: Any
    events: tuple[Event, ...]


class Spot(NamedTuple):
    """A viewpoint: a state after a number of moves, as one seat (None: a spectator) sees it."""

    number: int
    state: Any
    seat: Any

    def __str__(self) -> str:
        return f"after {self.number} moves, {'a spectator' if self.seat is None else f'seat {self.seat}'}"


class Try(NamedTuple):
    """An attempted move: whether it was listed, its result, its draws, and whether the old state stayed the same."""

    spot: Spot
    move: Any
    listed: bool
    result: Step[Any] | Refused
    draws: int
    unchanged: bool


class Choice(NamedTuple):
    """A level's move at a spot, and again with the same luck, its processor time, and whether its view is as it was."""

    level: str
    spot: Spot
    move: Any
    again: Any
    seconds: float
    unchanged: bool


class Counted:
    """Luck that counts draws, whatever their purposes."""

    def __init__(self, luck: Luck) -> None:
        self._luck = luck
        self.draws = 0

    def for_(self, *purpose: str | int) -> Counted:  # noqa: ARG002 - the interface of luck
        """Return the same luck, so that every draw is counted here."""
        return self

    def __getattr__(self, name: str) -> Any:
        self.draws += 1
        return getattr(self._luck, name)


def luck_of(seed: int, number: int, purpose: str = "luck") -> KeyedLuck:
    """Return the luck for one move of a play; `purpose` separates the game's draws from the check's."""
    return KeyedLuck(f"{purpose} {seed} {number}".encode())


def attempt(rules: Rules, spot: Spot, move: Any, luck: Any) -> Step[Any] | Refused:
    """Return the result of a move, or its refusal."""
    try:
        return rules.apply(spot.state, spot.seat, move, luck)
    except Refused as refused:
        return refused


def some(items: Sequence[T], luck: KeyedLuck, most: int = SOME) -> list[T]:
    """Return the items, or a sample with the first and the last if there are more than `most`."""
    if len(items) <= most:
        return list(items)
    return [items[0], *(luck.choice(items) for _ in range(most - 2)), items[len(items) - 1]]


@attrs.frozen(eq=False)
class Check:
    """One play under check, with data that the promises share."""

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
        """The checked positions: all of a short play, a sample of a long one."""
        return sorted(set(some(range(len(self.turns)), luck_of(self.seed, 0, "positions"), _POSITIONS)))

    def spots(self, *watcher: None) -> Iterator[Spot]:
        """Yield each checked position from each seat; with None from a spectator, too."""
        for number in self.numbers:
            for seat in (*range(self.seats), *watcher):
                yield Spot(number, self.turns[number].state, seat)

    def luck(self, spot: Spot, purpose: str) -> KeyedLuck:
        """Return the luck for checks at this spot."""
        return luck_of(self.seed, spot.number, f"{purpose} {spot.seat}")

    def moves(self, spot: Spot) -> Sequence[Any]:
        """Return the moves listed there; a spectator has none."""
        return () if spot.seat is None else self.rules.moves(spot.state, spot.seat)

    def reader(self, seat: Seat | None, number: int = 0) -> Reader:
        """Return a reader for that seat; voices alternate."""
        return Reader(seat, NAMES[: self.seats], VOICES[number % len(VOICES)])

    def told(self, events: Sequence[Event], seat: Seat | None, number: int = 0) -> list[tuple[Event, str]]:
        """Return the events as the seat sees them, and its lines."""
        seen = visible.all_seen(events, seat)
        return [(event, self.game.tell(event, self.reader(seat, number))) for event in seen]

    @cached_property
    def pool(self) -> list[Any]:
        """All moves listed for any seat at the checked positions."""
        return list(dict.fromkeys(move for spot in self.spots() for move in self.some_moves(spot)))

    def some_moves(self, spot: Spot, most: int = SOME) -> list[Any]:
        """Return a sample of the moves listed there."""
        return some(self.moves(spot), self.luck(spot, "moves"), most)

    def others(self, spot: Spot) -> list[Any]:
        """Return moves that are listed for other seats or positions, but not there."""
        now = [spot._replace(seat=seat) for seat in range(self.seats)]
        elsewhere = [*(move for other in now for move in self.some_moves(other, FEW)), *self.pool_of(spot)]
        return [move for move in dict.fromkeys(elsewhere) if move not in self.moves(spot)]

    def pool_of(self, spot: Spot) -> list[Any]:
        """Return the part of the pool to try there."""
        return some(self.pool, self.luck(spot, "pool"))

    @cached_property
    def tries(self) -> list[Try]:
        """All attempted moves, listed and unlisted, at every position by every seat."""
        return [tried for spot in self.spots() for tried in self.tries_at(spot)]

    def tries_at(self, spot: Spot) -> list[Try]:
        """Return the moves attempted there with their results."""
        before = to_text(spot.state)
        moves = [(move, True) for move in self.some_moves(spot)] + [(move, False) for move in self.others(spot)]
        results = [(move, listed, *self.tried(spot, move)) for move, listed in moves]
        unchanged = before == to_text(spot.state)
        return [Try(spot, *result, unchanged) for result in results]

    def tried(self, spot: Spot, move: Any) -> tuple[Step[Any] | Refused, int]:
        """Return the result of a move and the number of draws."""
        luck = Counted(self.luck(spot, "try"))
        return attempt(self.rules, spot, move, luck), luck.draws

    @cached_property
    def choices(self) -> list[Choice]:
        """The moves of each level that is offered at such a table, in a few positions where it has a choice."""
        asked = [spot for spot in self.spots() if len(self.moves(spot)) > 1]
        return [
            self._chosen(level, spot)
            for level in self.game.players
            if self._is_offered(level)
            for spot in some(asked, luck_of(self.seed, 0, level), FEW)
        ]

    def _is_offered(self, level: str) -> bool:
        limit = self.game.limits.get(level)
        return limit is None or (self.seats in limit.seats and limit.fits(self.options))

    def _chosen(self, level: str, spot: Spot) -> Choice:
        """Return what a level chooses at a spot, twice with the same luck."""
        view, strategy = self.rules.view(spot.state, spot.seat), self.game.players[level]
        before, began = to_text(view), process_time()
        move = strategy(view, self.moves(spot), self.luck(spot, level))
        seconds, unchanged = process_time() - began, to_text(view) == before
        again = self.rules.view(spot.state, spot.seat)
        return Choice(level, spot, move, strategy(again, self.moves(spot), self.luck(spot, level)), seconds, unchanged)

    @cached_property
    def worlds(self) -> list[tuple[Spot, Spot]]:
        """Each spot, with the same spot in a state that differs only in what is hidden from it."""
        if self.hide is None:
            return []
        spots = self.spots(None)
        return [
            (spot, spot._replace(state=self.hide(spot.state, spot.seat, self.luck(spot, "hide")))) for spot in spots
        ]

    def refusal(self, spot: Spot, result: Step[Any] | Refused) -> Any:
        """Return the code, facts and sentence of a refusal, None if the move was accepted."""
        if isinstance(result, Step):
            return None
        return result.code, result.facts, self.game.refusal(result.code, result.facts, self.reader(spot.seat))

    def screen(self, spot: Spot) -> tuple[Any, list[str]]:
        """Return the view from there and all lines made from it, the prompt last."""
        view, reader, moves = (
            self.rules.view(spot.state, spot.seat),
            self.reader(spot.seat, spot.number),
            self.moves(spot),
        )
        lines = [*self.game.show(view, reader), *self.game.score(view, reader)]
        lines += self.game.hand(view, reader) if spot.seat is not None else ()
        lines += self._laid_out(spot, view, reader) if not reader.voice.spoken else ()
        lines += self.prompt(view, moves, reader) if len(moves) else ()
        return view, lines

    def drawn(self, spot: Spot) -> str:
        """Return the picture and the turn that a page gets from there, as text."""
        game, view, moves = self.game, self.rules.view(spot.state, spot.seat), self.moves(spot)
        reader = Reader(spot.seat, NAMES[: self.seats], VOICES[0])
        picture = game.picture(view, reader) if game.picture else None
        turn = game.asks(view, moves, reader) if game.asks and len(moves) else None
        return repr((picture, turn))

    def prompt(self, view: Any, moves: Sequence[Any], reader: Reader) -> Sequence[str]:
        """Return the question of a turn in words, or the rows made from the turn if the game has no other words."""
        return [self.game.ask(view, moves, reader)] if self.game.ask else asking(self.game, view, moves, reader)

    def _laid_out(self, spot: Spot, view: Any, reader: Reader) -> Iterator[str]:
        """Yield the rows that only terminals get: the picture of the table, and the last sheet."""
        game = self.game
        if game.picture:
            yield from drawing.rows(game.picture(view, reader), game.title, reader)
        if game.final and self.rules.outcome(spot.state):
            yield from game.final(view, reader)
