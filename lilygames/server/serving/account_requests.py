"""Requests about accounts from the shell: a one-time word, an export, and a deletion.

A running server answers them through its control socket. Without one, they are answered from the store.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.one_time_words import DAY
from lilygames.errors import UserError
from lilygames.privacy.deletions import Deletions
from lilygames.privacy.export import PersonalExport
from lilygames.server.serving.control_requests import AccountRequest, DeleteAccount, ExportAccount, IssueWord


@attrs.frozen
class AccountDesk:
    """Answers requests about accounts. Without `deletions` it deletes nobody."""

    accounts: Accounts
    personal: PersonalExport
    deletions: Deletions | None

    async def answer(self, request: AccountRequest) -> AsyncIterator[str]:
        """Yield the lines of an answer. Raises `UserError` and `StoreUnavailable`."""
        account = await self.accounts.get(self.accounts.now(request.name))
        if account is None or account.guest:
            raise UserError(f"there's no account called {request.name}: `lilygames people list` lists them")
        match request:
            case IssueWord():
                word = await self.accounts.recovery.issue(account.key, time.time(), DAY)
                yield f"To log in, {account.name} types this at the login prompt within a day, then a new password:"
                yield f"  {account.name} {word}"
            case ExportAccount():
                async for row in self.personal.rows(account.name):
                    yield row
            case DeleteAccount():
                if self.deletions is None:
                    raise UserError("no server runs here: start one, or type this where one runs")
                number = await self.deletions.delete(account.name)
                yield f"{account.name} is deleted. In results of others they are “former player {number}”."
