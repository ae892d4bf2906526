"""Tests of a store that waits for its engine."""

import pytest

from lilygames.store import Damaged, Replaced, StoreUnavailable
from lilygames.store import patient as module
from lilygames.store.memory import MemoryStore
from lilygames.store.patient import PatientStore

AWAY = StoreUnavailable("it is away")


@pytest.fixture
def away():
    """How often the store did not answer."""
    return []


@pytest.fixture
def memory():
    return MemoryStore()


@pytest.fixture
def patient(memory, away, monkeypatch):
    monkeypatch.setattr(module, "AGAIN", 0)
    return PatientStore(memory, lambda: away.append(1))


async def test_every_call_waits_until_the_engine_answers(patient, memory, away, drafts):
    """An append whose answer was lost is written once."""
    memory.fail_next(AWAY, landed=True)
    memory.fail_next(AWAY)
    await patient.append("log", 0, drafts("a"), cmd="1")
    calls = (
        lambda: patient.append_each({"log": drafts("a"), "other": drafts("b")}, cmd="1"),
        lambda: patient.keep("kind", "key", "body"),
        lambda: patient.swap("kind", "key", "body", "new"),
        lambda: patient.find("kind", "key"),
        lambda: patient.every("kind"),
        lambda: patient.every_of(["kind"]),
        lambda: patient.find_each("kind", ["key"]),
        lambda: patient.read("log"),
        lambda: patient.entries_at("log", [1]),
        lambda: patient.heads(["log"]),
        lambda: patient.logs(""),
        patient.now,
        lambda: patient.forget("kind", "key"),
    )
    for call in calls:
        memory.fail_next(AWAY)
        await call()

    assert 2 + len(calls) == len(away)
    assert ["a"] == [entry.body for entry in (await memory.read("log")).entries]
    assert {} == await memory.every("kind")


async def test_nothing_waits_for_a_damaged_store(patient, memory, away):
    memory.fail_next(Damaged("it is damaged"))

    with pytest.raises(Damaged):
        await patient.find("kind", "key")
    assert not away


async def test_calls_fail_at_once_after_hurry(patient, memory):
    patient.hurry()
    memory.fail_next(AWAY)

    with pytest.raises(StoreUnavailable):
        await patient.find("kind", "key")


async def test_opening_waits_until_a_damaged_file_is_replaced(away, monkeypatch):
    """After the old process has gone, it must not end the next one."""
    monkeypatch.setattr(module, "AGAIN", 0)
    troubles = [Damaged("it is damaged"), AWAY, Replaced("it is another one")]

    async def opened():
        if troubles:
            raise troubles.pop(0)
        return "open"

    assert "open" == await module.until_it_answers(opened, lambda: away.append(1), hopeless=())
    assert 3 == len(away)
