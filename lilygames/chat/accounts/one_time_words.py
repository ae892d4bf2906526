"""One-time words: a sysop registers a reserved name with one, and people who forgot their password log in with one.

Only the hash of a word is stored. A word expires, and works once.
"""

from __future__ import annotations

import json

import attrs

from lilygames.chat.accounts.hashing import Hashing
from lilygames.chat.accounts.passwords import return_word
from lilygames.store import Records

CLAIM = "sysop-claim"
"""Kind of the records of words that register a sysop's name, by folded name."""
RECOVERY = "recovery"
"""Kind of the records of words for people who forgot their password, by account key."""
HOUR, DAY = 3600.0, 86400.0


@attrs.frozen
class OneTimeWord:
    """The hash of a word, and when it expires."""

    digest: str
    until: float


class OneTimeWords:
    """The one-time words of one kind."""

    def __init__(self, records: Records, hashing: Hashing, kind: str) -> None:
        self._records = records
        self._hashing = hashing
        self._kind = kind

    async def issue(self, key: str, now: float, seconds: float = HOUR, word: str = "") -> str:
        """Store a word that is valid for some seconds, and return it; it replaces any earlier one. Empty: a new one."""
        word = word or return_word()
        stored = OneTimeWord(await self._hashing.digest(word, "", brief=True), now + seconds)
        await self._records.keep(self._kind, key, json.dumps(attrs.asdict(stored)))
        return word

    async def find(self, key: str, now: float) -> OneTimeWord | None:
        """Return the valid word under a key, if there is one."""
        body = await self._records.find(self._kind, key)
        word = OneTimeWord(**json.loads(body)) if body else None
        return word if word and now < word.until else None

    async def fits(self, word: OneTimeWord, typed: str, origin: str) -> bool:
        """Return whether what was typed from an origin is this word."""
        return await self._hashing.fits(word.digest, typed, origin, brief=True)

    async def used(self, key: str) -> None:
        """Invalidate the word under a key."""
        await self._records.forget(self._kind, key)
