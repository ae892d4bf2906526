"""Sessions that a program resumes on a new connection by a token, without a password.

Each client of a person has a session of its own. A token says whose session it is and how often it has been resumed,
and is signed (HMAC-SHA-256, RFC 2104) with a key that the nodes share. It is good for one use, which brings the next
one: refresh token rotation (RFC 9700, section 4.14.2). Whoever uses an older one has it from somebody else, or somebody
else has it from them, so that session ends. Tokens are not bound to an address, as phones change theirs.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import uuid
from collections.abc import Callable
from contextlib import suppress

import attrs
import structlog

from lilygames import codec
from lilygames.chat.cooperative import run_in_slices
from lilygames.errors import UserError
from lilygames.store import Conflict, Draft, Store, StoreUnavailable
from lilygames.unreadable import UnreadableRows

log = structlog.get_logger()
SECONDS = 12 * 3600.0
"""How long a token is good."""
GRACE = 60.0
"""How long the token before the newest one is good, for a client whose connection broke before it had the newest."""
EACH = 8
"""Sessions of one person; with one more, the one that was not used for longest ends."""
MOST = 10_000
"""People and guests whose sessions are kept."""
KIND = "session"
_LOG = "resume-key"
_SIGN = 16
_TRIES = 50


class Ended(UserError):
    """A token of a session that has ended, or of none."""


class Reused(Ended):
    """A token that was used before, and not just now: its session has ended by that."""

    def __init__(self, owner: str) -> None:
        super().__init__("that session was ended, because an old token of it was used. Log in with your name.")
        self.owner = owner


@attrs.frozen
class Session:
    """What one client of a person may resume."""

    id: str
    name: str
    guest: bool
    stamp: str
    """Of the password that was good when it began, so that a new one ends it; a guest has none."""
    address: str
    """Where it was resumed last, or where it began."""
    since: float
    turned: float
    """When its newest token was given, in seconds since 1970."""
    serial: int = 1
    """The number of its newest token."""


@attrs.frozen
class Reuse:
    """The use of an old token, which its owner has not been told of yet."""

    session: str
    address: str
    """Where the old token came from."""
    at: float


@attrs.frozen
class Kept:
    """What is kept of a person's sessions, the newest last."""

    sessions: tuple[Session, ...] = ()
    reuses: tuple[Reuse, ...] = ()

    def at(self, now: float) -> Kept:
        """Return what of it is not too old."""
        sessions = tuple(one for one in self.sessions if now < one.turned + SECONDS)
        return Kept(sessions, tuple(one for one in self.reuses if now < one.at + SECONDS))

    def begun(self, session: Session) -> Kept:
        """Return the same with one more session, and without the one that was not used for longest."""
        latest = sorted(self.sessions, key=lambda one: one.turned)[1 - EACH :]
        return attrs.evolve(self, sessions=(*latest, session))

    def none(self) -> Kept:
        """Return the same without sessions."""
        return Kept(reuses=self.reuses)

    def without(self, ids: frozenset[str]) -> Kept:
        """Return the same without some sessions."""
        return attrs.evolve(self, sessions=tuple(one for one in self.sessions if one.id not in ids))

    def find(self, session: str) -> Session | None:
        """Return the session of an id."""
        return next((one for one in self.sessions if one.id == session), None)

    def used(self, ticket: Ticket, address: str, now: float) -> Kept:
        """Return what is kept once a token has been used.

        The newest one turns its session: the next token is the newest. The one before changes nothing for as long as
        the newest has not been used, and `GRACE` at most. An older one ends its session.
        """
        session = self.find(ticket.session)
        if session is None or ticket.serial > session.serial:
            return self
        if ticket.serial == session.serial - 1 and now <= session.turned + GRACE:
            return self
        others = self.without(frozenset((session.id,)))
        if ticket.serial < session.serial:
            return attrs.evolve(others, reuses=(*self.reuses, Reuse(session.id, address, now))[-EACH:])
        turned = attrs.evolve(session, serial=session.serial + 1, turned=now, address=address)
        return attrs.evolve(others, sessions=(*others.sessions, turned))


@attrs.frozen
class Ticket:
    """What a token says: a session of an owner, and the token's number."""

    owner: str
    session: str
    serial: int


@attrs.frozen
class Begun:
    """A session that has begun or goes on, whose it is, and the token by which it is resumed next."""

    owner: str
    session: Session
    token: str


