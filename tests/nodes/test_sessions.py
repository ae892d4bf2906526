"""Test sessions across nodes: a token works at each, and ending a session ends it everywhere."""

from __future__ import annotations

import asyncio

import pytest

from lilygames.chat.people.terminal import Gone
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import Screen
from lilygames.text import Voice
from tests.deadline import DEADLINE

OVER = "Refused: that session has ended. Log in with your name."
PASSWORD = "plums and pears"


class Program(Screen):
    """Someone with a client that can resume a session, at one node."""

    def __init__(self, stage):
        super().__init__(Voice())
        self.takes_packets = True
        self.typed = asyncio.Queue()
        self.waits = asyncio.Event()
        self.visit = asyncio.create_task(visit(stage.host, stage.place.dispatcher, self))

    async def read(self, at_once=None, begin=None):
        if self.typed.empty():
            self.waits.set()
        line = await self.typed.get()
        if line is None:
            raise Gone
        return line

    def close(self):
        super().close()
        self.typed.put_nowait(None)
        self.waits.set()

    async def type(self, *lines):
        """Type lines, and wait until each is done."""
        for line in lines:
            self.waits.clear()
            self.typed.put_nowait(line)
            await asyncio.wait_for(self.waits.wait(), DEADLINE)

    @property
    def token(self):
        """The newest token."""
        return [packet.value["token"] for packet in self.packets if packet.name == "resume"][-1]


@pytest.fixture
async def at(two, quiet):
    """A function that connects someone's client to a node."""
    programs = []

    async def begin(stage, *lines):
        programs.append(Program(stage))
        await programs[-1].type(*lines)
        await quiet(*two)
        return programs[-1]

    yield begin
    for program in programs:
        program.visit.cancel()
    await asyncio.gather(*(program.visit for program in programs), return_exceptions=True)


async def test_token_is_valid_once_at_any_node(at, two):
    """Each use brings a new token, at whatever node."""
    here, there = two
    program = await at(here, "bob", PASSWORD, PASSWORD)
    for stage in (there, here, there):
        before, program = program, await at(stage, f"resume {program.token}")
        assert before.closed
        assert not program.closed

    assert there.host.people["bob"].local


@pytest.mark.parametrize("words", [(PASSWORD, PASSWORD), ("",)])
async def test_similar_names_are_given_out_once(two, quiet, words):
    """Two nodes never give out names that could be confused, even at the same moment."""
    programs = [Program(stage) for stage in two]
    await asyncio.gather(*(one.type(name) for one, name in zip(programs, ("zorak1", "zorakl"), strict=True)))
    await asyncio.gather(*(one.type(*words) for one in programs))
    await quiet(*two)

    assert 1 == sum(any(packet.name == "name" for packet in one.packets) for one in programs)
    for one in programs:
        one.close()
        await one.visit


async def test_guests_get_different_names_if_they_log_in_at_once(two, quiet):
    """At one node or several, however long the check for a free name takes."""
    programs = [Program(stage) for stage in two for _ in range(3)]
    await asyncio.gather(*(one.type("guest") for one in programs))
    await quiet(*two)
    names = [[packet.value["name"] for packet in one.packets if packet.name == "name"][-1] for one in programs]

    assert 6 == len(set(names))
    for one in programs:
        one.close()
        await one.visit


async def test_bye_at_one_node_revokes_tokens_at_the_other(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"bob {PASSWORD}")
    await second.type("/bye")

    assert [OVER] * 2 == [(await at(there, f"resume {one.token}")).rows[-2] for one in (first, second)]


async def test_new_password_at_one_node_revokes_tokens_at_the_other(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"bob {PASSWORD}")
    await second.type("/password", PASSWORD, "figs and dates", "figs and dates")

    assert OVER == (await at(there, f"resume {first.token}")).rows[-2]
    assert OVER != (await at(there, f"resume {second.token}")).rows[-2]


async def test_reused_token_ends_its_session_at_the_other_node(at, two):
    """The person who uses it may have stolen it."""
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"resume {first.token}")
    third = await at(here, f"resume {second.token}")
    await at(there, f"resume {first.token}")

    assert third.closed
    assert any("Security notice: " in row for row in third.rows)
    await third.visit
    assert any("Security notice: " in row for row in (await at(there, f"bob {PASSWORD}")).rows)


async def test_owner_at_the_other_node_is_told_once_if_a_token_is_reused(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"resume {first.token}")
    await at(here, f"resume {second.token}")
    owner = await at(here, f"bob {PASSWORD}")
    await at(there, f"resume {first.token}")

    assert not owner.closed
    assert 1 == sum("Security notice: " in row for row in owner.rows)
    assert not any("Security notice: " in row for row in (await at(there, f"bob {PASSWORD}")).rows)


async def test_last_login_stays_if_one_token_is_used_at_two_nodes_at_once(at, two, quiet):
    """Both get the same next token: it is one session, and a person has one terminal."""
    first = await at(two[0], "bob", PASSWORD, PASSWORD)
    programs = [Program(stage) for stage in two]
    await asyncio.gather(*(program.type(f"resume {first.token}") for program in programs))
    await quiet(*two)

    assert 1 == len({program.token for program in programs})
    assert 1 == sum(program.closed for program in programs)
    for program in programs:
        program.close()
        await program.visit
