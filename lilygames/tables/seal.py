"""The seal: a table's secret is fixed before the deal, and all luck is derived from it.

`SHA-256(secret)` is shown first. Seated players may then each add a word (the cut). All luck is HMAC from the secret
and the cuts, and the end of the game publishes the secret. So the host can't choose a deal after it knows the cuts, and
nobody can know a deal before the end.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Sequence
from hashlib import sha256

from rules.kit import KeyedLuck, Seat

Cuts = Sequence[tuple[Seat, str]]


def fresh_secret() -> bytes:
    """Return 32 new random bytes."""
    return secrets.token_bytes(32)


def seal_of(secret: bytes) -> str:
    """Return the seal of a secret: its SHA-256 in hexadecimal."""
    return sha256(secret).hexdigest()


def shown(seal: str) -> str:
    """Return the start of a seal in groups that are easy to read aloud: `3f9c 07aa e1`."""
    return f"{seal[:4]} {seal[4:8]} {seal[8:10]}"


def key_of(secret: bytes, cuts: Cuts) -> bytes:
    """Return HMAC-SHA-256(secret, the cuts in log order, as a JSON list of [seat, word])."""
    words = json.dumps([[seat, word] for seat, word in cuts], separators=(",", ":")) if cuts else "[]"
    return hmac.new(secret, words.encode(), "sha256").digest()


def luck_of(key: bytes, seq: int) -> KeyedLuck:
    """Return the luck of the log entry at `seq`: HMAC(key, ["luck", seq])."""
    return KeyedLuck(hmac.new(key, b'["luck",%d]' % seq, "sha256").digest())


def hint_luck(key: bytes, seat: Seat, seq: int) -> KeyedLuck:
    """Return the luck of a hint, which no move uses: HMAC(key, ["hint", seat, seq])."""
    return KeyedLuck(hmac.new(key, b'["hint",%d,%d]' % (seat, seq), "sha256").digest())


def house_luck(key: bytes, seat: Seat, seq: int) -> KeyedLuck:
    """Return a bot's own luck for its move at `seq`: HMAC(key, ["house", seat, seq])."""
    return KeyedLuck(hmac.new(key, b'["house",%d,%d]' % (seat, seq), "sha256").digest())
