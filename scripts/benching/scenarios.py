"""Measurements over sockets: saturated and moderate talk, idle people and logins, and a client that never reads."""

from __future__ import annotations

import asyncio
import time

from load import Client, Hall, Result, Server, percentile

SECONDS = 3.0


def _rooms(people: int, rooms: int) -> int:
    return people // rooms


async def saturated(server: Server, people: int, rooms: int, senders: int, ahead: int) -> Result:
    """Return deliveries per CPU second when `senders` in each room keep `ahead` messages under way each."""
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
    """Return how long messages take at a moderate rate, in milliseconds, and CPU for each one that is delivered."""
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % rooms}")
    await hall.quiet()  # everyone has read the logins, which are measured elsewhere
    hall.timing, cpu = True, server.cpu()
    said = await _talk(hall, people, rate)
    used = server.cpu() - cpu
    hall.check(said * (_rooms(people, rooms) - 1))
    hall.leave()
    p50, p99 = (percentile(hall.delays, share) * 1000 for share in (0.5, 0.99))
    return Result({"CPU us a delivery": used / hall.heard * 1e6, "p50 ms": p50, "p99 ms": p99})


async def idle(server: Server, people: int) -> Result:
    """Return KiB per idle person, CPU per login, and p99 while twenty rooms talk among them."""
    before, cpu = server.memory(), server.cpu()
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % 50}" if n < 1000 else "lobby")  # noqa: PLR2004 - the talkers' number
    each, login = (server.memory() - before) / people / 1024, (server.cpu() - cpu) / people * 1000
    await hall.quiet()
    hall.timing = True
    hall.check(await _talk(hall, people=1000, rate=200) * 19)
    hall.leave()
    return Result({"KiB each": each, "login CPU ms": login, "p99 ms": percentile(hall.delays, 0.99) * 1000})


async def pages(server: Server, people: int, rooms: int, rate: float) -> Result:
    """Return KiB per connection before its login, and CPU per line that someone else in the room says."""
    before = server.memory()
    waiting = Hall(server)
    for client in [await waiting.connect() for _ in range(people)]:
        await client.first
    await asyncio.sleep(1)
    each = (server.memory() - before) / people / 1024
    waiting.leave()
    hall = Hall(server)
    await hall.enter(people, lambda n: f"room{n % rooms}")
    await hall.quiet()
    hall.timing, cpu = True, server.cpu()
    said = await _talk(hall, people, rate)
    used = server.cpu() - cpu
    hall.check(said * (_rooms(people, rooms) - 1))
    hall.leave()
    late = percentile(hall.delays, 0.99) * 1000
    return Result({"CPU us a line": used / hall.heard * 1e6, "KiB a connection": each, "p99 ms": late})


async def first_line(server: Server) -> Result:
    """Return how long a client that answers no options waits for the first line, in milliseconds."""
    hall, waits = Hall(server), []
    for _ in range(50):
        begin = time.perf_counter()
        client = await hall.connect()
        waits.append(await client.first - begin)
    hall.leave()
    return Result({"median ms": percentile(waits, 0.5) * 1000, "worst ms": max(waits) * 1000})


async def storm(server: Server, people: int) -> Result:
    """Return CPU per login, and seconds until all are in, if everyone connects at once."""
    cpu, begin = server.cpu(), time.perf_counter()
    hall = Hall(server)
    await hall.enter(people, lambda _: "lobby", at_once=people)
    wall, each = time.perf_counter() - begin, (server.cpu() - cpu) / people * 1000
    hall.leave()
    return Result({"login CPU ms": each, "all in after s": wall})


async def deaf(server: Server) -> Result:
    """Return the others' p99 while one client never reads, as a multiple of p99 while all read."""
    delays: dict[bool, list[float]] = {False: [], True: []}
    hall = Hall(server)
    await hall.enter(100, lambda _: "room0")
    for one_is_deaf in (False, True) * 3:
        last = hall.clients[-1].transport
        last.pause_reading() if one_is_deaf else last.resume_reading()
        await hall.quiet()
        hall.delays, hall.timing = delays[one_is_deaf], True
        await _talk(hall, people=50, rate=200)
        hall.timing = False
    ratio = percentile(delays[True], 0.99) / percentile(delays[False], 0.99)
    memory = server.memory() / 2**20
    hall.leave()
    return Result({"p99 x": ratio, "MiB": memory})


async def _talk(hall: Hall, people: int, rate: float) -> int:
    """Let people talk at a rate, and return how many messages were sent."""
    said, begin = 0, time.perf_counter()
    while (now := time.perf_counter() - begin) < SECONDS:
        while said < now * rate:
            hall.clients[said % people].say()
            said += 1
        await asyncio.sleep(0.002)
    await hall.quiet()
    return said
