"""Hashing is nobody else's burden: turns by address, low priority, and little of it for a word of one evening."""

import asyncio
import os
import sys
import threading
from contextlib import suppress

import pytest
from argon2 import extract_parameters

from lilygames.chat.hashing import _KINDNESS, BRIEF_MEMORY, Hashing, Turnstile, _in_a_thread


class Passers:
    """Those who want to pass, by origin; `passed` says who did, in order, and `step` lets one go on."""

    def __init__(self, together):
        self.turnstile = Turnstile(together)
        self.inside = []
        self.passed = []

    async def go(self, origin):
        async with self.turnstile.passage(origin):
            self.passed.append(origin)
            leave = asyncio.get_running_loop().create_future()
            self.inside.append(leave)
            await leave

    async def come(self, *origins):
        tasks = [asyncio.create_task(self.go(origin)) for origin in origins]
        await asyncio.sleep(0)
        return tasks

    async def empty(self):
        while self.inside:
            self.inside.pop(0).set_result(None)
            for _ in range(3):
                await asyncio.sleep(0)


async def test_only_so_many_pass_at_once():
    passers = Passers(2)
    await passers.come(*"abc")

    assert ["a", "b"] == passers.passed
    await passers.empty()
    assert ["a", "b", "c"] == passers.passed


async def test_whoever_asks_for_much_waits_for_themselves():
    """One who comes after five from one address waits for one of them."""
    passers = Passers(1)
    await passers.come(*"mmmmmbc")
    await passers.empty()

    assert [*"mmbcmmm"] == passers.passed


@pytest.mark.parametrize("given", [False, True])
async def test_who_goes_away_while_waiting_holds_nobody_up(given):
    """Whether the turn had not come yet, or was given in the same moment."""
    passers = Passers(1)
    _, gone, _ = await passers.come(*"abc")
    if given:
        passers.inside.pop().set_result(None)
        await asyncio.sleep(0)
    gone.cancel()
    with suppress(asyncio.CancelledError):
        await gone
    await passers.empty()

    assert [*"ac"] == passers.passed
    assert 1 == passers.turnstile._free


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux only")
async def test_the_host_goes_before_hashing():
    """The threads' priority is lower; the one that serves people keeps its own."""

    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()

    assert min(before + _KINDNESS, 19) == await _in_a_thread(priority)
    assert before == priority()


async def test_a_return_word_is_hashed_quickly():
    """It is drawn, of use for one game, and its guest waits at a table."""
    hashing = Hashing(time=3, memory=64 * 1024)
    made = extract_parameters(await hashing.digest("plum-3742", "", brief=True))

    assert (1, BRIEF_MEMORY) == (made.time_cost, made.memory_cost)
    assert not hashing.is_soft(await hashing.digest("plum-3742", "", brief=True), brief=True)


async def test_a_return_word_does_not_wait_behind_passwords():
    hashing = Hashing(time=1, memory=64)
    async with hashing._turnstiles[False].passage("a"), hashing._turnstiles[False].passage("a"):
        password = asyncio.create_task(hashing.digest("plums and pears", "b", brief=False))
        word = await hashing.digest("plum-3742", "b", brief=True)
        assert not password.done()

    assert await hashing.fits(word, "plum-3742", "b", brief=True)
    assert await hashing.fits(await password, "plums and pears", "b", brief=False)
