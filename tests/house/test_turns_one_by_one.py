"""Pieces of work that are done one by one: what people type waits for one of them at most."""

import asyncio
import socket
from functools import partial

from lilygames.scheduling.turns import OneByOne


async def began(*jobs):
    """Begin these jobs; return what they return, in order, and `"line"` where a line came that the first one sends."""
    here, there = socket.socketpair()
    queue, order, done = OneByOne(), [], asyncio.Event()

    def begin(job):
        if not order:
            there.send(b"!")
        order.append(job())

    def hear():
        here.recv(1)
        order.append("line")

    asyncio.get_running_loop().add_reader(here, hear)
    for job in (*(partial(begin, job) for job in jobs), done.set):
        queue.post(job)
    await done.wait()
    asyncio.get_running_loop().remove_reader(here)
    here.close()
    there.close()
    return order


async def test_line_of_a_person_waits_for_one_job_at_most():
    order = await began(*(partial(int, number) for number in range(50)))

    assert order.index("line") <= 2
    assert [*range(50)] == [one for one in order if one != "line"]


async def test_job_that_fails_holds_up_no_other():
    raised = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: raised.append(what["exception"]))

    assert [1, 2] == [one for one in await began(lambda: 1, lambda: 1 / 0, lambda: 2) if one != "line"]
    assert [ZeroDivisionError] == [type(problem) for problem in raised]


async def test_job_that_is_posted_by_another_one_comes_last():
    queue, order, done = OneByOne(), [], asyncio.Event()
    queue.post(lambda: (order.append(1), queue.post(lambda: (order.append(3), done.set()))))
    queue.post(lambda: order.append(2))
    await done.wait()

    assert [1, 2, 3] == order


async def turns_of(queue, number):
    """Take so many pieces of work at once, and return the turn of the event loop in which each came."""
    turns, loop, now = [], asyncio.get_running_loop(), 0

    def count():
        nonlocal now
        now += 1
        loop.call_soon(count)

    async def take():
        await queue.turn()
        turns.append(now)

    count()
    await asyncio.gather(*(take() for _ in range(number)))
    return turns


async def test_each_turn_of_the_loop_does_one_piece_of_work():
    turns = await turns_of(OneByOne(), 20)

    assert 20 == len({*turns})
    assert sorted(turns) == turns


async def test_first_piece_of_work_does_not_wait():
    later = []
    asyncio.get_running_loop().call_soon(later.append, "the next turn")
    await OneByOne().turn()

    assert [] == later


async def test_cancelled_piece_of_work_holds_up_no_other():
    queue, order = OneByOne(), []

    async def take(number):
        await queue.turn()
        order.append(number)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(take(number)) for number in range(4)]
        await asyncio.sleep(0)
        tasks[2].cancel()

    assert [0, 1, 3] == order


async def test_work_is_put_off_while_something_is_about_to_be_written():
    written = asyncio.Event()
    queue, order = OneByOne(lambda: not written.is_set()), []

    async def take():
        await queue.turn()
        await queue.turn()
        order.append("work")

    def write():
        order.append("written")
        written.set()

    taken = asyncio.create_task(take())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(write)
    await taken

    assert ["written", "work"] == order


async def test_work_goes_on_while_something_is_always_about_to_be_written():
    queue = OneByOne(lambda: True)

    assert 5 == len(await turns_of(queue, 5))


async def test_line_that_comes_during_a_piece_of_work_is_read_before_the_next_one():
    queue, order = OneByOne(), []
    here, there = socket.socketpair()

    def hear():
        here.recv(1)
        order.append("line")

    async def work(number):
        await queue.turn()
        order.append(number)
        if number == 1:
            there.send(b"!")

    with here, there:
        asyncio.get_running_loop().add_reader(here, hear)
        await asyncio.gather(*map(work, range(4)))
        asyncio.get_running_loop().remove_reader(here)

    assert [0, 1, "line", 2, 3] == order


async def test_line_that_comes_during_a_piece_of_work_is_read_before_its_task_takes_the_next_one():
    queue, order = OneByOne(), []
    here, there = socket.socketpair()

    def hear():
        here.recv(1)
        order.append("line")

    async def work():
        await queue.turn()
        await queue.turn()
        order.append(1)
        there.send(b"!")
        await asyncio.sleep(0)
        await queue.turn()
        order.append(2)

    with here, there:
        asyncio.get_running_loop().add_reader(here, hear)
        await work()
        asyncio.get_running_loop().remove_reader(here)

    assert [1, "line", 2] == order


async def test_later_turn_comes_after_a_line_that_has_arrived():
    here, there = socket.socketpair()
    order, loop = [], asyncio.get_running_loop()
    loop.add_reader(here, lambda: (order.append("line"), loop.remove_reader(here)))
    there.send(b"!")
    await OneByOne().later_turn()
    order.append("piece")
    here.close()
    there.close()

    assert ["line", "piece"] == order
