"""The bytes of seal version 2: what is hashed, and in which form.

A host fixes a secret and shows its hash (the seal). Each client fixes a random number (the nonce) and shows its hash
(the commitment). Then everything that the players decided is hashed together (the sealing), and the clients reveal
their nonces. All luck follows from the secret, the sealing and the nonces.

Every hash is over one JSON array that begins with a tag, so two kinds of hash can't be confused. `/help seal` says what
all this promises, and against whom.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import attrs

Json = Any
"""JSON data. Bytes are allowed in it, and stand for their hexadecimal digits."""
SIZE = 32
"""Bytes of a secret and of a nonce."""
ID_DIGITS = 32
"""Hexadecimal digits of a seat id. With half as many, a host could prepare an id that fits two names."""
_TAG = "lilygames/2/"
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False, default=bytes.hex)


@attrs.frozen
class Sealed:
    """Everything a round of the seal fixes before any nonce is revealed.

    `root` is the Merkle root of a closed seal, else empty. A seat has a name and a level, which is empty for a person.
    A word of `/cut` and a commitment each come with the name of their player. Words are in log order, commitments by
    seat.
    """

    round: int
    seal: str
    root: str
    options: dict[str, Any]
    seats: tuple[tuple[str, str], ...]
    purses: tuple[int, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    commits: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Json]:
        """Return the object that `sealing_digest` hashes, and that clients get."""
        return attrs.asdict(self, recurse=False)


def fresh() -> bytes:
    """Return a new secret or nonce: 32 random bytes from the operating system."""
    return secrets.token_bytes(SIZE)


def canonical(tag: str, *parts: Json) -> bytes:
    """Return the JSON array `["lilygames/2/" + tag, *parts]` as ASCII, with sorted keys and without spaces.

    Raises `TypeError` or `ValueError` for anything that isn't JSON data or bytes.
    """
    return _ENCODER.encode([_TAG + tag, *parts]).encode("ascii")


def digest(tag: str, *parts: Json) -> str:
    """Return the SHA-256 of the canonical array in hexadecimal."""
    return sha256(canonical(tag, *parts)).hexdigest()


def keyed(key: bytes, tag: str, *parts: Json) -> bytes:
    """Return the HMAC-SHA-256 of the canonical array."""
    return hmac.new(key, canonical(tag, *parts), "sha256").digest()


def seal_of(secret: bytes) -> str:
    """Return the seal of a secret."""
    return digest("seal", secret)


def table_id(number: int, game: str, rules_version: int, first_seal: str) -> str:
    """Return the table's identity (T), which no other table shares. It stays the same in every round."""
    return digest("table", number, game, rules_version, first_seal)


def duplicate_id(name: str, game: str, rules_version: int, first_seal: str) -> str:
    """Return the identity (T) of a duplicate set. Its first table is sealed under it, too."""
    return digest("duplicate", name, game, rules_version, first_seal)


def seat_id(name: str, salt: bytes) -> str:
    """Return the id that stands for a person in a table's log.

    The host can't give the id to another name later. Without the salt, nobody can guess the name.
    """
    return digest("seat", name, salt)[:ID_DIGITS]


def commitment(table: str, round_: int, name: str, nonce: bytes) -> str:
    """Return the commitment to a nonce. The name is hashed in, so a copied commitment can't be revealed."""
    return digest("commit", table, round_, name, nonce)


def fits(commit: str, table: str, round_: int, name: str, nonce: bytes) -> bool:
    """Return whether a revealed nonce has the right size and matches its commitment."""
    return len(nonce) == SIZE and hmac.compare_digest(commit.encode(), commitment(table, round_, name, nonce).encode())


def sealing_digest(table: str, sealed: Sealed | Mapping[str, Json]) -> str:
    """Return the digest of a sealing (D), which players can compare aloud."""
    return digest("sealing", table, sealed.as_json() if isinstance(sealed, Sealed) else dict(sealed))


def table_key(secret: bytes, table: str, sealing: str, nonces: Sequence[bytes]) -> bytes:
    """Return the key of all luck (K) of an open seal. `nonces` come in the order of the commitments."""
    return keyed(secret, "key", table, sealing, list(nonces))


def cut_key(table: str, sealing: str, nonces: Sequence[bytes]) -> bytes:
    """Return the key of the public half of the luck (C) of a closed seal: it follows from the log alone."""
    return bytes.fromhex(digest("cut", table, sealing, list(nonces)))


def draw_key(key: bytes, *purpose: str | int) -> bytes:
    """Return the key of one draw's luck: `draw_key(key, "deal", 3)`."""
    return keyed(key, "luck", *purpose)


def house_key(key: bytes, seat: int, moves: int) -> bytes:
    """Return the key of a bot's own luck. `moves` counts the moves its seat has made and not taken back."""
    return keyed(key, "house", seat, moves)


def private_key(secret: bytes, table: str, round_: int, *purpose: str | int) -> bytes:
    """Return the key of the private half of a draw of a closed seal, which is fixed before anyone commits."""
    return keyed(secret, "private", table, round_, *purpose)


def leaf_salt(secret: bytes, table: str, round_: int, *place: str | int) -> bytes:
    """Return the salt of one leaf of a closed seal's tree, so that nobody can guess the leaf from its hash."""
    return keyed(secret, "salt", table, round_, *place)


def header_link(header: Json) -> str:
    """Return the first link of an exported history, from the header as stored."""
    return digest("header", header)


def entry_link(previous: str, seq: int, act: Json, told: str, seen: Json = None) -> str:
    """Return the link of an entry, from the link before it and the act as stored, perhaps with what was `seen` of it.

    Where the seal stays closed, a move has only what was seen of it, which stands for the act.
    """
    return digest("entry", previous, seq, *([act] if seen is None else [act, seen]), told)


def export_sum(last: str, rows: Sequence[Json]) -> str:
    """Return the sum that ends an export, from its last link and what no link covers of each row."""
    return digest("end", last, rows)
