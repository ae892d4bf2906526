"""Test that every engine answers any sequence of calls as the memory store does, across restarts."""

import asyncio
import itertools
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from lilygames.store import Conflict, Draft, Effect, Entry, TooEarly
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite.sqlite import SqliteStore

from .databases import connected

few = st.sampled_from(["a", "b", "ä"])
bodies = st.sampled_from(["{}", "", "\0", "x" * 5000, "\udfff"])
appends = st.tuples(few, st.none() | st.integers(0, 6), st.lists(st.builds(Draft, few, bodies), max_size=3))
more = st.fixed_dictionaries(
    {"cmd": st.sampled_from([*"123456", "0d" * 16, f"{'0d' * 16}.0", f"{'0d' * 16}.1234567"])},
    optional={
        "not_before": st.sampled_from([0, 1e12]),
        "effects": st.lists(st.builds(Effect, few, few, st.none() | bodies), max_size=3),
    },
)


class Twins(RuleBasedStateMachine):
    """Call both stores alike; each rule and invariant compares their answers."""

    def __init__(self, opening, examine):
        """Compare memory with an engine; `opening` gives a call that opens the same store again and again.

        `examine` checks the closed store.
        """
        super().__init__()
        self.examine = examine
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.memory = MemoryStore(clock=itertools.count(1000.5).__next__)
        self.open_again = opening(Path(self.folder.name))
        self.open()

    def open(self):
        self.other = self.runner.run(self.open_again())

    def ask(self, call):
        """Return the answer of both, which must agree except for the time."""
        memory, other = (self.runner.run(self.answer(call, store)) for store in (self.memory, self.other))
        assert memory == other
        return memory

    @staticmethod
    async def answer(call, store):
        try:
            return timeless(await call(store))
        except Conflict as conflict:
            return "conflict", conflict.head
        except TooEarly:
            return "too early"
        except ValueError:
            return "no text"

    @rule(call=appends, more=more)
    def append(self, call, more):
        self.ask(lambda store: store.append(*call, **more))

    @rule(
        drafts=st.dictionaries(few, st.lists(st.builds(Draft, few, bodies), max_size=3)), cmd=st.sampled_from("123456")
    )
    def append_each(self, drafts, cmd):
        self.ask(lambda store: store.append_each(drafts, cmd=cmd))

    @rule(calls=st.lists(st.tuples(appends, more), min_size=2, max_size=5))
    def append_at_once(self, calls):
        """Calls made at the same time are written in the order they were made."""
        for answers in zip(*self.runner.run(self.both_at_once(calls)), strict=True):
            assert answers[0] == answers[1]

    async def both_at_once(self, calls):
        return [
            await asyncio.gather(
                *(self.answer(lambda s, c=c, more=more: s.append(*c, **more), store) for c, more in calls)
            )
            for store in (self.memory, self.other)
        ]

    @rule(kind=few, key=few, body=bodies)
    def keep(self, kind, key, body):
        self.ask(lambda store: store.keep(kind, key, body))

    @rule(kind=few, key=few)
    def forget(self, kind, key):
        self.ask(lambda store: store.forget(kind, key))

    @rule(kind=few, key=few, old=st.none() | bodies, new=st.none() | bodies)
    def swap(self, kind, key, old, new):
        self.ask(lambda store: store.swap(kind, key, old, new))

    @rule(log=few, seqs=st.lists(st.integers(0, 5), max_size=3, unique=True), body=bodies)
    def rewrite(self, log, seqs, body):
        self.ask(lambda store: store.rewrite(log, [Entry(seq, 0.0, "former player", body, "") for seq in seqs]))

    @rule(log=few)
    def erase(self, log):
        self.ask(lambda store: store.erase(log))

    @rule(log=few, after=st.integers(-1, 9), limit=st.integers(-1, 9))
    def read(self, log, after, limit):
        self.ask(lambda store: store.read(log, after, limit))

    @rule(log=few, positions=st.lists(st.integers(-1, 9), max_size=4))
    def entries_at(self, log, positions):
        self.ask(lambda store: store.entries_at(log, positions))

    @rule(log=few, through=st.integers(-1, 9), blank=bodies)
    def trim(self, log, through, blank):
        self.ask(lambda store: store.trim(log, through, blank))

    @rule(prefix=st.sampled_from(["", "a"]), after=st.sampled_from(["", "a", "z"]), limit=st.integers(0, 3))
    def logs(self, prefix, after, limit):
        self.ask(lambda store: store.logs(prefix, after, limit))

    @rule(kind=few, key=few)
    def find(self, kind, key):
        self.ask(lambda store: store.find(kind, key))

    @rule(kind=few, keys=st.lists(few, max_size=3))
    def find_each(self, kind, keys):
        self.ask(lambda store: store.find_each(kind, keys))

    @rule(kind=few, first=st.just("") | few, limit=st.integers(0, 3))
    def every(self, kind, first, limit):
        self.ask(lambda store: store.every(kind, first, limit))

    @rule()
    def restart(self):
        self.runner.run(self.other.close())
        self.examine(Path(self.folder.name))
        self.open()

    @invariant()
    def all_is_the_same(self):
        self.ask(lambda store: store.heads("abä"))
        self.ask(lambda store: store.every("a"))
        self.ask(lambda store: store.every_of(["a", "b", "nothing"]))

    def teardown(self):
        for log in "abä":
            page = self.ask(lambda store, log=log: store.read(log))
            seqs = [seq for seq, *_ in page[0]]
            assert list(range(page[1] + 1 - len(seqs), page[1] + 1)) == seqs
        self.runner.run(self.other.close())
        self.runner.close()
        self.folder.cleanup()


