"""Records in a table's log: a header and a sequence of acts.

The log holds inputs only; everything else is derived from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, get_args

import attrs

from lilygames import codec
from lilygames.game import LIES, Game
from lilygames.proofs.commitments import Sealed
from lilygames.tables.log import clocks
from lilygames.tables.log.clocks import Clock
from lilygames.tables.log.known_moves import KnownMove, known_move
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.text import Tag
from lilygames_rules.changed import maker
from lilygames_rules.kit import Outcome, Seat

HOUSE = (
    *("Ada", "Max", "Ida", "Otto", "Eva", "Hugo", "Nora", "Emil", "Lena", "Kurt", "Vera", "Anton"),
    *("Berta", "Fritz", "Irma", "Oskar", "Lotte", "Egon", "Greta", "Bruno", "Elsa", "Konrad", "Herta", "Alwin"),
)
"""Names of bots: more than any game has seats. Nobody else can register them."""
HANDS = 64
"""Hands that a Merkle root covers, unless a header says otherwise."""
Late = Literal["ask", "skip", "substitute"]
Fairness = Literal[0, 2]
"""How luck is keyed: by the position in the log (version 1, written as 0), or by what is drawn (version 2)."""


@attrs.frozen
class Remembered:
    """A bot's memory of a person's habit as it sits down: how many of their claims were lies, and how many true.

    For another habit, `lies` is how often they had it, and `truths` how often not.
    """

    name: str
    lies: int
    truths: int
    habit: str = attrs.field(default=LIES, metadata={codec.LATER: True})


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Sitter:
    """The player in a seat: a person by name, or a bot by name and level.

    `gone` marks a person who left for good during a game. A bot with `stands_in` is substituting for that person, who
    can take the seat back.
    """

    name: str
    level: str = ""
    gone: bool = False
    stands_in: str = ""
    left: bool = False
    """Whether a bot took the seat after its player left; the bot can be replaced."""
    strategy: str = attrs.field(default="", metadata={codec.LATER: True})
    """Version of a bot's strategy; empty if unknown."""
    memory: tuple[Remembered, ...] | None = attrs.field(default=None, metadata={codec.LATER: True})
    """A bot's memory of the people at the table from earlier games; None if it remembers nothing at all."""
    budget: int = attrs.field(default=0, metadata={codec.LATER: True})
    """Iterations that a bot may think for a move; 0 is the strategy's own limit."""
    temper: str = attrs.field(default="", metadata={codec.LATER: True})
    """A bot's temper; empty if it has none."""

    @property
    def house(self) -> bool:
        """Whether the player is a bot."""
        return bool(self.level)

    @cached_property
    def person(self) -> bool:
        """Whether the player is a person who hasn't left for good."""
        return not (self.level or self.gone)

    @property
    def starred(self) -> str:
        """Name in seat lists: `*Ada` for a bot. People's names can't contain an asterisk."""
        return f"*{self.name}" if self.level else self.name

    @property
    def listed(self) -> str:
        """Name in lists that also show a bot's level: `*Ada (novice)`."""
        return f"*{self.name} ({self.level})" if self.level else self.name

    @property
    def writer(self) -> str:
        """Name in log entries; a bot's can't be a person's name."""
        return f"{self.name} (house)" if self.level else self.name

    def __str__(self) -> str:
        return self.name


