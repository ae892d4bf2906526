"""Archive all games of a store, but kill this process at a point: `archiver.py sqlite:FILE|postgresql://... POINT`."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from lilygames.store.postgres.pack_table import PackTable
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite.archive_file import ArchiveFile, beside
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.archive.archiving import Archiving


class Mortal:
    """Something whose calls count down `left` before and after they are made. At 0 the process is killed."""

    left = 0

    def __init__(self, inner):
        """Count the calls of `inner`."""
        self._inner = inner

    @property
    def outside(self):
        """Return the same of packs."""
        return self._inner.outside

    def __getattr__(self, name):
        """Return a counted call."""

        async def call(*args):
            self._count()
            answer = await getattr(self._inner, name)(*args)
            self._count()
            return answer

        return call

    @staticmethod
    def _count():
        if Mortal.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        Mortal.left -= 1


async def opened(url, around=lambda it: it):
    """Open a store, and return it with its packs, each inside what `around` makes of it."""
    kind, _, file = url.partition(":")
    if kind != "sqlite":
        database = await PostgresStore.open(url)
        return around(database), around(PackTable(database))
    store = around(SqliteStore.open(file))
    return store, around(ArchiveFile(beside(Path(file)), store))


async def main(url, point):
    """Archive."""
    Mortal.left = point
    store, packs = await opened(url, Mortal)
    async for _ in Archiving(store, packs).run(4e9):
        pass


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
