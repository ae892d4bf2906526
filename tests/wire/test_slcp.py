"""Clients of lily at a whole server: restarts, TLS, lost connections, and another node."""

import asyncio
import ssl
import uuid

import pytest

from lilygames.edge.connections.certificate import make_certificate
from tests.deadline import DEADLINE
from tests.lily_client import LilyClient
from tests.wire.reload.test_reload import ended, served

PASSWORD = "plum-and-pear"
DIALLED = []
"""The clients of a test, which are closed at its end."""


@pytest.fixture
async def serve(tmp_path):
    """Return a function that starts a server on a folder; all are stopped at the end."""
    places = []

    async def begin(*options, folder="data"):
        places.append(await served(tmp_path / folder, *options))
        return places[-1]

    yield begin
    while DIALLED:
        await DIALLED.pop().close()
    for place in places:
        await ended(place)


async def dial(port, tls=None):
    """Return a client connected to a port."""
    DIALLED.append(LilyClient(*await asyncio.open_connection("127.0.0.1", port, ssl=tls)))
    return DIALLED[-1]


async def entered(port, name, *words, tls=None):
    """Return a client that has logged in."""
    return await (await dial(port, tls)).log_in(name, *words)


def told(client):
    """Return the names by handle that a client was told of."""
    return {handle: entry["NAME"] for handle, entry in (*client.users.items(), *client.rooms.items())}


async def seated(client):
    """Begin a short game with two bots, and return what the hand shows."""
    await client.typed("/new ohell max=3 first-dealer=host", "/house 2", "/start")
    await client.until(lambda: any(row.startswith("Your turn: bid") for row in client.plain))
    return await hand(client)


async def hand(client):
    """Return what the hand shows: lines outside any leaf."""
    await client.typed()
    client.plain.clear()
    await client.typed("/hand")
    assert client.plain
    return client.plain


async def test_handles_and_commands_go_on_after_a_restart(serve):
    place = await serve()
    ann, bob = await entered(place.port, "ann", ""), await entered(place.port, "bob", "")
    await ann.typed("/who")
    before, rows = told(ann), len(ann.rows)
    await place.begin_anew()
    await bob.typed("hello")
    await ann.typed("/where me")
    carl = await entered(place.port, "carl", "")

    (event,) = ann.heard("public")
    assert ("bob", ["lobby"], "hello") == (event["by"], event["to"], event["VALUE"])
    assert before == {handle: name for handle, name in told(ann).items() if name != "carl"}
    assert not any(row.startswith(("%SLCP-SYNC", "%DISC")) for row in ann.rows[rows:])
    assert "%begin [2] /where me" in ann.rows
    assert {*before.items()} <= {*told(carl).items()}


async def test_restart_in_the_middle_of_a_hand_keeps_the_hand(serve):
    place = await serve()
    ann = await entered(place.port, "ann", "")
    before = [*await seated(ann)]
    await place.begin_anew()

    assert before == await hand(ann)


async def test_lost_player_is_detached_and_comes_back_to_the_same_hand(serve):
    place = await serve("--patience", "0")
    ann, bob = await entered(place.port, "ann", PASSWORD, PASSWORD), await entered(place.port, "bob", "")
    before = [*await seated(ann)]
    ann.writer.transport.abort()
    await bob.until(lambda: any(event["EVENT"] == "detach" for event in bob.events))
    assert "detach" == bob.named("ann")["STATE"]

    again = await entered(place.port, "ann", PASSWORD)
    await bob.until(lambda: any(event["EVENT"] == "attach" for event in bob.events))
    assert "here" == bob.named("ann")["STATE"]
    assert before == await hand(again)


async def test_tls_client_reconnects_to_the_same_hand_after_a_restart(serve, tmp_path):
    cert, key = make_certificate(tmp_path / "tls", ["127.0.0.1"])
    place = await serve("--tls-port", "0", "--tls-cert", str(cert), "--tls-key", str(key))
    port = int((await asyncio.wait_for(place.process.stdout.readline(), DEADLINE)).decode().rsplit(":", 1)[1])
    trust = ssl.create_default_context(cafile=str(cert))
    ann = await entered(port, "ann", PASSWORD, PASSWORD, tls=trust)
    before = [*await seated(ann)]
    await place.begin_anew()
    async with asyncio.timeout(DEADLINE):
        assert b"please reconnect" in await ann.reader.read()

    again = await entered(port, "ann", PASSWORD, tls=trust)
    assert before == await hand(again)


async def test_another_node_tells_a_client_what_is_there_now(serve, server):
    """Its node was killed. Nothing that it knew before is left, because it is told everything again."""
    url = server.create(f"slcp_{uuid.uuid4().hex}")
    one, other = [await serve("--store", url, "--bus", "postgres", folder=name) for name in ("one", "other")]
    ann, bob = await entered(one.port, "ann", PASSWORD, PASSWORD), await entered(other.port, "bob", PASSWORD, PASSWORD)
    await ann.until(lambda: ann.named("bob"))
    await bob.typed("/create nook a nook", "/rename robert", "-lobby;hello")
    await ann.until(lambda: any(event["EVENT"] == "public" for event in ann.events))
    (event,) = ann.heard("public")
    assert "robert" == event["by"]
    one.process.kill()
    await bob.typed("/retitle nook a better nook")

    again = await entered(other.port, "ann", PASSWORD)
    assert "a better nook" == again.named("nook")["TITLE"]
    assert again.named("bob") is None
    await bob.typed("-lobby;welcome back")
    await again.until(lambda: any(event["EVENT"] == "public" for event in again.events))
    assert ["robert"] == [event["by"] for event in again.heard("public")]
