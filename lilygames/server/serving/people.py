"""Requests about people from the shell: list them, show one, give roles, ban and unban.

A running server answers them through its control socket. Without one, `offline_people` answers from the store.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.roles import Roles
from lilygames.chat.names.names import fold
from lilygames.moderation.actions import Action
from lilygames.moderation.audit import Audit
from lilygames.moderation.desk import SHELL, Desk
from lilygames.moderation.sanctions import Sanctions
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.server.serving.control_requests import Ban, GiveRole, ListPeople, PeopleRequest, ShowPerson, Unban
from lilygames.server.settings.config import Settings
from lilygames.store import Store
from lilygames.text import count, listing


@attrs.frozen
class People:
    """Answers requests about people."""

    desk: Desk

    async def answer(self, request: PeopleRequest) -> Sequence[str]:
        """Return the lines that answer a request. Raises `UserError` and `StoreUnavailable`."""
        match request:
            case ListPeople():
                return self._listed()
            case ShowPerson(name):
                return await self._shown(name)
            case GiveRole(name, role):
                named = await self.desk.appoint(SHELL, name, role)
                return [f"{named} is now {f'a {role}' if role else 'without a role'}."]
            case Ban(who, seconds, why, sure):
                return await self._banned(who, seconds, why, sure=sure)
            case Unban(who, why):
                action = await self.desk.unban(SHELL, who, why)
                return [f"{action.whom} is no longer banned."]

    def _listed(self) -> Sequence[str]:
        names = sorted(self.desk.accounts.names.values(), key=fold)
        return [*(self._row(name) for name in names), f"({count(len(names), 'account')})"]

    def _row(self, name: str) -> str:
        standing, now = self.desk.sanctions.of(name), self.desk.clock()
        notes: list[str] = [self.desk.roles.of(name)]
        notes += [f"{one.kind} until {one.ends}" for one in (standing.muted(now), standing.banned(now)) if one]
        return f"{name:<16} {', '.join(filter(None, notes))}".rstrip()

    async def _shown(self, name: str) -> Sequence[str]:
        target, accounts = self.desk.target(name), self.desk.accounts
        standing = self.desk.sanctions.standing(target.key)
        rows = [self._row(target.name), "a guest" if target.guest else f"registered {await self._since(target.name)}"]
        if former := accounts.former(target.key):
            rows.append(f"earlier names: {listing(former)}")
        rows.append(f"here, from {target.origin}" if target.origin else "not here")
        return [*rows, *map(_row, standing.actions)]

    async def _since(self, name: str) -> str:
        since = await self.desk.accounts.since(name)
        return _day(since) if since else "before that was recorded"

    async def _banned(self, who: str, seconds: float, why: str, *, sure: bool) -> Sequence[str]:
        ban = self.desk.ban(SHELL, who, seconds, why)
        if sure:
            await self.desk.decide(ban)
            return [f"{ban.action.whom} is banned until {ban.action.ends}."]
        rows = [f"This bans {ban.action.whom} until {ban.action.ends}."]
        if ban.hits:
            rows.append(f"It disconnects {listing(ban.hits)}.")
        return rows


def _day(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%d %b %Y %H:%M} UTC"


def _row(action: Action) -> str:
    where = f" ({action.where})" if action.where else ""
    until = f" until {action.ends}" if action.until else ""
    return f"  {_day(action.at)}: {action.by}, {action.kind}{where}{until}: {action.why}"


async def offline_people(store: Store, settings: Settings) -> People:
    """Return what answers from a store while no server runs here. Nodes elsewhere follow the audit log.

    Raises `StoreUnavailable`.
    """
    unreadable = UnreadableRows()
    accounts = Accounts(store, hash_time=settings.hash_time, hash_memory=settings.hash_memory, unreadable=unreadable)
    roles = Roles(store, accounts, settings.sysop_names, unreadable)
    sanctions = Sanctions(store, accounts, time.time, unreadable)

    async def learn_role(action: Action) -> None:
        if action.kind == "role":
            await roles.refresh(action.key)

    audit = Audit(store, unreadable, (sanctions.learn, learn_role))
    for part in (accounts, roles, sanctions, audit):
        await part.load()
    return People(Desk(accounts, roles, sanctions, audit, here=tuple, clock=time.time))
