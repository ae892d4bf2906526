"""Lines that the server hasn't acknowledged come back after a lost connection, and a move is made once."""

import pytest

from lilygames.client.delivery import Delivery
from tests.wire.failures.lossy import Line


def test_line_waits_until_it_is_acknowledged():
    delivery = Delivery()
    first, second = delivery.sent("bid 1", {12: 14}), delivery.sent("hello", {})
    delivery.told("Lily.Done", {"once": first["once"]})

    assert {"line": "bid 1", "seen": {"12": 14}} == {key: first[key] for key in ("line", "seen")}
    assert first["once"] != second["once"]
    assert ["hello"] == delivery.lost()
    assert [] == delivery.lost()


def test_line_that_came_back_keeps_its_text():
    delivery = Delivery()
    before = delivery.sent("bid 1", {})
    delivery.lost()

    assert before["once"] == delivery.sent("bid 1", {})["once"]
    assert before["once"] != delivery.sent("bid 1", {})["once"]


@pytest.mark.parametrize("value", [None, 7, {}, {"once": 7}, {"acknowledged": "yes"}])
def test_other_messages_acknowledge_nothing(value):
    delivery = Delivery()
    delivery.sent("bid 1", {})
    delivery.told("Lily.Done", value)
    delivery.told("Lily.Line", value)

    assert not delivery.offered
    assert ["bid 1"] == delivery.lost()


async def test_typed_lines_are_acknowledged(sit, door):
    ann = sit(door.port)
    await ann.enter("Ann")
    for _ in range(3):
        ann.type("/who")
        await ann.expect("person is here")

    assert ann.client._delivery.offered
    assert len(ann.client._delivery.lost()) <= 1  # the last may be on its way


async def test_line_whose_acknowledgement_is_lost_comes_back(sit, door):
    ann = sit(door.port)
    await ann.enter("Ann")
    ann.type("/who")
    await ann.expect("Ann")
    door.connections[0].stop_reading()
    ann.type("is anybody there?")
    await ann.expect("is anybody there")
    door.connections[0].abort()
    await ann.expect(r"\(connection lost\)")
    await ann.expect("press Enter to send it again")

    assert "is anybody there?" == ann.client.screen._session.default_buffer.text


async def test_line_whose_acknowledgement_is_lost_is_said_once(sit, door):
    """It arrived, and its sender can't know that: they press Enter, as they are told."""
    line = Line(door.port)
    ann, bob = sit(await line.lay(), quiet=1), sit(door.port)
    await ann.enter("Ann")
    await bob.enter("Bob")
    line.fail("swallow answers")
    ann.type("is anybody there?")
    await bob.expect("is anybody there?")
    await ann.expect("press Enter to send it again")
    await ann.expect("login: resume\n")
    await ann.expect("You're back|You're in|lobby")
    ann.press("\r")
    await ann.expect("That line had arrived before, so it wasn't sent twice")
    bob.type("/who")

    assert "anybody" not in await bob.expect("people are here")
    await line.close()


async def test_silent_server_is_given_up(sit, door):
    """Nothing says that the connection is dead but its silence."""
    ann = sit(door.port, quiet=0.1)
    await ann.enter("Ann")
    before = door.connections[0]
    before.stop_reading()
    await ann.expect(r"\(the server doesn't answer\)")
    await ann.expect(r"\(connection lost\)")
    before.abort()
    await ann.expect("login: resume\n")
