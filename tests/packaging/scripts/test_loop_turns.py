"""Test that the turns of an event loop are measured, and what runs in them is named."""

import asyncio
import time

import pytest

from lilygames.gametest.loop_turns import LONG, RecordingLoop, Turn, Turns


def test_arrival_at_any_time_waits_for_the_rest_of_the_turn():
    turns = Turns(seconds=10.0, turns=[Turn(cpu=0.6, waited=0.4)])

    assert pytest.approx(0.5, abs=1e-6) == turns.wait(0.95)
    assert pytest.approx(0.1, abs=1e-6) == turns.wait(0.95, cpu_only=True)
    assert pytest.approx(0.0, abs=1e-6) == turns.wait(0.5)


def compute():
    """Use more CPU than a short turn does."""
    until = time.thread_time() + 3 * LONG
    while time.thread_time() < until:
        pass


async def computes():
    """Use as much in a task."""
    compute()


def test_callbacks_and_tasks_that_take_long_are_named():
    async def play():
        with loop.recording(turns):
            loop.call_soon(compute)
            await asyncio.create_task(computes())
            await asyncio.sleep(0)

    turns, loop = Turns(), RecordingLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play())

    assert {"compute", "computes"} <= {name for name, _ in turns.ran}
    assert 6 * LONG < sum(turn.cpu for turn in turns.turns)


def test_nothing_is_recorded_besides_what_is_asked_for():
    async def play():
        with loop.recording(turns):
            await asyncio.sleep(0)
        found = len(turns.turns)
        compute()
        await asyncio.sleep(0)
        assert (found, []) == (len(turns.turns), turns.ran)

    turns, loop = Turns(), RecordingLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play())
