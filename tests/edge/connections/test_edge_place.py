"""Programs get a short list of tables before they log in, and read long lists page by page afterwards."""

from functools import partial

import attrs
import pytest

from lilygames.chat.host import packets
from lilygames.chat.visits import login
from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.wire.limits import Limits
from lilygames.gametest.stage import Stage
from lilygames.limits.quota import KIB, LIST_PAGES, STRANGERS_BYTES, Limit
from tests.edge.connections.test_edge_program_port import Client
from tests.toys import TALLY

TABLES = 9


@pytest.fixture
async def stage(monkeypatch):
    """Nine tables of tally. The last one has begun, and Ann watches the third."""
    monkeypatch.setattr(packets, "FIRST_TABLES", 4)
    monkeypatch.setattr(packets, "TABLES_A_PAGE", 4)
    stage = await Stage.open(TALLY)
    for number in range(1, TABLES + 1):
        stage.enter(f"Dan{number}")
        await stage.type(f"Dan{number}", "/new tally max=3")
    await stage.type("Dan1", "/new tally private=on Ann")
    await stage.type("Dan9", "/house")
    await stage.type("Dan9", "/start")
    stage.enter("Ann")
    await stage.type("Ann", "/watch 3")
    return stage


@pytest.fixture
def dial(stage, listening):
    """Return a function that connects to the port for programs, or to that for people."""

    async def connect(*, program=True):
        serving = partial(visit, stage.host, stage.place.dispatcher)
        return await (await listening(Client, serving, admission=Admission(Limits()), program=program))()

    return connect


async def test_place_has_the_first_tables_in_the_order_of_the_list_and_says_how_many_more(dial):
    said = await (await dial()).until("place")
    place = said[-1]["place"]

    assert [9, 3, 1, 2] == [one["number"] for one in place["tables"]]
    assert TABLES - 4 == place["more"]


async def test_second_request_for_machine_mode_is_refused_and_sends_no_list(dial):
    """Otherwise nine bytes before the login would buy a list again and again."""
    client = await dial(program=False)
    client.send(b"MACHINE\n" * 3, b"quit\n")
    text = (await client.rest()).decode("ascii", "replace")

    assert 1 == text.count('{"place"')
    assert 2 == text.count("Refused: you're in machine mode already. Log in first.")


async def test_stranger_who_only_asks_for_more_is_disconnected(dial, monkeypatch):
    """Otherwise a few bytes a second before the login would keep the server busy for ever."""
    little = attrs.evolve(STRANGERS_BYTES, limits=(Limit("person", KIB, 1.0),))
    monkeypatch.setattr(login, "STRANGERS_BYTES", little)
    client = await dial(program=False)
    client.send(b"help\n" * 8, b"quit\n")
    text = (await client.rest()).decode("ascii", "replace")

    assert "(disconnected: log in before you ask for more)" in text
    assert "Goodbye" not in text


async def test_program_port_has_sent_the_place_with_its_greeting(dial):
    client = await dial()
    client.send(b"MACHINE\n", b"quit\n")
    text = (await client.rest()).decode("ascii", "replace")

    assert 1 == text.count('{"place"')


async def test_program_reads_all_tables_page_by_page(dial):
    client = await dial()
    client.send({"id": 1, "line": "guest"}, {"id": 2, "get": "tables"})
    pages = [(await client.until("tables"))[-1]["tables"]]
    while pages[-1]:
        client.send({"id": len(pages) + 2, "get": "tables", "after": pages[-1][-1]["number"]})
        pages.append((await client.until("tables"))[-1]["tables"])

    assert [[1, 2, 3, 4], [5, 6, 7, 8], [9], []] == [[one["number"] for one in page] for page in pages]


@pytest.mark.parametrize("wrong", [{"after": "12"}, {"after": -1}, {"after": True}, {"table": 3}])
async def test_page_after_something_else_than_a_number_is_refused(dial, wrong):
    client = await dial()
    client.send({"id": 1, "line": "guest"}, {"id": 2, "get": "tables", **wrong})
    done = (await client.until("done", 2))[-1]

    assert "bad-request" == done["error"]["code"]


async def test_room_of_a_table_is_listed_with_its_number(dial):
    client = await dial()
    client.send({"id": 1, "line": "guest"}, {"id": 2, "get": "rooms"})
    rooms = (await client.until("rooms"))[-1]["rooms"]

    assert {*range(1, TABLES + 1), None} == {room["table"] for room in rooms}


async def test_lists_without_end_are_refused(stage, dial):
    client = await dial()
    client.send({"id": 1, "line": "ann2"}, {"id": 2, "line": ""})
    await client.until("done", 2)
    who = stage.host.quotas.who(stage.host.people["ann2"])
    stage.host.quotas.uses.count(LIST_PAGES, who, stage.host.now(), LIST_PAGES.limits[0].most + 10)
    client.send({"id": 3, "get": "people"})
    done = (await client.until("done", 3))[-1]

    assert "you've asked for many lists. Try again in " in done["error"]["text"]


async def test_stranger_who_asks_for_more_and_more_is_disconnected(dial):
    """Help pages are free, but not without end."""
    client = await dial(program=False)
    client.send(b"help login\n" * 100)
    text = (await client.rest()).decode("ascii", "replace")

    assert text.rstrip().endswith("(disconnected: log in before you ask for more)")
    assert 60 * 1024 < len(text) < 80 * 1024


async def test_person_who_has_logged_in_may_read_as_many_help_pages_as_they_like(dial):
    client = await dial(program=False)
    client.send(b"guest\n", b"/help login\n" * 60, b"/bye\n")
    text = (await client.rest()).decode("ascii", "replace")

    assert "disconnected: log in" not in text
