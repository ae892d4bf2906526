"""Workers: the same move as in this process, a limit for endless thinking, and replacements for dead ones."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lilygames.game import Budget, Thinker
from lilygames.house import worker
from lilygames.house.worker import TooLong, WorkerDied
from lilygames.house.workers import Workers
from lilygames_rules.kit import KeyedLuck
from tests.deadline import DEADLINE


def drawn(view, moves, luck, budget):
    """Return the last of as many draws as the budget has."""
    return [luck.choice(moves) for _ in range(budget.iterations)][-1]


def process(view, moves, luck, budget):
    return os.getpid()


def endless(view, moves, luck, budget):
    while True:
        pass


def deadly(view, moves, luck, budget):
    os._exit(1)


def wrong(view, moves, luck, budget):
    raise ValueError(view)


def seen(view, moves, luck, budget):
    return view


class Stubborn(Exception):
    def __reduce__(self):
        raise TypeError("not by post")


def stubborn(view, moves, luck, budget):
    raise Stubborn


LET = threading.Event()


def patient(view, moves, luck, budget):
    """Return whether the test has let it go on."""
    return LET.wait(DEADLINE)


def is_running(pid):
    return Path(f"/proc/{pid}").exists()


FILLED = []


def fill():
    FILLED.append(os.getpid())


def filled(view, moves, luck, budget):
    return FILLED == [os.getpid()]


@pytest.fixture
def workers():
    workers = Workers(1, brake=0.2)
    yield workers
    workers.close()


def asked(workers, decide, iterations=100):
    return workers.think(Thinker(decide, Budget(iterations)), "view", range(1000), KeyedLuck(b"luck"))


async def test_worker_makes_the_same_move_as_this_process(workers):
    assert await asked(Workers(0), drawn) == await asked(workers, drawn)


async def test_budget_reaches_the_worker(workers):
    assert await asked(workers, drawn, 7) != await asked(workers, drawn, 8)


async def test_thinker_runs_in_another_process(workers):
    assert os.getpid() != await asked(workers, process)


class Unhashable:
    """A bot with a memory, as in the dice games."""

    __hash__ = None

    def __call__(self, view, moves, luck, budget):
        return os.getpid()


async def test_bot_with_a_memory_runs_in_another_process(workers):
    """It can't be a key of a table: its memory changes."""
    assert os.getpid() != await asked(workers, Unhashable())


async def test_strategy_runs_in_this_process(workers):
    assert os.getpid() == await workers.think(lambda *_: os.getpid(), "view", (), KeyedLuck(b""))


async def test_thinker_runs_in_this_process_without_workers():
    assert os.getpid() == await asked(Workers(0), process)


async def test_error_in_a_worker_is_raised_here(workers):
    with pytest.raises(ValueError, match="view"):
        await asked(workers, wrong)


async def test_endless_decision_is_stopped_and_the_worker_goes_on(workers):
    before = await asked(workers, process)

    with pytest.raises(TooLong):
        await asked(workers, endless)

    assert before == await asked(workers, process)


async def test_dead_worker_is_replaced(workers):
    before = await asked(workers, process)
    with capture_logs() as logged, pytest.raises(WorkerDied):
        await asked(workers, deadly)

    assert ["a bot worker died; another one starts with the next decision"] == [line["event"] for line in logged]
    assert before != await asked(workers, process)


async def test_worker_that_dies_while_it_has_nothing_to_do_is_replaced(workers):
    before = await asked(workers, process)
    with capture_logs() as logged:
        os.kill(before, signal.SIGKILL)
        async with asyncio.timeout(DEADLINE):
            while is_running(before):  # noqa: ASYNC110 - no event says so
                await asyncio.sleep(0.01)

        assert before != await asked(workers, process)
    assert [] == logged


