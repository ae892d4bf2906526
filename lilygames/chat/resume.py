"""Tokens by which a program takes up a session on a new line, at any node, without a password, where it was left.

A token says whose it is and until when, and is signed (HMAC-SHA-256, RFC 2104) with a key that the nodes share.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import uuid
from contextlib import suppress

import attrs

from lilygames.store import Conflict, Draft, Store

SECONDS = 12 * 3600.0
"""How long a token is good."""
_LOG = "resume-key"
_SIGN = 16


@attrs.frozen
class Session:
    """Whose session a token takes up."""

    name: str
    guest: bool
    key: str
    """Under what is kept all that they own: a name that is somebody else's now opens nothing."""
    until: float
    stamp: str = ""
    """Of the password that was good when the token was given, so that a new one ends it; a guest has none."""


class Tokens:
    """What signs tokens and reads them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = b""

    async def load(self) -> None:
        """Learn the key, made by whichever node came first."""
        draft = Draft("host", json.dumps(secrets.token_hex(32)))
        with suppress(Conflict):
            await self._store.append(_LOG, 0, [draft], cmd=uuid.uuid4().hex)
        (entry,) = (await self._store.read(_LOG, 0, 1)).entries
        self._key = bytes.fromhex(json.loads(entry.body))

    def of(self, session: Session) -> str:
        """Return the token of a session."""
        said = json.dumps(attrs.astuple(session), separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._sign(said) + said).decode().rstrip("=")

    def _sign(self, said: bytes) -> bytes:
        return hmac.digest(self._key, said, "sha256")[:_SIGN]

    def opened(self, token: str, now: float) -> Session | None:
        """Return whose session a token takes up; None for one that nobody here signed, or that is too old."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return None
        if not hmac.compare_digest(raw[:_SIGN], self._sign(raw[_SIGN:])):
            return None
        session = Session(*json.loads(raw[_SIGN:]))
        return session if now < session.until else None
