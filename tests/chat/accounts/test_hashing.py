"""Hashing holds up nobody else: it has low priority, and return words are hashed cheaply."""

import asyncio
import os
import sys
import threading

import pytest
from argon2 import extract_parameters

from lilygames.chat.accounts.hashing import _NICENESS, _THREADS, BRIEF_MEMORY, Hashing, _in_a_thread


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux only")
async def test_server_has_priority_over_hashing():
    """Hashing threads get a lower priority; the thread that serves people keeps its own."""

    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()

    assert min(before + _NICENESS, 19) == await _in_a_thread(_THREADS[False], priority)
    assert before == priority()


async def test_return_word_is_hashed_quickly():
    """It is random and lasts for one game, and its guest waits at a table."""
    hashing = Hashing(time=3, memory=64 * 1024)
    made = extract_parameters(await hashing.digest("plum-3742", "", brief=True))

    assert (1, BRIEF_MEMORY) == (made.time_cost, made.memory_cost)
    assert not hashing.is_soft(await hashing.digest("plum-3742", "", brief=True), brief=True)


async def test_return_word_does_not_wait_behind_passwords():
    hashing = Hashing(time=1, memory=64)
    async with hashing._turns[False].turn("a"), hashing._turns[False].turn("a"):
        password = asyncio.create_task(hashing.digest("plums and pears", "b", brief=False))
        word = await hashing.digest("plum-3742", "b", brief=True)
        assert not password.done()

    assert await hashing.fits(word, "plum-3742", "b", brief=True)
    assert await hashing.fits(await password, "plums and pears", "b", brief=False)
