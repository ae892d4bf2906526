"""What may be known of a game, and by whom. Nothing else asks an event who may see it (`seen_by`).

Every way out of a table leads through here: screens, packets for programs, the log, replays, the exported log. What a
seat may know of the state itself is `Table.view`, which is a rule of the game.

There is one rule about the end: when a game is over its seal is opened, and then everybody may know everything, unless
the rules keep something hidden for ever (`Header.sealed`): then each goes on to know what they could know before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.log import Body, Closed, Header
from lilygames.tables.table import Table
from rules.kit import Event, Seat


def seen(event: Event, seat: Seat | None) -> Event | None:
    """Return an event as a seat, or a watcher, may know it; None where it may know nothing of it."""
    known: Event | None = event.seen_by(seat)
    return known


def all_seen(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return what a seat, or a watcher, may know of some events."""
    return tuple([known for event in events if (known := event.seen_by(seat)) is not None])


def is_open(header: Header, *, over: bool) -> bool:
    """Return whether everybody may know everything of a game."""
    return over and not header.sealed


def told(header: Header, events: Iterable[Event], seat: Seat | None, *, over: bool) -> tuple[Event, ...]:
    """Return some events as a seat may know them now: all of each once the game is open, before that its own part."""
    return tuple(events) if is_open(header, over=over) else all_seen(events, seat)


def published_secret(table: Table) -> str:
    """Return the secret that the end of a game publishes, in hexadecimal; empty where the seal stays closed."""
    return table.secret.hex() if is_open(table.header, over=True) else ""


def secret_in(entries: Sequence[Entry]) -> bytes | None:
    """Return the secret that the last entry of a finished game publishes, None where it does not."""
    try:
        act = codec.from_text(entries[-1].body, Body).act
        return bytes.fromhex(act.secret) if isinstance(act, Closed) and act.secret else None
    except (IndexError, ValueError):
        return None


def why_not_whole(header: Header, entries: Sequence[Entry]) -> str:
    """Return why nobody may have the whole log of a game; empty where everybody may."""
    if not is_open(header, over=True):
        return "its seal stays closed"
    return "it is not over" if secret_in(entries) is None else ""
