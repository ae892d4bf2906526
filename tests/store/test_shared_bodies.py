"""A line that several logs get at once is stored once in a data file, but each log has its own."""

import asyncio
import sqlite3
from contextlib import closing

import attrs
import pytest

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced
from lilygames.chat.talk.history import History, of_person
from lilygames.store import StoreUnavailable
from lilygames.store.shared_bodies import LEAST, RECENT
from lilygames.store.shell.copying import copy, filling, reading

from .conftest import MESSAGES, tell_each_other

BODY = "x" * LEAST


def bodies_in(place):
    """Return what is stored as the bodies of all entries, and the shared ones."""
    with closing(sqlite3.connect(place)) as db:
        stored = [body for (body,) in db.execute("SELECT body FROM entry ORDER BY log, seq")]
        return stored, [row[0] for row in db.execute("SELECT body FROM shared ORDER BY id")]


async def at_once(store, drafts, *logs, body=BODY):
    return await asyncio.gather(*(store.append(log, None, drafts(body), cmd=log) for log in logs))


async def test_private_message_is_stored_once_for_all_who_can_read_it(sqlite, place):
    history = History(sqlite)
    event = ChatEvent("private", "ann", to=("bob", "cat"), text="see you at noon", at=1.5)
    history.observe(Announced(event, (), ()))
    await history.finish()

    stored, shared = bodies_in(place)
    assert [b"1"] * 3 == stored
    assert 1 == len(shared)
    assert "see you at noon" in shared[0]
    for name in ("ann", "bob", "cat"):
        assert [event] == await history.latest(of_person(name), 0.0, 10)


async def test_private_messages_of_the_same_moment_are_stored_once_each(sqlite, place):
    await tell_each_other(History(sqlite))

    stored, shared = bodies_in(place)
    assert [True] * 2 * MESSAGES == [isinstance(body, bytes) for body in stored]
    assert MESSAGES == len(shared)


async def test_short_or_different_bodies_are_not_shared(sqlite, place, drafts):
    await at_once(sqlite, drafts, "a", "b", body="x" * (LEAST - 1))
    await sqlite.append("c", None, drafts(BODY), cmd="c")
    await sqlite.append("d", None, drafts(BODY + "y"), cmd="d")

    assert [] == bodies_in(place)[1]


async def test_body_is_shared_by_the_next_commits_too_but_not_for_ever(sqlite, place, drafts):
    await sqlite.append("a", None, drafts(BODY), cmd="1")
    await sqlite.append("b", None, drafts(BODY), cmd="1")
    assert [BODY] == bodies_in(place)[1]

    await asyncio.gather(*(sqlite.append("c", None, drafts(f"{BODY}{n}"), cmd=str(n)) for n in range(RECENT)))
    await sqlite.append("d", None, drafts(BODY), cmd="1")
    assert [BODY] == bodies_in(place)[1]
    assert BODY == bodies_in(place)[0][-1]


@pytest.mark.parametrize("change", ["trim", "rewrite", "erase"])
async def test_other_logs_keep_a_body_that_one_log_loses(sqlite, place, drafts, change):
    await at_once(sqlite, drafts, "a", "b", "c")
    (other,) = (await sqlite.read("b")).entries

    async def lose(log):
        (entry,) = (await sqlite.read(log)).entries
        match change:
            case "trim":
                await sqlite.trim(log, 1, "[]")
            case "rewrite":
                await sqlite.rewrite(log, [attrs.evolve(entry, body="[]")])
            case "erase":
                await sqlite.erase(log)

    await lose("a")
    assert (other,) == (await sqlite.read("b")).entries
    assert [BODY] == bodies_in(place)[1]
    await lose("b")
    await lose("c")
    assert [] == bodies_in(place)[1]


async def test_body_that_has_changed_meanwhile_is_not_shared(sqlite, place, drafts):
    await sqlite.append("a", None, drafts(BODY), cmd="1")
    await sqlite.rewrite("a", [attrs.evolve((await sqlite.read("a")).entries[0], body="[]")])

    await at_once(sqlite, drafts, "b", "c")

    assert ["[]", b"1", b"1"] == bodies_in(place)[0]
    assert ["[]"] == [entry.body for entry in (await sqlite.read("a")).entries]


async def test_group_that_fails_leaves_no_shared_body_behind(sqlite, place, drafts):
    """A limit on the file's pages stands for a full disk."""
    await sqlite.append("a", None, drafts(BODY), cmd="1")
    pages = await sqlite._write(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await sqlite._write(lambda db: db.execute(f"PRAGMA max_page_count={pages + 1}").fetchall())
    with pytest.raises(StoreUnavailable):
        await sqlite.append("b", None, drafts(BODY, "y" * 100_000), cmd="1")
    await sqlite._write(lambda db: db.execute("PRAGMA max_page_count=100000").fetchall())
    assert ([BODY], []) == bodies_in(place)

    await at_once(sqlite, drafts, "b", "c")

    assert ([BODY, b"1", b"1"], [BODY]) == bodies_in(place)
    for log in "abc":
        assert [BODY] == [entry.body for entry in (await sqlite.read(log)).entries]


async def test_shared_bodies_survive_a_restart_and_a_backup(place, opened, drafts, tmp_path):
    async with opened(place) as store:
        landed = await at_once(store, drafts, "a", "b")
    async with opened(place) as store:
        assert landed == [(await store.read(log)).entries for log in "ab"]
        assert landed == await at_once(store, drafts, "a", "b")
        async with reading(f"sqlite:{place}", alone=False) as before, filling(f"sqlite:{tmp_path}/copy.db") as after:
            await copy(before, after, lambda _: None)
    async with opened(tmp_path / "copy.db") as store:
        assert landed == [(await store.read(log)).entries for log in "ab"]


async def test_entry_whose_shared_body_is_missing_is_read_as_invalid_json(sqlite, place, drafts):
    await at_once(sqlite, drafts, "a", "b")
    with closing(sqlite3.connect(place)) as db:
        db.execute("DELETE FROM shared")
        db.commit()

    assert ["\ufffd"] == [entry.body for entry in (await sqlite.read("a")).entries]
