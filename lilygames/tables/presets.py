"""Tables that people have saved under a name of their own: the words that /new takes."""

from __future__ import annotations

import attrs

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.store import Store
from lilygames.unreadable import UnreadableRows

KIND = "presets"
MOST, LONGEST = 20, 200
"""Presets that one account may have, and characters of one."""


@attrs.frozen
class Saved:
    """All presets of one account, by folded name."""

    lines: dict[str, str] = attrs.field(factory=dict)


class Presets:
    """Everybody's presets, in the store, by the key of what they own."""

    def __init__(self, store: Store, accounts: Accounts, unreadable: UnreadableRows) -> None:
        self._store = store
        self._accounts = accounts
        self._unreadable = unreadable

    async def of(self, name: str) -> dict[str, str]:
        """Return the presets of somebody by name, each as the words behind /new; none if they can't be read."""
        key = self._accounts.key(name)
        body = await self._store.find(KIND, key)
        try:
            saved: Saved = codec.from_text(body, Saved) if body else Saved()
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return {}
        return saved.lines

    async def keep(self, name: str, lines: dict[str, str]) -> None:
        """Keep these presets as all that somebody has; raises `StoreUnavailable`."""
        await self._store.keep(KIND, self._accounts.key(name), codec.to_text(Saved(lines)))
