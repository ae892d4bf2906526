"""The person whose quota counts an open table: the one who opened it, or the first player if they have left."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.names.names import fold
from lilygames.tables.duplicate.duplicate_set import is_name
from lilygames.tables.state.table import Table


def opener(table: Table) -> str:
    """Return the folded name of the person whose quota counts a table; empty if it counts for nobody."""
    header = table.header
    if header.tournament or header.lesson or is_daily(header.duplicate):
        return ""
    owners, host = table.seats.owners, fold(header.host)
    return host if host in owners or not owners else next(map(fold, _owners(table)))


def _owners(table: Table) -> Iterator[str]:
    return (who.stands_in or who.name for who in table.seats if fold(who.stands_in or who.name) in table.seats.owners)


def is_daily(duplicate: str) -> bool:
    """Return whether a duplicate set is a daily deal: its name is one that nobody can type."""
    return bool(duplicate) and not is_name(duplicate)
