"""Secrets and seals: what is the same in every game, and the seal of a lesson.

`SHA-256(secret)` is shown first. In a game, clients then add to the deal (`lilygames/proofs/commitments.py` has the
bytes). A lesson states its deal, so nobody adds to it.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256


def fresh_secret() -> bytes:
    """Return 32 new random bytes."""
    return secrets.token_bytes(32)


def seal_of(secret: bytes) -> str:
    """Return the seal of a lesson's secret: its SHA-256 in hexadecimal."""
    return sha256(secret).hexdigest()


def shown(seal: str) -> str:
    """Return the start of a seal in groups that are easy to read aloud: `3f9c 07aa e1`."""
    return f"{seal[:4]} {seal[4:8]} {seal[8:10]}"


def key_of(secret: bytes) -> bytes:
    """Return the key of a table whose secret nobody adds to: HMAC-SHA-256(secret, "[]")."""
    return hmac.new(secret, b"[]", "sha256").digest()
