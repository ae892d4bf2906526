"""A process for tests to kill: it appends to eight logs and prints what was acknowledged."""

import asyncio
import itertools
import sys

from lilygames.store import Draft, Store
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite.sqlite import SqliteStore


async def play(store: Store, log: str) -> None:
    for head in itertools.count((await store.heads([log]))[log]):
        await store.append(log, head, [Draft("whammy", f"move {head + 1}")], cmd=str(head))
        print(log, head + 1, flush=True)  # noqa: T201 - a pipe to the test is its only voice


async def main(place: str) -> None:
    is_database = place.startswith("postgresql:")
    store: Store = await PostgresStore.open(place) if is_database else SqliteStore.open(place)
    await asyncio.gather(*(play(store, f"table/{n}") for n in range(8)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
