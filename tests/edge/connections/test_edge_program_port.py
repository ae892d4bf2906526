"""The port for programs: JSON from the first byte, also with TLS, and nothing of telnet."""

import asyncio
import json
import ssl
from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.certificate import make_certificate
from lilygames.edge.connections.tls import ServerCertificate
from lilygames.edge.wire.limits import Limits
from lilygames.gametest.stage import Stage
from tests.deadline import DEADLINE
from tests.schemas import misfits
from tests.toys import ALL


class Client:
    """A program's connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def send(self, *requests):
        for request in requests:
            text = request if isinstance(request, bytes) else f"{json.dumps(request)}\n".encode()
            self.writer.write(text)

    async def until(self, key, value=...):
        """Return all objects up to the first with this key; each fits the schema."""
        said = []
        async with asyncio.timeout(DEADLINE):
            while not said or key not in said[-1] or value not in (..., said[-1][key]):
                row = await self.reader.readline()
                assert row, said
                said.append(json.loads(row.decode("ascii")))
                assert [] == [*misfits(said[-1])]
        return said

    async def rest(self):
        async with asyncio.timeout(DEADLINE):
            return await self.reader.read()


@pytest.fixture
def place(listening):
    """A function that opens a port, and returns a function that connects to it."""

    async def open_(*, limits=None, tls=None, trust=None, program=True):
        stage = await Stage.open({"tally": ALL["tally"]})
        admission = Admission(limits or Limits())
        serving = partial(visit, stage.host, stage.place.dispatcher)
        return await listening(Client, serving, admission=admission, tls=tls, program=program, trust=trust)

    return open_


async def test_everything_is_json_from_the_first_byte(place):
    program = await (await place())()
    said = await program.until("prompt")

    assert ["hello", "place"] == [next(iter(one)) for one in said[:2]]
    assert (1, ["tally"]) == (said[0]["hello"]["protocol"], said[0]["hello"]["games"])
    assert {"line_bytes": 4096, "lines_per_second": 10} == said[0]["hello"]["limits"]


async def test_session_with_ids(place):
    program = await (await place())()
    await program.until("prompt")
    program.send({"id": 1, "line": "ann"}, {"id": 2, "line": ""})
    came = await program.until("done", 2)
    assert {"name": {"name": "ann", "guest": True}, "re": 2} in came
    assert "resume" in {key for one in came for key in one}

    program.send({"id": 3, "line": "/nonsense"}, {"id": 4, "complete": "/quic"}, {"id": 5, "get": "people"})
    program.send({"id": 6, "get": "table", "table": 9}, {"id": 7, "line": "/quick tally"}, {"id": 8, "get": "rooms"})
    said = await program.until("done", 8)
    ends = [(one["done"], one["error"] and one["error"]["code"]) for one in said if "done" in one]
    people = next(one for one in said if "people" in one)

    assert [(3, "unknown-command"), (4, None), (5, None), (6, "not-found"), (7, None), (8, None)] == ends
    assert {"options": [{"text": "/quick"}], "re": 4} in said
    assert [("ann", 5)] == [(one["name"], people["re"]) for one in people["people"]]
    assert {7} == {one["re"] for one in said if "table" in one}
    assert [1] == [room["table"] for one in said if "rooms" in one for room in one["rooms"] if room["table"]]


async def test_move_against_the_rules_ends_with_their_code(place):
    program = await (await place())()
    program.send({"id": 1, "line": "guest"}, {"id": 2, "line": "/new tally"}, {"id": 3, "line": "/at 1 bid 0"})
    end = (await program.until("done", 3))[-1]

    assert ("against-rules", "not-started") == (end["error"]["code"], end["error"]["rule"])


async def test_words_of_a_person_are_never_the_servers(place):
    """Each text that a person wrote is in a field that says whose it is."""
    dial = await place()
    ann, bob = await dial(), await dial()
    hostile = [
        'Your turn: {"done":3,"error":null}',
        "*** The server is shutting down. ***",
        '"}\r\n{"line":"x"}',
        "\x1b[2J-> Refused: no",
    ]
    ann.send({"id": 1, "line": "ann"}, {"id": 2, "line": ""})
    bob.send({"id": 1, "line": "bob"}, {"id": 2, "line": ""})
    await ann.until("done", 2)
    await bob.until("done", 2)
    for number, text in enumerate(hostile, 10):
        bob.send({"id": number, "line": f"'{text}"}, {"id": number + 10, "line": f"/blurb {text}"})
        bob.send({"id": number + 20, "line": f"ann;{text}"})
    await bob.until("done", 33)
    ann.send({"id": 99, "get": "people"})
    said = await ann.until("done", 99)
    marks = ("Your turn", "shutting", "Refused: no", '"line":"x"')

    lines = [one for one in said if "line" in one and any(mark in one["line"] for mark in marks)]
    assert lines
    assert {"bob"} == {one.get("by") for one in lines}
    assert {"bob"} == {one["talk"]["talker"] for one in said if "talk" in one}
    assert [99] == [one["done"] for one in said if "done" in one]


async def test_port_with_tls(place, tmp_path):
    certificate, key = make_certificate(tmp_path, ("localhost",))
    trust = ssl.create_default_context(cafile=certificate)
    trust.check_hostname = False
    program = await (await place(tls=ServerCertificate.load(certificate, key), trust=trust))()

    assert "hello" in (await program.until("prompt"))[0]


async def test_program_keeps_its_list_of_tables_by_news(place):
    dial = await place()
    reader, player = await dial(), await dial()
    for program, name in ((reader, "cat"), (player, "ann")):
        program.send({"id": 1, "line": name}, {"id": 2, "line": ""})
        await program.until("done", 2)
    reader.send({"id": 3, "get": "tables", "follow": True})
    assert [[]] == [one["tables"] for one in await reader.until("done", 3) if "tables" in one]

    player.send({"id": 3, "line": "/new tally max=3"})
    opened = (await reader.until("table-opened"))[-1]
    assert {"number": 1, "state": "waiting", "players": ["ann"]}.items() <= opened["table-opened"].items()
    player.send({"id": 4, "line": "/leave"})
    assert {"table-closed": {"number": 1}} == (await reader.until("table-closed"))[-1]


async def test_refused_connection_reads_why_in_json(place):
    dial = await place(limits=Limits(connections_per_address=1))
    first, second = await dial(), await dial()
    await first.until("prompt")
    (row,) = (await second.rest()).splitlines()

    assert {"code": "no-room"} == json.loads(row)["error"]
    assert [] == [*misfits(json.loads(row))]


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n", b"\x16\x03\x01\0\0\0\0\0\n"])
async def test_client_of_another_protocol_is_told_in_json(place, data):
    program = await (await place())()
    program.send(data)
    rows = [json.loads(row) for row in (await program.rest()).splitlines()]

    assert {"code": "bad-request"} == rows[-1]["error"]


async def test_bytes_of_telnet_mean_nothing_here(place):
    program = await (await place())()
    program.send(b"\xff\xfb\x18\xff\xfd\x01\xff\xfa\xc9x\xff\xf0\n", {"id": 1, "line": "who"})
    said = await program.until("done", 1)

    assert "Nobody is here yet." in {one.get("line") for one in said}


async def test_after_the_line_machine_everything_is_json(place):
    program = await (await place(program=False))()
    program.send(b"MACHINE\r\n", {"id": 1, "line": "guest"}, {"id": 2, "line": "/set machine off"})
    async with asyncio.timeout(DEADLINE):
        words = await program.reader.readuntil(b'{"hello"')
    assert words.endswith(b'login: \xff\xfd\x18\r\n{"hello"')
    assert b"{" not in words[:-8]
    rest = await program.reader.readline()
    said = [json.loads(b'{"hello"' + rest), *await program.until("done", 2)]

    assert ["hello", "place", "prompt"] == [next(iter(one)) for one in said[:3]]


async def test_nobody_can_be_called_machine(place):
    program = await (await place())()
    program.send({"id": 1, "line": "machine"})

    assert "refused" == (await program.until("done", 1))[-1]["error"]["code"]
