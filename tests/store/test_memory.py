"""Test that the memory store fails on request, so others can be tested against failures."""

import pytest

from lilygames.store import Conflict, StoreUnavailable
from lilygames.store.memory import MemoryStore


async def test_next_call_fails_once(drafts):
    store = MemoryStore()
    store.fail_next(StoreUnavailable("The disk is full."))

    with pytest.raises(StoreUnavailable):
        await store.append("log", 0, drafts("a"), cmd="1")

    assert (await store.read("log")).head == 0


async def test_failure_waits_for_the_call_it_is_meant_for(drafts):
    store = MemoryStore()
    store.fail_next(Conflict(7), call="append")
    await store.keep("person", "whammy", "{}")

    with pytest.raises(Conflict):
        await store.append("log", 0, drafts("a"), cmd="1")


async def test_answer_can_be_lost_after_the_work_is_done(drafts):
    """The same command then finds its entry."""
    store = MemoryStore(clock=lambda: 1000.0)
    store.fail_next(StoreUnavailable("The line broke."), landed=True)
    with pytest.raises(StoreUnavailable):
        await store.append("log", 0, drafts("a"), cmd="1")

    (entry,) = await store.append("log", 0, drafts("a"), cmd="1")

    assert (entry.seq, entry.at) == (1, 1000.0)
