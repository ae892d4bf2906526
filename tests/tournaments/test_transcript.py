"""A tournament as three people see it: `transcript.txt`. Run this file as a program to write it again."""

import asyncio
from pathlib import Path

from lilygames.store.memory import MemoryStore
from lilygames.text import Voice
from tests.tournaments.conftest import Club, Time

GOLDEN = Path(__file__).with_name("transcript.txt")
EIGHT = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
WATCHED = ("ann", "bob", "cat")


async def transcript():
    """Return what the organizer, a player and a player with a screen reader read, without the games themselves."""
    time = Time()
    club = await Club(time, MemoryStore(clock=time)).open()
    club.enter(*EIGHT)
    club.stage.enter("cat", Voice(spoken=True))
    rows = ["A tournament as ann (the organizer), bob and cat (with a screen reader) see it.", ""]

    def heard():
        for name in WATCHED:
            lines = " ".join(club.stage.screens[name].take()).split("ohell-swiss: ")[1:]
            rows.extend(f"{name:<4}| ohell-swiss: {line.split('  [')[0].split('*** ')[0].strip()}" for line in lines)

    async def types(name, line):
        rows.extend([f"{name:<4}> {line}", *(f"{name:<4}| {row}" for row in await club.type(name, line))])

    async def since(_):
        return 0.0

    club.stage.accounts.since = since
    await types("ann", "/tournament new ohell swiss max=3 rounds=2 seats=4 start=in_30m")
    for name in EIGHT:
        await types(name, "/tournament join") if name in WATCHED else await club.type(name, "/tournament join")
    for name in WATCHED:
        club.stage.screens[name].take()
    await club.look(20 * 60)
    await types("bob", "/tournament next")
    await club.look(10 * 60)
    heard()
    await types("bob", "/tournament pairings")
    await club.look()
    await club.look()
    for name in WATCHED:
        club.stage.screens[name].take()
    await club.play()
    for name in WATCHED:
        club.stage.screens[name].take()
    await club.look()
    heard()
    for name in WATCHED:
        await types(name, "/tournament standings")
    return "\n".join(row.rstrip() for row in rows) + "\n"


async def test_tournament_reads_as_in_the_transcript():
    assert GOLDEN.read_text("utf-8") == await transcript()


if __name__ == "__main__":
    GOLDEN.write_text(asyncio.run(transcript()), "utf-8")
