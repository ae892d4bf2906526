"""Talk on real nodes with PostgreSQL and NATS: everyone reads it in the order of `/review`, whatever the bus does."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from lilygames.server.settings.local_engines import Missing, program
from lilygames.server.shell.trial_cluster import cluster
from tests.wire.reload.test_reload import OPTIONS, came

LINES = 30


@pytest.fixture(params=[2, 3])
def trial(request):
    """A cluster of two or three nodes."""
    try:
        program("nats-server", "nats-server")
        program("postgres", "postgresql", *Path("/usr/lib/postgresql").glob("*/bin"))
    except Missing as missing:
        pytest.skip(str(missing))
    with cluster(request.param, *OPTIONS) as found:
        yield found


async def entered(dial, trial):
    """Log in a speaker and someone who only reads at each node, and return both groups once they know each other."""
    names = [f"{name}{number}" for name in ("speaker", "hearer") for number in range(len(trial.nodes))]
    nodes = trial.nodes * 2
    people = [await came(dial, node, name, manner="silent") for node, name in zip(nodes, names, strict=True)]
    for client in people:
        known = ""
        while not all(name in known for name in names):
            client.type("/who")
            known = await client.expect(" here)")
    await asyncio.sleep(3)  # by then every node has looked at its rooms
    return people[: len(trial.nodes)], people[len(trial.nodes) :]


async def talk(speakers):
    """Let all speakers talk at the same time, and then say that they have finished."""

    async def speak(number, client):
        for line in range(LINES):
            client.type(f"{number} says {line}")
            if line % 3 == number % 3:
                await asyncio.sleep(0.01)
        client.type(f"{number} is done")

    await asyncio.gather(*(speak(number, client) for number, client in enumerate(speakers)))


async def read(hearers, count):
    """Return the lines that each hearer has read, in order."""
    told = []
    for hearer in hearers:
        text = ""
        while text.count(" is done") < count:
            text += await hearer.expect(" is done")
        told.append(re.findall(r"- (\d+ says \d+)", text))
    return told


async def reviewed(client):
    client.type("/review lobby 200 public")
    return re.findall(r"- (\d+ says \d+)", await client.expect("(End of review)"))


async def test_everyone_at_every_node_reads_talk_in_the_order_of_a_review(trial, dial):
    speakers, hearers = await entered(dial, trial)
    await talk(speakers)
    first, *others = await read(hearers, len(speakers))

    assert sorted(f"{number} says {line}" for number in range(len(speakers)) for line in range(LINES)) == sorted(first)
    assert [first] * len(others) == others
    assert [first] * 2 == [await reviewed(hearers[0]), await reviewed(hearers[-1])]


async def test_talk_during_an_outage_of_the_bus_is_read_in_that_order_too(trial, dial):
    speakers, hearers = await entered(dial, trial)
    await asyncio.to_thread(trial.buses[0].stop)
    await talk(speakers)
    first, *others = await read(hearers, len(speakers))
    await asyncio.to_thread(trial.buses[0].start)

    assert len(speakers) * LINES == len(first)
    assert [first] * len(others) == others
    assert first == await reviewed(hearers[0])


async def test_talk_goes_on_while_the_database_is_away_and_nothing_is_repeated_afterwards(trial, dial):
    """Each speaker's lines are read in their order meanwhile, and everyone reads one order afterwards."""
    speakers, hearers = await entered(dial, trial)
    await asyncio.to_thread(trial.database.stop)
    await talk(speakers)
    for told in await read(hearers, len(speakers)):
        by_speaker = [[line for line in told if line.startswith(f"{number} ")] for number in range(len(speakers))]
        assert [[f"{number} says {line}" for line in range(LINES)] for number in range(len(speakers))] == by_speaker
    await asyncio.to_thread(trial.database.start)
    speakers[0].type("saved again")
    for hearer in hearers:
        assert "says" not in await hearer.expect("saved again")
    await asyncio.sleep(3)  # by then every node has looked for messages that it may have missed
    await talk(speakers)
    first, *others = await read(hearers, len(speakers))

    assert len(speakers) * LINES == len(first)
    assert [first] * len(others) == others
    assert first == (await reviewed(hearers[0]))[-len(first) :]
