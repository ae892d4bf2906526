"""The whole server, which also says what it holds whenever it reads a row from standard input. Only for a soak test.

Usage: server.py FOLDER
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import threading
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "benching")]

from ours import lifted

from lilygames.server.process.logs import logging_to_stderr
from lilygames.server.process.systemd import Systemd
from lilygames.server.reload.succession import Start
from lilygames.server.serving import serving
from lilygames.server.serving.control import Reloads

SHOWN = 400
"""Kinds of object that are counted by name."""


def held(whole: bool) -> dict[str, object]:  # noqa: FBT001 - it is the answer to one of two words
    """Return what this process holds; `whole` collects all garbage first and counts the objects of each kind."""
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    figures: dict[str, object] = {
        "memory": resident,
        "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - only their number matters
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
    }
    if whole:
        figures["garbage"] = gc.collect()
        kinds = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
        figures["objects"] = dict(kinds.most_common(SHOWN))
    return figures


async def answer() -> None:
    """Answer each row of standard input, `look` or `count`, with a row of JSON; end when nobody asks any more."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while row := await reader.readline():
        print("held:", json.dumps(held(row.strip() == b"count")), flush=True)


def _print_address(kind: str, address: str) -> None:
    print(f"listening: {kind} {address}", flush=True)


async def main(folder: str) -> None:
    """Serve until killed."""
    asking = asyncio.create_task(answer())
    with logging_to_stderr("warning", "text") as (log, _):
        await serving.serve(lifted(folder, "telnet"), _print_address, Reloads(), Systemd(), log, start=Start())
    asking.cancel()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
