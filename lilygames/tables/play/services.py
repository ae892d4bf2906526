"""The services that all tables share, in one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import attrs

from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.game import Think
from lilygames.scheduling.turns import OneByOne
from lilygames.store import Effect as StoredRow
from lilygames.store import Store
from lilygames.tables.log.acts import Sitter
from lilygames.tables.play.activity import TableActivity
from lilygames.tables.play.televisions import Televisions
from lilygames.tables.results.purses import Purses
from lilygames.tables.seal.rounds import Rounds
from lilygames.tables.seeks.seeks import RatingOf
from lilygames.tables.state.table import Table
from lilygames.tables.verify.slow_jobs import SlowJobs

Effect = Callable[[Table], Awaitable[None]]
"""A job at the end of a game. It may be called more than once and must take effect only once."""


@attrs.frozen
class ShuffleTimes:
    """Seconds that clients have at the start of a game."""

    commit: float
    """To commit, after they have been asked; the start waits for no longer."""
    reveal: float
    """To reveal."""
    again: float = 60.0
    """To reveal after a restart of the server, or of the node of a player whose number is missing."""

    def resumed(self, rounds: Rounds) -> float:
        """Return the seconds for a sealed round after a restart: more for the first one, none if nobody is missing."""
        return (self.reveal if rounds.resumed else self.again) if rounds.missing else 0.0


@attrs.frozen
class LogServices:
    """Everything with which a table's log is written and read."""

    store: Store
    node: str
    """The name of this node of a cluster; empty for a server that is one process."""
    row_written: Callable[[Sequence[StoredRow]], None]
    """Called with the public rows that were stored with an append."""
    new_salt: Callable[[], bytes]
    """Returns a new salt for the id of a person at a table."""
    lag: Callable[[str], float]
    """Seconds this node leaves other nodes to act on a log first, when any node may act."""
    bot_work: OneByOne
    """Divides what bots bring about into pieces, so that people's lines go first."""
    activity: TableActivity
    """Counts and logs what happens at the tables."""


@attrs.frozen
class Clocked:
    """Times for clocks and questions."""

    now: Callable[[], float]
    """The time in seconds since 1970."""
    watch: Callable[[], float]
    """A monotonic time in seconds, for the clocks."""
    vacation_ends: Callable[[str], float]
    """The end of a person's vacation by name, in seconds since 1970."""


@attrs.frozen
class Players:
    """Everyone who may sit at a table."""

    people: Everybody[Person]
    """People who are here or whose seats are kept, by folded name."""
    keep: Callable[[Person], None]
    """Saves a person's profile in the background."""
    account_like: Callable[[str], str]
    """The name of the account that a name is of, or looks like; empty if there is none."""
    come_back_word: Callable[[Person], Awaitable[str]]
    """Returns a new word with which a guest can come back to their seats; raises `StoreUnavailable`."""
    rating_of: RatingOf
    """The rating of a person by name, for a game and size."""


@attrs.frozen
class Chips:
    """Stakes of players in a game that is played for chips."""

    purses: Purses
    brought: Callable[[Table, Sitter], Awaitable[int]]
    """The stake of a player who sits down, in units of the game; may raise `UserError`."""


@attrs.frozen
class Bots:
    """How bots think, move and talk."""

    think: Think
    """Asks a bot for its move."""
    rethink: Think
    """Asks a bot for a move again, to check it, after all moves that games wait for."""
    budget_share: Callable[[], float]
    """The share of its budget that a bot's next move should be searched with: 1, or less while many moves wait."""
    pause: Callable[[], float]
    """Seconds between bots' moves."""
    latest: float | None
    """Seconds after which a bot's move is told at the latest; None sets no limit."""
    talk: bool
    """Whether bots say something now and then."""
    work: OneByOne
    """Divides what bots bring about into pieces, so that people's lines go first."""
    spoiled: Callable[[Table], Awaitable[str]]
    """Takes a game of a duplicate set out of the comparison, because a bot failed.

    Returns the case number; empty if it was out already.
    """


@attrs.frozen
class Shuffling:
    """How clients take part in shuffles."""

    times: ShuffleTimes
    """How long the start of a game waits for the players' clients."""
    slow: SlowJobs
    """Runs slow computations about closed seals."""
    cut_off: Callable[[str], bool]
    """Whether the node that serves a player may have died, so that their client is on its way to another one."""


@attrs.frozen
class AtTheEnd:
    """Jobs that follow the end of a game."""

    effects: tuple[Effect, ...]
    """Jobs at the end of a game, in order."""
    ended: Callable[[int], None]
    """Called with the number of a table whose game has ended, after the `effects`."""


@attrs.frozen
class TableServices:
    """The services that the tables of a host share. Each part of a table gets those that it uses."""

    log: LogServices
    clocked: Clocked
    players: Players
    chips: Chips
    bots: Bots
    shuffling: Shuffling
    at_the_end: AtTheEnd
    televisions: Televisions
    changed: Callable[[int], None]
    """Called with the number of a table whose game has started or whose seats or room have changed.

    Nobody is told before.
    """
