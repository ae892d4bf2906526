"""Packets for programs: each fits the schema, and no byte of it shows what a seat may not know."""

import asyncio
import json
import random

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Sitter
from lilygames.tables.sight import narrate
from lilygames.tables.sight.packets import happened, standing
from lilygames.testing import play
from lilygames.text import Packet
from lilygames_rules.kit import KeyedLuck
from tests.games.worlds import WORLDS
from tests.schemas import misfits
from tests.toys import ALL

GAMES = WORLDS
STATES = 20


@pytest.fixture
async def sitting():
    """Return a function that opens a table with three players and a spectator, whose state can be set."""

    async def open_(name):
        stage = await Stage.open({name: ALL[name]})
        stage.enter("ann")
        await stage.type("ann", f"/new {name}")
        table = stage.table(1).table
        return stage, attrs.evolve(table, seats=tuple(map(Sitter, ("ann", "bob", "cat"))))

    return open_


async def sent(sitting, name, deals, look):
    """Yield the packets for a seat, and those in a world that differs only in what the seat cannot know."""
    stage, table = await sitting(name)
    luck = random.Random(name)
    for seed in range(deals // STATES):
        turns = [turn for turn in play(ALL[name], 3, seed=seed) if turn.move is not None]
        for number in range(STATES):
            turn, seat = luck.choice(turns), luck.choice((0, 1, 2, None))
            other = WORLDS[name](turn.state, seat, KeyedLuck(b"%d %d" % (seed, number)))
            yield [look(stage, table, state, seat) for state in (turn.state, other)], turn, seat


def standings(stage, table, state, seat):
    reader = narrate.reader(table, seat, stage.people["ann"].voice)
    reader = attrs.evolve(reader, names=("ann", "bob", "cat"))
    return [{packet.name: packet.value} for packet in standing("r", attrs.evolve(table, state=state), reader)]


@pytest.mark.parametrize("name", GAMES)
async def test_packets_are_the_same_in_two_worlds_that_a_seat_cannot_tell_apart(sitting, name):
    async for (here, there), _, _ in sent(sitting, name, 100, standings):
        assert json.dumps(here) == json.dumps(there)


@pytest.mark.parametrize("name", GAMES)
async def test_packets_fit_the_schema(sitting, name):
    _, table = await sitting(name)
    async for (here, _), turn, seat in sent(sitting, name, 40, standings):
        told = [{packet.name: packet.value} for packet in happened("r", table, turn.events, seat)]

        assert [] == [wrong for value in (*here, *told) for wrong in misfits(value)]


@pytest.mark.parametrize("name", GAMES)
async def test_event_is_sent_as_a_seat_sees_it_or_not_at_all(sitting, name):
    _, table = await sitting(name)
    async for _, turn, seat in sent(sitting, name, 40, standings):
        seen = [event for event in turn.events if event.seen_by(seat) is not None]

        assert len(seen) == len([*happened("r", table, turn.events, seat)])


async def test_spectator_has_neither_hand_nor_moves(sitting):
    stage, table = await sitting("tally")
    state = play(ALL["tally"], 3)[3].state

    assert ["table", "view"] == [next(iter(one)) for one in standings(stage, table, state, None)]
    assert ["table", "view", "hand", "moves"] == [next(iter(one)) for one in standings(stage, table, state, 0)]


async def test_leaking_view_would_be_found(sitting):
    """A table that sent the whole state would fail the comparison."""
    found = [here != there async for (here, there), _, _ in sent(sitting, "tally", 20, _whole)]

    assert any(found)


def _whole(stage, table, state, seat):
    return [{"view": str(state)}]


async def test_only_programs_that_asked_are_sent_packets(stage):
    stage.screens["ann"].takes_packets = True
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("bob", "bid 1")

    assert [] == stage.screens["bob"].packets
    names = [packet.name for packet in stage.screens["ann"].packets]
    assert ["event", "table", "view", "hand", "moves", "turn"] == names[-6:]
    moves = stage.screens["ann"].packets[-2].value
    assert ["table", "number", "seq", "seat", "turn", "count", "moves"] == [*moves]


async def test_empty_line_asks_for_the_position(table, stage):
    stage.screens["bob"].takes_packets = True
    await stage.type("bob", "")

    assert ["table", "view", "hand", "moves", "turn"] == [packet.name for packet in stage.screens["bob"].packets]


async def test_talk_is_sent_to_the_people_who_hear_it(stage):
    stage.screens["bob"].takes_packets = True
    await stage.type("ann", "bob;hi")
    packet = stage.screens["bob"].packets[-1]

    assert ("talk", "ann", "hi", ["bob"]) == (packet.name, *(packet.value[key] for key in ("talker", "text", "to")))
    assert [] == [*misfits({packet.name: packet.value})]


async def test_ignored_talk_is_not_sent(stage):
    stage.screens["bob"].takes_packets = True
    await stage.type("bob", "/ignore ann all")
    await stage.type("ann", "bob;hi")

    assert "talk" not in [packet.name for packet in stage.screens["bob"].packets]


async def answer(stage, name, packet):
    """Return the answer that a person's program gets when it asks for a packet."""
    stage.screens[name].takes_packets = True
    stage.screens[name].user.asked_for(packet)
    told = {packet.name: packet.value for packet in stage.screens[name].packets[-1:]}
    assert [] == [*misfits(told)]
    return told[packet]


async def test_program_that_asks_learns_who_is_here(stage):
    players = await answer(stage, "bob", "players")

    assert [("ann", ["lobby"]), ("bob", ["lobby"])] == sorted((one["name"], one["channels"]) for one in players)


async def test_members_of_a_private_discussion_are_not_sent_to_others(stage):
    await stage.type("ann", "/create secret private")
    players = await answer(stage, "bob", "players")

    assert "secret" in [room["name"] for room in await answer(stage, "ann", "channels")]
    assert "secret" not in [channel for one in players for channel in one["channels"]]


async def test_program_learns_the_new_name_of_its_person(stage):
    stage.screens["bob"].takes_packets = True
    await stage.type("bob", "/rename robert")

    assert Packet("name", {"name": "robert", "guest": False}) in stage.screens["bob"].packets


async def test_commands_are_those_that_help_lists(stage):
    assert {"who", "quick", "tell"} <= {*await answer(stage, "bob", "commands")}


async def test_discussions_are_sent_when_a_person_joins_or_quits(stage):
    stage.screens["bob"].takes_packets = True
    for line, there in (("/join tally", True), ("/quit tally", False)):
        await stage.type("bob", line)
        await asyncio.sleep(0)
        *_, rooms = [packet.value for packet in stage.screens["bob"].packets if packet.name == "channels"]

        assert there == ("tally" in [room["name"] for room in rooms])
