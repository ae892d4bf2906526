"""A database of release 0.1: nodes read its entries from the start, and one of them converts them while people play."""

import asyncio
from contextlib import asynccontextmanager, suppress
from random import Random

import attrs
import pytest

from lilygames.store import Draft, Entry, StoreUnavailable, pgconversion
from lilygames.store.copying import copy, filling, reading
from lilygames.store.pgtables import MIGRATIONS, PACKED, PARTITIONS, advance
from lilygames.store.postgres import PostgresStore
from lilygames.store.sqlite import SqliteStore
from tests.deadline import DEADLINE
from tests.tables.sealed_games import stored_ohell

from .release_0_1 import connected, create_as_0_1
from .test_entry_rows import LOGS, assert_attempts_are_known, convert_all, fill, logs_of, run_until


@asynccontextmanager
async def opened(url):
    """Open a store while an `async with` lasts."""
    store = await PostgresStore.open(url)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def old(database):
    """The URL of a database as release 0.1 left it, and all that is in it."""
    await create_as_0_1(database)
    async with opened(database) as store:
        await fill(store)
        await store.keep("person", "ann", "{}")
        whole = await logs_of(store)
    return database, whole


async def form(url):
    """Return which tables of entries a database has, and its version."""
    async with connected(url) as db:
        tables = await db.fetch("SELECT relname FROM pg_class WHERE relname IN ('entry', 'old_entry', 'log_entry')")
        return {row["relname"] for row in tables}, await db.fetchval("SELECT number FROM version")


async def test_new_database_has_numbers_and_partitions(database):
    async with opened(database):
        assert ({"log_entry"}, len(MIGRATIONS)) == await form(database)
        async with connected(database) as db:
            parts = await db.fetchval("SELECT count(*) FROM pg_inherits WHERE inhparent = 'log_entry'::regclass")
    assert PARTITIONS == parts


async def test_database_of_release_0_1_stays_as_it_is_until_it_is_converted(old):
    """Release 0.1 may share it: what this release writes is in the tables of release 0.1."""
    url, whole = old
    async with opened(url) as store:
        await store.append("new", 0, [Draft("ann", "1")], cmd="0d" * 16)
        assert whole == await logs_of(store)
    assert ({"entry"}, PACKED) == await form(url)
    async with connected(url) as db:
        row = await db.fetchrow("SELECT maker, body, cmd FROM entry WHERE log = 'new' AND seq = 1")
    assert ("ann", "1", "0d" * 16) == tuple(row)


async def test_old_entries_are_the_same_before_between_and_after_all_steps(old):
    url, whole = old
    async with opened(url) as store:
        assert whole == await logs_of(store)
        while await store.convert(100):
            assert {"old_entry", "log_entry"} == (await form(url))[0]
            assert whole == await logs_of(store)
            assert tuple(sorted(LOGS)) == await store.logs("")
        assert ({"log_entry"}, len(MIGRATIONS)) == await form(url)
        assert whole == await logs_of(store)
        assert 0 == await store.convert(100)
    async with opened(url) as store:
        assert whole == await logs_of(store)


async def test_old_attempt_gets_its_first_answer_and_a_new_one_its_place(old):
    """Whether the log was converted, partly converted or not."""
    url, whole = old
    async with opened(url) as store:
        for most in (0, 300, 10_000):
            await store.convert(most)
            await assert_attempts_are_known(store, whole)


async def test_moves_at_two_nodes_during_the_conversion_follow_the_old_ones(old):
    """The other node was there before the new tables were."""
    url, whole = old
    async with opened(url) as store, opened(url) as other:
        converting = asyncio.create_task(convert_all(store, 20))
        landed, node = {log: [] for log in LOGS}, other
        while not converting.done():
            for log in LOGS:
                head = len(whole[log]) + len(landed[log])
                landed[log] += await node.append(log, head, [Draft("bob", "2")], cmd=f"{head}")
            node = store if node is other else other
        expected = {log: (*whole[log], *landed[log]) for log in LOGS}
        assert expected == await logs_of(store) == await logs_of(other)
        assert sum(map(len, whole.values())) <= await converting
    assert {"log_entry"} == (await form(url))[0]


