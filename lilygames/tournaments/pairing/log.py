"""Records in a tournament's log: a header and a sequence of acts. The log holds inputs; the rest is derived from them.

Players are named by the key of their account, which survives renaming.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import attrs

from lilygames import codec
from lilygames.tables.log.clocks import Clock
from lilygames.tournaments.pairing.points import HalfPoints

Form = Literal["swiss", "robin", "knockout", "arena"]
Seeding = Literal["lot", "rating"]
CLOCK = Clock(move=60)
"""The clock of a tournament whose organizer names none."""
FEWEST_PLAYERS = 4
"""Players who must be there at the start of a tournament that a person organizes."""
BOTS_AFTER = 90.0
"""Seconds that someone waits in such an arena before bots fill up a table."""
FORMS: tuple[Form, ...] = get_args(Form)


@attrs.frozen
class Header:
    """A tournament's settings when it is created. `number` is its place in the index of tournaments."""

    number: int
    name: str
    """The name of its room."""
    form: Form
    game: str
    version: int
    options: dict[str, Any]
    by: str
    """The organizer's account key; empty for one of the place's own tournaments."""
    starts: float
    """When round 1 begins, in seconds since 1970."""
    seed: str
    """The hash of the seed of all lots, published before anyone joins."""
    seats: int = 4
    rounds: int = 0
    """Number of rounds; 0 for the number that suits the players."""
    clock: Clock = CLOCK
    duplicate: bool = False
    """Whether all tables of a round get the same cards."""
    pause: int = 30
    """Seconds between two rounds."""
    minutes: int = 0
    """Length of an arena."""
    final: int = 0
    """Number of leaders who play one more table for the first places; 0 for none."""
    bye: Literal["points", "bot"] = "points"
    """Points or a game with a bot for a player who is over in a round of duels."""
    seeding: Seeding = attrs.field(default="lot", metadata={codec.LATER: True})
    """The order of round 1 of a Swiss tournament or a knockout."""
    least: int = attrs.field(default=FEWEST_PLAYERS, metadata={codec.LATER: True})
    """Players who must be there at the start."""
    bots_after: float = attrs.field(default=BOTS_AFTER, metadata={codec.LATER: True})
    """Seconds that someone waits in an arena before bots fill up a table."""
    series: str = attrs.field(default="", metadata={codec.LATER: True})
    """The key of the series in the schedule that it belongs to; empty for none."""

    @property
    def of_place(self) -> bool:
        """Whether it is one of the place's own tournaments: joining is checking in, and nobody is banned."""
        return not self.by

    @property
    def called(self) -> str:
        """Name and number: `ohell-swiss (tournament 3)`."""
        return f"{self.name} (tournament {self.number})"


@attrs.frozen
class Joined:
    """Someone joins, or comes back after leaving or a no-show."""

    key: str
    name: str
    guest: bool = attrs.field(default=False, metadata={codec.LATER: True})


@attrs.frozen
class Left:
    """Someone leaves the tournament."""

    key: str


@attrs.frozen
class CheckedIn:
    """Someone is there for the start: by command, or because they are in the room."""

    key: str


@attrs.frozen
class KeptApart:
    """Two people don't meet if it can be avoided."""

    one: str
    other: str


@attrs.frozen
class Delayed:
    """Too few players are there, so the start waits."""

    until: float


@attrs.frozen
class PairedTable:
    """A table of a round: its people in the order of their seats, and how many bots sit down after them."""

    people: tuple[str, ...]
    bots: int = 0


@attrs.frozen
class Bye:
    """Someone doesn't play this round, and gets these points."""

    key: str
    points: HalfPoints


@attrs.frozen
class RoundPaired:
    """A round begins: the seed and the order that its pairing followed from, and all of its tables."""

    round: int
    of: int
    """Number of rounds; 0 if it isn't known, as in a knockout."""
    seed: str
    order: tuple[str, ...]
    tables: tuple[PairedTable, ...]
    byes: tuple[Bye, ...] = ()
    final: bool = False


@attrs.frozen
class TableAdded:
    """A table of an arena is paired."""

    table: PairedTable


@attrs.frozen
class TableOpened:
    """A table of a round was opened under this number, and its players have their seats."""

    round: int
    table: int
    number: int


@attrs.frozen
class NoShow:
    """A player wasn't there in time, so a bot has their seat."""

    round: int
    table: int
    key: str


@attrs.frozen
class SeatResult:
    """A seat's result: its player (empty for a bot), the score, and whether the player left before the end."""

    key: str
    score: int
    left: bool = False


@attrs.frozen
class TableFinished:
    """A table is done. Without `seats` it has no result: everyone who was paired there gets 6 points."""

    round: int
    table: int
    seats: tuple[SeatResult, ...] = ()
    early: bool = False
    """Whether the game ended before everyone had moved; such a table counts nothing in an arena."""


@attrs.frozen
class Corrected:
    """The organizer corrects the scores of a table; everyone can see it."""

    round: int
    table: int
    scores: tuple[int, ...]
    by: str
    why: str


@attrs.frozen
class Lengthened:
    """The server was down for some seconds, which are added to all times of this tournament."""

    seconds: float


@attrs.frozen
class Cancelled:
    """The tournament is called off."""

    by: str
    why: str


@attrs.frozen
class Finished:
    """The tournament is over."""


Act = (
    (Joined | Left | CheckedIn | KeptApart | Delayed)
    | (RoundPaired | TableAdded | TableOpened | NoShow | TableFinished | Corrected)
    | (Lengthened | Cancelled | Finished)
)


@attrs.frozen
class Body:
    """The body of a log entry."""

    act: Act


def tag(tournament: int, round_: int, table: int) -> str:
    """Return how a table's header names the tournament, round and table it was opened for."""
    return f"{tournament}/{round_}/{table}"