async def test_workers_start_in_threads_and_no_more_than_there_may_be(workers, monkeypatch):
    """Starting them on the event loop held everyone up for a tenth of a second."""
    begun = []
    started = worker._started
    monkeypatch.setattr(worker, "_started", lambda *how: (begun.append(threading.current_thread()), started(*how))[1])
    await asyncio.gather(asked(workers, drawn), asked(workers, drawn))

    assert [False] == [thread is threading.main_thread() for thread in begun]


async def test_job_that_is_longer_than_the_pipe_reaches_the_worker(workers):
    view = "x" * 1_000_000

    assert view == await workers.think(Thinker(seen, Budget(1)), view, (), KeyedLuck(b""))


async def test_error_that_cannot_be_pickled_is_raised_in_words(workers):
    with pytest.raises(RuntimeError, match="Stubborn"):
        await asked(workers, stubborn)


async def test_decision_that_is_given_up_holds_up_its_worker_only_until_it_is_made(workers):
    await asked(workers, drawn)
    slow = asyncio.create_task(asked(workers, drawn, 100_000))
    await asyncio.sleep(0)
    slow.cancel()

    assert await asked(workers, drawn) == await asked(Workers(0), drawn)
    assert slow.cancelled()


async def test_closing_gives_up_what_the_workers_think_about(workers):
    await asked(workers, drawn)
    slow = asyncio.create_task(asked(workers, endless))
    await asyncio.sleep(0)
    workers.close()
    await asyncio.wait({slow})

    assert slow.cancelled()


async def test_process_is_gone_once_its_worker_is_closed(workers):
    """One that nobody waits for would stay as a zombie, for as long as the server's process."""
    pid = await asked(workers, process)
    workers.close()

    async with asyncio.timeout(DEADLINE):
        while is_running(pid):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.01)


async def test_worker_fills_the_tables_of_bots_before_its_first_decision():
    workers = Workers(1, prepare=[fill])
    try:
        assert await asked(workers, filled)
        assert await asked(workers, filled)
    finally:
        workers.close()

    assert [] == FILLED


# without worker processes


@pytest.fixture
def thread():
    LET.clear()
    workers = Workers(0, thread=True)
    yield workers
    LET.set()
    workers.close()


async def test_event_loop_goes_on_while_a_bot_thinks_in_this_process(thread):
    thinking = asyncio.create_task(asked(thread, patient))
    for _ in range(10):
        await asyncio.sleep(0)
    LET.set()

    assert await thinking


async def test_event_loop_goes_on_while_a_move_is_checked_in_this_process(thread):
    checking = asyncio.create_task(thread.rethink(Thinker(patient, Budget(1)), "view", (), KeyedLuck(b"")))
    for _ in range(10):
        await asyncio.sleep(0)
    LET.set()

    assert await checking


async def test_bot_that_thinks_in_this_process_sees_a_copy(thread):
    """The memory of a bot changes while others move."""
    view = ["before"]
    thinking = asyncio.create_task(thread.think(Thinker(seen, Budget(1)), view, (), KeyedLuck(b"")))
    await asyncio.wait({thinking})

    assert view == await thinking
    assert view is not await thinking


async def test_error_of_a_bot_in_this_process_is_raised(thread):
    with pytest.raises(ValueError, match="view"):
        await asked(thread, wrong)


async def test_decision_that_is_given_up_in_this_process_ends_before_the_next_one(thread):
    slow = asyncio.create_task(asked(thread, patient))
    for _ in range(10):
        await asyncio.sleep(0)
    slow.cancel()
    following = asyncio.create_task(asked(thread, drawn))
    for _ in range(10):
        await asyncio.sleep(0)
    waited = not following.done()
    LET.set()
    await asyncio.wait({slow, following})

    assert [True, True] == [waited, slow.cancelled()]


async def test_bots_in_this_process_search_with_their_whole_budgets_while_many_wait(thread):
    slow = asyncio.create_task(asked(thread, patient, 10**12))
    for _ in range(10):
        await asyncio.sleep(0)
    share = thread.budget_share()
    LET.set()
    await slow

    assert 1.0 == share
