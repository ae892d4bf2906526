"""Carry out kicks and bans on this node: connections, sessions and seats."""

from __future__ import annotations

from contextlib import suppress

from lilygames.chat.accounts.roles import Roles
from lilygames.chat.host.discussions import leave_room
from lilygames.chat.host.host import Host
from lilygames.chat.host.packets import say_goodbye
from lilygames.chat.names.names import fold
from lilygames.chat.people.gate import Banned
from lilygames.chat.people.people import Person
from lilygames.chat.visits.arrivals import depart
from lilygames.errors import UserError
from lilygames.moderation.actions import Action
from lilygames.moderation.sanctions import Sanctions
from lilygames.tables.open.tables import Tables
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.text import Line, quoted
from lilygames_rules.kit import Refused

LATE = 60.0
"""Seconds after which a kick isn't carried out any more: this node couldn't follow the log for so long."""


class Removal:
    """Removes people after an action. Several nodes may do it at once: the first to free a seat wins."""

    def __init__(self, host: Host, tables: Tables, roles: Roles, sanctions: Sanctions) -> None:
        self._host = host
        self._tables = tables
        self._roles = roles
        self._sanctions = sanctions

    async def learn(self, action: Action) -> None:
        """Do on this node what an action asks for."""
        match action.kind:
            case "role":
                await self._roles.refresh(action.key)
            case "kick" if self._host.clock() - action.at < LATE:
                await self._kick(action)
            case "ban":
                await self._ban(action)
            case "warn" | "mute" | "unmute" | "report":
                self._tell(action)

    def _tell(self, action: Action) -> None:
        person = self._here(action)
        if person:
            person.show(*told(action))

    def _here(self, action: Action) -> Person | None:
        """Return the person an action is about, if they are connected to this node."""
        key = self._host.accounts.key
        mine = (person for person in self._host.people.nearby() if person.local and key(person.name) == action.key)
        return next(mine, None)

    async def _kick(self, action: Action) -> None:
        await self._host.tables.ready_for(action.whom, room=action.where)
        person = self._here(action)
        room = self._host.rooms.called(action.where)
        if action.where:
            if person and room:
                person.show(*told(action))
                await self._bots_take(person.name, room.bot if isinstance(room.bot, TableBot) else None)
                leave_room(self._host, person, room)
            return
        for bot in [*self._tables.open.values()]:
            await self._bots_take(action.whom, bot)
        if person:
            self._disconnect(person, *told(action))

    async def _bots_take(self, name: str, bot: TableBot | None) -> None:
        """Let a bot play for someone until they are back. Before the start, their seat is free again."""
        seat = bot.seat_of(name) if bot else None
        if bot is None or seat is None:
            return
        with suppress(UserError, Refused):
            if bot.table.started:
                await bot.room.do(bot.house.substitute, seat, "table")
            else:
                await bot.room.do(seating.clear, bot, {fold(name)})

    async def look(self) -> None:
        """Disconnect everyone here who may not be here any more. Raises `StoreUnavailable`."""
        for person in self._host.people.nearby():
            if person.local and (why := self._unwelcome(person)):
                await self._expel(person, why)

    async def _expel(self, person: Person, why: str) -> None:
        """Disconnect someone, and end their sessions; a guest's return word ends, too."""
        key = self._host.accounts.key(person.name)
        self._disconnect(person, Line(f"*** {why} ***", "notice", by="staff"))
        await self._host.sessions.end(key, self._host.clock())
        if person.guest:
            await self._host.accounts.forget(person.name)

    async def _ban(self, action: Action) -> None:
        """Disconnect everyone whom a ban is about; someone who is banned by name leaves their tables, too."""
        if action.key:
            await self._host.accounts.refresh(fold(action.whom))
            await self._host.tables.ready_for(action.whom)
        for bot in [*self._tables.open.values()] if action.key else ():
            if bot.seat_of(action.whom) is not None:
                with suppress(UserError, Refused):
                    await bot.room.do(self._leaves, bot, action.whom)
        await self.look()

    def _unwelcome(self, person: Person) -> str:
        """Return why a person may not be here, or ""."""
        try:
            self._sanctions.check_entry(person.name, person.origin, guest=person.guest)
        except Banned as ban:
            return str(ban)
        return ""

    async def _leaves(self, bot: TableBot, name: str) -> None:
        person = self._host.people.get(fold(name)) or Person(name, guest=False, room=bot.room)
        if bot not in person.seats:
            person.seats.append(bot)
        await seating.leave(bot, person)

    def _disconnect(self, person: Person, *lines: Line) -> None:
        terminal = person.terminal
        person.show(*lines)
        if terminal:
            say_goodbye(terminal, "banned")
        depart(self._host, person, goodbye=True)
        if terminal:
            terminal.close()


_TOLD = {
    "warn": "{by} warned you",
    "mute": "{by} muted you until {until}",
    "unmute": "{by} ended your mute",
    "kick": "{by} put you out{where}",
    "report": "{by} has looked at your report, and {decided}",
}


def told(action: Action) -> tuple[Line, ...]:
    """Return the lines that tell someone of an action about them."""
    where = f" of {action.where}" if action.where else ""
    decided = "we acted" if action.where == "acted" else "we didn't act"
    said = _TOLD[action.kind].format(by=action.by, until=action.ends, where=where, decided=decided)
    if action.kind == "report":
        return (Line(f"*** {said} ***", "notice", by=action.by),)
    appeal = "" if action.kind == "unmute" else " Type /audit to see it again, or /appeal TEXT to appeal."
    return (
        Line(f"*** {said} ***", "notice", by=action.by),
        quoted(action.by, action.why, "The reason:"),
        *([Line(f"({appeal.strip()})")] if appeal else []),
    )
