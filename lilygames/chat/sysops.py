"""Reserved sysop names, which are registered with a one-time word from the shell.

The word is stored as a hash under the name, in the store that all nodes share. It lasts one hour and works once.
"""

from __future__ import annotations

import json

import attrs

from lilygames.chat.hashing import Hashing
from lilygames.chat.names import fold
from lilygames.chat.passwords import return_word
from lilygames.store import Records

KIND = "sysop-claim"
SECONDS = 3600.0
"""Lifetime of a word in seconds."""


@attrs.frozen
class Claim:
    """The hash of a word, and when it expires."""

    digest: str
    until: float


class SysopClaims:
    """The one-time words with which sysops register their reserved names."""

    def __init__(self, records: Records, hashing: Hashing) -> None:
        self._records = records
        self._hashing = hashing

    async def issue(self, name: str, now: float) -> str:
        """Issue a new word for a name; it replaces any earlier one."""
        word = return_word()
        claim = Claim(await self._hashing.digest(word, "", brief=True), now + SECONDS)
        await self._records.keep(KIND, fold(name), json.dumps(attrs.asdict(claim)))
        return word

    async def find(self, name: str, now: float) -> Claim | None:
        """Return the valid claim to a name, if there is one."""
        body = await self._records.find(KIND, fold(name))
        claim = Claim(**json.loads(body)) if body else None
        return claim if claim and now < claim.until else None

    async def fits(self, claim: Claim, word: str, origin: str) -> bool:
        """Return whether a word from an origin matches a claim."""
        return await self._hashing.fits(claim.digest, word, origin, brief=True)

    async def used(self, name: str) -> None:
        """Invalidate the word for a name."""
        await self._records.forget(KIND, fold(name))
