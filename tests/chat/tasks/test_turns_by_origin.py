"""Turns at expensive work: a few at once, by origin, and long work a little at a time."""

import asyncio
from contextlib import suppress

import pytest

from lilygames.chat.tasks.cooperative import SLICE, run_in_slices
from lilygames.scheduling.turns import ByOrigin, Turns


class Passers:
    """Tasks that want to pass, by origin; `passed` lists them in order, and `step` lets one go on."""

    def __init__(self, together):
        self.turns = Turns(together, ByOrigin())
        self.inside = []
        self.passed = []

    async def go(self, origin):
        async with self.turns.turn(origin):
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


async def test_number_of_tasks_that_pass_at_once_is_limited():
    passers = Passers(2)
    await passers.come(*"abc")

    assert ["a", "b"] == passers.passed
    await passers.empty()
    assert ["a", "b", "c"] == passers.passed


async def test_origin_with_many_tasks_waits_for_its_own():
    """A task that comes after five from another address waits for one of them."""
    passers = Passers(1)
    await passers.come(*"mmmmmbc")
    await passers.empty()

    assert [*"mmbcmmm"] == passers.passed


@pytest.mark.parametrize("given", [False, True])
async def test_task_cancelled_while_waiting_holds_nobody_up(given):
    """It may be cancelled before its turn, or in the moment when it gets it."""
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
    assert 1 == passers.turns._free


async def test_long_work_leaves_turns_to_everyone_else():
    """The loop runs many times meanwhile, and the work yields its results in order."""
    turns = 0

    async def turn():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    def work():
        loop = asyncio.get_running_loop()
        for piece in range(10):
            begin = loop.time()
            while loop.time() < begin + SLICE * 1.1:
                pass
            yield piece

    turning = asyncio.create_task(turn())
    done = await run_in_slices(work())
    turning.cancel()

    assert [*range(10)] == done
    assert turns >= 9


async def test_two_long_jobs_run_one_after_the_other():
    order = []

    def work(name):
        for _ in range(3):
            until = asyncio.get_running_loop().time() + SLICE * 1.1
            while asyncio.get_running_loop().time() < until:
                pass
            order.append(name)
            yield name

    await asyncio.gather(run_in_slices(work("a"), "here"), run_in_slices(work("b"), "there"))

    assert [*"aaabbb"] == order


async def test_error_in_long_work_is_raised_and_the_next_goes_on():
    def work():
        yield 1
        raise LookupError

    with pytest.raises(LookupError):
        await run_in_slices(work())
    assert [2] == await run_in_slices([2])
