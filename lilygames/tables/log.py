"""What a table's log says: a header, and acts in sequence. Inputs only; everything else is derived from them."""

from __future__ import annotations

from typing import Any

import attrs

from rules.kit import Seat


@attrs.frozen
class Sitter:
    """Who has a seat: a person by name, or a house player by name and level; `gone` got up in mid-game for good."""

    name: str
    level: str = ""
    gone: bool = False

    @property
    def house(self) -> bool:
        """Whether it is a house player."""
        return bool(self.level)

    @property
    def person(self) -> bool:
        """Whether somebody has to be waited for: no house player, and not gone."""
        return not (self.house or self.gone)

    def __str__(self) -> str:
        return f"{self.name} (house)" if self.level else self.name


@attrs.frozen
class Header:
    """What a table is before anybody sits: its number, game and rules version, room, options, seal, host and guests."""

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
class Closed:
    """The table is over. `secret` opens the seal (hexadecimal; empty where it stays closed)."""

    secret: str


Act = Seated | Cut | Start | Joined | Left | Moved | Closed


@attrs.frozen
class Body:
    """The body of an entry: the act, and the digest of the story up to it (all acts, and all that they made happen).

    The digest is no output but a check on it: whoever replays the log learns where it was told otherwise.
    """

    act: Act
    told: str