class Tokens:
    """What signs tokens and reads them."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._key = b""

    async def load(self) -> None:
        """Learn the key, made by whichever node came first; one that cannot be read ends all sessions."""
        draft = Draft("host", json.dumps(secrets.token_hex(32)))
        with suppress(Conflict):
            await self._store.append(_LOG, 0, [draft], cmd=uuid.uuid4().hex)
        (entry,) = (await self._store.read(_LOG, 0, 1)).entries
        try:
            self._key = bytes.fromhex(json.loads(entry.body))
        except (ValueError, TypeError) as problem:
            self._unreadable.report("log entry", f"{_LOG} {entry.seq}", problem)
            self._key = secrets.token_bytes(32)

    def of(self, ticket: Ticket) -> str:
        """Return the token of a ticket."""
        said = json.dumps(attrs.astuple(ticket), separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._sign(said) + said).decode().rstrip("=")

    def _sign(self, said: bytes) -> bytes:
        return hmac.digest(self._key, b"session " + said, "sha256")[:_SIGN]

    def read(self, token: str) -> Ticket | None:
        """Return what a token says; None for one that nobody here signed."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return None
        if not hmac.compare_digest(raw[:_SIGN], self._sign(raw[_SIGN:])):
            return None
        return Ticket(*json.loads(raw[_SIGN:]))


class Sessions:
    """The sessions of everybody, kept in the store under the key of what each person owns."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._tokens = Tokens(store, unreadable)

    async def load(self) -> None:
        """Learn the key that signs tokens."""
        await self._tokens.load()

    async def begin(self, owner: str, session: Session, *, alone: bool = False) -> Begun:
        """Let a session begin, and all others of its owner end if it is to be `alone`; raises `StoreUnavailable`."""
        await self._change(owner, session.turned, lambda kept: (kept.none() if alone else kept).begun(session))
        return self._begun(owner, session)

    def _begun(self, owner: str, session: Session) -> Begun:
        return Begun(owner, session, self._tokens.of(Ticket(owner, session.id, session.serial)))

    async def resume(self, token: str, address: str, now: float) -> Begun:
        """Use a token, and return its session with the token that is good next.

        Raises `Ended` for one that is good for nothing, `Reused` if it has just ended its session, `StoreUnavailable`.
        """
        ticket = self._tokens.read(token)
        if ticket is None:
            raise Ended("that token opens nothing here. Log in with your name.")
        before, after = await self._change(ticket.owner, now, lambda kept: kept.used(ticket, address, now))
        if after.reuses != before.reuses:
            log.warning("an old token was used, and its session ended", owner=ticket.owner, address=address)
            raise Reused(ticket.owner)
        session = after.find(ticket.session)
        if session is None or ticket.serial > session.serial:
            raise Ended("that session has ended. Log in with your name.")
        return self._begun(ticket.owner, session)

    async def kept(self, owner: str, now: float) -> Kept:
        """Return what is kept of somebody's sessions; raises `StoreUnavailable`."""
        return _read(owner, await self._store.find(KIND, owner)).at(now)

    async def end(self, owner: str, now: float, ids: frozenset[str] | None = None) -> None:
        """End sessions of somebody, all where None; raises `StoreUnavailable`."""
        await self._change(owner, now, lambda kept: kept.none() if ids is None else kept.without(ids))

    async def told(self, owner: str, now: float) -> tuple[Reuse, ...]:
        """Return the uses of old tokens that somebody is told of now, and never again; raises `StoreUnavailable`."""
        before, _ = await self._change(owner, now, lambda kept: Kept(kept.sessions))
        return before.reuses

    async def _change(self, owner: str, now: float, change: Callable[[Kept], Kept]) -> tuple[Kept, Kept]:
        """Change what is kept of somebody's sessions, and return it before and after; raises `StoreUnavailable`."""
        for _ in range(_TRIES):
            body = await self._store.find(KIND, owner)
            before = _read(owner, body).at(now)
            after = change(before)
            written = _written(after)
            if after == before or await self._store.swap(KIND, owner, body, written):
                return before, after
        raise StoreUnavailable(f"The sessions of {owner} were changed by others again and again: try again.")

    async def sweep(self, now: float) -> None:
        """Let go of all that is too old, and of the oldest where there is too much; raises `StoreUnavailable`."""
        bodies = await self._store.every(KIND)
        kept = await run_in_slices(((owner, _read(owner, body).at(now)) for owner, body in bodies.items()))
        newest = sorted(kept, key=lambda one: max((session.turned for session in one[1].sessions), default=0.0))
        surplus = {owner for owner, _ in newest[:-MOST]}
        for owner, what in kept:
            written = None if owner in surplus else _written(what)
            if written != bodies[owner]:
                await self._store.swap(KIND, owner, bodies[owner], written)


def _read(owner: str, body: str | None) -> Kept:
    """Return what is kept; nothing where it cannot be read."""
    try:
        return codec.from_text(body, Kept) if body else Kept()
    except ValueError:
        log.exception("sessions cannot be read", owner=owner)
        return Kept()


def _written(kept: Kept) -> str | None:
    return codec.to_text(kept) if kept != Kept() else None
