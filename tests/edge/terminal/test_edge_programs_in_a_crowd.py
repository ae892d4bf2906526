"""Lines for many programs are encoded once, and a program is told which of them its own request has caused."""

import asyncio
import json

import pytest

from lilygames.edge.screens import machine
from lilygames.edge.terminal.crowd import Crowd
from lilygames.text import Line, Packet
from tests.edge.conftest import connected

PAUSE = 0.1
"""Seconds after which everything has been flushed."""


@pytest.fixture
async def programs():
    """Five connections in machine mode in a crowd, and that crowd."""
    crowd, found, wires = Crowd(), [], []
    for _ in range(5):
        wire, transport = connected()
        wire.terminal.prefer({"machine": "on"})
        crowd.add(wire.terminal)
        found.append((wire.terminal, transport))
        wires.append(wire)
    await asyncio.sleep(PAUSE)
    for _, transport in found:
        del transport.writes[:]
    yield found, crowd
    for wire in wires:
        wire.connection_lost(None)
    await asyncio.sleep(0)


async def printed(transport):
    await asyncio.sleep(PAUSE)
    rows = transport.sent.splitlines()
    del transport.writes[:]
    return [json.loads(row) for row in rows]


async def test_line_is_encoded_once(programs, monkeypatch):
    found, crowd = programs
    encoded = []
    real = machine.as_json
    monkeypatch.setattr(machine, "as_json", lambda value: encoded.append(value) or real(value))
    crowd.show(Line("", "talk"), Line("hi", "talk", "bob"))
    talk = Packet("talk", {"talker": "bob", "text": "hi"})
    for terminal, _ in found:
        terminal.packet(talk)

    line = {"line": "hi", "kind": "talk", "by": "bob"}
    assert [line, {"talk": talk.value}] == encoded
    for _, transport in found:
        assert [line, {"talk": talk.value}] == await printed(transport)


async def test_only_the_program_whose_request_caused_a_line_reads_its_id(programs):
    found, crowd = programs
    found[1][0].feed(b'{"id":4,"line":"/blurb x"}\n')
    await found[1][0].read()
    crowd.show(Line("*** bob has changed their blurb ***", "notice", "bob"))

    assert [None, 4, None, None, None] == [(await printed(transport))[-1].get("re") for _, transport in found]


async def test_program_that_is_left_out_reads_nothing(programs):
    found, crowd = programs
    found[1][0].feed(b'{"id":4,"line":"hi"}\n')
    await found[1][0].read()
    crowd.show(Line("hi", "talk", "bob"), but=found[1][0])

    assert [1, 0, 1, 1, 1] == [len(await printed(transport)) for _, transport in found]
