"""Sessions that a client resumes on a new connection with a token, without a password.

Each client of a person has its own session. A token names the session and how often it was resumed. It is signed
(HMAC-SHA-256, RFC 2104) with a key that the nodes share. It can be used once, and is then replaced by the next one:
refresh token rotation (RFC 9700, section 4.14.2). If an older token is used, it was stolen or the newer one was, so
that session ends. Tokens aren't bound to an address, because phones change theirs.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import ClassVar

import attrs
import structlog

from lilygames import codec
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.errors import UserError
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Conflict, Damaged, Draft, Store, StoreUnavailable

log = structlog.get_logger()
SECONDS = 12 * 3600.0
"""Lifetime of a token in seconds."""
GRACE = 60.0
"""Seconds for which the previous token stays valid, in case a client disconnected before it got the new one."""
EACH = 8
"""Maximum sessions per person. One more ends the least recently used."""
MOST = 10_000
"""Maximum people and guests whose sessions are stored."""
KIND = "session"
_LOG = "resume-key"
_SIGN = 16
_WORD = 10
"""Bytes of a word: 16 letters and digits."""
_TRIES = 50


class Ended(UserError):
    """A token of an ended or unknown session."""

    code = "session-ended"


class Reused(Ended):
    """A token that had been replaced longer ago than `GRACE` allows. Using it ended the session."""

    def __init__(self, owner: str) -> None:
        super().__init__("that session was ended because one of its old tokens was used. Log in with your name.")
        self.owner = owner


@attrs.frozen
class Session:
    """A session that one client of a person can resume."""

    id: str
    name: str
    guest: bool
    stamp: str
    """Fingerprint of the password at the start, so that a new password ends the session; empty for a guest."""
    address: str
    """The address where it began or was last resumed."""
    since: float
    turned: float
    """When its newest token was issued, in seconds since 1970."""
    serial: int = 1
    """The number of its newest token."""
    confirmed: bool | None = attrs.field(default=None, metadata={codec.LATER: True})
    """Whether its client has confirmed the newest token; None if it doesn't confirm tokens."""

    def keeps_previous(self, now: float) -> bool:
        """Whether the token before the newest is still valid, if the newest hasn't been used."""
        return now <= self.turned + GRACE if self.confirmed is None else not self.confirmed


@attrs.frozen
class Reuse:
    """The use of an old token, which the owner hasn't been told of yet."""

    session: str
    address: str
    """The address that used the old token."""
    at: float


@attrs.frozen
class StoredSessions:
    """The stored sessions of a person, newest last."""

    STORED_AS: ClassVar = "Kept"

    sessions: tuple[Session, ...] = ()
    reuses: tuple[Reuse, ...] = ()

    def at(self, now: float) -> StoredSessions:
        """Return the sessions that haven't expired."""
        sessions = tuple(one for one in self.sessions if now < one.turned + SECONDS)
        return StoredSessions(sessions, tuple(one for one in self.reuses if now < one.at + SECONDS))

    def begun(self, session: Session) -> StoredSessions:
        """Return the sessions with one added, dropping the least recently used if there are too many."""
        latest = sorted(self.sessions, key=lambda one: one.turned)[1 - EACH :]
        return attrs.evolve(self, sessions=(*latest, session))

    def none(self) -> StoredSessions:
        """Return an empty set of sessions."""
        return StoredSessions(reuses=self.reuses)

    def without(self, ids: frozenset[str]) -> StoredSessions:
        """Return the sessions without these ids."""
        return attrs.evolve(self, sessions=tuple(one for one in self.sessions if one.id not in ids))

    def find(self, session: str) -> Session | None:
        """Return the session with this id."""
        return next((one for one in self.sessions if one.id == session), None)

    def used(self, ticket: Ticket, address: str, now: float) -> StoredSessions:
        """Return the sessions after a token was used.

        The newest token is replaced by the next one. The previous token changes nothing until the newest has been used
        or confirmed, or for `GRACE` seconds if the client doesn't confirm tokens. An older one ends its session.
        """
        session = self.find(ticket.session)
        if session is None or ticket.serial > session.serial:
            return self
        if ticket.serial == session.serial - 1 and session.keeps_previous(now):
            return self
        others = self.without(frozenset((session.id,)))
        if ticket.serial < session.serial:
            return attrs.evolve(others, reuses=(*self.reuses, Reuse(session.id, address, now))[-EACH:])
        turned = attrs.evolve(session, serial=session.serial + 1, turned=now, address=address)
        return attrs.evolve(others, sessions=(*others.sessions, turned))

    def with_receipt(self, session: str, *, confirmed: bool) -> StoredSessions:
        """Return the sessions after a client has confirmed its newest token, or is expected to."""
        changed = (attrs.evolve(one, confirmed=confirmed) if one.id == session else one for one in self.sessions)
        return attrs.evolve(self, sessions=tuple(changed))


