"""The rules on who may see what of a game. No other code asks an event who may see it (`seen_by`).

Everything that leaves a table passes through here: screens, packets for programs, the log, replays, the exported log.
The state as a seat may see it is `Table.view`, a rule of the game.

At the end of a game its seal is opened, and everyone may see everything. The exception is a game whose rules keep
something hidden forever (`Header.sealed`): everyone then still sees only what they could see before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.log.acts import Act, Body, Closed, Expired, Header, Moved
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Event, Seat


def seen(event: Event, seat: Seat | None) -> Event | None:
    """Return an event as a seat, or a spectator, may see it; None if it is hidden."""
    known: Event | None = event.seen_by(seat)
    return known


def all_seen(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return events as a seat, or a spectator, may see them."""
    return tuple([known for event in events if (known := event.seen_by(seat)) is not None])


def act_of_closed_log(act: Act) -> Act | None:
    """Return an act as the log of a game that stays closed shows it; None for moves, which may hide cards."""
    return None if isinstance(act, Moved | Expired) else act


def is_open(header: Header, *, over: bool) -> bool:
    """Return whether everyone may see everything of a game."""
    return over and not header.sealed


def told(header: Header, events: Iterable[Event], seat: Seat | None, *, over: bool) -> tuple[Event, ...]:
    """Return events as a seat may see them now: in full once the game is open, otherwise its own part."""
    return tuple(events) if is_open(header, over=over) else all_seen(events, seat)


def views_open(header: Header, seats: int, own: Seat | None, *, over: bool) -> tuple[Seat, ...]:
    """Return the seats whose view of a game a person may see: every seat's once it is open, otherwise their own."""
    return tuple(range(seats)) if is_open(header, over=over) else () if own is None else (own,)


def has_secret(own: Any, public: Any) -> bool:
    """Return whether a seat's view tells it more than everyone may know: spectators have the `public` one."""
    return bool(attrs.evolve(own, seat=None) != public) if attrs.has(type(own)) and hasattr(own, "seat") else True


def published_secret(table: Table) -> str:
    """Return the secret that the end of a game publishes, in hexadecimal.

    It is empty if the seal stays closed, or if other tables may still play with the same cards.
    """
    return table.secret.hex() if is_open(table.header, over=True) and not table.header.duplicate else ""


def shows_parts(header: Header) -> bool:
    """Return whether everyone gets the part of a finished game's log that they saw, since its seal stays closed."""
    return header.sealed and header.fairness > 0 and not header.duplicate


def is_over(entries: Sequence[Entry]) -> bool:
    """Return whether a log has come to its end."""
    try:
        return bool(entries) and isinstance(codec.from_text(entries[-1].body, Body).act, Closed)
    except ValueError:
        return False


def secret_in(entries: Sequence[Entry]) -> bytes | None:
    """Return the secret that a finished game's last entry publishes, or None."""
    try:
        act = codec.from_text(entries[-1].body, Body).act
        return bytes.fromhex(act.secret) if isinstance(act, Closed) and act.secret else None
    except (IndexError, ValueError):
        return None


def why_not_whole(header: Header, entries: Sequence[Entry]) -> str:
    """Return why a game's whole log may not be shown; empty if it may."""
    if not is_open(header, over=True):
        return "its seal stays closed"
    return "it isn't over yet" if secret_in(entries) is None else ""


def is_public(header: Header, *, set_opened: bool) -> bool:
    """Return whether a table may have a page that everyone can read, also without an account.

    Tables of a duplicate set, daily deals too, may once nobody can play with its cards any more: `set_opened` says so.
    Other private tables, and lessons, never do. Of a game whose seal stays closed, the page shows only the result.
    """
    if header.lesson:
        return False
    return set_opened if header.duplicate else not header.private
