"""Jobs that begin one by one: what people type waits for one of them at most."""

import asyncio
import socket
from functools import partial

from lilygames.turns import OneByOne


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