@attrs.frozen
class Ticket:
    """The content of a token: owner, session and token number."""

    owner: str
    session: str
    serial: int


@attrs.frozen
class Begun:
    """A session that began or was resumed, its owner, and its next token."""

    owner: str
    session: Session
    token: str


class Tokens:
    """Signs and reads tokens."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._key = b""

    async def load(self) -> None:
        """Load the signing key, or create it if this is the first node. An unreadable key ends all sessions."""
        draft = Draft("host", json.dumps(secrets.token_hex(32)))
        try:
            with suppress(Conflict):
                await self._store.append(_LOG, 0, [draft], cmd=uuid.uuid4().hex)
            (entry,) = (await self._store.read(_LOG, 0, 1)).entries
        except Damaged as problem:
            self._unreadable.report_damage(_LOG, problem)
            self._key = secrets.token_bytes(32)
            return
        try:
            self._key = bytes.fromhex(json.loads(entry.body))
        except (ValueError, TypeError) as problem:
            self._unreadable.report("log entry", f"{_LOG} {entry.seq}", problem)
            self._key = secrets.token_bytes(32)

    def of(self, ticket: Ticket) -> str:
        """Return the token of a ticket."""
        said = json.dumps(attrs.astuple(ticket), separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._sign(said) + said).decode().rstrip("=")

    def word(self, purpose: str) -> str:
        """Return a word that only this place can make, such as for the link to a private table."""
        digest = hmac.digest(self._key, b"word " + purpose.encode(), "sha256")
        return base64.b32encode(digest[:_WORD]).decode().lower()

    def _sign(self, said: bytes) -> bytes:
        return hmac.digest(self._key, b"session " + said, "sha256")[:_SIGN]

    def read(self, token: str) -> Ticket | None:
        """Return the content of a token; None if its signature is invalid."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return None
        if not hmac.compare_digest(raw[:_SIGN], self._sign(raw[_SIGN:])):
            return None
        return Ticket(*json.loads(raw[_SIGN:]))


