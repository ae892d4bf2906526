"""The entries of a database: plans that don't grow, and bodies that several logs share."""

import asyncio

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced
from lilygames.chat.talk.history import History, of_person
from lilygames.store import Draft
from lilygames.store.postgres import entry_rows
from lilygames.store.postgres.batch import _Parts, _writing
from lilygames.store.postgres.entry_rows import loaded, stored
from lilygames.store.postgres.server import _SETTINGS
from lilygames.store.postgres.tables import PARTITIONS
from lilygames.store.shared_bodies import LEAST

from .conftest import MESSAGES, tell_each_other
from .databases import connected

BODY = "x" * LEAST


@given(st.text() | st.from_regex(r"[0-9a-f]{32}(\.[0-9]{1,20})?", fullmatch=True))
def test_every_text_comes_back_from_the_tables(text):
    assert text == loaded(stored(text))


@pytest.fixture
async def bodies(database):
    """Return a function that returns how often the stored bodies are in use, and what entries have instead."""

    async def found():
        async with connected(database) as db:
            uses = await db.fetch("SELECT uses, body FROM shared ORDER BY body")
            own = await db.fetch("SELECT body FROM log_entry WHERE body IS NOT NULL ORDER BY log, seq")
            return [tuple(row) for row in uses], [row["body"] for row in own]

    return found


async def at_once(store, drafts, *logs, body=BODY):
    for log in logs:
        await store.append(log, None, drafts("first"), cmd="first")
    return await asyncio.gather(*(store.append(log, None, drafts(body), cmd=log) for log in logs))


async def test_private_message_is_stored_once_for_all_who_can_read_it(postgres, bodies):
    history = History(postgres)
    event = ChatEvent("private", "ann", to=("bob", "cat"), text="see you at noon", at=1.5)
    history.observe(Announced(event, (), ()))
    await history.finish()

    ((uses, body),), own = await bodies()
    assert (3, []) == (uses, own)
    assert "see you at noon" in body
    for name in ("ann", "bob", "cat"):
        assert [event] == await history.latest(of_person(name), 0.0, 10)


async def test_body_is_shared_with_a_log_that_is_new(postgres, bodies, drafts):
    await postgres.append("a", None, drafts("first"), cmd="first")
    await asyncio.gather(*(postgres.append(log, None, drafts(BODY), cmd=log) for log in ("a", "b")))

    assert ([(2, BODY)], ["first"]) == await bodies()


async def test_private_messages_of_the_same_moment_are_stored_once_each(postgres, bodies):
    await tell_each_other(History(postgres))

    uses, own = await bodies()
    assert ([2] * MESSAGES, []) == ([number for number, _ in uses], own)


async def test_short_or_different_bodies_are_not_shared(postgres, bodies, drafts):
    await at_once(postgres, drafts, "a", "b", body="x" * (LEAST - 1))
    await postgres.append("c", None, drafts(BODY), cmd="c")
    await postgres.append("d", None, drafts(BODY), cmd="d")

    assert [] == (await bodies())[0]


async def test_call_that_loses_a_race_does_not_count_as_a_use(postgres, bodies, drafts):
    await at_once(postgres, drafts, "a", "b")
    calls = (postgres.append(log, expected, drafts(f"{BODY}y"), cmd="2") for log, expected in (("a", 1), ("b", 2)))
    await asyncio.gather(*calls, return_exceptions=True)

    assert [(2, BODY), (1, f"{BODY}y")] == (await bodies())[0]


@pytest.mark.parametrize("change", ["trim", "rewrite", "erase"])
async def test_other_logs_keep_a_body_that_one_log_loses(postgres, bodies, drafts, change):
    await at_once(postgres, drafts, "a", "b", "c")
    other = (await postgres.read("b")).entries[-1]

    async def lose(log):
        entry = (await postgres.read(log)).entries[-1]
        match change:
            case "trim":
                await postgres.trim(log, 2, "[]")
            case "rewrite":
                await postgres.rewrite(log, [attrs.evolve(entry, body="[]")])
            case "erase":
                await postgres.erase(log)

    await lose("a")
    assert other == (await postgres.read("b")).entries[-1]
    assert [(2, BODY)] == (await bodies())[0]
    await asyncio.gather(lose("b"), lose("c"))
    assert [] == (await bodies())[0]


async def test_entry_whose_shared_body_is_missing_is_read_as_invalid_json(postgres, database, drafts):
    await at_once(postgres, drafts, "a", "b")
    async with connected(database) as db:
        await db.execute("DELETE FROM shared")

    assert "\ufffd" == (await postgres.read("a")).entries[-1].body


LITERALS = ("{0,1}", "{a,b}", "{0,0}", "{300,null}", "{null,null}", "{x,x}", "{1,1}", "{null,null}")
"""Two calls for a batch, the first of them for a log of 300 entries."""


def writing(calls):
    """Return the statement for a batch of one call or of two, and its values."""
    values = (value.strip("{}").split(",")[0] for value in LITERALS) if calls == 1 else LITERALS
    literals = ("null" if value == "null" else f"'{value}'" for value in values)
    parts = _Parts(one=calls == 1, rest=False, shares=False, keeps=False, forgets=False)
    return _writing(parts), ", ".join(literals)


@pytest.mark.parametrize("analyzed", [False, True])
async def test_no_plan_reads_a_whole_log(postgres, database, analyzed):
    """Not even one that is made while partitions are empty, and stays in use."""
    await postgres.append("a", None, [Draft("ann", f"{n}") for n in range(300)], cmd="0d" * 16)
    statements = {
        "page": (entry_rows._PAGE, "'a', 290, 5"),
        "one": writing(1),
        "two": writing(2),
    }
    plans = {}
    async with connected(database) as db:
        for name, value in _SETTINGS.items():
            await db.execute(f"SET {name} = {value}")
        if analyzed:
            await db.execute("ANALYZE")
        for name, (statement, values) in statements.items():
            await db.execute(f"PREPARE {name} AS {statement}")
            rows = await db.fetch(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE {name}({values})")
            plans[name] = [row[0] for row in rows]

    page, *batches = plans.values()
    assert 2 == sum("Index" in row and "pkey" in row and "rows=" in row for row in page)
    for plan in batches:
        assert PARTITIONS == sum("attempt_idx" in row for row in plan)
        assert not any("rows=300" in row or "Removed by Filter: 300" in row for row in plan)
