"""Make the places that `test_release_0_2.py` opens: python -m tests.upgrade.make TREE FOLDER.

TREE is a checkout of the release to keep, run by this Python. FOLDER gets `place-0.2-sqlite.tar.xz` and
`place-0.2-postgres.tar.xz`. Each has the data, a backup of it, what the running process hands to the next one at a
reload (`handover.json`), exported logs, and the facts recorded then (`facts.json`). With `exports` as a third argument,
FOLDER gets `exports-2.tar.xz` instead: logs that a commit before release 0.2 exported.

This was run once, for release 0.2 (commit e0725f34), and need not be run again: it shows where the data came from. It
types at a real server over a socket, as its people would have, and records facts (hands, scores, winners), never
sentences.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sqlite3
import sys
import tarfile
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from lilygames.server.settings import local_engines
from tests.deadline import DEADLINE
from tests.upgrade import dumps, facts, scenes
from tests.upgrade.caller import numbers, ran, served
from tests.upgrade.making import GUESTS, PASSWORDS, Making
from tests.wire.conftest import TelnetClient

EARLIER = -9 * 24 * 60 * 60.0
OPTIONS = "--names-per-day 1000 --commit-seconds 1 --reveal-seconds 2".split()
TAKES = """
import os, socket, sys, time
from pathlib import Path
folder = Path(os.environ["TAKEN_TO"])
link = socket.socket(fileno=int(os.environ["LILYGAMES_HANDOVER"]))
link.send(b"ready")
found = {}
while True:
    names, handles, _, _ = socket.recv_fds(link, 16384, 250)
    if not names:
        break
    found |= zip(names.decode().split(), handles)
with os.fdopen(found["handover"], "rb") as file:
    file.seek(0)
    (folder / "taking").write_bytes(file.read())
(folder / "taking").rename(folder / "handover.json")
while not (folder / "copied").exists():
    time.sleep(0.05)
"""
"""A next process that keeps what it is handed, waits until the data has been copied, and ends before it takes over."""


class Place:
    """The place to keep, in a scratch folder: its data, and the link to the code that runs it."""

    def __init__(self, scratch: Path, tree: Path, engine: local_engines.Postgres | None) -> None:
        scratch.chmod(0o755)
        self.scratch = scratch
        self.data = scratch / "data"
        self.tree = scratch / "tree"
        self.tree.symlink_to(tree)
        self.engine = engine
        os.environ["TAKEN_TO"] = str(scratch)
        if engine:
            os.environ |= {"LILYGAMES_STORE": engine.url(), "LILYGAMES_BUS": "postgres"}

    def command(self, *arguments: object) -> str:
        """Run a command of the release, and return its output."""
        done = ran(*arguments, "--data", self.data, tree=self.tree)
        if done.returncode:
            raise ValueError(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def age(self) -> None:
        """Make what a database has kept by its own clock as old as it is by the server's."""
        if self.engine:
            self.engine.order(f"UPDATE lilygames.log_entry SET at = at {EARLIER}")
            self.engine.order(f"UPDATE lilygames.record SET body = body::float8 {EARLIER} WHERE kind = 'since'")

    def copy(self, kept: Path) -> None:
        """Copy the data as it is now."""
        kept.mkdir()
        for name in ("lilygames.db", "lilygames-archive.db"):
            if (self.data / name).exists():
                with closing(sqlite3.connect(self.data / name)) as old, closing(sqlite3.connect(kept / name)) as new:
                    old.backup(new)
        if (self.data / "deletions.jsonl").exists():
            shutil.copy(self.data / "deletions.jsonl", kept)
        if self.engine:
            (kept / "dump.sql").write_text(dumps.dumped(self.engine))


async def made(tree: Path, folder: Path, kind: str, engine: local_engines.Postgres | None) -> None:
    """Make one place, and pack it."""
    make = Making()
    with tempfile.TemporaryDirectory() as scratch:
        place = Place(Path(scratch), tree, engine)
        async with served(place.data, place.tree, *OPTIONS, ahead=EARLIER) as (_, port), make.here(port, *PASSWORDS):
            await make.renames("wilma", "vonda")
            await scenes.first_day(make)
            make.people.pop("Gus").caller.leave()
            await make.quiet()
            place.command("people", "delete", "Gus", "--yes")
            place.command("people", "role", "zoe", "sysop")
            await make.quiet()
        place.age()
        here = [name for name in make.known if name != "Gus"]
        async with served(place.data, place.tree, *OPTIONS) as (process, port), make.here(port, *here, *GUESTS):
            for scene in (
                scenes.belongings,
                scenes.order,
                scenes.same_cards,
                scenes.finished_games,
                scenes.finished_hands,
                scenes.sealed_games,
                scenes.tournament,
                scenes.open_games,
                scenes.open_hands,
                scenes.frozen_game,
            ):
                print(kind, scene.__name__, time.ctime(), flush=True)  # noqa: T201 - this takes ten minutes
                await scene(make)
            place.command("archive", "--older", "1d")
            known = await recorded(make)
            place.command("backup", place.scratch / "backup.db")
            await handed_over(place, make, process, port)
        at = (place.scratch / "handover.json").stat().st_mtime
        exports = place.scratch / "exports"
        exports.mkdir()
        for one in known["over"]:
            if export := one.pop("export"):
                (exports / f"{one['number']}.jsonl").write_text(export)
        (place.scratch / "facts.json").write_text(packed_text(known | {"at": at}))
        with tarfile.open(folder / f"place-0.2-{kind}.tar.xz", "w:xz", preset=9) as archive:
            for name in ("kept", "backup.db", "handover.json", "exports", "facts.json"):
                archive.add(place.scratch / name, name)


