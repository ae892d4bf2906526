"""Sessions of connected people: start, renew, list and end them, and warn about reused tokens."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable
from datetime import datetime
from zoneinfo import ZoneInfo

import structlog

from lilygames.chat.host.context import Context
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import PersonEvent, Renamed
from lilygames.chat.people.people import Person
from lilygames.chat.people.resume import SECONDS, Begun, Reuse, Session
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.store import StoreUnavailable
from lilygames.text import Line, Packet, count, shortened

log = structlog.get_logger()
SHOWN = 4
"""Characters of a session id that people see and type."""


async def offer(host: Host, person: Person, *, alone: bool = False) -> None:
    """Start a session for a person's client, if it can resume one, and send it the token.

    With `alone` their other sessions end, because their name or password changed.
    """
    terminal, owner = person.terminal, host.accounts.key(person.name)
    person.resume("")
    try:
        if terminal is not None and terminal.supports("resume"):
            session = _new(host, person.name, person.origin, guest=person.guest)
            begun = await host.sessions.begin(owner, session, alone=alone)
            if person.terminal is terminal:
                hand_out(person, begun)
        elif alone:
            await host.sessions.end(owner, host.clock())
    except StoreUnavailable as problem:
        log.warning("can't save a session", name=person.name, why=str(problem))


async def begin(host: Host, name: str, origin: str, *, guest: bool) -> Begun | None:
    """Start a session for a page before it is told anything else; None if it can't be saved."""
    try:
        return await host.sessions.begin(host.accounts.key(name), _new(host, name, origin, guest=guest))
    except StoreUnavailable as problem:
        log.warning("can't save a session", name=name, why=str(problem))
        return None


def _new(host: Host, name: str, origin: str, *, guest: bool) -> Session:
    stamp, now = "" if guest else host.accounts.stamp(name), host.clock()
    return Session(secrets.token_hex(6), name, guest, stamp, origin, now, now)


def hand_out(person: Person, begun: Begun) -> None:
    """Send a client the next token of its session."""
    person.resume(begun.session.id)
    person.packet(token_packet(begun))


def token_packet(begun: Begun) -> Packet:
    """Return the packet with the next token of a session."""
    return Packet("resume", {"token": begun.token, "seconds": int(SECONDS)})


async def confirm(host: Host, person: Person) -> None:
    """Record that a client has its newest token."""
    try:
        await host.sessions.confirm(host.accounts.key(person.name), person.session, host.clock())
    except StoreUnavailable as problem:
        log.warning("can't save a session", name=person.name, why=str(problem))


class Tokens:
    """Ends the sessions of a renamed person, except a new one for their terminal."""

    observes = (Renamed,)

    def __init__(self, host: Host) -> None:
        self._host = host

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Start a new session for a person who was renamed."""
        person = self._host.people.get(fold(event.new)) if isinstance(event, Renamed) else None
        return offer(self._host, person, alone=True) if person else None


async def warn(host: Host, owner: str) -> None:
    """Warn an owner on this node that an old token was used; disconnect them if their session was ended.

    They may be the thief. After a disconnect they are told again when they log in.
    """
    person = next((one for one in host.people.nearby() if one.local and host.accounts.key(one.name) == owner), None)
    if person is None or person.terminal is None:
        return
    terminal, kept = person.terminal, await host.sessions.kept(owner, host.clock())
    if person.session and person.session in {reuse.session for reuse in kept.reuses}:
        terminal.show(
            *(_warning(one, person.profile.zone) for one in kept.reuses),
            Line("(disconnected for your security; log in again)"),
        )
        terminal.close()
    elif kept.reuses:
        await tell_reuses(host, person)


async def tell_reuses(host: Host, person: Person) -> None:
    """Tell a person once that their old tokens were used."""
    try:
        reuses = await host.sessions.told(host.accounts.key(person.name), host.clock())
        person.show(*(_warning(one, person.profile.zone) for one in reuses))
    except StoreUnavailable as problem:
        log.warning("can't read a person's sessions", name=person.name, why=str(problem))


def _warning(reuse: Reuse, zone: ZoneInfo) -> Line:
    return Line(
        f"(Security notice: at {_time(reuse.at, zone)}, someone at {reuse.address} used an old token of one of your"
        " sessions. That session was ended. If it wasn't you, change your /password.)"
    )


def _time(at: float, zone: ZoneInfo) -> str:
    return f"{datetime.fromtimestamp(at, zone):%H:%M on %d %b}"


@command("sessions", group="you")
async def sessions(context: Context, end: str = "", which: str = "") -> list[str] | str:
    """List the sessions that your clients can resume without a password, or end one: /sessions end a3f9.

    /sessions end all ends them all. You stay connected, but those clients need
    your password next time.
    """
    person, host = context.person, context.host
    owner, now = host.accounts.key(person.name), host.clock()
    kept = (await host.sessions.kept(owner, now)).sessions
    if not end:
        rows = [f"{_mark(one, person)} {one.id[:SHOWN]}  {_about(one, person.profile.zone)}" for one in kept]
        if not rows:
            return "(you have no sessions: your clients need your password to log in)"
        return [*rows, "(* is this one; type /sessions end ID to end one, or /sessions end all)"]
    if end.casefold() != "end" or not which:
        raise UserError("type /sessions to list your sessions, /sessions end ID to end one, or /sessions end all.")
    meant = [one for one in kept if which.casefold() == "all" or one.id.startswith(which.casefold())]
    if not meant:
        raise UserError(f"you have no session “{shortened(which, 20)}”. Type /sessions to list yours.")
    await host.sessions.end(owner, now, frozenset(one.id for one in meant))
    return f"({count(len(meant), 'session')} ended)"


def _mark(session: Session, person: Person) -> str:
    return "*" if session.id == person.session else " "


def _about(session: Session, zone: ZoneInfo) -> str:
    resumed = f", resumed {_time(session.turned, zone)}" if session.serial > 1 else ""
    return f"from {session.address}, started {_time(session.since, zone)}{resumed}"
