"""The record that defines a game for the server: rules, commands, words, help and bots in one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Generic, Literal, Protocol, get_args

import attrs

from lilygames.commands import Command
from lilygames.lesson import Lesson
from lilygames.picture import Picture
from lilygames.remarks import Remark
from lilygames.scene import Turn
from lilygames.text import Voice, listing
from lilygames_rules.kit import Event, Join, Luck, MoveT, Rules, Seat, StateT, ViewT

Strategy = Callable[[Any, Sequence[Any], Luck], Any]
"""A bot: it gets its view, its legal moves and luck, and returns one of the moves at once."""


class Think(Protocol):
    """A function that asks a strategy for its move. It raises the strategy's errors."""

    async def __call__(
        self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, due: float = 0.0, /
    ) -> Any:
        """Return the move. Of those who wait for it, the one whose answer is `due` first (loop time) comes first."""


@attrs.frozen
class Budget:
    """How much a bot may think about one move: counted, not timed, so the answer is the same on any machine."""

    iterations: int


@attrs.frozen
class Thinker:
    """A strategy that searches. The server runs it in another process; called directly, it thinks in this one.

    `decide` must be a module-level function, because it is sent to that process by name. Other arguments are pickled.
    """

    decide: Callable[[Any, Sequence[Any], Luck, Budget], Any]
    budget: Budget
    less: tuple[Budget, ...] = ()
    """Its budgets while many moves wait, largest first: with the last one it is as strong as the level below, or more.

    Without any, it always has the whole budget.
    """

    def __call__(self, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return one of the moves."""
        return self.decide(view, moves, luck, self.budget)


@attrs.frozen
class Limit:
    """The tables at which a level is offered, if it is shown to be better only there.

    `seats` are the numbers of players, and `fits(options)` tells whether it is shown with these options. `tables` says
    both in words, after "has masters".
    """

    seats: range
    fits: Callable[[Any], bool]
    tables: str


LIES = "lies"
"""The habit of lying, among claims that challenges have shown to be true or not."""


@attrs.frozen
class Habit:
    """How often a player has done something that everyone saw, and how often not when they could have."""

    yes: int = 0
    no: int = 0

    @property
    def times(self) -> int:
        """The number of times they could have done it."""
        return self.yes + self.no

    def after(self, *, did: bool) -> Habit:
        """Return the habit after another time."""
        return Habit(self.yes + did, self.no + (not did))


@attrs.frozen
class Shown:
    """An event shows everyone that a seat did something, or that it did not."""

    seat: Seat
    did: bool
    habit: str = LIES


Memory = Mapping[Seat, Mapping[str, Habit]]
"""The habits of other seats that a bot remembers from earlier games, by name."""


@attrs.frozen
class Character:
    """The differences between a bot and others of its level, as the log names them.

    `memory` is None if the bot remembers nothing, not even of this game.
    """

    temper: str = ""
    memory: Memory | None = None


def without_character(strategy: Strategy, level: str, character: Character) -> Strategy:  # noqa: ARG001 - see `Game`
    """Return the strategy itself."""
    return strategy


@attrs.frozen
class Advice:
    """A move, and why: one sentence with facts in braces (`{made:.0f}`), and those facts as they were computed."""

    move: Any
    why: str
    facts: Mapping[str, float] = attrs.field(factory=dict)

    @property
    def sentence(self) -> str:
        """The sentence with its facts."""
        return self.why.format(**self.facts)


def nothing() -> None:
    """Do nothing."""


async def at_once(strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, _: float = 0.0, /) -> Any:
    """Return the strategy's move, computed in this process."""
    return strategy(view, moves, luck)


@attrs.frozen
class Reader:
    """The reader of a game's line: a seat (None for a spectator), the names of all seats, and preferred wording."""

    seat: Seat | None
    names: tuple[str, ...]
    voice: Voice = attrs.field(factory=Voice)
    typed: bool = False
    """Whether the event comes from a move that the reader has just typed."""

    def who(self, seat: Seat) -> str:
        """Return `you` for the reader's own seat, else the name, for use inside a sentence."""
        return "you" if seat == self.seat else self.names[seat]

    def says(self, seat: Seat, theirs: str, yours: str) -> str:
        """Return `bob bids 3` or `You bid 3`, from the verb phrases for others and for the reader."""
        return f"You {yours}" if seat == self.seat else f"{self.names[seat]} {theirs}"

    def everyone(self, seats: Sequence[Seat]) -> str:
        """Return the names of the seats as a list in words."""
        return listing(self.who(seat) for seat in seats)


@attrs.frozen
class InSequence:
    """Moves in sequence, as one reader may know them."""

    look: Callable[[], Any]
    """Returns `view`. Most rows need none, and a view takes as long as a row."""
    events: tuple[Any, ...]
    reader: Reader
    asked: bool
    """Whether the rows of the reader's own turn come next. They show the position."""
    person: Seat | None = None
    """The seat of another person who made the first move. A row always tells it."""

    @property
    def view(self) -> Any:
        """The reader's view before the first move."""
        return self.look()


def in_own_words(_events: Sequence[Any], _seat: Seat, *, asked: bool, person: Seat | None) -> bool:  # noqa: ARG001
    """Return False: each player reads rows of their own."""
    return False


class AsSpectators(Protocol):
    """Returns whether a player reads the same rows for events as a spectator, so that both share them.

    `asked` and `person` are those of the player's `InSequence`.
    """

    def __call__(self, events: Sequence[Any], seat: Seat, /, *, asked: bool, person: Seat | None) -> bool:
        """Return that."""


@attrs.frozen
class Merging:
    """How a game tells moves in sequence.

    `waits` are the events of moves that can wait for the next move, so that one row tells them together. Any other
    event is told at once, with what has waited. `rows` returns the rows.
    """

    waits: tuple[type, ...]
    rows: Callable[[InSequence], Sequence[str]]
    repeated: tuple[type, ...] = ()
    """Those that a later row repeats. The player who typed such a move needs no row for it at once."""
    as_spectators: AsSpectators = in_own_words
    """Which players get the rows of a spectator, which are made once."""


@attrs.frozen
class Purse:
    """Units that players bring to a game and take away: chips, or a lifetime balance. They belong to the account.

    `unit` is the name of one ("chip"), and `first` is how many a new account has. `brings(options, held)` is what a
    seat brings, given what the account holds. `changes(view)` is what each seat has won or lost so far. `staying(view)`
    are the seats still in; the others have left for good, so their changes are final. Units at a table are nowhere else
    meanwhile.
    """

    unit: str
    brings: Callable[[Any, int], int]
    changes: Callable[[Any], Sequence[int]]
    staying: Callable[[Any], Container[Seat]]
    first: int = 0
    staked: bool = False


@attrs.frozen
class HiddenShuffle:
    """A shuffle that a closed seal fixes in halves: `luck.for_(purpose, hand).shuffle(pack)` for a pack of `cards`.

    `begins` is the event with which a hand begins that is dealt so. Only a `proven` shuffle has leaves in the seal's
    tree, so that each card which was shown can be proved. A check finds a missing proof if it knows the `pack` before
    the shuffle. `told` is the event of a shuffle in mid-hand: cards that come after it have no proof.
    """

    purpose: str
    cards: int
    begins: type[Event]
    proven: bool = True
    pack: tuple[Any, ...] = attrs.field(default=(), eq=False, repr=False)
    told: type[Event] | None = None


@attrs.frozen
class HiddenDigits:
    """Digits that a closed seal fixes in halves: `luck.for_(purpose, hand, place)`, then a choice for each digit.

    Other choices of the same purpose are public; `before` says how many items each has that comes before the digits.
    """

    purpose: str
    lines: int
    digits: int
    """Digits in a line."""
    before: tuple[int, ...] = ()


FactName = tuple[str | int, ...]
"""The name of a fact: `("card", 3, "text")`."""


@attrs.frozen
class Facts:
    """Named facts of a deal that a closed seal keeps hidden: a root at the start fixes the value of each.

    `names(options, seats)` lists them all, and `values(state)` has their values at the start in the same order: text,
    numbers or booleans. `told(event)` yields the facts that an event tells its reader, each with its value.
    """

    names: Callable[[Any, int], Sequence[FactName]]
    values: Callable[[Any], Sequence[str | int]]
    told: Callable[[Event], Iterable[tuple[FactName, str | int]]]


@attrs.frozen
class Attempt:
    """One kind of attempt of a seat in a game and its success, for its owner's statistics.

    `what` names it in the plural ("bids made", "bluffs caught"), `detail` a kind of it ("bid 0").
    """

    seat: Seat
    what: str
    success: bool
    detail: str = ""


@attrs.frozen
class Parts:
    """Moves in parts, for screens on which people put a move together part by part.

    `of(move)` are its parts: joined with blanks, they are the move as it can be typed. It is empty for a move that is
    left out. A part that begins with `+ ` says more about what it follows. `heads` are the names of the parts that
    follow a verb; the last one also names the parts after it.
    """

    of: Callable[[Any], Sequence[str]]
    heads: Mapping[str, Sequence[str]]


EarlyEnd = Literal["abort", "tie", "resign"]
"""Ends of a game that players choose: without a result, with a draw, or lost by one of two."""


@attrs.frozen
class Achievement:
    """Something rare that a player can do at the table.

    `text` says what, after "you" ("made a bid of 0 with four aces in hand"). `seats(events, options)` are the seats
    that did it in a finished game. It is pure, so older games count, too.
    """

    name: str
    text: str
    seats: Callable[[Sequence[Any], Any], Iterable[Seat]]


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Game(Generic[StateT, ViewT, MoveT]):
    """A game as the server knows it. A plug-in's entry point names such a record.

    `tell(event, reader)` is the line for an event that the reader may see: "" for none, several separated by newlines.
    The server announces the end of the game. `show(view, reader)` is the table, `hand(view, reader)` the seat's hand,
    `score(view, reader)` the score sheet.
    `spell(move)` is a move as it is typed without the slash; the commands must read it back. `refusals` has a sentence
    for each code, with the facts in braces or as a function of the facts and the reader.
    """

    rules: Rules[StateT, ViewT, MoveT]
    title: str
    credit: str
    commands: tuple[Command, ...]
    tell: Callable[[Any, Reader], str]
    show: Callable[[ViewT, Reader], Sequence[str]]
    hand: Callable[[ViewT, Reader], Sequence[str]]
    score: Callable[[ViewT, Reader], Sequence[str]]
    spell: Callable[[MoveT], str]
    refusals: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]]
    ask: Callable[[ViewT, Sequence[MoveT], Reader], str] | None = None
    """The question of a turn in words ("bid 0 or 1"): screen readers get it, and everyone in a game without `asks`.

    If None, it is made from `asks`.
    """
    asks: Callable[[ViewT, Sequence[MoveT], Reader], Turn] | None = None
    """The turn as a value: the question, what the seat holds and has to know, and the moves worth naming.

    Pages and programs get it, and telnet screens rows made from it. Without it, a page shows the numbered moves alone,
    and the rows are no more than `ask`.
    """
    word: Callable[[MoveT, ViewT, Reader], str] | None = None
    """A move in words for a reader ("play nine of clubs"), without its recipient; None if `spell` is all there is."""
    picture: Callable[[ViewT, Reader], Picture] | None = None
    """The table as `/table` draws it; None if `show` is all there is."""
    merging: Merging | None = None
    """How bots' moves in sequence share a row; None if each has a row of its own."""
    api: int | None = None
    """The version of `lilygames.API` that a plug-in was written for; None if it doesn't say."""
    hands_to: Callable[[Any], Seat | None] = lambda event: None  # noqa: ARG005 - few lines name the next player
    """The next player, if an event's line names them, as a claim to bob does. Other lines add `Waiting for bob.`"""
    final: Callable[[ViewT, Reader], Sequence[str]] | None = None
    """The score sheet of a game that is over."""
    glance: Callable[[ViewT, Reader], Sequence[str]] | None = None
    """Public facts in a few words each, for the list of tables: `last round`, `bids 2 for 1 trick`.

    The first ones count most. If None, the facts of the picture are used.
    """
    playing: Callable[[ViewT], Container[Seat]] | None = None
    """The seats that still take part, from a spectator's view, if players can be out before the game is over."""
    offers: Callable[[ViewT, Sequence[MoveT]], Sequence[MoveT | None]] | None = None
    """The moves that `ask` numbers, best first, at most six, from a view and the legal moves.

    None leaves out a number, so that each number keeps its meaning. Without offers, the answer is itself a
    number (a bid), or all moves are numbered in order.
    """
    pages: Traversable | None = None
    """The folder of its help pages, if they aren't among the server's own."""
    sealed: bool = False
    """Whether the seal stays closed after the end, because the rules hide cards forever (mucked hands, discards)."""
    hidden: Callable[[Any], tuple[HiddenShuffle | HiddenDigits, ...]] = lambda options: ()  # noqa: ARG005
    """The draws that stay hidden where the seal stays closed, by the options. All others are public there.

    Without any, such a table is dealt as one with an open seal, and only `facts` can be proved.
    """
    facts: Facts | None = None
    """Facts that can be proved not to have changed since the deal, where a closed seal has no hidden draws."""
    fills: Callable[[Any, Callable[[str], str | None]], Any] | None = None
    """Fill options with the sysop's texts: `fills(options, find)`, where `find(name)` returns a text or None.

    Raises `Malformed` with a sentence about the text.
    """
    attempts: Callable[[Sequence[Any], Any], Iterable[Attempt]] = lambda events, options: ()  # noqa: ARG005
    """Statistics of a finished game: from its events and options, each seat's attempts and successes.

    The events are those that everyone may know after the end.
    """
    achievements: tuple[Achievement, ...] = ()
    """Rare things that players can do, for `/achievements`, found in the same events as `attempts`."""
    deals: Callable[[ViewT], Sequence[Sequence[int]]] | None = None
    """Each seat's points in each finished deal, if deals don't depend on each other; None compares whole games."""
    scores: Callable[[ViewT], Sequence[int]] | None = None
    """Each seat's score so far, which decides if a tournament's round ends in mid-game; None adds up `deals`."""
    early_ends: frozenset[EarlyEnd] = frozenset({"abort", "tie", "resign"})
    """How players can end a game before its end."""
    purse: Purse | None = None
    """Units that players bring and take away; None if nothing outlives the game."""
    doubt: Callable[[ViewT, MoveT], str] = lambda view, move: ""  # noqa: ARG005 - in most games no move is so odd
    """Why a legal move is odd, in a sentence, for players who want to confirm such moves; empty if it isn't."""
    tagline: str = ""
    """A few words for the list of games: "pass poker dice and a claim"."""
    other_names: tuple[str, ...] = ()
    """Other names ("dice", "oh hell"). Case, spaces and punctuation don't matter."""
    quick: int = 4
    """Seats at a table that `/quick` opens."""
    quick_options: Any = None
    """Options of a table that `/quick` opens, for a short game; None for the default ones."""
    minutes: int = 5
    """Typical length of such a game, in minutes."""
    daily_options: Any = None
    """Options of the daily deal; None for those of `/quick`.

    A game that hides something forever, or that people join, has a daily deal only with such options. It is played
    with an open seal and without a purse, and nobody joins it.
    """
    forced: Callable[[ViewT, Seat], bool] = lambda view, seat: False  # noqa: ARG005 - seldom does everyone see it
    """Whether everyone can see that a seat has only one move, from a spectator's view: a bot then makes it at once."""
    everyone_acts: Callable[[Any, int], bool] = lambda options, seats: True  # noqa: ARG005 - in most games all do
    """Whether every seat gets a move in a game with these options. If not, `/quick` doesn't use them."""
    players: Mapping[str, Strategy] = attrs.field(factory=dict)
    """Bots by level. The server fills this in for the games it ships."""
    limits: Mapping[str, Limit] = attrs.field(factory=dict)
    """The tables of levels that aren't offered at all of them."""
    strategy_versions: Mapping[str, str] = attrs.field(factory=dict)
    """Version of each bot's strategy, by level. Raise it when that bot's moves change: logs name it.

    A level without a version is recomputed as if its strategy had never changed.
    """
    earlier_strategies: Mapping[str, Mapping[str, Strategy]] = attrs.field(factory=dict)
    """Strategies of earlier versions, by level and version. Bots that sat down with one play on with it."""
    in_character: Callable[[Strategy, str, Character], Strategy] = without_character
    """A level's strategy as a bot with a character plays it. Only views, luck and the character decide its moves."""
    habits: tuple[str, ...] = ()
    """The habits of players that bots remember, at most three."""
    reveals: Callable[[Iterable[Any]], Iterable[Shown]] = lambda events: ()  # noqa: ARG005 - not every game has habits
    """The habits that the events of a move show everyone."""
    advise: Thinker | None = None
    """The strategy for `/hint`: the strongest bot, as one that returns an `Advice` from the seat's own view alone."""
    judge: Thinker | None = None
    """The strategy for `/review game`: it gets a seat's view at that time and its moves, the one played first.

    It returns an `Advice`, whose fact `cost` is how much better its own move is, by the strongest bot's calculation.
    """
    situation: Callable[[ViewT, Reader], str] | None = None
    """A seat's hand and what it had to answer, in a few words for `/review game`; None if `hand` says enough."""
    lesson: Lesson | None = None
    """The lesson for `/learn`."""
    remarks: Callable[[Sequence[Any]], Iterable[Remark]] = lambda events: ()  # noqa: ARG005 - bots need not talk
    """Remarks that bots may make about the events of a move, as everyone has seen them."""
    parts: Parts | None = None
    """Its moves in parts; None if the words of a typed move are its parts."""
    warm_up: Callable[[], object] = nothing
    """Fill the tables of its bots that search. Each worker process calls it by name before their first move."""
    prepare: Callable[[], object] = lambda: None
    """Do slow work once and keep the result. The server calls this before anyone logs in."""
    earlier: tuple[Game, ...] = ()
    """Earlier versions of the rules, for tables that started with them."""

    @property
    def name(self) -> str:
        """The game's name as people type it."""
        return self.rules.NAME

    @cached_property
    def joins(self) -> bool:
        """Whether people can join and leave a game in progress."""
        return Join in get_args(self.rules.Move)

    def by_version(self, version: int) -> Game | None:
        """Return the game with a version of its rules, None if that isn't installed."""
        return next((game for game in (self, *self.earlier) if version == game.rules.VERSION), None)

    def refusal(self, code: str, facts: Mapping[str, Any], reader: Reader) -> str:
        """Return the sentence for a refusal, which says what to do instead. Raises `KeyError` for an unknown code."""
        words = self.refusals[code]
        return words(facts, reader) if callable(words) else words.format(**facts)