FINISHED = (
    "/new ohell max=3",
    "/new wizard -german rounds=3",
    "/new liarsdice points=1 max-rounds=4",
    "/new liedie games=1",
    "/new liarspoker hands=2 seal=open",
    "/new liarslair each=2 seal=open",
    "/new lilypoker variant=holdem hands=3 seal=open",
    "/new lilypoker hands=2",
    "/new liarspoker hands=2",
)
"""Games whose exports are kept from a commit that wrote format 2."""


async def exported(tree: Path, folder: Path) -> None:
    """Finish a game of each kind, and pack their exports: this was run with commit 11f2957f."""
    make = Making()
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(folder / "exports-2.tar.xz", "w:xz") as archive:
        async with served(Path(scratch) / "data", tree) as (_, port), make.here(port, "ann", "Mia"):
            for number, opened in enumerate(FINISHED, 1):
                room = await make.table("ann", opened, "Mia", house="novice 1")
                await make.play(room, "ann", "Mia")
                rows = [row for row in await make.says("ann", f"/export {number}") if row.startswith("{")]
                file = Path(scratch) / f"{number}.jsonl"
                file.write_text("\n".join(rows) + "\n")
                archive.add(file, file.name)


async def recorded(make: Making) -> dict[str, Any]:
    """Return the facts of the place."""
    await make.quiet()
    opened = await facts.open_tables(make)
    over = await facts.finished_tables(make, max(one["number"] for one in opened) + 1)
    purses = {name: numbers(await make.says(name, "/purse"))[:2] for name in make.known if name in make.people}
    return {
        "passwords": {name: word for name, word in make.known.items() if name != "Gus"},
        "words": make.words,
        "open": opened,
        "over": over,
        "purses": purses,
    }


async def handed_over(place: Place, make: Making, process: asyncio.subprocess.Process, port: int) -> None:
    """Reload into a process that keeps what it gets, with people in the middle of a line, absent, and not logged in."""
    await make.says("ann", "/replay 1")
    half, keyed, nobody = [
        TelnetClient(*await asyncio.open_connection("127.0.0.1", port), manner, ["XTERM"], 80)
        for manner in ("silent", "keyed", "silent")
    ]
    await keyed.edited()
    for client, name in ((half, "kai"), (keyed, "Lou")):
        for line in (name, "", "/set width 70"):
            client.type(line)
        await client.expect("70")
    half.press(b"-lobby;half before and ")
    keyed.press(b"-lobby;once upon ")
    await keyed.expect("upon")
    make.people.pop("eli").caller.leave()
    await make.quiet()
    caught = place.scratch / "catching" / "lilygames"
    caught.mkdir(parents=True)
    (caught / "__init__.py").touch()
    (caught / "__main__.py").write_text(TAKES)
    place.tree.unlink()
    place.tree.symlink_to(caught.parent)
    process.send_signal(signal.SIGHUP)
    async with asyncio.timeout(DEADLINE):
        while not (place.scratch / "handover.json").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.1)
    place.copy(place.scratch / "kept")
    (place.scratch / "copied").touch()
    for client in (half, keyed, nobody):
        client.leave()


def packed_text(facts: dict[str, Any]) -> str:
    """Return facts as JSON, with each short list on one row."""
    return re.sub(r"\[[^\[\]{}]*\]", lambda row: " ".join(row[0].split()), json.dumps(facts, indent=1)) + "\n"


def main(tree: Path, folder: Path, *kinds: str) -> None:
    """Make the places of some kinds, or the exports of an earlier format."""
    if "exports" in kinds:
        asyncio.run(exported(tree, folder))
    if "sqlite" in kinds:
        asyncio.run(made(tree, folder, "sqlite", None))
    if "postgres" in kinds:
        with local_engines.postgres() as engine:
            asyncio.run(made(tree, folder, "postgres", engine))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *(sys.argv[3:] or ("sqlite", "postgres")))
