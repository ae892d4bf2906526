"""The queue for the workers: moves that are due first go first, and checks go last."""

import asyncio
import math

from lilygames.game import Budget, Thinker
from lilygames.house.workers import Workers
from lilygames.scheduling.turns import ByDue, Turns
from lilygames_rules.kit import KeyedLuck


async def asked(queue, dues, *, cancelled=()):
    """Ask for turns in this order while the only place is taken; return the order in which they come."""
    came, free = [], asyncio.Event()

    async def job(due):
        async with queue.turn(due):
            came.append(due)

    async def first():
        async with queue.turn(0):
            await free.wait()

    tasks = [asyncio.create_task(first())]
    await asyncio.sleep(0)
    tasks += [asyncio.create_task(job(due)) for due in dues]
    await asyncio.sleep(0)
    for place in cancelled:
        tasks[1 + place].cancel()
    free.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    return came


async def test_job_that_is_due_first_goes_first():
    assert [1.0, 2.0, 3.0, math.inf] == await asked(Turns(1, ByDue()), [math.inf, 3.0, 1.0, 2.0])


async def test_jobs_that_are_due_together_keep_their_order():
    assert [5, 5, 5] == await asked(Turns(1, ByDue()), [5, 5, 5])


async def test_job_that_is_given_up_holds_up_nobody():
    queue = Turns(1, ByDue())

    assert [2, 3] == await asked(queue, [1, 2, 3], cancelled=[0])
    assert [1] == await asked(queue, [1])


async def test_several_jobs_run_at_once():
    queue, running, most = Turns(2, ByDue()), [0], [0]

    async def job():
        async with queue.turn(1):
            running[0] += 1
            most[0] = max(most[0], running[0])
            await asyncio.sleep(0)
            running[0] -= 1

    await asyncio.gather(*(job() for _ in range(6)))

    assert [2] == most


def choose(view, moves, luck, budget):
    return view


async def test_checks_wait_for_the_moves_that_games_wait_for():
    workers, done = Workers(1), []
    thinker = Thinker(choose, Budget(1))

    async def asks(think, what, due=0.0):
        done.append(await think(thinker, what, (what,), KeyedLuck(b""), due))

    try:
        await asks(workers.think, "first")
        now = asyncio.get_running_loop().time()
        asking = [(workers.think, 0), (workers.rethink, "check"), (workers.think, 1), (workers.think, 2)]
        await asyncio.gather(*(asks(think, what, now) for think, what in asking))
    finally:
        workers.close()

    assert ["first", 0, 1, 2, "check"] == done


async def test_jobs_that_wait_are_counted_until_they_run_or_are_given_up():
    queue, free, counted = Turns(1, ByDue()), asyncio.Event(), []

    async def job():
        async with queue.turn(1):
            await free.wait()

    tasks = [asyncio.create_task(job()) for _ in range(4)]
    await asyncio.sleep(0)
    counted.append(queue.waiting)
    tasks[3].cancel()
    await asyncio.sleep(0)
    counted.append(queue.waiting)
    free.set()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert [3, 2, 0] == [*counted, queue.waiting]


async def test_budget_shrinks_while_moves_that_take_long_are_asked_for():
    workers, seen = Workers(1), []

    async def asks(iterations):
        await workers.think(Thinker(choose, Budget(iterations)), "view", (), KeyedLuck(b""))
        seen.append(workers.budget_share())

    try:
        before = workers.budget_share()
        await asks(1)
        await asyncio.gather(asks(1), asks(10**12))
    finally:
        workers.close()

    assert [1.0, 1.0, True, 1.0] == [before, seen[0], 0 < seen[1] < 1, seen[2]]


async def test_budget_shrinks_while_checks_wait():
    """Otherwise busy workers would never come to them."""
    workers, seen = Workers(1), []
    try:
        await workers.think(Thinker(choose, Budget(1)), "view", (), KeyedLuck(b""))
        check = asyncio.create_task(workers.rethink(Thinker(choose, Budget(10**12)), "view", (), KeyedLuck(b"")))
        await asyncio.sleep(0)
        seen.append(workers.budget_share() < 1)
        await check
        seen.append(workers.budget_share() < 1)
    finally:
        workers.close()

    assert [True, False] == seen
