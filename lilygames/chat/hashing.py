"""Words become digests that nobody can turn back: heavy on purpose, and so done where nobody else feels it.

That is in threads of low priority, a few at a time; those who wait take turns by where they come from.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lilygames.chat.fair_gate import FairGate

TOGETHER = 2
"""Passwords hashed at once: each takes memory and a processor."""
BRIEF_MEMORY = 8 * 1024
"""KiB for a word that was not chosen and is of use for one game only."""
_KINDNESS = 10
"""How much hashing gives way to the host on a machine that is short of processors."""

T = TypeVar("T")


def _give_way() -> None:
    """Lower the priority of the thread; where a thread has none of its own, leave the whole process as it is."""
    if sys.platform == "linux":
        os.nice(_KINDNESS)


_THREADS = {brief: ThreadPoolExecutor(1 if brief else TOGETHER, "hashing", _give_way) for brief in (False, True)}
"""By whether a word is brief: the C library keeps such small memory for the thread that had it, so one has it."""


class Hashing:
    """Hashes words with argon2, and compares them.

    A `brief` word is a short-lived one, drawn and not chosen: it is hashed quickly, and never waits behind passwords.
    """

    def __init__(self, *, time: int, memory: int) -> None:
        self._password = PasswordHasher(time_cost=time, memory_cost=memory, parallelism=1)
        self._brief = PasswordHasher(time_cost=1, memory_cost=min(memory, BRIEF_MEMORY), parallelism=1)
        self._gates = {False: FairGate(TOGETHER), True: FairGate(1)}

    def _hasher(self, *, brief: bool) -> PasswordHasher:
        return self._brief if brief else self._password

    async def digest(self, word: str, origin: str, *, brief: bool) -> str:
        """Return the digest of a word that comes from an origin."""
        async with self._gates[brief].passage(origin):
            return await _in_a_thread(_THREADS[brief], self._hasher(brief=brief).hash, word)

    async def fits(self, digest: str, word: str, origin: str, *, brief: bool) -> bool:
        """Return whether a word that comes from an origin is the one of a digest."""
        async with self._gates[brief].passage(origin):
            try:
                return await _in_a_thread(_THREADS[brief], self._hasher(brief=brief).verify, digest, word)
            except (VerificationError, InvalidHashError):
                return False

    def is_soft(self, digest: str, *, brief: bool) -> bool:
        """Whether a digest was made when hashing was less hard than now."""
        return self._hasher(brief=brief).check_needs_rehash(digest)


async def _in_a_thread(threads: ThreadPoolExecutor, work: Callable[..., T], *words: str) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work, *words)
