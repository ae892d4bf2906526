"""Test a database server's own troubles: outages, several nodes, and other people's settings."""

import asyncio
import contextlib
import random

import asyncpg
import pytest

from lilygames.store import Conflict, Damaged, Draft, Effect, Replaced, StoreUnavailable
from lilygames.store.postgres import postgres as module
from lilygames.store.postgres import server as pgserver
from lilygames.store.postgres.postgres import PostgresStore, must_open
from lilygames.store.postgres.tables import FIRST, NEWEST
from tests.deadline import DEADLINE

LOG = "table/12"


@pytest.fixture
async def nodes(database):
    """Two stores on one database, like two nodes."""
    stores = [await PostgresStore.open(database) for _ in range(2)]
    yield stores
    for store in stores:
        await store.close()


@pytest.fixture
def shell(database):
    """Query the database as a sysop would."""

    async def ask(*queries):
        connection = await asyncpg.connect(database)
        try:
            return [await connection.fetchval(query) for query in queries][-1]
        finally:
            await connection.close()

    return ask


@pytest.fixture
def away(server):
    """Kill the server for as long as the block lasts."""

    @contextlib.asynccontextmanager
    async def killed():
        await asyncio.to_thread(server.kill)
        try:
            yield
        finally:
            await asyncio.to_thread(server.start)

    return killed


async def queued(store, *calls):
    """Return the calls as tasks that are all queued before the writer takes one."""
    tasks = [*map(asyncio.create_task, calls)]
    await asyncio.sleep(0)
    return tasks


async def test_queued_calls_are_written_in_one_statement(postgres, drafts):
    """New logs get their numbers by another one first."""
    counts = []
    for turn in range(3):
        await asyncio.gather(*(postgres.append(f"table/{n}", turn, drafts("a"), cmd=str(turn)) for n in range(100)))
        counts.append(postgres.batches)

    assert [2, 3, 4] == counts


