"""A public beacon of random numbers (drand), whose number of the day goes into every daily deal.

A deal's seal is shown a day before, so the host can't change its secret once the beacon's number is known. Nobody knows
that number before midnight. So nobody has chosen the deal, not even the host.

The chain's hash covers the period and the start of its rounds, and a number is the hash of its signature. Both are
checked here. The BLS signature itself is not: Python's library has no pairings. Anyone can compare a number with any
server of the chain (https://docs.drand.love/docs/dev-guide/3-4-dev-guide-http-api).
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from math import ceil
from typing import Any, Protocol

import attrs

NONE = "none"
"""The word of a day on which the beacon couldn't be reached."""
BY = "beacon"
"""The name under which the word is sealed. No player takes part under it."""
GIVE_UP = 600.0
"""Seconds after midnight until a deal is sealed without the beacon, if it can't be reached."""
_NUMBER = re.compile(r"[1-9][0-9]{0,17}:[0-9a-f]{64}")
_DEFAULT = ("", "default")
"""Identifiers of a chain that its hash leaves out."""


class BeaconDown(Exception):
    """The beacon can't be reached, or what it says doesn't fit; the text says why, for the log."""


class Beacon(Protocol):
    """A source of public random numbers. Its name is part of a deal's header."""

    name: str

    async def word(self, at: float) -> str:
        """Return the name, the first round at or after a time, and its number; raises `BeaconDown`."""


def name_of(chain: str) -> str:
    """Return the name of the beacon with this chain: `drand:<chain>`."""
    return f"drand:{chain}"


def fits(beacon: str, words: tuple[tuple[str, str], ...]) -> bool:
    """Return whether words may be sealed in a deal whose header names this beacon: exactly one, or none without it."""
    if not beacon:
        return not words
    if len(words) != 1 or words[0][0] != BY:
        return False
    word = words[0][1]
    return word == NONE or (word.startswith(f"{beacon}:") and bool(_NUMBER.fullmatch(word[len(beacon) + 1 :])))


def round_of(words: tuple[tuple[str, str], ...]) -> str:
    """Return the number of the beacon's round in sealed words; empty if there is none."""
    return words[0][1].split(":")[2] if words and words[0][1] != NONE else ""


@attrs.frozen
class Chain:
    """When the rounds of a chain are drawn: round 1 at `genesis`, then one in each `period`, in seconds."""

    hash: str
    period: int
    genesis: int

    def first_round(self, at: float) -> int:
        """Return the first round that is drawn at or after a time."""
        return 1 + max(0, ceil((at - self.genesis) / self.period))

    def word(self, number: int, value: str) -> str:
        """Return the word that is sealed for a round and its number."""
        return f"{name_of(self.hash)}:{number}:{value}"


def chain_of(text: bytes, chain: str) -> Chain:
    """Read a chain's `/info`; raises `BeaconDown` unless it is what the chain's hash covers.

    The hash is that of drand's `Info.Hash`: period, genesis time, public key, group hash, and the identifier.
    """
    data = _object(text)
    try:
        period, genesis = int(data["period"]), int(data["genesis_time"])
        named = (data.get("metadata") or {}).get("beaconID", "")
        covered = period.to_bytes(4, "big") + genesis.to_bytes(8, "big")
        covered += bytes.fromhex(data["public_key"]) + bytes.fromhex(data["groupHash"])
        covered += b"" if named in _DEFAULT else named.encode()
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError):
        raise BeaconDown("the chain's information can't be read") from None
    if sha256(covered).hexdigest() != chain or period < 1:
        raise BeaconDown("the chain's information doesn't fit its hash")
    return Chain(chain, period, genesis)


def value_of(text: bytes, number: int) -> str:
    """Read a round's answer, and return its number; raises `BeaconDown` unless it is that round's and fits."""
    data = _object(text)
    try:
        value, signature = str(data["randomness"]), bytes.fromhex(data["signature"])
    except (LookupError, TypeError, ValueError):
        raise BeaconDown("the round's number can't be read") from None
    if data.get("round") != number:
        raise BeaconDown(f"asked for round {number}, got round {str(data.get('round'))[:20]}")
    if sha256(signature).hexdigest() != value:
        raise BeaconDown("the round's number isn't the hash of its signature")
    return value


def _object(text: bytes) -> dict[str, Any]:
    """Return a JSON object; raises `BeaconDown` for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BeaconDown("the answer isn't a JSON object")
    return data