@attrs.frozen
class Header:
    """A table's settings when it is opened: game, rules version, room, options, seal, host and invitations.

    `late` says what happens when time runs out: `ask` the others, `skip` the turn, or `substitute` a bot.
    """

    number: int
    game: str
    version: int
    room: str
    options: dict[str, Any]
    seal: str
    host: str
    sealed: bool = False
    """Whether the secret stays closed after the game, because the rules keep something hidden forever."""
    invited: tuple[str, ...] = ()
    """People invited to play, in the order of their seats after the host's."""
    clock: Clock = clocks.NONE
    late: Late = "ask"
    private: bool = False
    """Whether only invited people may join, watch or know about the table."""
    rated: bool = True
    wanted: int = 0
    """Number of players at which the game starts automatically; 0 never does."""
    lesson: int = attrs.field(default=0, metadata={codec.LATER: True})
    """Version of the lesson played here; 0 in an ordinary game."""
    fairness: Fairness = attrs.field(default=0, metadata={codec.LATER: True})
    """Version of the seal: 2, to whose key clients contribute; 0 in a lesson, which draws nothing."""
    root: str = attrs.field(default="", metadata={codec.LATER: True})
    """Merkle root of the hidden half of a closed seal; empty for an open one."""
    duplicate: str = attrs.field(default="", metadata={codec.LATER: True})
    """Name of the duplicate set whose cards are dealt here; empty if there is none."""
    keyed: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether the table's secret is the key of that set, which is sealed already. The set's first table seals it."""
    accepts: str = attrs.field(default="", metadata={codec.LATER: True})
    """Formula of a seek: who may sit down, unless they're invited. Empty accepts everyone."""
    tournament: str = attrs.field(default="", metadata={codec.LATER: True})
    """The tournament, round and table that this table is opened for: `3/2/5`; empty for none."""
    simul: int = attrs.field(default=0, metadata={codec.LATER: True})
    """When the simul that this table belongs to was opened, in seconds since 1970; 0 for none."""
    hands: int = attrs.field(default=HANDS, metadata={codec.LATER: True})
    """Number of hands that a Merkle root of a closed seal covers."""
    soft: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether a bot plays the turn of someone who is silent while another person waits, although there is no clock."""
    open_seats: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether anyone may take a bot's seat when a round begins."""
    party: str = attrs.field(default="", metadata={codec.LATER: True})
    """Code of a party, `PEAR42`: whoever knows it may join, and may show the table on a television. Empty for none."""
    ids: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether ids stand for people in the stored header and log. In exports of format 2 their names do."""
    people: SeatIds = attrs.field(default=SeatIds(), metadata={codec.BESIDE: True}, eq=False, repr=False)
    """Those people's ids and names, which are stored beside the log, so that a name can be deleted."""

    @property
    def tag(self) -> Tag:
        """The tag on the table's lines."""
        return Tag(self.room, self.number)

    def game_in(self, games: Mapping[str, Game]) -> Game | None:
        """Return the game in the rules version the table started with.

        Returns None if that version, or that of its lesson, isn't installed.
        """
        found = games.get(self.game)
        game = found.by_version(self.version) if found else None
        return game if game and self._can_be_taught(game) else None

    def _can_be_taught(self, game: Game) -> bool:
        return not self.lesson or (game.lesson is not None and game.lesson.version == self.lesson)


@attrs.frozen
class Seated:
    """Someone joins at this seat, or leaves it (None).

    Before the start, later seats shift to make room or close the gap.
    """

    seat: Seat
    who: Sitter | None


@attrs.frozen
class Cut:
    """A seated player adds a word to the seal before the start."""

    seat: Seat
    word: str


@attrs.frozen
class Committed:
    """A player's client fixes a random number by its hash. A second commitment replaces the first."""

    name: str
    commit: str


@attrs.frozen
class Sealing:
    """Seats, options, words and commitments are fixed; from now on the clients reveal their numbers."""

    sealing: Sealed


@attrs.frozen
class Revealed:
    """A client reveals the number it has committed to (hexadecimal)."""

    name: str
    nonce: str


@attrs.frozen
class Voided:
    """A round is void because `missing` didn't reveal in time; its secret is opened and the next seal shown.

    In a running game secret and seal stay, so both are empty.
    """

    round: int
    missing: tuple[str, ...]
    secret: str
    next_seal: str
    next_root: str = attrs.field(default="", metadata={codec.LATER: True})


@attrs.frozen
class Rooted:
    """A running game whose seal stays closed shows the Merkle root of its hands from `first` on, in a new round."""

    root: str
    first: int


@attrs.frozen
class Start:
    """The game starts; `purses` is what each seat brings, if the game uses them.

    `root` fixes the facts of a deal whose seal stays closed, if the game has any.
    """

    purses: tuple[int, ...] = ()
    root: str = attrs.field(default="", metadata={codec.LATER: True})


@attrs.frozen
class Joined:
    """A player joins a running game that allows it, at a new last seat."""

    seat: Seat
    who: Sitter
    purse: int = 0


@attrs.frozen
class Left:
    """A player leaves a running game that allows it. The seat keeps its number and name."""

    seat: Seat


