"""How long games usually take, from the logs: a round's limit follows from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from statistics import median

from lilygames import codec
from lilygames.game import Game
from lilygames.store import Entry, Store
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.log.acts import Header

LOOKED_AT = 200
"""Tables that are looked at, the latest first."""
ENOUGH, FEWEST = 15, 5
"""Games that make up the median, and how few will do."""
SHORTEST = 600.0
"""Seconds of the shortest limit of a round."""


async def usual_length(store: Store, game: Game) -> float:
    """Return the median length of the latest finished games in seconds; without enough of them, the game's own word."""
    found = [length async for length in _lengths(store, game)]
    return median(found) if len(found) >= FEWEST else 60.0 * game.minutes


async def _lengths(store: Store, game: Game) -> AsyncIterator[float]:
    """Yield the lengths of the latest finished games, at most `ENOUGH`."""
    head = (await store.heads([INDEX]))[INDEX]
    number = 0
    for entry in reversed((await store.read(INDEX, max(0, head - LOOKED_AT), LOOKED_AT)).entries):
        if number < ENOUGH and _is_of(entry, game):
            length = await _length(store, entry.seq)
            if length:
                number += 1
                yield length


def _is_of(entry: Entry, game: Game) -> bool:
    """Whether a header in the index is of a game; an unreadable one isn't."""
    try:
        header: Header = codec.from_text(entry.body, Header)
    except ValueError:
        return False
    return header.game == game.name


async def _length(store: Store, number: int) -> float:
    """Return a table's length from its first entry to its end; 0 if it isn't over."""
    name = f"table/{number}"
    head = (await store.heads([name]))[name]
    if not head:
        return 0.0
    first, last = await store.read(name, 0, 1), await store.read(name, head - 1, 1)
    over = last.entries and '"Closed"' in last.entries[0].body
    return last.entries[0].at - first.entries[0].at if over else 0.0


def round_limit(usual: float) -> float:
    """Return the limit of a round in seconds: twice the usual length of a game, and 10 minutes at least."""
    return max(SHORTEST, 2 * usual)
