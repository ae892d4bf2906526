"""Records that are written while the next process has read them already."""

import asyncio

import pytest

from lilygames.store import Draft, Effect, StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.record_changes import RecordChanges
from lilygames.store.wrapper import Through

KINDS = frozenset({"account"})


@pytest.fixture
def changes():
    one = RecordChanges(MemoryStore(), KINDS)
    one.begin()
    return one


@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.keep("account", "ann", "1"),
        lambda store: store.forget("account", "ann"),
        lambda store: store.swap("account", "ann", None, "1"),
        lambda store: store.append("log", None, [Draft("ann", "1")], cmd="1", effects=[Effect("account", "ann", "1")]),
    ],
    ids=["keep", "forget", "swap", "append"],
)
async def test_each_way_of_writing_a_record_is_noted(changes, write):
    await write(changes)
    await changes.keep("other", "bob", "1")

    assert (("account", "ann"),) == changes.changed


async def test_kind_counts_as_its_part_before_a_slash(changes):
    await changes.keep("account/5", "ann", "1")
    await changes.keep("accounts", "ann", "1")

    assert (("account/5", "ann"),) == changes.changed


async def test_records_are_noted_only_between_begin_and_end(changes):
    await changes.keep("account", "ann", "1")
    changes.begin()
    await changes.keep("account", "bob", "1")
    noted = changes.changed
    changes.end()
    await changes.keep("account", "cat", "1")

    assert ((("account", "bob"),), ()) == (noted, changes.changed)


class Slow(Through):
    """A store whose writes wait until they may go on, and then fail if told to."""

    def __init__(self):
        super().__init__(MemoryStore())
        self.go_on, self.fails = asyncio.Event(), False

    async def keep(self, kind, key, body):
        await self.go_on.wait()
        if self.fails:
            raise StoreUnavailable("away")
        await super().keep(kind, key, body)


async def test_write_that_began_earlier_is_noted_before_and_after_it_ends():
    slow = Slow()
    changes = RecordChanges(slow, KINDS)
    writing = asyncio.create_task(changes.keep("account", "ann", "1"))
    await asyncio.sleep(0)
    changes.begin()
    before = changes.changed
    slow.go_on.set()
    await writing

    assert (("account", "ann"),) == before == changes.changed


async def test_write_that_failed_is_noted_because_it_may_have_been_committed():
    slow = Slow()
    slow.fails = True
    slow.go_on.set()
    changes = RecordChanges(slow, KINDS)
    changes.begin()
    with pytest.raises(StoreUnavailable):
        await changes.keep("account", "ann", "1")

    assert (("account", "ann"),) == changes.changed
