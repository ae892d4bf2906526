"""Names that the settings give to sysops: nobody else can have them, and a word from the shell registers them.

The word is kept as a hash under the name, in the store that all nodes share, for one hour and for one use.
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
"""How long a word is good."""


@attrs.frozen
class Claim:
    """The hash of a word, and until when it is good."""

    digest: str
    until: float


class SysopClaims:
    """The words by which sysops register the names that are kept for them."""

    def __init__(self, records: Records, hashing: Hashing) -> None:
        self._records = records
        self._hashing = hashing

    async def issue(self, name: str, now: float) -> str:
        """Return a fresh word for a name; an earlier one is good no more."""
        word = return_word()
        claim = Claim(await self._hashing.digest(word, "", brief=True), now + SECONDS)
        await self._records.keep(KIND, fold(name), json.dumps(attrs.asdict(claim)))
        return word

    async def find(self, name: str, now: float) -> Claim | None:
        """Return the claim to a name that has been issued and is still good."""
        body = await self._records.find(KIND, fold(name))
        claim = Claim(**json.loads(body)) if body else None
        return claim if claim and now < claim.until else None

    async def fits(self, claim: Claim, word: str, origin: str) -> bool:
        """Return whether a word that comes from an origin is the one of a claim."""
        return await self._hashing.fits(claim.digest, word, origin, brief=True)

    async def used(self, name: str) -> None:
        """Let the word for a name be good no more."""
        await self._records.forget(KIND, fold(name))
