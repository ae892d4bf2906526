"""/export me: everything that is stored about someone, and nothing secret."""

import asyncio
import json

import pytest

from lilygames.chat.talk.history import of_room, read_batch
from lilygames.privacy.personal_data import LOGS, RECORDS
from tests.privacy.conftest import FORMERLY, GONE


@pytest.fixture
async def rows(evening):
    """All rows about Quuxbert."""
    return [json.loads(row) async for row in evening.stage.deletions.personal.rows(GONE)]


def named(rows):
    """Return the kinds of the rows."""
    return {(row.get("record") or row.get("log") or "table").partition("/")[0] for row in rows}


async def test_rows_are_of_all_kinds_that_hold_something_about_the_person(evening, rows):
    empty = {
        "claim",
        "detached",
        "here",
        "listed",
        "motd",
        "purse",
        "sysop-claim",
        "recovery",
        "ranking",
        "simul",
        "tournament-ban",
    }
    staff = {kind.name for kind in (*RECORDS, *LOGS) if kind.stays}
    beside = {kind.name.partition("/")[0] for kind in (*RECORDS, *LOGS) if kind.beside}
    listed = {kind.name.partition("/")[0] for kind in (*RECORDS, *LOGS) if kind.holds}

    assert set() == listed - named(rows) - empty - staff - beside - {"unregister"}
    assert {"table"} <= named(rows)


async def test_export_has_talk_messages_settings_and_moves(rows):
    text = json.dumps(rows)

    for wanted in ("hello everyone", "a private word", "hello to you too", "between us", "plums", "surely low"):
        assert wanted in text
    assert '"Moved"' in text
    assert "quuxbert@example.org" in text
    assert FORMERLY.casefold() in text


async def test_export_has_nothing_that_only_others_said_or_did(rows):
    text = json.dumps(rows)

    assert "this is what I see" not in text
    assert not [row for row in rows if row.get("record") == "account" and row["key"] != GONE.casefold()]


async def test_export_has_nothing_that_others_said_at_the_same_moment(evening):
    """One entry of the room's log has both messages."""
    await evening.enter(GONE)
    await asyncio.gather(evening.type("bob", "only Bob said this"), evening.type(GONE, "and I said this"))
    await evening.stage.kept()
    last = (await evening.store.read(of_room("lobby"))).entries[-1]
    text = "".join([row async for row in evening.stage.deletions.personal.rows(GONE)])

    assert ["bob", GONE] == [one.by for one in read_batch(last)]
    assert "and I said this" in text
    assert "only Bob said this" not in text


async def test_export_has_no_hash_of_a_password_or_word(evening, rows):
    account = await evening.stage.accounts.get(GONE)

    assert account.digest not in json.dumps(rows)
    assert "$argon2" not in json.dumps(rows)
    assert {"(hidden)"} == {row["value"]["digest"] for row in rows if row.get("record") == "account"}


async def test_person_exports_their_own_data_in_the_server(evening):
    await evening.enter(GONE)
    evening.stage.screens[GONE].prefer({"width": "1000000"})
    told = await evening.type(GONE, "/export me")

    assert "(That's all that is stored about you.)" == told[-1]
    assert {"what"} <= {key for row in told[:-1] for key in json.loads(row)}


async def test_exports_are_limited(evening):
    for _ in range(3):
        await evening.type("ann", "/export me")

    assert "you can export your data 3 times an hour" in await evening.told("ann", "/export me")


async def test_number_still_exports_a_game(evening):
    assert '"lilygames":4' in await evening.told("ann", "/export 1")
    assert '"lilygames":4' in await evening.told("ann", "/export #1")
    assert "type /export and the number of a table" in await evening.told("ann", "/export bob")
