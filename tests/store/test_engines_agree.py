"""Whatever is asked in whatever order, SQLite answers as memory does, over any number of restarts."""

import asyncio
import itertools
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lilygames.store import Conflict, Draft
from lilygames.store.memory import MemoryStore
from lilygames.store.sqlite import SqliteStore

few = st.sampled_from(["a", "b", "ä"])
bodies = st.sampled_from(["{}", "", "\0", "x" * 5000, "\udfff"])
appends = st.tuples(few, st.none() | st.integers(0, 6), st.lists(st.builds(Draft, few, bodies), max_size=3))


class Twins(RuleBasedStateMachine):
    """Ask both stores the same; each invariant and rule compares their answers."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.memory = MemoryStore(clock=itertools.count(1000.5).__next__)
        self.open()

    def open(self):
        place = Path(self.folder.name, "lily.db")
        self.sqlite = SqliteStore.open(place, clock=lambda: 0.0)

    def ask(self, call):
        """Return the answer of both, which must be the same but for the time."""
        memory, sqlite = (self.runner.run(self.answer(call, store)) for store in (self.memory, self.sqlite))
        assert memory == sqlite
        return memory

    @staticmethod
    async def answer(call, store):
        try:
            return timeless(await call(store))
        except Conflict as conflict:
            return "conflict", conflict.head
        except ValueError:
            return "no text"

    @rule(call=appends, cmd=st.sampled_from("123456"))
    def append(self, call, cmd):
        self.ask(lambda store: store.append(*call, cmd=cmd))

    @rule(calls=st.lists(st.tuples(appends, st.sampled_from("123456")), min_size=2, max_size=5))
    def append_at_once(self, calls):
        """Calls made in one breath land in the order they were made."""
        for answers in zip(*self.runner.run(self.both_at_once(calls)), strict=True):
            assert answers[0] == answers[1]

    async def both_at_once(self, calls):
        return [
            await asyncio.gather(
                *(self.answer(lambda s, c=c, cmd=cmd: s.append(*c, cmd=cmd), store) for c, cmd in calls)
            )
            for store in (self.memory, self.sqlite)
        ]

    @rule(kind=few, key=few, body=bodies)
    def keep(self, kind, key, body):
        self.ask(lambda store: store.keep(kind, key, body))

    @rule(kind=few, key=few)
    def forget(self, kind, key):
        self.ask(lambda store: store.forget(kind, key))

    @rule(log=few, after=st.integers(-1, 9), limit=st.integers(-1, 9))
    def read(self, log, after, limit):
        self.ask(lambda store: store.read(log, after, limit))

    @rule(kind=few, key=few)
    def find(self, kind, key):
        self.ask(lambda store: store.find(kind, key))

    @rule()
    def restart(self):
        self.runner.run(self.sqlite.close())
        self.open()

    @invariant()
    def all_is_the_same(self):
        self.ask(lambda store: store.heads("abä"))
        self.ask(lambda store: store.every("a"))

    def teardown(self):
        for log in "abä":
            page = self.ask(lambda store, log=log: store.read(log))
            assert list(range(1, page[1] + 1)) == [seq for seq, *_ in page[0]]
        self.runner.run(self.sqlite.close())
        self.runner.close()
        self.folder.cleanup()


def timeless(answer):
    match answer:
        case tuple():
            return [(entry.seq, entry.by, entry.body, entry.cmd) for entry in answer]
        case None | str() | dict():
            return answer
        case page:
            return timeless(page.entries), page.head


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
