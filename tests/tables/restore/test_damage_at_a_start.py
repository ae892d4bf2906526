"""Damage in what a start reads: it costs what is damaged, or the server says in one sentence why it can't start."""

import asyncpg
import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import Damaged, Draft
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres.postgres import PostgresStore

WHY = "The data file is damaged: restore a backup."
SPARED = {
    "role": "records of the staff",
    "standing": "records of sanctions",
    "address-ban": "bans of networks",
    "vacation": "vacations",
    "event": "events",
    "motd": "the message of the day",
    "tournament": "open tournaments",
    "open": "open tables",
    "resume-key": "the key of the sessions",
    "audit": "the end of the audit log",
}


class TornStore(MemoryStore):
    """A store of which one kind of records, or one log, can't be read."""

    torn = ""

    def _check(self, *names):
        if self.torn in names:
            raise Damaged(WHY)

    async def append(self, log, *more, **others):
        self._check(log)
        return await super().append(log, *more, **others)

    async def read(self, log, *more):
        self._check(log)
        return await super().read(log, *more)

    async def heads(self, logs):
        self._check(*logs)
        return await super().heads(logs)

    async def find(self, kind, key):
        self._check(kind)
        return await super().find(kind, key)

    async def find_each(self, kind, keys):
        self._check(kind)
        return await super().find_each(kind, keys)

    async def every(self, kind, *page):
        self._check(kind)
        return await super().every(kind, *page)


@pytest.fixture
def store():
    return TornStore()


@pytest.fixture
async def torn(stage, table, finish, store, tally):
    """Returns a function that starts the place again after a part of its store was damaged."""
    await finish()

    async def start(part, *, at_once=True):
        store.torn = part
        again = await Stage.open(tally, store=store, at_once=at_once)
        for name in ("ann", "bob"):
            await again.host.tables.ready_for(name)
            again.enter(name)
        return again

    return start


@pytest.mark.parametrize("part", SPARED)
async def test_place_starts_without_what_is_damaged_and_the_log_has_a_case(torn, part):
    with capture_logs() as logged:
        again = await torn(part)

    (damage,) = [one for one in logged if one["log_level"] == "error"]
    assert ("a part of the store is damaged, and its rows are left out", part, WHY) == (
        damage["event"],
        damage["kind"],
        damage["why"],
    )
    assert 6 == len(damage["case"])
    assert ["1 unreadable row in the store"] == again.tables.troubles
    assert "2 people are here" in " ".join(await again.type("ann", "/who"))


@pytest.mark.parametrize(("part", "what"), [("account", "accounts"), ("former", "accounts"), ("discussion", "rooms")])
async def test_place_does_not_start_if_others_could_take_names_that_cannot_be_read(torn, part, what):
    with pytest.raises(Damaged, match=f"^The {what} are damaged, so the server can't start. {WHY}$"):
        await torn(part)


async def test_staff_can_do_nothing_while_the_end_of_the_audit_log_is_damaged(torn):
    again = await torn("audit")
    again.host.roles.listed = ["ann"]

    assert any("nothing can be saved right now" in row for row in await again.type("ann", "/mute bob 5 spam"))


async def test_damaged_records_of_ratings_are_replaced_by_the_log(torn, stage):
    expected = stage.tables.results.ratings.known
    with capture_logs() as logged:
        again = await torn("rating", at_once=False)
        ratings = again.tables.results.ratings
        await ratings.read_of("ann", "bob")

    assert expected == ratings.known
    assert ["rating"] == [one["kind"] for one in logged if one["log_level"] == "error"]
    assert any("tally 2: " in row for row in await again.type("ann", "/finger me"))


ROWS = ("role", "standing", "address-ban", "vacation", "event", "motd", "account", "discussion", "open")
"""The kinds of records that a start reads one by one."""
LOGS = ("deletions",)
"""The logs whose every entry a start reads."""


async def garble(store):
    """Write a record of each kind, and an entry of each log, whose text can't be read."""
    for kind in ROWS:
        await store.keep(kind, {"motd": "text", "open": "77"}.get(kind, "zed"), "\ufffd{")
    await store.keep("tournament", "\ufffd7", "")
    for log in LOGS:
        await store.append(log, None, [Draft("table", "\ufffd{")], cmd="damaged")


def with_cases(logged):
    """Return the kinds of records and the log entries of which a log reports case numbers."""
    rows = [one for one in logged if one.get("case")]
    return {"open" if "table" in one else one["key"] if one["kind"] == "log entry" else one["kind"] for one in rows}


async def test_record_or_entry_that_cannot_be_read_costs_only_itself(stage, store, tally):
    await stage.type("ann", "/create cafe Coffee")
    await stage.type("ann", "/new tally max=3")
    await stage.quiet()
    await garble(store)
    with capture_logs() as logged:
        again = await Stage.open(tally, store=store)

    assert {*ROWS, "tournament", *(f"{log} 1" for log in LOGS)} == with_cases(logged)
    assert "cafe" in again.rooms
    assert 1 in again.open_tables


async def test_place_does_not_start_without_the_key_of_deleted_names(stage, store, tally):
    await store.keep("deletions-key", "", "\ufffd")

    with pytest.raises(Damaged, match="The accounts are damaged, so the server can't start"):
        await Stage.open(tally, store=store)


@pytest.fixture
async def postgres(database):
    store = await PostgresStore.open(database)
    yield store
    await store.close()


async def test_bytes_that_are_not_text_in_a_database_cost_only_their_rows(postgres, database, tally):
    """The server of the database hands them out as they are."""
    stage = await Stage.open(tally, store=postgres)
    stage.enter("ann")
    await stage.create_account("ann", "correct horse")
    await stage.type("ann", "/create cafe Coffee")
    await stage.type("ann", "/new tally max=3")
    await stage.quiet()
    await garble(postgres)
    damage = (
        "CREATE CAST (bytea AS text) WITHOUT FUNCTION",
        "UPDATE lilygames.record SET body = '\\xff'::bytea::text WHERE body = '\ufffd{'",
        "UPDATE lilygames.log_entry SET body = '\\xff'::bytea::text WHERE body = '\ufffd{'",
        "DROP CAST (bytea AS text)",
    )
    db = await asyncpg.connect(database)
    for query in damage:
        await db.execute(query)
    await db.close()
    with capture_logs() as logged:
        again = await Stage.open(tally, store=postgres)

    assert {*ROWS, "tournament", *(f"{log} 1" for log in LOGS)} == with_cases(logged)
    assert "cafe" in again.rooms
    assert 1 in again.open_tables
    assert "ann" in again.accounts.names
