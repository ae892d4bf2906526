"""Presets: tables saved under a name, as the arguments of /new."""

from __future__ import annotations

import attrs

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

KIND = "presets"
MOST, LONGEST = 20, 200
"""Maximum presets per account, and characters per preset."""


@attrs.frozen
class Saved:
    """All presets of one account, by folded name."""

    lines: dict[str, str] = attrs.field(factory=dict)


class Presets:
    """Store of everyone's presets, by owner key."""

    def __init__(self, store: Store, accounts: Accounts, unreadable: UnreadableRows) -> None:
        self._store = store
        self._accounts = accounts
        self._unreadable = unreadable

    async def of(self, name: str) -> dict[str, str]:
        """Return a person's presets by name, each as arguments of /new; empty if unreadable."""
        key = self._accounts.key(name)
        body = await self._store.find(KIND, key)
        try:
            saved: Saved = codec.from_text(body, Saved) if body else Saved()
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return {}
        return saved.lines

    async def keep(self, name: str, lines: dict[str, str]) -> None:
        """Replace all of a person's presets; raises `StoreUnavailable`."""
        await self._store.keep(KIND, self._accounts.key(name), codec.to_text(Saved(lines)))
