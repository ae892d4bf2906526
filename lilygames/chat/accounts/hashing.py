"""Password hashing in low-priority threads, so that nobody else notices the load.

Only a few hashes run at once; the others take turns by origin.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lilygames.scheduling.priority import give_way
from lilygames.scheduling.turns import ByOrigin, Turns

TOGETHER = 2
"""Passwords hashed at once: each takes memory and a processor."""
BRIEF_MEMORY = 8 * 1024
"""Memory in KiB for return words, which are random and only protect one game."""
_NICENESS = 10
"""Nice value of the hashing threads."""

T = TypeVar("T")


def _give_way() -> None:
    """Lower the thread's priority; do nothing if the system can't do that per thread."""
    if sys.platform == "linux":
        give_way(_NICENESS)


_THREADS = {brief: ThreadPoolExecutor(1 if brief else TOGETHER, "hashing", _give_way) for brief in (False, True)}
"""Thread pools by `brief`. Brief words share one thread, because the C library keeps such memory per thread."""


class Hashing:
    """Hashes and checks words with argon2.

    A `brief` word is short-lived and random. It is hashed quickly and never waits behind passwords.
    """

    def __init__(self, *, time: int, memory: int) -> None:
        self._password = PasswordHasher(time_cost=time, memory_cost=memory, parallelism=1)
        self._brief = PasswordHasher(time_cost=1, memory_cost=min(memory, BRIEF_MEMORY), parallelism=1)
        self._turns = {False: Turns(TOGETHER, ByOrigin()), True: Turns(1, ByOrigin())}

    def _hasher(self, *, brief: bool) -> PasswordHasher:
        return self._brief if brief else self._password

    async def digest(self, word: str, origin: str, *, brief: bool) -> str:
        """Return the hash of a word from an origin."""
        async with self._turns[brief].turn(origin):
            return await _in_a_thread(_THREADS[brief], self._hasher(brief=brief).hash, word)

    async def fits(self, digest: str, word: str, origin: str, *, brief: bool) -> bool:
        """Return whether a word from an origin matches a hash."""
        async with self._turns[brief].turn(origin):
            try:
                return await _in_a_thread(_THREADS[brief], self._hasher(brief=brief).verify, digest, word)
            except (VerificationError, InvalidHashError):
                return False

    def is_soft(self, digest: str, *, brief: bool) -> bool:
        """Whether a hash was made with weaker settings than the current ones."""
        return self._hasher(brief=brief).check_needs_rehash(digest)


async def _in_a_thread(threads: ThreadPoolExecutor, work: Callable[..., T], *words: str) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work, *words)
