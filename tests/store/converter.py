"""Convert data of release 0.1 in small steps while appending, and print each acknowledged entry, until killed.

`converter.py FILE` or `converter.py postgresql://...`. It prints `done` once nothing is left to convert.
"""

import asyncio
import sys
import uuid

from lilygames.store import Draft
from lilygames.store.postgres import PostgresStore
from lilygames.store.sqlite import SqliteStore


def say(line):
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(place):
    """Convert and append."""
    store = await PostgresStore.open(place) if place.startswith("postgresql:") else SqliteStore.open(place)

    async def play(log):
        while True:
            (entry,) = await store.append(log, None, [Draft("ann", f'"{log}"')], cmd=uuid.uuid4().hex)
            say(f"{log} {entry.seq} {entry.cmd}")

    players = [asyncio.create_task(play(log)) for log in ("table/1", "table/7", "new")]
    while await store.convert(7 if isinstance(store, SqliteStore) else 30):
        await store.read("table/1")
    say("done")
    await asyncio.wait(players)


asyncio.run(main(sys.argv[1]))
