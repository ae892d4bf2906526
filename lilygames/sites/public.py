"""The finished games that have a page, and the people who have one.

`lilygames.tables.state.visible.is_public` decides about games. People decide themselves, with `/set page`.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.profile import PAGE, ProfileStore
from lilygames.errors import UserError
from lilygames.store import Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.log.acts import Header
from lilygames.tables.state import visible

LISTED = "listed"
"""Kind of the empty records of those whose page search engines may list, by account key."""


@attrs.frozen
class PublicGames:
    """The tables that may have a page."""

    archive: Archive
    duplicates: DuplicateSets

    async def find(self, number: int) -> Header | None:
        """Return the header of a table that may have a page; None for any other, as for one that never was.

        Raises `StoreUnavailable`.
        """
        try:
            header = await self.archive.header(number)
        except UserError:
            return None
        found = await self.duplicates.readable(header.duplicate)
        return header if visible.is_public(header, set_opened=bool(found and found.opened)) else None


@attrs.frozen
class PublicPeople:
    """The people who have a page: those with an account, unless they have turned it off."""

    accounts: Accounts
    profiles: ProfileStore
    store: Store

    def find(self, name: str) -> str:
        """Return the present name of the account that has or had a name; empty if there is none."""
        return self.accounts.names.get(fold(self.accounts.now(name)), "")

    def now(self, name: str) -> str:
        """Return the name under which someone is known now."""
        return self.accounts.now(name)

    async def setting(self, name: str) -> str:
        """Return `off`, `here` or `all`, as the owner of an account has set it."""
        key = self.accounts.key(name)
        return (await self.profiles.settings_of([key])).get(key, {}).get(PAGE, "here")

    async def with_page(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of these names (present ones) belong to people with a page."""
        keys = {name: self.accounts.key(name) for name in dict.fromkeys(names) if fold(name) in self.accounts.names}
        settings = await self.profiles.settings_of([*keys.values()])
        return frozenset(name for name, key in keys.items() if settings.get(key, {}).get(PAGE) != "off")

    async def let_find(self, name: str) -> None:
        """Record that search engines may list someone's page; doing it again changes nothing."""
        await self.store.swap(LISTED, self.accounts.key(name), None, "")

    async def listed(self, most: int) -> list[str]:
        """Return the names of those whose pages search engines may list, at most so many."""
        keys = [*await self.store.every(LISTED, "", most)]
        settings = await self.profiles.settings_of(keys)
        wanted = [key for key in keys if settings.get(key, {}).get(PAGE) == "all"]
        return [name for key in wanted if (name := self.accounts.names.get(fold(self.accounts.current(key))))]
