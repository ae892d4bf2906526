"""Read the records of a kind around damage, so that it costs only what is damaged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged, Store

_PAGE = 500
"""Records that are read at once around damage."""
_CHARACTERS = [chr(code) for code in range(0x20, 0x80)]
"""Characters of which a key beyond the damage is made; all others follow them."""
_LONGEST = 40
"""Characters of such a key, at most."""


async def readable(store: Store, kind: str, unreadable: UnreadableRows) -> dict[str, str]:
    """Return all records of a kind that can be read, by key, and report damage. Raises `StoreUnavailable`.

    Use it only for what people can do without: nobody knows what the damaged records say, nor their keys.
    """
    try:
        return await store.every(kind)
    except Damaged as problem:
        unreadable.report_damage(kind, problem)
    found = dict[str, str]()
    first: str | None = ""
    while first is not None:
        page, is_damaged = await _up_to_damage(store, kind, first)
        found |= page
        last = [*page][-1] if page else first
        first = await _beyond(store, kind, last) if is_damaged else None
    return found


async def _up_to_damage(store: Store, kind: str, first: str) -> tuple[dict[str, str], bool]:
    """Return the records from a key on, up to the damage or the end, and whether it is damage."""
    found, limit = dict[str, str](), _PAGE
    while limit:
        try:
            page = await store.every(kind, first, limit)
        except Damaged:
            limit //= 2
            continue
        found |= page
        if len(page) < limit:
            return found, False
        first = f"{[*page][-1]}\0"
    return found, True


async def _beyond(store: Store, kind: str, last: str) -> str | None:
    """Return the nearest key from which on records after the damage can be read; None if there are none.

    `last` is the last key before the damage. The key is found one character after another.
    """

    async def is_beyond(first: str) -> bool:
        if first <= last:
            return False
        try:
            await store.every(kind, first, 1)
        except Damaged:
            return False
        return True

    damaged, nearest = "", None
    for _ in range(_LONGEST):
        place = await _first_place([damaged + each for each in _CHARACTERS], is_beyond)
        if place < len(_CHARACTERS):
            nearest = damaged + _CHARACTERS[place]
        if place == 0:
            break
        damaged += _CHARACTERS[place - 1]
    return nearest


async def _first_place(keys: Sequence[str], is_beyond: Callable[[str], Awaitable[bool]]) -> int:
    """Return the place of the first of some keys, in order, that is beyond; their number if none is."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if await is_beyond(keys[middle]):
            high = middle
        else:
            low = middle + 1
    return low
