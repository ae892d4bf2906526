"""Make a data folder in which tables wait for players, for `scripts/bench-quotas`.

The first tables are opened as people do, four by each account. All others are written like them: each is a copy of one,
with a number and a room of its own.

Usage: waiting_tables.py FOLDER NUMBER
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import attrs

from lilygames import codec
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.log.acts import Header

EACH = 4
"""Tables of each account."""
OPENED = 400
"""Tables that are opened by people."""
_HEADER = "FROM entry WHERE log = (SELECT id FROM log WHERE name = 'tables') AND seq = ?"
_ENTRY = "FROM entry WHERE log = (SELECT id FROM log WHERE name = ?)"


async def main(folder: str, number: str) -> None:
    """Make the tables."""
    file, opened = Path(folder) / "lilygames.db", min(OPENED, int(number))
    await open_tables(file, opened)
    with closing(sqlite3.connect(file)) as db, db:
        for copy in range(opened + 1, int(number) + 1):
            copy_table(db, (copy - 1) % opened + 1, copy)


async def open_tables(file: Path, number: int) -> None:
    """Open tables, as people do."""
    store = SqliteStore.open(file)
    stage = await Stage.open(games(), store=store)
    for owner in range(-(-number // EACH)):
        name = f"owner{owner}"
        stage.enter(name).address = ""
        await stage.place.host.accounts.create(name, "a long password", guest=False)
        for _ in range(EACH):
            await stage.type(name, "/new ohell")
        stage.drop(name)
    await stage.place.host.profiles.finish()
    await stage.place.history.finish()
    await store.close()


def copy_table(db: sqlite3.Connection, one: int, other: int) -> None:
    """Write a table like another that waits: its header, its log, and the records beside it."""
    room, renamed = f'"room":"ohell{"" if one == 1 else f"-{one}"}"', f'"room":"ohell-{other}"'
    (header,) = db.execute(f"SELECT body {_HEADER}", (one,)).fetchone()
    (act,) = db.execute(f"SELECT body {_ENTRY}", (f"table/{one}",)).fetchone()
    head = header.replace(room, renamed)
    told, retold = _told(header, one, act), _told(head, other, act)
    if f'"told":"{told}"' not in act:
        raise ValueError(f"table {one} says something else of itself than {told}")
    log = db.execute("INSERT INTO log (name) VALUES (?)", (f"table/{other}",)).lastrowid
    db.execute(
        f"INSERT INTO entry SELECT log, ?, at, maker, ?, cmd || '-' || ? {_HEADER}", (other, head, str(other), one)
    )
    db.execute(
        f"INSERT INTO entry SELECT ?, seq, at, maker, ?, cmd {_ENTRY}",
        (log, act.replace(told, retold), f"table/{one}"),
    )
    db.execute(
        "INSERT INTO record SELECT kind, ?, replace(replace(body, ?, ?), ?, ?) FROM record"
        " WHERE kind IN ('open', 'secret') AND key = ?",
        (str(other), room, renamed, f'"number":{one},', f'"number":{other},', str(one)),
    )
    db.execute("INSERT INTO record SELECT ?, key, body FROM record WHERE kind = ?", (f"names/{other}", f"names/{one}"))
    ((owner,),) = db.execute("SELECT body FROM record WHERE kind = ?", (f"names/{one}",)).fetchall()
    db.execute("INSERT INTO record VALUES (?, ?, '')", (f"named/{json.loads(owner)[0]}", str(other)))


def _told(header: str, number: int, entry: str) -> str:
    """Return the digest in the only entry of a table that has this header."""
    stored = attrs.evolve(codec.from_text(header, Header), number=number)
    fields = [(field, getattr(stored, field.name)) for field in attrs.fields(Header) if field.name != "people"]
    headed = _digest(codec.to_text({field.name: value for field, value in fields if value != field.default}))
    return _digest(f"{headed}[{json.dumps(json.loads(entry)['act'], separators=(',', ':'))},{codec.to_text(())}]")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