CALLS = {
    "append": lambda store: store.append("tables", None, [Draft("bob", "2")], cmd="0d" * 16),
    "read": lambda store: store.read("tables"),
    "entries_at": lambda store: store.entries_at("tables", [1, 2]),
    "heads": lambda store: store.heads(LOGS),
    "logs": lambda store: store.logs("table/"),
    "trim": lambda store: store.trim("tables", 1, "[]"),
    "rewrite": lambda store: store.rewrite("tables", [Entry(1, 0.0, "former player", "3", "")]),
    "erase": lambda store: store.erase("tables"),
    "convert": lambda store: store.convert(10),
}


@pytest.mark.parametrize("call", CALLS)
async def test_node_finds_the_tables_that_another_one_has_created_or_deleted(old, call):
    url, whole = old
    async with opened(url) as store, opened(url) as other:
        await store.convert(100)
        await CALLS[call](other)
        await convert_all(store)
        await CALLS[call](other)

        found = await logs_of(other)
        assert await logs_of(store) == found
        assert {**whole, "tables": ()} == {**found, "tables": ()}


async def test_nothing_is_acknowledged_at_a_node_that_only_knows_the_old_tables(old, monkeypatch):
    """Such a node has started at the same moment. It can't write a heartbeat either."""
    url, whole = old
    async with opened(url) as store, opened(url) as earlier:
        await store.convert(10)
        with monkeypatch.context() as planted:
            planted.setattr(earlier.entries, "differ", _never)
            for call in (earlier.append("tables", None, [Draft("bob", "2")], cmd="x"), earlier.keep("node", "b", "{}")):
                with pytest.raises(StoreUnavailable, match="UndefinedTableError"):
                    await call
        assert whole == await logs_of(store)


async def _never(*_):
    return False


async def carried(source, target):
    async with reading(source, alone=False) as before, filling(target) as after:
        await copy(before, after, lambda _: None)


async def test_backup_from_before_the_upgrade_restores_equal(old, tmp_path, server):
    """So does one that is taken while entries are converted, and one from afterwards; in a file and in a database."""
    url, whole = old
    await carried(url, f"sqlite:{tmp_path}/before.db")
    async with opened(url) as store:
        await store.convert(300)
        await carried(url, f"sqlite:{tmp_path}/between.db")
        await convert_all(store)
        await carried(url, f"sqlite:{tmp_path}/after.db")
    for name in ("before", "between", "after"):
        file = SqliteStore.open(tmp_path / f"{name}.db")
        assert whole == await logs_of(file)
        assert "{}" == await file.find("person", "ann")
        await file.close()
        server.order("DROP SCHEMA IF EXISTS lilygames CASCADE")
        await carried(f"sqlite:{tmp_path}/{name}.db", url)
        async with opened(url) as store:
            assert whole == await logs_of(store)


async def test_empty_database_of_release_0_1_is_filled_in_the_new_form(old, tmp_path, server):
    url, whole = old
    await carried(url, f"sqlite:{tmp_path}/before.db")
    server.order("DROP SCHEMA lilygames CASCADE")
    await create_as_0_1(url)

    await carried(f"sqlite:{tmp_path}/before.db", url)

    assert ({"log_entry"}, len(MIGRATIONS)) == await form(url)
    async with opened(url) as store:
        assert whole == await logs_of(store)


