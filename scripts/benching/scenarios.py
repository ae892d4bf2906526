"""What is measured: talk that saturates, talk at a moderate rate, people who sit and come, one who never reads."""

from __future__ import annotations

import asyncio
import time

from load import Client, Hall, Result, Server, percentile

SECONDS = 3.0


def _rooms(people: int, rooms: int) -> int:
    return people // rooms


async def saturated(server: Server, people: int, rooms: int, senders: int, ahead: int) -> Result:
    """Return deliveries a CPU second when `senders` a room keep `ahead` messages under way each."""
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % rooms}")
    talkers = {client for client in hall.clients if client.number // rooms < senders}
    end = time.perf_counter() + SECONDS
    said = [0]

    def again(client: Client, times: int) -> None:
        if client in talkers and time.perf_counter() < end:
            for _ in range(times):
                client.say()
                said[0] += 1

    hall.on_sent = again
    cpu, begin = server.cpu(), time.perf_counter()
    for client in talkers:
        again(client, ahead)
    await asyncio.sleep(SECONDS)
    await hall.quiet()
    used = server.cpu() - cpu
    hall.check(said[0] * (_rooms(people, rooms) - 1))
    hall.leave()
    wall = time.perf_counter() - begin
    return Result({"deliveries per CPU s": hall.heard / used, "deliveries per s": hall.heard / wall})


async def moderate(server: Server, people: int, rooms: int, rate: float) -> Result:
    """Return how long messages take at a common rate, in milliseconds."""
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % rooms}")
    hall.timing = True
    said = 0
    begin = time.perf_counter()
    while (now := time.perf_counter() - begin) < SECONDS:
        while said < now * rate:
            hall.clients[said % people].say()
            said += 1
        await asyncio.sleep(0.002)
    await hall.quiet()
    hall.check(said * (_rooms(people, rooms) - 1))
    hall.leave()
    return Result({"p50 ms": percentile(hall.delays, 0.5) * 1000, "p99 ms": percentile(hall.delays, 0.99) * 1000})


async def idle(server: Server, people: int) -> Result:
    """Return KiB for each who sits there, CPU for each login, and p99 while twenty rooms talk among them."""
    before, cpu = server.memory(), server.cpu()
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % 50}" if n < 1000 else "lobby")  # noqa: PLR2004 - the talkers' number
    each, login = (server.memory() - before) / people / 1024, (server.cpu() - cpu) / people * 1000
    hall.timing, said, begin = True, 0, time.perf_counter()
    while (now := time.perf_counter() - begin) < SECONDS:
        while said < now * 200:
            hall.clients[said % 1000].say()
            said += 1
        await asyncio.sleep(0.002)
    await hall.quiet()
    hall.check(said * 19)
    hall.leave()
    return Result({"KiB each": each, "login CPU ms": login, "p99 ms": percentile(hall.delays, 0.99) * 1000})


async def first_line(server: Server) -> Result:
    """Return how long somebody who answers no option waits for the first line, in milliseconds."""
    hall, waits = Hall(server), []
    for _ in range(50):
        begin = time.perf_counter()
        client = await hall.connect()
        waits.append(await client.first - begin)
    hall.leave()
    return Result({"median ms": percentile(waits, 0.5) * 1000, "worst ms": max(waits) * 1000})


async def deaf(server: Server) -> Result:
    """Return p99 of the others while one never reads, as a multiple of p99 while all read."""
    figures = []
    for one_is_deaf in (False, True):
        hall = Hall(server)
        await hall.enter(100, lambda _: "room0")
        if one_is_deaf:
            hall.clients[-1].transport.pause_reading()
        hall.timing, said, begin = True, 0, time.perf_counter()
        while (now := time.perf_counter() - begin) < SECONDS:
            while said < now * 200:
                hall.clients[said % 50].say()
                said += 1
            await asyncio.sleep(0.002)
        await hall.quiet()
        figures.append(percentile(hall.delays, 0.99))
        hall.leave()
        await asyncio.sleep(0.3)
    return Result({"p99 x": figures[1] / figures[0], "MiB": server.memory() / 2**20})
