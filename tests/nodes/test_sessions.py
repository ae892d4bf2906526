"""Sessions over several nodes: a token is good at each, and what ends a session ends it everywhere."""

from __future__ import annotations

import asyncio

import pytest

from lilygames.chat.session import visit
from lilygames.chat.terminal import Gone
from lilygames.gametest.stage import Screen
from lilygames.text import Voice
from tests.deadline import DEADLINE

OVER = "Refused: that session has ended. Log in with your name."
PASSWORD = "plums and pears"


class Program(Screen):
    """Somebody at a program that can resume a session, at one node."""

    def __init__(self, stage):
        super().__init__(Voice())
        self.wants_packets = True
        self.typed = asyncio.Queue()
        self.waits = asyncio.Event()
        self.visit = asyncio.create_task(visit(stage.place.host, self))

    async def read(self, at_once=None):
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
    """What lets somebody type lines at a program, at a node: the program."""
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


async def test_a_token_is_good_at_every_node_once(at, two):
    """Each use brings the next, wherever."""
    here, there = two
    program = await at(here, "bob", PASSWORD, PASSWORD)
    for stage in (there, here, there):
        before, program = program, await at(stage, f"resume {program.token}")
        assert before.closed
        assert not program.closed

    assert there.place.host.people["bob"].near


@pytest.mark.parametrize("words", [(PASSWORD, PASSWORD), ("",)])
async def test_names_that_look_alike_are_given_out_once(two, quiet, words):
    """Two nodes never let two people have names that can be mistaken, however they hurry."""
    programs = [Program(stage) for stage in two]
    await asyncio.gather(*(one.type(name) for one, name in zip(programs, ("zorak1", "zorakl"), strict=True)))
    await asyncio.gather(*(one.type(*words) for one in programs))
    await quiet(*two)

    assert 1 == sum(any(packet.name == "name" for packet in one.packets) for one in programs)
    for one in programs:
        one.close()
        await one.visit


async def test_guests_who_come_at_the_same_time_are_different_people(two, quiet):
    """At one node or at several, however long it takes to ask whether a name is free."""
    programs = [Program(stage) for stage in two for _ in range(3)]
    await asyncio.gather(*(one.type("guest") for one in programs))
    await quiet(*two)
    names = [[packet.value["name"] for packet in one.packets if packet.name == "name"][-1] for one in programs]

    assert 6 == len(set(names))
    for one in programs:
        one.close()
        await one.visit


async def test_bye_at_one_node_ends_tokens_at_the_other(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"bob {PASSWORD}")
    await second.type("/bye")

    assert [OVER] * 2 == [(await at(there, f"resume {one.token}")).rows[-2] for one in (first, second)]


async def test_a_new_password_at_one_node_ends_tokens_at_the_other(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"bob {PASSWORD}")
    await second.type("/password", PASSWORD, "figs and dates", "figs and dates")

    assert OVER == (await at(there, f"resume {first.token}")).rows[-2]
    assert OVER != (await at(there, f"resume {second.token}")).rows[-2]


async def test_an_old_token_at_one_node_hangs_up_on_its_session_at_the_other(at, two):
    """Whoever is there by it may have stolen it."""
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"resume {first.token}")
    third = await at(here, f"resume {second.token}")
    await at(there, f"resume {first.token}")

    assert third.closed
    assert any("Security notice: " in row for row in third.rows)
    await third.visit
    assert any("Security notice: " in row for row in (await at(there, f"bob {PASSWORD}")).rows)


async def test_an_old_token_at_one_node_is_told_to_its_owner_at_the_other_once(at, two):
    here, there = two
    first = await at(here, "bob", PASSWORD, PASSWORD)
    second = await at(here, f"resume {first.token}")
    await at(here, f"resume {second.token}")
    owner = await at(here, f"bob {PASSWORD}")
    await at(there, f"resume {first.token}")

    assert not owner.closed
    assert 1 == sum("Security notice: " in row for row in owner.rows)
    assert not any("Security notice: " in row for row in (await at(there, f"bob {PASSWORD}")).rows)


async def test_of_two_nodes_that_are_given_one_token_at_once_both_let_in_and_one_stays(at, two, quiet):
    """Both get the same next token: they are one session, and one person has one terminal."""
    first = await at(two[0], "bob", PASSWORD, PASSWORD)
    programs = [Program(stage) for stage in two]
    await asyncio.gather(*(program.type(f"resume {first.token}") for program in programs))
    await quiet(*two)

    assert 1 == len({program.token for program in programs})
    assert 1 == sum(program.closed for program in programs)
    for program in programs:
        program.close()
        await program.visit