async def test_conversion_waits_for_a_backup_and_a_backup_keeps_its_snapshot(old):
    """A table isn't renamed or deleted while a backup reads it. Rows that move meanwhile are in the backup once."""
    url, whole = old
    expected = [(log, *attrs.astuple(entry)) for log in sorted(whole) for entry in whole[log]]
    async with opened(url) as store:
        async with reading(url, alone=False) as kept:
            with pytest.raises(StoreUnavailable, match="for a backup perhaps, so its tables are changed later"):
                await store.convert(100)
            assert expected == [row async for rows in kept.rows("entry") for row in rows]
        await store.convert(100)
        async with reading(url, alone=False) as kept:
            with pytest.raises(StoreUnavailable, match="for a backup"):
                await convert_all(store)
            assert expected == [row async for rows in kept.rows("entry") for row in rows]
        assert whole == await logs_of(store)
        await convert_all(store)
    assert {"log_entry"} == (await form(url))[0]


@pytest.mark.parametrize("table", ["entry", "old_entry"])
async def test_conversion_waits_for_a_vacuum_and_people_do_not(old, table):
    """Autovacuum makes way a second after someone wants a table that it vacuums, whether to rename or to delete it."""
    url, whole = old
    async with opened(url) as store, connected(url) as db:
        if table == "old_entry":
            await store.convert(100)
        async with db.transaction():
            await db.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")  # as a vacuum does
            converting = asyncio.create_task(convert_all(store, 1000))
            await asyncio.sleep(1)
            assert whole == await logs_of(store)
            (entry,) = await store.append("tables", None, [Draft("bob", "2")], cmd="a")
            assert not converting.done()
        await converting
        assert {**whole, "tables": (*whole["tables"], entry)} == await logs_of(store)
    assert {"log_entry"} == (await form(url))[0]


async def test_step_waits_for_a_vacuum_that_shortens_the_old_table(old):
    url, whole = old
    async with opened(url) as store, connected(url) as db:
        await store.convert(100)
        async with db.transaction():
            await db.execute("LOCK TABLE old_entry IN ACCESS EXCLUSIVE MODE")  # as a vacuum does for a moment
            converting = asyncio.create_task(store.convert(10))
            await asyncio.sleep(1)
        assert 10 == await converting
        assert whole == await logs_of(store)


async def test_nothing_is_converted_while_the_disk_is_nearly_full(old, monkeypatch):
    url, whole = old
    async with opened(url) as store:
        with monkeypatch.context() as planted:
            planted.setattr(pgconversion, "_ROOM", "DO $$ BEGIN RAISE disk_full; END $$")
            with pytest.raises(StoreUnavailable, match="needs 32 MB of free space to convert old entries: free some"):
                await store.convert(10)
        assert ({"entry"}, PACKED) == await form(url)
        assert 10 == await store.convert(10)
        assert whole == await logs_of(store)


async def test_change_of_a_row_that_is_moving_is_not_lost(old):
    """It waits for the step, and then finds the row in the new table."""
    url, whole = old
    last = {log: entries[-1] for log, entries in whole.items()}
    async with opened(url) as store, connected(url) as db:
        await store.convert(1)
        async with db.transaction():
            conversion = pgconversion.Conversion()
            while await conversion.step(db, 100) and conversion._page:
                pass
            changes = [
                store.rewrite("table/1", [attrs.evolve(last["table/1"], by="former player", body="3")]),
                store.trim("table/2", 10**6, "[]"),
                store.erase("table/3"),
            ]
            changing = [*map(asyncio.create_task, changes)]
            await asyncio.sleep(0.1)
            assert not any(task.done() for task in changing)
        await asyncio.gather(*changing)

        found = await logs_of(store)
        assert attrs.evolve(last["table/1"], by="former player", body="3") == found["table/1"][-1]
        assert (attrs.evolve(last["table/2"], by="", body="[]"),) == found["table/2"]
        assert () == found["table/3"]


async def test_log_is_erased_only_after_those_who_write_to_it(postgres, database, drafts):
    """Else their entries would have the number of a log that isn't there any more."""
    await postgres.append("a", 0, drafts("1"), cmd="1")
    async with connected(database) as db:
        async with db.transaction():
            await db.execute("INSERT INTO log_entry SELECT id, 2, 1.5, NULL, '', 'x', '2' FROM log WHERE name = 'a'")
            erasing = asyncio.create_task(postgres.erase("a"))
            await asyncio.sleep(0.1)
            assert not erasing.done()
        await erasing
        assert 0 == await db.fetchval("SELECT count(*) FROM log_entry")
    assert 0 == (await postgres.read("a")).head
    assert 1 == (await postgres.append("a", 0, drafts("1"), cmd="1"))[0].seq


