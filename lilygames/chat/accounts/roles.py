"""Roles for the whole place: sysop and moderator. A room has roles of its own (`Charter`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal

import structlog

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.names.names import fold
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Effect, Store

log = structlog.get_logger()
Role = Literal["", "moderator", "sysop"]
RANKS: Mapping[Role, int] = {"": 0, "moderator": 1, "sysop": 2}
"""Everyone can act only on people of a lower rank."""
KIND = "role"


class Roles:
    """Everyone's role, by account key. Guests have none."""

    def __init__(self, store: Store, accounts: Accounts, listed: Sequence[str], unreadable: UnreadableRows) -> None:
        self._store = store
        self._accounts = accounts
        self._unreadable = unreadable
        self._appointed: dict[str, Role] = {}
        self.listed = listed
        """Names of sysops in the settings."""

    async def load(self) -> None:
        """Read all roles. Someone whose role is damaged has none. Raises `StoreUnavailable`."""
        for key, body in (await readable(self._store, KIND, self._unreadable)).items():
            self._learn(key, body)

    async def refresh(self, key: str) -> None:
        """Read the role of an account again after it was changed. Raises `StoreUnavailable`."""
        self._learn(key, await self._store.find(KIND, key))

    def _learn(self, key: str, body: str | None) -> None:
        try:
            said = json.loads(body) if body else ""
        except ValueError:
            said = None
        for role in RANKS:
            if said == role:
                self._appointed[key] = role
                return
        self._unreadable.report(KIND, key, ValueError("not a role"))

    def forget_person(self, who: Identity) -> None:
        """Drop the role of a deleted account, so that nobody with the same name gets it later."""
        self._appointed.pop(who.key, None)

    @staticmethod
    def effect(key: str, role: Role) -> Effect:
        """Return the record to write for a new role."""
        return Effect(KIND, key, json.dumps(role) if role else None)

    def of(self, name: str) -> Role:
        """Return the role of the account that has or had this name."""
        return "sysop" if self.is_listed(name) else self._appointed.get(self._accounts.key(name), "")

    def is_listed(self, name: str) -> bool:
        """Whether the settings name this account as a sysop."""
        return self._accounts.key(name) in map(self._accounts.key, self.listed)

    def rank(self, name: str) -> int:
        """Return the rank of a name: 2 for a sysop, 1 for a moderator."""
        return RANKS[self.of(name)]

    def holders(self) -> dict[str, Role]:
        """Return everyone who has a role, by current name."""
        named = [(self._accounts.current(key), role) for key, role in self._appointed.items() if role]
        listed: list[tuple[str, Role]] = [(self._accounts.now(name), "sysop") for name in self.listed]
        return {name: role for name, role in (*named, *listed) if fold(name) in self._accounts.names}