class Sessions:
    """All sessions, stored by the account key of their owners."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._tokens = Tokens(store, unreadable)

    async def load(self) -> None:
        """Load the key that signs tokens."""
        await self._tokens.load()

    def word(self, purpose: str) -> str:
        """Return a word that only this place can make, such as for the link to a private table."""
        return self._tokens.word(purpose)

    async def begin(self, owner: str, session: Session, *, alone: bool = False) -> Begun:
        """Start a session; with `alone`, end the owner's others; raises `StoreUnavailable`."""
        await self._change(owner, session.turned, lambda kept: (kept.none() if alone else kept).begun(session))
        return self._begun(owner, session)

    def _begun(self, owner: str, session: Session) -> Begun:
        return Begun(owner, session, self._tokens.of(Ticket(owner, session.id, session.serial)))

    async def resume(self, token: str, address: str, now: float, *, confirms: bool = False) -> Begun:
        """Use a token, and return its session with the next token. `confirms` says whether the client confirms that.

        Raises `Ended` for an invalid token, `Reused` if it has just ended its session, `StoreUnavailable`.
        """
        ticket = self._tokens.read(token)
        if ticket is None:
            raise Ended("that token isn't valid here. Log in with your name.")

        def used(kept: StoredSessions) -> StoredSessions:
            after = kept.used(ticket, address, now)
            return after.with_receipt(ticket.session, confirmed=False) if confirms and after != kept else after

        before, after = await self._change(ticket.owner, now, used)
        if after.reuses != before.reuses:
            log.warning("an old token was used, and its session ended", owner=ticket.owner, address=address)
            raise Reused(ticket.owner)
        session = after.find(ticket.session)
        if session is None or ticket.serial > session.serial:
            raise Ended("that session has ended. Log in with your name.")
        return self._begun(ticket.owner, session)

    async def confirm(self, owner: str, session: str, now: float) -> None:
        """Record that a client has its newest token, so the one before isn't needed; raises `StoreUnavailable`."""
        await self._change(owner, now, lambda kept: kept.with_receipt(session, confirmed=True))

    async def kept(self, owner: str, now: float) -> StoredSessions:
        """Return a person's stored sessions; raises `StoreUnavailable`."""
        return _read(owner, await self._store.find(KIND, owner)).at(now)

    async def end(self, owner: str, now: float, ids: frozenset[str] | None = None) -> None:
        """End some of a person's sessions, or all for None; raises `StoreUnavailable`."""
        await self._change(owner, now, lambda kept: kept.none() if ids is None else kept.without(ids))

    async def told(self, owner: str, now: float) -> tuple[Reuse, ...]:
        """Return the uses of old tokens to tell a person about, and clear them; raises `StoreUnavailable`."""
        before, _ = await self._change(owner, now, lambda kept: StoredSessions(kept.sessions))
        return before.reuses

    async def _change(
        self, owner: str, now: float, change: Callable[[StoredSessions], StoredSessions]
    ) -> tuple[StoredSessions, StoredSessions]:
        """Change a person's sessions, and return them before and after; raises `StoreUnavailable`."""
        for _ in range(_TRIES):
            body = await self._store.find(KIND, owner)
            before = _read(owner, body).at(now)
            after = change(before)
            written = _written(after)
            if after == before or await self._store.swap(KIND, owner, body, written):
                return before, after
        raise StoreUnavailable(f"{owner}'s sessions keep being changed elsewhere: try again.")

    async def addresses(self, now: float, origin: str = "") -> Mapping[str, str]:
        """Return the address of everyone's latest session, by owner; raises `StoreUnavailable`."""
        bodies = await self._store.every(KIND)
        kept = await run_in_slices(
            ((owner, _read(owner, body).at(now).sessions) for owner, body in bodies.items()), origin
        )
        return {owner: max(sessions, key=lambda one: one.turned).address for owner, sessions in kept if sessions}

    async def sweep(self, now: float) -> None:
        """Delete expired sessions, and the oldest if there are too many; raises `StoreUnavailable`."""
        bodies = await self._store.every(KIND)
        kept = await run_in_slices(((owner, _read(owner, body).at(now)) for owner, body in bodies.items()))
        newest = sorted(kept, key=lambda one: max((session.turned for session in one[1].sessions), default=0.0))
        surplus = {owner for owner, _ in newest[:-MOST]}
        for owner, what in kept:
            written = None if owner in surplus else _written(what)
            if written != bodies[owner]:
                await self._store.swap(KIND, owner, bodies[owner], written)


def _read(owner: str, body: str | None) -> StoredSessions:
    """Parse stored sessions; empty if they are unreadable."""
    try:
        return codec.from_text(body, StoredSessions) if body else StoredSessions()
    except ValueError:
        log.exception("sessions can't be read", owner=owner)
        return StoredSessions()


def _written(kept: StoredSessions) -> str | None:
    return codec.to_text(kept) if kept != StoredSessions() else None
