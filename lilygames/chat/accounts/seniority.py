"""How long someone must have had an account for what costs others their time: tournaments, events and daily lists."""

from __future__ import annotations

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.roles import Roles
from lilygames.text import count

_DAY = 86400.0


@attrs.frozen
class Seniority:
    """The setting `new_account_days`, for the accounts of a place. Staff don't have to wait."""

    accounts: Accounts
    roles: Roles
    days: float

    async def reached(self, name: str) -> float | None:
        """Return when an account is old enough, in seconds since 1970; None for a guest. Raises `StoreUnavailable`."""
        since = await self.accounts.since(name)
        if since is None:
            return None
        return since if self.roles.rank(name) else since + self.days * _DAY

    @property
    def age(self) -> str:
        """The age in words: `7 days`."""
        return count(int(self.days), "day") if self.days == int(self.days) else f"{self.days:g} days"
