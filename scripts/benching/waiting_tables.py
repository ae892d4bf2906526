"""Make a data folder in which tables wait for players, each account having four, for `scripts/bench-quotas`.

Usage: waiting_tables.py FOLDER NUMBER
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store.sqlite import SqliteStore

EACH = 4
"""Tables of each account."""


async def main(folder: str, number: str) -> None:
    """Open the tables, as people do."""
    store = SqliteStore.open(Path(folder) / "lilygames.db")
    stage = await Stage.open(games(), store=store)
    for owner in range(-(-int(number) // EACH)):
        name = f"owner{owner}"
        stage.enter(name).address = ""
        await stage.place.host.accounts.create(name, "a long password", guest=False)
        for _ in range(EACH):
            await stage.type(name, "/new ohell")
        stage.drop(name)
    await stage.place.host.profiles.finish()
    await stage.place.history.finish()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
