"""Test when a server hands over to the next process."""

import socket
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from lilygames.server.process import descriptors
from lilygames.server.reload.succession import Successor
from lilygames.server.serving import serving
from lilygames.store.memory import MemoryStore
from lilygames.store.record_changes import RecordChanges


@pytest.fixture
def process():
    """Start processes that wait for their input to end."""
    started = []

    def start():
        one = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        started.append(one)
        return one

    yield start
    for one in started:
        one.kill()
        one.communicate()


async def test_reload_is_refused_if_the_next_program_has_ended_while_it_waited(process, monkeypatch):
    async def nothing():
        """Return at once."""

    ended, waits = (Successor(process(), socket.socket()) for _ in range(2))
    ended.process.kill()
    ended.process.wait()
    following, refused = iter((ended, waits)), []

    async def successor():
        return next(following)

    monkeypatch.setattr(serving, "successor", successor)
    reloads = SimpleNamespace(wanted=nothing, refuse=refused.append)

    assert waits is await serving._reload_wanted(reloads, RecordChanges(MemoryStore(), frozenset()))
    assert ["the new program has ended: try again"] == [why.partition(" (case")[0] for why in refused]
    waits.connection.close()


@pytest.mark.parametrize("said", [b"taken", b""], ids=["it has everything", "it has ended"])
def test_server_goes_on_if_the_next_process_has_ended(process, said):
    ours, theirs = descriptors.pair()
    one = Successor(process(), ours)
    if said:
        theirs.send(said)
    theirs.close()
    with ours, nullcontext() if said else pytest.raises(BrokenPipeError):
        one._must_have_taken()
