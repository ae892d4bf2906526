"""Archive all games of a data file, but kill this process at a point: `archiver.py FILE POINT`."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from lilygames.store.archive_file import ArchiveFile, beside
from lilygames.store.sqlite import SqliteStore
from lilygames.tables.archiving import Archiving


class Mortal:
    """Something whose calls count down `left` before and after they are made. At 0 the process is killed."""

    left = int(sys.argv[2])

    def __init__(self, inner):
        """Count the calls of `inner`."""
        self._inner = inner

    outside = True

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


async def main():
    """Archive."""
    place = Path(sys.argv[1])
    store = Mortal(SqliteStore.open(place))
    async for _ in Archiving(store, Mortal(ArchiveFile(beside(place), store))).run(4e9):
        pass


asyncio.run(main())