@attrs.frozen
class Moved:
    """A seat moves; `move` is the move as JSON."""

    seat: Seat
    move: dict[str, Any]
    strategy: str = attrs.field(default="", metadata={codec.LATER: True})
    """Version of the bot's strategy, if the server was updated since the bot sat down, or with `budget`; else empty."""
    budget: int = attrs.field(default=0, metadata={codec.LATER: True})
    """Iterations that this strategy searched, if not those that its seat names; otherwise 0."""
    default: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether the table made the default move because the bot failed or thought too long."""
    known: KnownMove | None = attrs.field(default=None, metadata={codec.BESIDE: True}, eq=False, repr=False)
    """The move, if it needn't be read from `move`."""

    @classmethod
    def of(cls, rules: Any, seat: Seat, move: Any) -> Moved:
        """Return the act of a move; raises `TypeError` if it can't be written."""
        known = known_move(rules, move)
        return _moved(seat, known.stored if known else codec.dump(move), known=known)

    @property
    def text(self) -> str:
        """The act as it is stored."""
        if self.known is None or self.strategy or self.budget or self.default:
            return codec.to_text(self)
        return codec.text_of_parts(Moved, move=self.known.text, seat=str(self.seat))


_moved = maker(Moved)


@attrs.frozen
class Expired:
    """A seat ran out of time and the table made this move; `generation` is the entry that asked it."""

    seat: Seat
    generation: int
    move: dict[str, Any]


@attrs.frozen
class Paused:
    """The table is adjourned: no moves, and clocks stop."""


@attrs.frozen
class Resumed:
    """An adjourned table resumes."""


@attrs.frozen
class Paced:
    """The table switches to another clock."""

    clock: Clock


@attrs.frozen
class Undone:
    """Moves are undone: the game and its clock return to their state after entry `to`."""

    to: int


@attrs.frozen
class UndoneUncounted:
    """Moves are undone like `Undone`, although luck was drawn or something hidden shown since entry `to`.

    From then on the game doesn't count for ratings or statistics, and no chips are won.
    """

    to: int


@attrs.frozen
class Hinted:
    """Players may see hints from now on, so the game doesn't count."""


Note = Literal["invited", "declined", "agreed", "granted", "passes", "plays", "starts", "again"]


@attrs.frozen
class Noted:
    """A note about a person at the table, which doesn't change the game.

    The person is invited or declines, agrees to a proposal (`more`), gets more time (`more`: seconds), turns autopass
    on or off, or wants the start, which waits for commitments. After a restart, clients get time to reveal `again`.
    """

    what: Note
    name: str
    more: str = ""


@attrs.frozen
class Frozen:
    """The table is frozen: no moves until `Unfrozen` or `Adjudicated`."""

    by: str
    why: str


@attrs.frozen
class Unfrozen:
    """A frozen table's game may be played again."""

    by: str


@attrs.frozen
class Adjudicated:
    """Someone ends the game with a stated result; None means that nobody wins."""

    by: str
    why: str
    result: Outcome | None


@attrs.frozen
class Forgotten:
    """A person's name has been deleted beside the log; from now on they are a former player."""

    name: str


@attrs.frozen
class Checked:
    """The host's check of the bots' moves: how many there were, followed from their views, and didn't.

    `defaults` are default moves, which the table made because the bot failed. The rest couldn't be checked. In older
    logs default moves are among these.
    """

    moves: int
    same: int
    other: int = 0
    defaults: int = attrs.field(default=0, metadata={codec.LATER: True})


@attrs.frozen
class Closed:
    """The table is closed. `secret` opens the seal (hexadecimal; empty if it stays closed)."""

    secret: str
    checked: Checked | None = attrs.field(default=None, metadata={codec.LATER: True})
    """The host's check of the bots' moves, if the seal stays closed: nobody else can recompute them."""


RoundAct = Committed | Sealing | Revealed | Voided | Rooted
"""An act of a commit-reveal round: before the start, before a newcomer joins, or for a new root."""
Act = (
    (Seated | Cut | RoundAct | Start | Joined | Left | Moved | Expired)
    | (Paused | Resumed | Paced | Undone | UndoneUncounted | Hinted | Noted)
    | (Frozen | Unfrozen | Adjudicated | Forgotten | Closed)
)
Acts = frozenset[type[Act]]
"""Kinds of acts, as an observer of a table declares them."""
EVERY_ACT: Acts = frozenset(get_args(Act))
NOTES: Acts = frozenset({Noted})
MOVES: Acts = frozenset({Moved, Expired})
OTHER_ACTS: Acts = EVERY_ACT - MOVES
"""Everything that isn't a move or a skipped turn."""


@attrs.frozen
class Body:
    """The body of a log entry: the act, and a digest of the history up to it.

    The digest covers all acts and the events they caused. It lets a replay detect where it differs from the original.
    """

    act: Act
    told: str