async def test_calls_to_one_log_are_written_one_after_the_other(postgres, drafts):
    """A statement writes only one call per log: the next one depends on it."""
    calls = await queued(postgres, *(postgres.append(LOG, n // 2, drafts("a"), cmd=str(n)) for n in range(6)))

    answers = await asyncio.gather(*calls, return_exceptions=True)

    assert [True, False] * 3 == [isinstance(answer, tuple) for answer in answers]


@pytest.mark.parametrize("rounds", [100, pytest.param(1000, marks=pytest.mark.slow)])
async def test_one_of_eight_racers_on_two_nodes_wins(nodes, drafts, rounds):
    """Calls with one entry race calls with two; a call's entries are never separated."""
    order, head = random.Random(8), 0
    for turn in range(rounds):
        racers = [nodes[n % 2].append(LOG, head, drafts(*"ab"[n // 4 :]), cmd=f"{turn}/{n}") for n in range(8)]
        order.shuffle(racers)
        answers = await asyncio.gather(*racers, return_exceptions=True)
        (won,) = [answer for answer in answers if isinstance(answer, tuple)]
        head = won[-1].seq
        assert [head] * 7 == [answer.head for answer in answers if isinstance(answer, Conflict)]

    page = await nodes[1].read(LOG, limit=10**6)

    assert list(range(1, head + 1)) == [entry.seq for entry in page.entries]


async def test_appends_from_two_nodes_form_one_sequence(nodes, drafts):
    """An append without an expected position never conflicts."""
    calls = [nodes[n % 2].append(LOG, None, drafts(str(n), "more"), cmd=str(n)) for n in range(60)]

    await asyncio.gather(*calls)

    bodies = [entry.body for entry in (await nodes[0].read(LOG)).entries]
    assert {str(n) for n in range(60)} == set(bodies[::2])
    assert {"more"} == set(bodies[1::2])


async def test_command_is_written_once_if_two_nodes_send_it(nodes, drafts):
    """A node that takes over from a dead one uses the same command."""
    calls = [node.append(LOG, None, drafts("a"), cmd="1", effects=[Effect("due", "x", "")]) for node in nodes * 3]

    answers = await asyncio.gather(*calls)

    assert 1 == len(set(answers)) == (await nodes[0].read(LOG)).head


async def test_command_is_sent_again_if_its_answer_was_lost(postgres, drafts, monkeypatch):
    """The connection breaks between the commit and its answer: the writer sends the command again and finds it done."""
    breaks = iter([True])

    async def write(*arguments):
        answers = await real(*arguments)
        if next(breaks, False):
            raise ConnectionResetError
        return answers

    real = module.write
    monkeypatch.setattr(module, "write", write)

    landed = await postgres.append(LOG, 0, drafts("a", "b"), cmd="1")

    assert landed == (await postgres.read(LOG)).entries


async def play(store, log, drafts, until):
    """Append to a log until told to stop, and return how many entries were acknowledged."""
    head = 0
    while not until.is_set():
        await store.append(log, head, drafts("a"), cmd=str(head))
        head += 1
    return head


async def test_killed_server_loses_nothing_and_play_continues(database, drafts, away):
    """Players wait; each acknowledged entry is there once, without gaps."""
    postgres = await PostgresStore.open(database, patience=60)
    done = asyncio.Event()
    playing = [asyncio.create_task(play(postgres, f"table/{n}", drafts, done)) for n in range(8)]
    async with away():
        pass
    await postgres.append(LOG, 0, drafts("back"), cmd="1")
    done.set()
    heads = [await each for each in playing]

    pages = [await postgres.read(f"table/{n}", limit=10**6) for n in range(8)]

    assert heads == [page.head for page in pages] == [len(page.entries) for page in pages]
    await postgres.close()


async def test_acknowledged_entries_survive_kill_9_of_the_node(database, postgres, killed_while_appending):
    """Another node reads all of it, in order and without gaps."""
    acknowledged = await asyncio.to_thread(killed_while_appending, database, 400)

    logs = {log: [e.seq for e in (await postgres.read(log, limit=10**6)).entries] for log, _ in acknowledged}

    assert all(int(seq) in logs[log] for log, seq in acknowledged)
    assert all(list(range(1, len(seqs) + 1)) == seqs for seqs in logs.values())


async def in_the_end(call):
    """Return a call's answer as soon as the server gives one."""
    async with asyncio.timeout(DEADLINE):
        while True:
            with contextlib.suppress(StoreUnavailable):
                return await call()


async def test_long_outage_is_reported_and_play_continues_afterwards(database, drafts, away):
    store = await PostgresStore.open(database, patience=0.2)
    async with away():
        for call in (store.append(LOG, 0, drafts("a"), cmd="1"), store.read(LOG), store.keep("a", "b", "c")):
            with pytest.raises(StoreUnavailable, match="doesn't answer: check that it runs"):
                await call
        with pytest.raises(StoreUnavailable, match="doesn't answer"):
            await PostgresStore.open(database)

    await in_the_end(lambda: store.append(LOG, None, drafts("a"), cmd="1"))

    assert 1 == (await store.read(LOG)).head
    await store.close()


async def test_frozen_server_is_reported_and_play_continues_afterwards(database, drafts, server, monkeypatch):
    """During the outage callers fail at once; the call that was on its way is written once."""
    monkeypatch.setattr(pgserver, "COMMAND", 0.3)
    monkeypatch.setattr(pgserver, "CONNECT", 0.3)
    store = await in_the_end(lambda: PostgresStore.open(database, patience=0.2))
    await in_the_end(lambda: store.append(LOG, 0, drafts("a"), cmd="1"))
    server.freeze()
    try:
        with pytest.raises(StoreUnavailable, match="doesn't answer"):
            await store.append(LOG, 1, drafts("b"), cmd="2")
        answers = await asyncio.gather(*(store.read(LOG) for _ in range(1000)), return_exceptions=True)
        assert {StoreUnavailable} == {type(answer) for answer in answers}
    finally:
        server.thaw()

    await in_the_end(lambda: store.append(LOG, 1, drafts("b"), cmd="2"))
    page = await in_the_end(lambda: store.read(LOG))

    assert ["a", "b"] == [entry.body for entry in page.entries]
    await store.close()


async def test_silent_connection_is_replaced_and_ended(postgres, drafts, shell):
    """Its session on the server ends first, so its last query is either done or never will be."""
    await postgres.append(LOG, 0, drafts("a"), cmd="1")
    stale, postgres._writer = postgres._writer, None

    await postgres.append(LOG, 1, drafts("b"), cmd="2")

    query = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{postgres._server.name}'"
    assert 1 == await shell(query)
    with pytest.raises((asyncpg.PostgresError, OSError, asyncpg.InterfaceError)):
        await stale.fetchval("SELECT 1")
    stale.terminate()


async def test_store_can_be_closed_during_an_outage(database, drafts, away):
    store = await PostgresStore.open(database)
    async with away():
        call = asyncio.create_task(store.append(LOG, 0, drafts("a"), cmd="1"))
        await asyncio.sleep(0)
        await store.close()

        with pytest.raises(StoreUnavailable):
            await call


async def test_several_nodes_can_start_at_once_on_an_empty_database(database, shell):
    stores = await asyncio.gather(*(PostgresStore.open(database) for _ in range(4)))

    assert NEWEST == await shell("SELECT number FROM lilygames.version")
    for store in stores:
        await store.close()


async def test_tables_are_refused_if_a_newer_server_wrote_them(postgres, database, shell):
    await shell(f"UPDATE lilygames.version SET number = {NEWEST + 1}")

    with pytest.raises(StoreUnavailable, match="was written by a newer lilygames: update this server, or name another"):
        await PostgresStore.open(database)


async def test_tables_from_before_release_0_2_are_refused_and_stay_as_they_are(postgres, database, shell):
    await shell(f"UPDATE lilygames.version SET number = {FIRST - 1}")

    for opening in (PostgresStore.open, must_open):
        with pytest.raises(StoreUnavailable, match=r"is older than release 0\.2, the first that this server reads"):
            await opening(database)
    assert FIRST - 1 == await shell("SELECT number FROM lilygames.version")


async def test_server_that_may_lose_moves_is_refused_unless_allowed(database, shell):
    await shell("ALTER DATABASE postgres SET synchronous_commit = off")
    try:
        with pytest.raises(StoreUnavailable, match=r"may lose moves .*synchronous_commit is off.*: turn that on"):
            await PostgresStore.open(database)
        await (await PostgresStore.open(database, unsafe=True)).close()
    finally:
        await shell("ALTER DATABASE postgres RESET synchronous_commit")


async def test_login_errors_do_not_show_the_password(server):
    wrong = server.url().replace(server.password, "plum-3742")

    with pytest.raises(StoreUnavailable, match="rejected the login: check the user name and password") as refused:
        await PostgresStore.open(wrong)
    with pytest.raises(StoreUnavailable, match=r"There is no database .*: create it with createdb"):
        await PostgresStore.open(server.url("nowhere"))

    assert "plum" not in str(refused.value)


async def test_names_are_refused_if_they_are_too_long_for_an_index(postgres, drafts):
    long, fine = await asyncio.gather(
        postgres.append("x" * 2001, 0, drafts("a"), cmd="1"),
        postgres.append(LOG, 0, drafts("a"), cmd="1"),
        return_exceptions=True,
    )

    assert isinstance(long, ValueError)
    assert 1 == fine[0].seq


ANEW = "DROP SCHEMA lilygames CASCADE"


async def test_nothing_is_acknowledged_after_the_tables_were_replaced(postgres, database, shell, drafts):
    """One node kept its connection; another one has created new tables."""
    await postgres.append(LOG, 0, drafts("a"), cmd="1")
    await shell(ANEW)
    other = await PostgresStore.open(database)

    with pytest.raises(Replaced, match="its tables were created again, so nothing is saved"):
        await postgres.now()
    await other.close()


async def test_nothing_is_acknowledged_if_the_database_was_replaced_in_an_outage(database, shell, drafts):
    store = await PostgresStore.open(database, patience=0.2)
    await store.append(LOG, 0, drafts("a"), cmd="1")
    await shell(ANEW)
    other = await PostgresStore.open(database)
    store._writer.terminate()

    with pytest.raises(Replaced):
        await store.append("other", None, drafts("b"), cmd="2")
    assert {"other": 0} == await other.heads(["other"])
    for each in (store, other):
        await each.close()


async def test_check_refuses_a_database_that_could_not_be_opened(database, shell):
    await must_open(database)
    assert await shell("SELECT to_regclass('lilygames.entry') IS NULL")

    store = await PostgresStore.open(database)
    await shell(f"UPDATE lilygames.version SET number = {NEWEST + 1}")
    with pytest.raises(StoreUnavailable, match="newer lilygames"):
        await must_open(database)
    await store.close()


@pytest.mark.parametrize("code", ["XX001", "XX002", "XX000", "58P01"])
async def test_damage_that_the_server_reports_is_not_taken_for_an_outage(postgres, code):
    """Waiting wouldn't help, and only what is damaged can't be read."""
    query = f"DO $$ BEGIN RAISE EXCEPTION 'invalid page in block 0' USING ERRCODE = '{code}'; END $$"

    with pytest.raises(Damaged, match="restore a backup"):
        await postgres.ask(lambda db: db.execute(query))
    await postgres.keep("kind", "key", "body")
    assert "body" == await postgres.find("kind", "key")


async def damage(shell, kind, key):
    """Put bytes that aren't text into a record, as a failing disk does. The server checks only what clients send."""
    await shell("CREATE CAST (bytea AS text) WITHOUT FUNCTION")
    try:
        damaged = "convert_to(body, 'UTF8') || '\\x22ff22'::bytea"
        await shell(f"UPDATE lilygames.record SET body = ({damaged})::text WHERE kind = '{kind}' AND key = '{key}'")
    finally:
        await shell("DROP CAST (bytea AS text)")


async def test_record_with_damaged_bytes_is_read_as_text_that_is_not_json(postgres, database, shell):
    """The others are read as they are, and damage to one is found when it is parsed."""
    for key in "abc":
        await postgres.keep("kind", key, f'{{"name": "{key}"}}')
    await damage(shell, "kind", "b")
    others = {key: f'{{"name": "{key}"}}' for key in "ac"}
    async with module.read_beside(database) as (beside, _):
        early = (await beside.every_of(["kind"]))["kind"]

    for found in (
        early,
        await postgres.every("kind"),
        await postgres.find_each("kind", "abc"),
        (await postgres.every_of(["kind"]))["kind"],
    ):
        assert found.pop("b").startswith("\ufffd")
        assert others == found
    assert (await postgres.find("kind", "b")).startswith("\ufffd")
    await postgres.keep("kind", "b", "{}")
    assert others | {"b": "{}"} == await postgres.every("kind")


async def test_entry_with_damaged_bytes_is_read_as_text_that_is_not_json(postgres, shell):
    drafts = [Draft("ann", f'{{"number": {number}}}') for number in range(3)]
    await postgres.append(LOG, 0, drafts, cmd="first")
    await shell("CREATE CAST (bytea AS text) WITHOUT FUNCTION")
    await shell("UPDATE lilygames.log_entry SET body = '\\xff'::bytea::text WHERE seq = 2", "DROP CAST (bytea AS text)")
    bodies = [entry.body for entry in (await postgres.read(LOG)).entries]

    assert [drafts[0].body, drafts[2].body] == bodies[::2]
    assert bodies[1].startswith("\ufffd")


async def test_swaps_of_one_turn_are_one_statement(postgres, monkeypatch):
    for key in range(20):
        await postgres.keep("open", f"{key}", "old")
    asked, ask = [], postgres._swaps._ask
    monkeypatch.setattr(postgres._swaps, "_ask", lambda query: (asked.append(query), ask(query))[1])

    assert [True] * 20 == await asyncio.gather(*(postgres.swap("open", f"{key}", "old", "new") for key in range(20)))
    assert 1 == len(asked)
    assert {"new"} == {*(await postgres.every("open")).values()}


async def test_nodes_that_swap_the_same_records_at_once_never_both_win(nodes):
    one, other = nodes
    keys = [f"{key}" for key in range(50)]
    for key in keys:
        await one.keep("open", key, "old")
    won = await asyncio.gather(
        *(one.swap("open", key, "old", "one") for key in keys),
        *(other.swap("open", key, "old", "other") for key in reversed(keys)),
    )

    assert [True] * 50 == [mine != theirs for mine, theirs in zip(won[:50], reversed(won[50:]), strict=True)]


async def test_hanging_server_is_not_asked_again_and_again(database, server, monkeypatch):
    """It would have to serve each connection that was given up, before it serves those that wait."""
    for name in ("COMMAND", "CONNECT"):
        monkeypatch.setattr(pgserver, name, 0.3)
    tries = []
    connect = pgserver.Server.connect

    async def counted(self, *words):
        tries.append(words)
        return await connect(self, *words)

    store = await in_the_end(lambda: PostgresStore.open(database, patience=0.2))
    monkeypatch.setattr(pgserver.Server, "connect", counted)
    server.freeze()
    try:
        with pytest.raises(StoreUnavailable):
            await store.append(LOG, None, [Draft("ann", "a")], cmd="1")
        await asyncio.sleep(3)  # ten times as long as a try took
    finally:
        server.thaw()
    await in_the_end(lambda: store.append(LOG, None, [Draft("ann", "b")], cmd="2"))

    assert pgserver.HANGING in [words[-1] for words in tries]
    assert len(tries) < 5
    await store.close()