def timeless(answer):
    match answer:
        case tuple():
            return [(one.seq, one.by, one.body, one.cmd) if isinstance(one, Entry) else one for one in answer]
        case dict():
            return {key: timeless(one) for key, one in answer.items()}
        case None | bool() | str() | int():
            return answer
        case page:
            return timeless(page.entries), page.head


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_engine_answers_like_the_memory_store(engine, request):
    emptied = request.getfixturevalue("emptied") if engine == "postgres" else None

    def sqlite(folder):
        async def open_again():
            return SqliteStore.open(folder / "lily.db", clock=lambda: 0.0)

        return open_again

    def postgres(_):
        url = emptied()
        return lambda: PostgresStore.open(url)

    opening = postgres if emptied else sqlite
    rounds = settings(max_examples=10 if emptied else 25, stateful_step_count=25)
    if emptied:
        examine = partial(on_database, database_bodies_are_shared, request.getfixturevalue("server").url())
    else:
        examine = partial(on_file, bodies_are_shared)
    run_state_machine_as_test(lambda: Twins(opening, examine), settings=rounds)


def on_database(act, url, _):
    """Do something with a database that is closed."""
    asyncio.run(act(url))


async def database_bodies_are_shared(url):
    """Each shared body has as many uses as it says, and none is left over."""
    async with connected(url) as db:
        if await db.fetchval("SELECT to_regclass('shared') IS NOT NULL"):
            uses = dict(await db.fetch("SELECT id, uses FROM shared"))
            counted = await db.fetch("SELECT shared, count(*) FROM log_entry WHERE shared IS NOT NULL GROUP BY shared")
            assert uses == dict(counted)


def on_file(act, folder):
    """Do something with the data file in a folder."""
    act(folder / "lily.db")


def bodies_are_shared(place):
    """Each shared body has as many uses as it says, and none is left over."""
    with closing(sqlite3.connect(place)) as db:
        uses = dict(db.execute("SELECT id, uses FROM shared"))
        numbers = db.execute("SELECT CAST(body AS INTEGER) FROM entry WHERE typeof(body) = 'blob'")
        assert uses == Counter(number for (number,) in numbers)
