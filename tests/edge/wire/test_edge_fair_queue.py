"""Work of all connections is done a little in each turn of the event loop, fairly, however many there are."""

import asyncio

import pytest

from lilygames.edge.wire import limits
from lilygames.edge.wire.limits import LATELY, LONG, PIECE, SLICE, FairQueue, ReadThrottle


@pytest.fixture
def clock(monkeypatch):
    """The clock, which a test moves."""

    class Clock:
        now = 0.0

        def spend(self, seconds):
            self.now += seconds

    clock = Clock()
    monkeypatch.setattr(limits, "perf_counter", lambda: clock.now)
    return clock


async def turns_until(done):
    turns = 0
    while not done():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def test_twenty_large_jobs_take_at_least_twenty_turns(clock):
    """Nobody else waits for more than one of them."""
    queue, served = FairQueue(), []
    for number in range(20):
        queue.post(lambda number=number: (served.append(number), clock.spend(SLICE)))
    turns = await turns_until(lambda: len(served) == 20)

    assert [*range(20)] == served
    assert turns >= 20


async def test_small_jobs_are_done_in_one_turn(clock):
    queue, served = FairQueue(), []
    for number in range(20):
        queue.post(lambda number=number: served.append(number))

    assert 1 == await turns_until(lambda: len(served) == 20)


async def test_job_posted_by_a_job_waits_for_another_turn(clock):
    """A job that posts its rest again cannot bypass the queue."""
    queue, served = FairQueue(), []

    def work():
        served.append(1)
        clock.spend(SLICE)
        queue.post(work)

    queue.post(work)
    queue.post(work)
    for _ in range(10):
        await asyncio.sleep(0)

    assert len(served) <= 10


async def test_tasks_go_on_one_in_each_turn(clock):
    """The length of a task's next step isn't known, so no other begins after it in the same turn."""
    queue, together, most = FairQueue(), 0, 0

    async def task():
        nonlocal together, most
        await queue.turn(float("-inf"))
        together += 1
        most = max(most, together)

    tasks = [asyncio.create_task(task()) for _ in range(5)]
    for _ in range(30):
        together = 0
        await asyncio.sleep(0)

    assert (1, True) == (most, all(task.done() for task in tasks))


async def test_task_cancelled_while_waiting_holds_up_nobody(clock):
    queue, served = FairQueue(), []
    gone = asyncio.create_task(queue.turn(0))
    await asyncio.sleep(0)
    gone.cancel()
    queue.post(lambda: served.append(1))

    assert await turns_until(lambda: served) <= 3


async def test_least_recently_served_task_comes_first(clock):
    queue, served, now = FairQueue(), [], asyncio.get_running_loop().time()
    queue.post(lambda: served.append("flood"), now)
    queue.post(lambda: served.append("person"), now - 2 * LATELY)
    await turns_until(lambda: len(served) == 2)

    assert ["person", "flood"] == served


async def test_there_is_time_until_a_slice_is_spent_and_again_in_the_next_turn(clock):
    queue = FairQueue()
    free = [queue.free()]
    clock.spend(SLICE)
    free.append(queue.free())
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert [True, False, True] == [*free, queue.free()]


async def test_typed_line_is_read_at_once_whoever_floods(transport):
    got = []
    intake = ReadThrottle(transport, 1e9, got.append, lambda: False)
    for _ in range(100):
        intake._queue.post(lambda: None)
    intake.take(b"x" * PIECE)

    assert [b"x" * PIECE] == got


async def test_paused_input_is_left_to_the_next_process_after_what_was_held_back_is_read(transport):
    got = []
    intake = ReadThrottle(transport, 1e9, got.append, lambda: False)
    intake.take(b"x" * 2 * PIECE)
    intake.pause()
    for _ in range(10):
        await asyncio.sleep(0)

    assert (2 * PIECE, False) == (sum(map(len, got)), transport.reading)


async def test_input_held_back_is_read_by_only_one_process(transport):
    """The next one reads it before what comes then."""
    got, next_got = [], []
    intake = ReadThrottle(transport, 1e9, got.append, lambda: False)
    intake._queue.post(lambda: None)
    intake.take(b"x" * 2 * PIECE)
    intake.pause()
    next_intake = ReadThrottle(transport, 1e9, next_got.append, lambda: False)
    next_intake.hold(intake.taken())
    waits = not transport.reading
    next_intake.take(b"y")
    for _ in range(10):
        await asyncio.sleep(0)

    assert ([], b"x" * 2 * PIECE + b"y") == (got, b"".join(next_got))
    assert waits
    assert transport.reading


async def test_input_longer_than_a_piece_waits_for_its_turn(transport):
    got = []
    intake = ReadThrottle(transport, 1e9, got.append, lambda: False)
    intake._queue.post(lambda: None)
    intake.take(b"x" * 2 * PIECE)
    at_once = [*got]
    await turns_until(lambda: len(got) == 2)

    assert ([], [b"x" * PIECE] * 2) == (at_once, got)


@pytest.mark.parametrize(("takes", "lengths"), [(LONG * 2, [1024, 512, 256, 128, 64, 64]), (0, [1024] * 3)])
async def test_input_that_is_slow_to_read_is_read_in_smaller_pieces(transport, clock, takes, lengths):
    got = []
    intake = ReadThrottle(transport, 1e9, lambda piece: (got.append(piece), clock.spend(takes)), lambda: False)
    intake.take(b"x" * sum(lengths))
    await turns_until(lambda: sum(map(len, got)) == sum(lengths))

    assert lengths == [len(piece) for piece in got]


async def test_pieces_grow_again_if_they_are_quick_to_read(transport, clock):
    got, takes = [], iter([LONG * 2] * 2 + [0] * 4)
    intake = ReadThrottle(transport, 1e9, lambda piece: (got.append(piece), clock.spend(next(takes))), lambda: False)
    intake.take(b"x" * (1024 + 512 + 256 + 512 + 1024))
    await turns_until(lambda: len(got) == 5)

    assert [1024, 512, 256, 512, 1024] == [len(piece) for piece in got]
