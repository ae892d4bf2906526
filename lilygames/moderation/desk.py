"""The desk: decides who may act on another person, and does it. Commands and the shell use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.roles import RANKS, Role, Roles
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.people.resume import KIND as SESSIONS
from lilygames.errors import NotFound, UserError
from lilygames.moderation import addresses
from lilygames.moderation.actions import DAY, Action, Kind
from lilygames.moderation.audit import Audit
from lilygames.moderation.sanctions import Sanctions
from lilygames.store import Effect
from lilygames.text import clean, listing, shortened

WHY = 200
"""Maximum characters of a reason."""
DEFAULT = {"mute": DAY / 24, "ban": 7 * DAY}
"""Seconds of a sanction without a time."""
MODERATORS_BAN = 7 * DAY
"""Longest ban by a moderator; a sysop can ban for longer."""


@attrs.frozen
class Actor:
    """Someone who acts on others: their name, rank, account key and address."""

    name: str
    rank: int
    key: str = ""
    origin: str = ""


SHELL = Actor("the shell", max(RANKS.values()) + 1)
"""Someone with access to the server's machine."""


@attrs.frozen
class Target:
    """The person an action is about. `origin` is empty unless they are here."""

    name: str
    key: str
    guest: bool = False
    origin: str = ""


@attrs.frozen
class Ban:
    """A ban before it is decided, and the names of those here whom it would hit."""

    action: Action
    hits: tuple[str, ...]
    guest: bool = False


