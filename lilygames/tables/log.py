"""What a table's log says: a header, and acts in sequence. Inputs only; everything else is derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import attrs

from lilygames import codec
from lilygames.game import Game
from lilygames.tables import clocks
from lilygames.tables.clocks import Clock
from lilygames.text import Tag
from rules.kit import Seat

HOUSE = (
    *("Ada", "Max", "Ida", "Otto", "Eva", "Hugo", "Nora", "Emil", "Lena", "Kurt", "Vera", "Anton"),
    *("Berta", "Fritz", "Irma", "Oskar", "Lotte", "Egon", "Greta", "Bruno", "Elsa", "Konrad", "Herta", "Alwin"),
)
"""Names of house players, more than any game has seats; nobody else may register them."""
Late = Literal["ask", "skip", "substitute"]


@attrs.frozen
class Sitter:
    """Who has a seat: a person by name, or a house player by name and level.

    `gone` got up in mid-game for good; a house player who `stands_in` for somebody gives the seat back to that name.
    """

    name: str
    level: str = ""
    gone: bool = False
    stands_in: str = ""
    left: bool = False
    """Whether a house player has the seat since somebody left it, who may be replaced."""

    @property
    def house(self) -> bool:
        """Whether it is a house player."""
        return bool(self.level)

    @cached_property
    def person(self) -> bool:
        """Whether somebody has to be waited for: no house player, and not gone."""
        return not (self.level or self.gone)

    @property
    def starred(self) -> str:
        """The name where seats are listed: `*Ada` for a bot. People's names can't contain a star."""
        return f"*{self.name}" if self.level else self.name

    @property
    def listed(self) -> str:
        """The name in lists that also show a bot's level: `*Ada (novice)`."""
        return f"*{self.name} ({self.level})" if self.level else self.name

    @property
    def writer(self) -> str:
        """The name in log entries; no person can have the one of a bot."""
        return f"{self.name} (house)" if self.level else self.name

    def __str__(self) -> str:
        return self.name


@attrs.frozen
class Header:
    """What a table is before anybody sits: its number, game and rules version, room, options, seal, host and guests.

    Its clock, and what becomes of a seat whose time is up: `ask` the others, `skip` it, or `substitute` a house player.
    """

    number: int
    game: str
    version: int
    room: str
    options: dict[str, Any]
    seal: str
    host: str
    sealed: bool = False
    """Whether the secret stays with the host after the end, as the rules keep something hidden for ever."""
    invited: tuple[str, ...] = ()
    """Who has been asked to play, in the order in which they are to sit behind the host."""
    clock: Clock = clocks.NONE
    late: Late = "ask"
    private: bool = False
    """Whether only who is invited may sit, look on, or know of it."""
    rated: bool = True
    wanted: int = 0
    """How many have to sit down for the game to begin by itself; 0 where it does not."""
    lesson: int = attrs.field(default=0, metadata={codec.LATER: True})
    """The version of the game's lesson that is played here; 0 where it is a game like any other."""

    @property
    def tag(self) -> Tag:
        """What lines of the table name it by."""
        return Tag(self.room, self.number)

    def game_in(self, games: Mapping[str, Game]) -> Game | None:
        """Return the game by the rules that the table began with, None where these, or its lesson, are not here."""
        found = games.get(self.game)
        game = found.by_version(self.version) if found else None
        return game if game and self._can_be_taught(game) else None

    def _can_be_taught(self, game: Game) -> bool:
        return not self.lesson or (game.lesson is not None and game.lesson.version == self.lesson)


@attrs.frozen
class Seated:
    """Somebody takes the seat (before the start others move up for it); None gets up."""

    seat: Seat
    who: Sitter | None


@attrs.frozen
class Cut:
    """Somebody who sits adds a word to the seal before the start."""

    seat: Seat
    word: str


@attrs.frozen
class Start:
    """The cards are dealt to those who sit; `purses` are what each seat brings, where the game asks for it."""

    purses: tuple[int, ...] = ()


@attrs.frozen
class Joined:
    """Somebody sits down at a game that goes on and lets newcomers in: at a new seat behind all others."""

    seat: Seat
    who: Sitter
    purse: int = 0


@attrs.frozen
class Left:
    """A seat gets up for good from a game that lets people go; the seat keeps its number and its name."""

    seat: Seat


@attrs.frozen
class Moved:
    """A seat made a move; `move` is the move's JSON form."""

    seat: Seat
    move: dict[str, Any]


@attrs.frozen
class Expired:
    """A seat's time was up, and the table made this move for it; `generation` is the entry at which it was asked."""

    seat: Seat
    generation: int
    move: dict[str, Any]


@attrs.frozen
class Paused:
    """The table is adjourned: nobody moves, and no clock runs."""


@attrs.frozen
class Resumed:
    """An adjourned table goes on."""


@attrs.frozen
class Paced:
    """The table has another clock from now on."""

    clock: Clock


@attrs.frozen
class Undone:
    """Moves are taken back: the game and its clock are again as they were after entry `to`.

    In logs of earlier releases `to` may name a note after the last move; that move alone is taken back then.
    """

    to: int


@attrs.frozen
class UndoneUncounted:
    """Moves are taken back as by `Undone`, though luck was drawn or something hidden was shown since entry `to`.

    From then on the game doesn't count: not for ratings, not in statistics, and no chips are won.
    """

    to: int


@attrs.frozen
class Hinted:
    """The players may see hints from now on, so the game doesn't count."""


Note = Literal["invited", "declined", "agreed", "granted", "passes", "plays"]


@attrs.frozen
class Noted:
    """What was said about somebody at the table, and changes nothing in the game.

    They are invited or decline, agree to a wish (`more`), are granted time (`more`: seconds), let the table pass for
    them or play again themselves.
    """

    what: Note
    name: str
    more: str = ""


@attrs.frozen
class Closed:
    """The table is over. `secret` opens the seal (hexadecimal; empty where it stays closed)."""

    secret: str


Act = (Seated | Cut | Start | Joined | Left | Moved | Expired) | (
    Paused | Resumed | Paced | Undone | UndoneUncounted | Hinted | Noted | Closed
)


@attrs.frozen
class Body:
    """The body of an entry: the act, and the digest of the story up to it (all acts, and all that they made happen).

    The digest is no output but a check on it: whoever replays the log learns where it was told otherwise.
    """

    act: Act
    told: str
