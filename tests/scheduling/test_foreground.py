"""Work that nobody waits for, while people wait for answers."""

import asyncio

import pytest

from lilygames.scheduling import foreground
from lilygames.scheduling.foreground import Foreground


@pytest.fixture
def typed(monkeypatch):
    """The lines that people have typed; other work may wait for them as long as it takes."""
    monkeypatch.setattr(foreground, "REST", 0.0)
    monkeypatch.setattr(foreground, "LONGEST", 1e9)
    return Foreground()


async def turns(number=20):
    """Let others run for a few turns of the event loop."""
    for _ in range(number):
        await asyncio.sleep(0)


async def test_work_goes_on_in_a_later_turn_while_nobody_waits(typed):
    work = asyncio.create_task(typed.quiet())
    others = asyncio.create_task(asyncio.sleep(0, "their turn"))
    await work

    assert others.done()


async def test_work_rests_until_all_lines_are_answered(typed):
    with typed.answering():
        with typed.answering():
            work = asyncio.create_task(typed.quiet())
            await turns()
        await turns()
        assert not work.done()

    await work


async def test_line_that_fails_holds_up_no_work(typed):
    with pytest.raises(ZeroDivisionError), typed.answering():
        1 / 0  # noqa: B018 - as a bug in a command does

    await typed.quiet()


async def test_work_goes_on_when_someone_waits_for_it(typed):
    wanted = []
    with typed.answering():
        work = asyncio.create_task(typed.quiet(unless=lambda: bool(wanted)))
        await turns()
        assert not work.done()
        wanted.append("ann")
        await work


async def test_work_goes_on_although_an_answer_takes_long(typed, monkeypatch):
    monkeypatch.setattr(foreground, "LONGEST", 0.0)
    with typed.answering():
        await typed.quiet()
