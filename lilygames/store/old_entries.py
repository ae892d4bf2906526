"""Delete the old entries at the beginning of a log, whatever the clock has said in the past."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from lilygames.store import Entry, Store

PAGE = 200
"""Entries read and deleted at once."""


async def trim_old(store: Store, log: str, moment: float, now: float, blank: str | None = None) -> int:
    """Delete the entries of a log from before a moment (UTC seconds), and return how many.

    An entry is as old as the newest one up to it, in case the clock was set back for a while. An entry from the future
    doesn't count, and goes with those around it. The last entry of a log gets the body `blank`, or stays for None.
    Raises `StoreUnavailable`.
    """
    deleted = 0
    while True:
        page = await store.read(log, 0, PAGE)
        old = _old(page.entries, moment, now)
        if blank is None and old and old[-1].seq == page.head:
            old = old[:-1]
        if not old or [entry.body for entry in old] == [blank]:
            return deleted
        await store.trim(log, old[-1].seq, blank or "")
        deleted += len(old)
        if len(old) < len(page.entries):
            return deleted


def _old(entries: Sequence[Entry], moment: float, now: float) -> Sequence[Entry]:
    """Return the first entries that are old, up to one with a date in the past: later ones may be new."""
    old = [*takewhile(lambda entry: not moment <= entry.at <= now, entries)]
    while old and old[-1].at > now:
        old.pop()
    return old
