"""The record of a game: everything that the house asks of one, in one frozen value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Generic, get_args

import attrs

from lilygames.commands import Command
from lilygames.lesson import Lesson
from lilygames.text import Voice, listing
from rules.kit import Join, Luck, MoveT, Rules, Seat, StateT, ViewT

Strategy = Callable[[Any, Sequence[Any], Luck], Any]
"""A house player: from its view, its legal moves and its luck to one of the moves. It answers at once."""
Think = Callable[[Strategy, Any, Sequence[Any], Luck], Awaitable[Any]]
"""How a host has a strategy asked for its move; whatever goes wrong is raised."""


@attrs.frozen
class Budget:
    """How much a house player may think about one move: counted, never timed, so that it answers alike anywhere."""

    iterations: int


@attrs.frozen
class Thinker:
    """A strategy that searches, so the host asks it in another process; called as a strategy, it thinks on the spot.

    `decide` is a function that a module names: it travels to that process by its name, all else by its value.
    """

    decide: Callable[[Any, Sequence[Any], Luck, Budget], Any]
    budget: Budget

    def __call__(self, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return one of the moves."""
        return self.decide(view, moves, luck, self.budget)


async def at_once(strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the strategy's move, thought of here and now."""
    return strategy(view, moves, luck)


@attrs.frozen
class Reader:
    """Who reads a game's line: a seat (None: a watcher), the names of all seats, and the voice they like."""

    seat: Seat | None
    names: tuple[str, ...]
    voice: Voice = attrs.field(factory=Voice)
    typed: bool = False
    """Whether what is told comes of a move that the reader has just typed."""

    def who(self, seat: Seat) -> str:
        """Return `you` for the reader's own seat, otherwise the name: for the middle of a sentence."""
        return "you" if seat == self.seat else self.names[seat]

    def says(self, seat: Seat, theirs: str, yours: str) -> str:
        """Return `bob bids 3` or `You bid 3`, from the verb phrases for others and for oneself."""
        return f"You {yours}" if seat == self.seat else f"{self.names[seat]} {theirs}"

    def everyone(self, seats: Sequence[Seat]) -> str:
        """Return the names of the seats as a list in words."""
        return listing(self.who(seat) for seat in seats)


@attrs.frozen
class Purse:
    """What a seat brings to a game and takes home again: lifetime balances, or chips; kept with the account.

    `unit` names one ("chip"); `first` a new account holds; `brings(options, held)` is what a seat brings of what the
    account holds; `changes(view)` says, seat by seat, what was won or lost so far, and `staying(view)` which seats are
    still in: all others have got up for good, so that their change stands. Staked units are nowhere else meanwhile.
    """

    unit: str
    brings: Callable[[Any, int], int]
    changes: Callable[[Any], Sequence[int]]
    staying: Callable[[Any], Container[Seat]]
    first: int = 0
    staked: bool = False


@attrs.frozen
class Game(Generic[StateT, ViewT, MoveT]):
    """A game as the host knows it. A third party's game is one such record behind an entry point.

    `tell(event, reader)` gives the line for an event that the reader may see ("" for none, several with line ends
    between them; that the game is over, the host says); `show(view, reader)` the table; `hand(view, reader)` what the
    seat holds; `score(view, reader)` the score sheet; `ask(view, moves, reader)` what a turn asks ("bid 0 or 1");
    `spell(move)` how a move is typed, without the slash, such that the commands read it back; `refusals` a sentence for
    each code, with the facts in braces or as a function of them and the reader.
    """

    rules: Rules[StateT, ViewT, MoveT]
    title: str
    credit: str
    commands: tuple[Command, ...]
    tell: Callable[[Any, Reader], str]
    show: Callable[[ViewT, Reader], Sequence[str]]
    hand: Callable[[ViewT, Reader], Sequence[str]]
    score: Callable[[ViewT, Reader], Sequence[str]]
    ask: Callable[[ViewT, Sequence[MoveT], Reader], str]
    spell: Callable[[MoveT], str]
    refusals: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]]
    playing: Callable[[ViewT], Container[Seat]] | None = None
    """The seats that still take part, of a watcher's view, if players can be finished before the game is over."""
    offers: Callable[[ViewT, Sequence[MoveT]], Sequence[MoveT]] | None = None
    """The moves that a question numbers, best first, six at most, of a view and the legal moves: `ask` shows them.

    Where it returns none the answer itself is a number (a bid), or all moves are numbered in their order.
    """
    pages: Traversable | None = None
    """The folder of its help pages, where they are not among the host's own."""
    sealed: bool = False
    """Whether the seal stays closed after the end, as its rules hide something for ever (mucked hands, discards)."""
    fills: Callable[[Any, Callable[[str], str | None]], Any] | None = None
    """Fills options from texts that the sysop has added: `fills(options, find)`, where `find(name)` is a text or None.

    Raises `Malformed` with a sentence about the text.
    """
    purse: Purse | None = None
    """What a seat brings and takes home; None where nothing outlives the game."""
    tagline: str = ""
    """What one does in it, in a few words, for the list of games: "pass poker dice and a claim"."""
    other_names: tuple[str, ...] = ()
    """What else people call it ("dice", "oh hell"): case, spaces and punctuation do not matter."""
    quick: int = 4
    """How many seats `/quick` fills."""
    quick_options: Any = None
    """The house rules of a table that `/quick` opens, a short game; None for the default ones."""
    minutes: int = 5
    """About how many minutes such a game takes."""
    everyone_acts: Callable[[Any, int], bool] = lambda options, seats: True  # noqa: ARG005 - in most games all do
    """Whether a game by these options always asks each of so many seats for a move: `/quick` seats nobody elsewhere."""
    players: Mapping[str, Strategy] = attrs.field(factory=dict)
    """House players by level; the host fills it for the games it ships."""
    lesson: Lesson | None = None
    """What `/learn` teaches it by."""
    prepare: Callable[[], object] = lambda: None
    """Work out what takes long once and is kept; a server asks for it before anybody comes in."""
    earlier: tuple[Game, ...] = ()
    """The game by earlier versions of its rules, under which tables that began with them go on."""

    @property
    def name(self) -> str:
        """The game's name as people type it."""
        return self.rules.NAME

    @cached_property
    def joins(self) -> bool:
        """Whether people may sit down and get up while it goes on."""
        return Join in get_args(self.rules.Move)

    def by_version(self, version: int) -> Game | None:
        """Return the game by a version of its rules, None where that is not installed."""
        return next((game for game in (self, *self.earlier) if version == game.rules.VERSION), None)

    def refusal(self, code: str, facts: Mapping[str, Any], reader: Reader) -> str:
        """Return the sentence for a refusal, saying what can be done instead; raises `KeyError` for an unknown code."""
        words = self.refusals[code]
        return words(facts, reader) if callable(words) else words.format(**facts)