async def test_killed_conversion_loses_nothing_and_goes_on(old):
    """Killed again and again, while three logs grow, one of them without old entries."""
    url, whole = old
    lines, kills, chance = [], 0, Random(2)
    while not await asyncio.to_thread(run_until, url, lines, chance.randrange(20, 400)):
        kills += 1
    assert kills > 2
    await finds_everything(url, whole, lines)


async def test_killed_server_loses_nothing_and_the_conversion_goes_on(old, server):
    """PostgreSQL is killed while entries are moved and people play; the node stays."""
    url, whole = old
    store = await PostgresStore.open(url, patience=DEADLINE)
    lines = []

    async def play(log):
        while True:
            (entry,) = await store.append(log, None, [Draft("ann", f'"{log}"')], cmd=f"{log} {len(lines)}")
            lines.append([log, str(entry.seq), entry.cmd])

    players = [asyncio.create_task(play(log)) for log in ("table/1", "table/7", "new")]
    converting = asyncio.create_task(convert_all(store, 20))
    await asyncio.sleep(0.3)
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    await converting
    for player in players:
        player.cancel()
        with suppress(asyncio.CancelledError):
            await player
    await store.close()

    await finds_everything(url, whole, lines)


async def finds_everything(url, whole, lines):
    """All old and all acknowledged entries are there, each log without gaps, and the old table is gone."""
    async with opened(url) as store:
        await convert_all(store)
        found = {log: (await store.read(log, limit=10**6)).entries for log in (*LOGS, "new")}
    assert {"log_entry"} == (await form(url))[0]
    assert all(entries == found[log][: len(entries)] for log, entries in whole.items())
    for line in lines:
        if line != ["done"]:
            log, seq, cmd = line[0], int(line[1]), " ".join(line[2:])
            assert (seq, cmd) == (found[log][seq - 1].seq, found[log][seq - 1].cmd)
    for entries in found.values():
        assert [*range(1, len(entries) + 1)] == [entry.seq for entry in entries]


@pytest.mark.slow
async def test_large_database_hardly_grows_while_it_is_converted(database):
    """2,000 games. VACUUM, which autovacuum does by itself, gives the end of the old table back to the disk."""
    games, entries = 2_000, [(one.seq, one.at, one.by, one.body, one.cmd) for one in stored_ohell()[1]]
    await create_as_0_1(database, [(f"table/{game}", *row) for game in range(1, games + 1) for row in entries])
    async with opened(database) as store, connected(database) as db:
        before, sizes, moved = await store.size(), [], 0
        while some := await store.convert(300):
            moved += some
            if moved // 30_000 > len(sizes):
                await db.execute("VACUUM")
                sizes.append(await store.size())
        after = await store.size()
        for game in range(1, games + 1):
            found = (await store.read(f"table/{game}")).entries
            assert entries == [(one.seq, one.at, one.by, one.body, one.cmd) for one in found], game
    assert games * len(entries) == moved
    assert max(sizes) < 1.1 * before
    assert after < 0.8 * before


async def test_backup_that_begins_while_the_tables_are_renamed_has_every_entry(database):
    """Its snapshot still has the old names, and these are gone once it gets its locks."""
    row = ("table/1", 1, 1.5, "ann", "[]", "attempt")
    await create_as_0_1(database, [row])

    async def read():
        async with reading(database, alone=False) as kept:
            return [row async for rows in kept.rows("entry") for row in rows]

    async with connected(database) as renaming, connected(database) as watching:
        async with renaming.transaction():
            await advance(renaming, len(MIGRATIONS))
            backup = asyncio.create_task(read())
            async with asyncio.timeout(DEADLINE):
                while not await watching.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        assert [row] == await backup
