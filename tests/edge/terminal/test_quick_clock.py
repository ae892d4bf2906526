"""Two people at a quick table over sockets: one is silent, and the other plays on."""

from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.limits import Limits
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.tables.room import turn_clock
from tests.toys import ALL
from tests.wire.conftest import TelnetClient


def silent_client(reader, writer):
    return TelnetClient(reader, writer, "silent", ("XTERM",), 80)


@pytest.fixture
async def guest(listening, monkeypatch):
    """Return a function that lets a guest in, at a place where a minute of silence takes half a second."""
    monkeypatch.setattr(turn_clock, "SOFT", 0.5)
    made = await furnish(MemoryStore(), SETTINGS, {"lilypoker": ALL["lilypoker"]})
    dial = await listening(
        silent_client, partial(visit, made.host, made.dispatcher), TelnetTerminal, admission=Admission(Limits())
    )

    async def enter(name):
        client = await dial()
        for asked, line in (("login: ", name), ("as a guest: ", "")):
            await client.expect(asked)
            client.type(line)
        await client.expect("in the lobby")
        return client

    return enter


async def test_newcomer_plays_on_behind_someone_who_is_connected_but_silent(guest):
    olga, bob = await guest("Olga"), await guest("Bob")
    olga.type("/quick lilypoker")
    await olga.expect("Your turn")
    bob.type("/quick lilypoker")

    await bob.expect("plays for Olga until Olga is back.")
    await bob.expect("Your turn")
    bob.type("/fold")
    await bob.expect("You fold.")
    olga.type("/check")
    await olga.expect("You are back and take over from")