class Desk:
    """Everything that the staff can do about people. `here` returns the people who are here."""

    def __init__(
        self,
        accounts: Accounts,
        roles: Roles,
        sanctions: Sanctions,
        audit: Audit,
        *,
        here: Callable[[], Iterable[Person]],
        clock: Callable[[], float],
    ) -> None:
        self.accounts = accounts
        self.roles = roles
        self.sanctions = sanctions
        self.audit = audit
        self.clock = clock
        self._here = here

    def actor(self, person: Person) -> Actor:
        """Return a person as someone who acts."""
        rank = 0 if person.guest else self.roles.rank(person.name)
        return Actor(person.name, rank, self.accounts.key(person.name), person.origin)

    def target(self, name: str) -> Target:
        """Return the person with this full name: here, or an account. Raises `NotFound`."""
        name = name.removeprefix("~")
        now = self.accounts.now(name)
        for person in self._here():
            if fold(person.name) == fold(now):
                return Target(person.name, self.accounts.key(person.name), person.guest, person.origin)
        if fold(now) in self.accounts.names:
            return Target(self.accounts.names[fold(now)], self.accounts.key(now))
        if fold(now) in self.accounts.guests:
            return Target(now, self.accounts.key(now), guest=True)
        raise NotFound(f"nobody is called “{shortened(name, 20)}”. Type the full name; /who lists who is here.")

    def check(self, actor: Actor, target: Target) -> None:
        """Raise `UserError` if someone may not act on a person: on themselves, or on someone who isn't below them."""
        if target.key == actor.key:
            raise UserError("you can't do that to yourself.")
        role = self.roles.of(target.name)
        if not target.guest and RANKS[role] >= actor.rank:
            raise UserError(f"{target.name} is a {role}. Only someone above them can do that.")
        if not target.guest and role and actor is SHELL:
            raise UserError(f"{target.name} is a {role}. Take the role away first: lilygames people role NAME none.")

    async def do(self, kind: Kind, actor: Actor, target: Target, why: str, **more: Any) -> Action:
        """Do something about a person, log it and carry it out. Raises `UserError` and `StoreUnavailable`."""
        self.check(actor, target)
        action = self._action(kind, actor, target.name, why, key=target.key, **more)
        await self.audit.add(action)
        return action

    def _action(self, kind: Kind, actor: Actor, whom: str, why: str, **more: Any) -> Action:
        return attrs.evolve(Action(kind, actor.name, self.clock(), whom, why=reason(why)), **more)

    async def mute(self, actor: Actor, target: Target, seconds: float, why: str) -> Action:
        """Mute someone; guests and new names at their address are muted, too. Raises as `do`."""
        around = self._around(actor, target)
        return await self.do("mute", actor, target, why, until=self.clock() + seconds, addresses=around)

    @staticmethod
    def _around(actor: Actor, target: Target) -> tuple[str, ...]:
        """Return the network of a person's address; nothing if it is also the actor's own."""
        around = addresses.of_person(target.origin)
        return () if addresses.covers(around, actor.origin) else around

    async def lift(self, kind: Kind, actor: Actor, target: Target, why: str) -> Action:
        """End a mute or a ban. Raises as `do`."""
        standing, now = self.sanctions.standing(target.key), self.clock()
        if not (standing.banned(now) if kind == "unban" else standing.muted(now)):
            raise UserError(f"{target.name} isn't {'banned' if kind == 'unban' else 'muted'}.")
        return await self.do(kind, actor, target, why)

    async def ruled(self, kind: Kind, actor: Actor, table: str, why: str, where: str) -> None:
        """Log what someone has decided about a table. Raises `StoreUnavailable`."""
        await self.audit.add(self._action(kind, actor, table, why, where=where))

    # bans

    def ban(self, actor: Actor, who: str, seconds: float, why: str) -> Ban:
        """Return the ban of a name, an address or a network, before it is decided. Raises `UserError`."""
        if actor.rank == RANKS["moderator"] and seconds > MODERATORS_BAN:
            raise UserError("a moderator can ban for 7 days at most. Ask a sysop for a longer ban.")
        if addresses.looks_like_address(who):
            return self._ban_of_network(actor, who, seconds, why)
        target = self.target(who)
        self.check(actor, target)
        action = self._action(
            "ban",
            actor,
            target.name,
            why,
            key=target.key,
            until=self.clock() + seconds,
            addresses=self._around(actor, target),
        )
        guests = [one for one in self._at(action.addresses) if one.guest and fold(one.name) != fold(target.name)]
        here = [target.name] if target.origin else []
        return Ban(action, (*here, *(one.name for one in guests)), guest=target.guest)

    def _ban_of_network(self, actor: Actor, text: str, seconds: float, why: str) -> Ban:
        where = str(addresses.network(text))
        if addresses.covers([where], actor.origin):
            raise UserError(f"{where} has your own address, so the ban would hit you.")
        hit = self._at([where])
        for person in hit:
            if not person.guest and self.roles.rank(person.name) >= actor.rank - (actor is SHELL):
                role = self.roles.of(person.name)
                if role:
                    raise UserError(f"{where} has {person.name}, who is a {role}. Ban a smaller network, or a name.")
        until = self.clock() + seconds
        action = self._action("ban", actor, where, why, until=until, addresses=(where,), everyone=True)
        return Ban(action, tuple(person.name for person in hit))

    def _at(self, networks: Iterable[str]) -> list[Person]:
        """Return the people here from some networks."""
        networks = [*networks]
        return [person for person in self._here() if person.here and addresses.covers(networks, person.origin)]

    async def decide(self, ban: Ban) -> None:
        """Ban: sessions, tokens and return words end with the same write. Raises `StoreUnavailable`."""
        key = ban.action.key
        ends = [Effect(SESSIONS, key, None)] if key else []
        ends += [Effect("account", fold(ban.action.whom), None)] if ban.guest else []
        await self.audit.add(ban.action, *ends)

    async def unban(self, actor: Actor, who: str, why: str) -> Action:
        """End the ban of a name or a network. Raises `UserError` and `StoreUnavailable`."""
        if not addresses.looks_like_address(who):
            return await self.lift("unban", actor, self._banned(who), why)
        where = str(addresses.network(who))
        if where not in self.sanctions.networks:
            known = listing(self.sanctions.networks) or "none"
            raise UserError(f"{where} isn't banned. These networks are: {known}.")
        action = self._action("unban", actor, where, why, addresses=(where,), everyone=True)
        await self.audit.add(action)
        return action

    def _banned(self, who: str) -> Target:
        """Return the person of a ban, whose name may be free again if they were a guest. Raises `NotFound`."""
        for action in self.sanctions.in_force():
            if action.kind == "ban" and fold(action.whom) == fold(who):
                return Target(action.whom, action.key)
        return self.target(who)

    # roles

    async def appoint(self, actor: Actor, name: str, role: Role) -> str:
        """Give an account a role, or none. Raises `UserError` and `StoreUnavailable`."""
        target = self.target(name)
        if target.guest or fold(target.name) not in self.accounts.names:
            raise UserError(f"{target.name} is a guest. Only registered people can have a role.")
        if actor is not SHELL:
            self.check(actor, target)
        if self.roles.is_listed(target.name) and role != "sysop":
            raise UserError(f"{target.name} is in the setting sysops. Remove the name there, and reload the server.")
        action = self._action("role", actor, target.name, f"now {role or 'without a role'}", key=target.key)
        await self.audit.add(action, Roles.effect(target.key, role))
        return target.name


def reason(why: str) -> str:
    """Return a reason as it is stored; raises `UserError` if there is none, because the person has a right to it."""
    why = clean(why).strip()
    if not why:
        raise UserError("add the reason: the person can read it, and it stays in the audit log.")
    if len(why) > WHY:
        raise UserError(f"that reason has {len(why)} characters. Use at most {WHY}.")
    return why
