"""Protocol 1: requests with an id, what they cause, and how they end; hello; refusals with codes."""

import asyncio
import json

import pytest

from lilygames.chat.tasks import current_request
from lilygames.edge.screens.requests import BadRequest, Request, read
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.errors import NotFound, UserError, refusal
from lilygames.text import Line, Packet, Problem, Prompt, Tag, Voice
from tests.schemas import SCHEMA, misfits
from tests.sitting import Sitting

GAMES = {"games": ["ohell"], "titles": {"ohell": "Ohell"}}
HELLO = Packet("hello", {"protocol": 1, "place": "here", "version": "0.2", **GAMES})


def printed(wire):
    """Return the objects sent so far, and clear them; each fits the schema."""
    rows, wire.sent = wire.sent.decode("ascii").splitlines(), b""
    said = [json.loads(row) for row in rows]
    assert [] == [wrong for one in said for wrong in misfits(one)]
    return said


@pytest.fixture
async def machine(terminal_of):
    """A terminal in machine mode, and its wire."""
    terminal, wire = terminal_of()
    terminal.prefer({"machine": "on"})
    return terminal, wire


def asks(terminal, *requests):
    for request in requests:
        terminal.feed(f"{request if isinstance(request, str) else json.dumps(request)}\n".encode())


# reading


def test_plain_line_is_a_line_without_an_id():
    assert Request(None, "line", "/who") == read("/who")


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ('{"id":7,"line":"/at 3 bid 1"}', Request(7, "line", "/at 3 bid 1")),
        (' {"complete":"/pl","id":0}', Request(0, "complete", "/pl")),
        ('{"id":9,"move":"play 7H","table":12,"seq":14}', Request(9, "line", "/at 12:14 play 7H")),
        ('{"id":9,"complete":"claim pair","table":12}', Request(9, "complete", "claim pair", 12)),
        ('{"id":0,"picture":true}', Request(0, "picture", "")),
        ('{"id":9,"get":"people"}', Request(9, "get", "people")),
        ('{"id":9,"get":"table","table":12}', Request(9, "get", "table", 12)),
        ('{"id":9,"get":"tables","after":120}', Request(9, "get", "tables", 120)),
        ('{"id":9,"get":"tables","follow":true}', Request(9, "get", "tables", follow=True)),
        ('{"id":9,"get":"tables","after":120,"follow":false}', Request(9, "get", "tables", 120, follow=False)),
        ('{"id":9,"get":"replay","table":12}', Request(9, "line", "/get:replay 12")),
        ('{"id":9,"from":26,"get":"replay","table":12}', Request(9, "line", "/get:replay 12 26")),
        ('{"id":9,"get":"export","table":12,"from":26}', Request(9, "line", "/get:export 12 26")),
        ('{"id":9,"get":"notes","table":12}', Request(9, "line", "/get:notes 12")),
        ('{"id":9,"get":"stats","name":"bob"}', Request(9, "line", "/get:stats bob")),
        ('{"id":9,"get":"daily"}', Request(9, "line", "/get:daily")),
        ('{"id":1,"line":"\\u001b[2J\\nno \\ud800line"}', Request(1, "line", "no line")),
    ],
)
def test_object_is_a_request(line, request_):
    assert request_ == read(line)


BAD = {
    "no JSON": "{",
    "no object's end": '{"id":1,"line":"x"',
    "two objects": '{"id":1,"line":"x"}{"id":2,"line":"y"}',
    "no id": '{"line":"x"}',
    "id is text": '{"id":"1","line":"x"}',
    "id is true": '{"id":true,"line":"x"}',
    "id is a fraction": '{"id":1.5,"line":"x"}',
    "id below 0": '{"id":-1,"line":"x"}',
    "huge id": '{"id":9007199254740992,"line":"x"}',
    "integer of 5000 digits": '{"id":' + "9" * 5000 + ',"line":"x"}',
    "deep": '{"id":1,"line":' + "[" * 30_000,
    "deep objects": '{"a":' * 30_000,
    "a key twice": '{"id":1,"line":"x","line":"y"}',
    "NaN": '{"id":NaN,"line":"x"}',
    "Infinity": '{"id":1,"line":Infinity}',
    "line is a number": '{"id":1,"line":7}',
    "line is null": '{"id":1,"line":null}',
    "two in one": '{"id":1,"line":"x","get":"people"}',
    "unknown key": '{"id":1,"line":"x","colour":"red"}',
    "unknown get": '{"id":1,"get":"passwords"}',
    "table without number": '{"id":1,"get":"table"}',
    "replay without number": '{"id":1,"get":"replay"}',
    "replay from a word": '{"id":1,"get":"replay","table":1,"from":"x"}',
    "replay of a person": '{"id":1,"get":"replay","table":1,"name":"bob"}',
    "two names": '{"id":1,"get":"stats","name":"bob ann"}',
    "name of a deal": '{"id":1,"get":"daily","name":"bob"}',
    "follow people": '{"id":1,"get":"people","follow":true}',
    "follow tables a little": '{"id":1,"get":"tables","follow":1}',
    "get of a list": '{"id":1,"get":[]}',
    "table of people": '{"id":1,"get":"people","table":3}',
    "line at a table": '{"id":1,"line":"x","table":3}',
    "move without the last entry": '{"id":1,"move":"pass","table":1}',
    "move at no table": '{"id":1,"move":"pass","table":0,"seq":1}',
    "move of nothing": '{"id":1,"move":" ","table":1,"seq":1}',
    "picture is false": '{"id":1,"picture":false}',
    "nothing asked": '{"id":1}',
    "empty": "{}",
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_bad_object_is_not_a_request(line):
    with pytest.raises(BadRequest):
        read(line)


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
async def test_bad_object_is_refused_with_a_code_and_the_next_line_is_read(machine, line):
    terminal, wire = machine
    asks(terminal, line, "/who")

    assert "/who" == await terminal.read()
    (end,) = printed(wire)
    assert "too-long" == end["error"]["code"] if len(line) > 4096 else "bad-request" == end["error"]["code"]


@pytest.mark.parametrize("cut", [1, 3, 30, 70, 4096, 5000])
async def test_object_that_is_too_long_is_refused_with_its_id(machine, cut):
    """However it is cut into packets. So a client knows which of its lines to give back."""
    terminal, wire = machine
    data = json.dumps({"id": 4711, "line": "é" * 5000}).encode() + b"\n"
    terminal.feed(data[:cut])
    terminal.feed(data[cut:] + b"/who\n")

    assert "/who" == await terminal.read()
    assert [(4711, "too-long")] == [(one["done"], one["error"]["code"]) for one in printed(wire)]


@pytest.mark.parametrize(
    "line", ['{"line": "%s", "id": 5}', '{"id": 99999999999999999, "line": "%s"}', "%s", '"id": 4, %s']
)
async def test_long_line_without_an_id_in_front_is_refused_without_one(machine, line):
    terminal, wire = machine
    asks(terminal, line % ("x" * 5000), "/who")

    assert "/who" == await terminal.read()
    assert [None] == [one["done"] for one in printed(wire)]


async def test_bad_object_is_refused_with_its_id_if_that_can_be_read(machine):
    terminal, wire = machine
    asks(terminal, {"id": 4, "get": "passwords"}, "/who")
    await terminal.read()

    assert [4] == [one["done"] for one in printed(wire)]


@pytest.mark.parametrize("data", [b"\xff\xfe{}\n", b'{"id":1,"line":"\xff"}\n', b'{"id":1,\0"line":"x"}\n', b"\0\0\n"])
async def test_bytes_outside_utf_8_disconnect_nobody(machine, data):
    terminal, wire = machine
    terminal.feed(data + b"/who\n")
    while "/who" != await terminal.read():
        pass

    assert not wire.hung_up
    printed(wire)


# what a request causes


async def test_results_of_a_request_carry_its_id_and_end_with_done(machine):
    terminal, wire = machine
    asks(terminal, {"id": 7, "line": "/bid 1"}, "/who")

    assert "/bid 1" == await terminal.read()
    terminal.show(Line("ok"))
    terminal.packet(Packet("commands", []))
    terminal.ask(Prompt("sure? "))
    terminal.ring()
    assert "/who" == await terminal.read()
    terminal.show(Line("bob"))

    assert [
        {"line": "ok", "kind": "answer", "re": 7},
        {"commands": [], "re": 7},
        {"prompt": "sure?", "secret": False, "re": 7},
        {"bell": True, "re": 7},
        {"done": 7, "error": None},
        {"line": "bob", "kind": "answer"},
    ] == printed(wire)


async def test_news_of_others_meanwhile_carries_no_id(machine):
    terminal, wire = machine
    asks(terminal, {"id": 7, "line": "/bid 1"})
    await terminal.read()

    async def other():
        current_request.set_to(None)
        terminal.show(Line("hello", "talk", "bob"))

    await asyncio.create_task(other())
    terminal.show(Line("ok"))
    assert [None, 7] == [one.get("re") for one in printed(wire)]


async def test_task_that_outlives_its_request_carries_no_id(machine):
    terminal, wire = machine
    asks(terminal, {"id": 7, "line": "/quick"}, {"id": 8, "line": "/who"})
    await terminal.read()
    later = asyncio.create_task(asyncio.sleep(0))
    later.add_done_callback(lambda _: terminal.show(Line("a bot plays")))
    await terminal.read()
    await later
    await asyncio.sleep(0)

    assert [{"done": 7, "error": None}, {"line": "a bot plays", "kind": "answer"}] == printed(wire)


async def test_request_that_causes_nothing_ends_too(machine):
    terminal, wire = machine
    asks(terminal, {"id": 1, "line": ""}, {"id": 2, "line": "x"}, "/who")
    await terminal.read()
    await terminal.read()
    await terminal.read()

    assert [1, 2] == [one["done"] for one in printed(wire)]


async def test_talk_that_is_done_at_once_ends_at_once(machine):
    terminal, wire = machine
    asks(terminal, {"id": 1, "line": "hi"}, {"id": 2, "line": "there"}, "/who")
    heard = []
    await terminal.read(
        lambda line: line.startswith("/") is False and (heard.append(line) or terminal.show(Line("ok")) or True)
    )

    assert ["hi", "there"] == heard
    assert [("line", 1), ("done", 1), ("line", 2), ("done", 2)] == [
        (next(iter(one)), one.get("re", one.get("done"))) for one in printed(wire)
    ]


async def test_refused_request_ends_with_the_code_of_its_error(machine):
    terminal, wire = machine
    asks(terminal, {"id": 3, "line": "/at 99"}, "/who")
    await terminal.read()
    terminal.show(refusal(NotFound("there's no table 99."), "ann"))
    terminal.show(refusal(UserError("later"), "ann"))
    await terminal.read()

    assert [
        {"line": "Refused: there's no table 99.", "kind": "answer", "error": {"code": "not-found"}, "re": 3},
        {"line": "Refused: later", "kind": "answer", "error": {"code": "refused"}, "re": 3},
        {"done": 3, "error": {"code": "not-found", "text": "Refused: there's no table 99."}},
    ] == printed(wire)


async def test_line_that_came_too_fast_ends_refused(machine):
    terminal, wire = machine
    for number in (1, 2):
        terminal.answered(json.dumps({"id": number, "line": "x"}), too_fast=True)
    terminal.answered("{", too_fast=True)

    assert [(1, "too-fast"), (2, "too-fast"), (None, "too-fast")] == [
        (one["done"], one["error"]["code"]) for one in printed(wire)
    ]


async def test_completion_is_answered(machine):
    terminal, wire = machine
    terminal.attach(Sitting(complete=lambda text: [f"{text}ay"]))
    asks(terminal, {"id": 8, "complete": "/pl"}, "/who")
    await terminal.read()

    assert [{"options": [{"text": "/play"}], "re": 8}, {"done": 8, "error": None}] == printed(wire)


async def test_before_the_login_nothing_is_sent_but_the_reason(machine):
    terminal, wire = machine
    asks(terminal, {"id": 9, "get": "people"}, "/who")
    await terminal.read()

    assert "not-logged-in" == printed(wire)[-1]["error"]["code"]


# screens


async def test_hello_comes_first(terminal_of):
    terminal, wire = terminal_of()
    terminal.packet(HELLO)
    assert b"" == wire.sent
    terminal.prefer({"machine": "on"})
    terminal.show(Line("two"))

    hello, line = printed(wire)
    assert (1, {"line": "two", "kind": "answer"}) == (hello["hello"]["protocol"], line)


async def test_program_gets_json_from_the_first_byte_whatever_is_set(terminal_of):
    _, wire = terminal_of()
    terminal = TelnetTerminal(wire, program=True)
    terminal.show(Line("Welcome"))
    terminal.prefer({"machine": "off", "editor": "on"})
    terminal.show(Line("more"))

    assert ["Welcome", "more"] == [one["line"] for one in printed(wire)]


async def test_program_may_say_so_later(terminal_of):
    terminal, wire = terminal_of()
    terminal.packet(HELLO)
    terminal.show(Line("Welcome"))
    wire.sent = b""
    terminal.set_voice(Voice(each=True))
    assert wire.sent.startswith(b"\r\n{")
    wire.sent = wire.sent.lstrip()
    terminal.prefer({})
    terminal.show(Line("more"))

    assert ["hello", "line"] == [next(iter(one)) for one in printed(wire)]


async def test_program_that_became_a_page_is_still_one_in_the_next_process(terminal_of):
    (before, _), (after, wire) = terminal_of(), terminal_of()
    before.prefer({"machine": "on"})
    asks(before, {"id": 1, "picture": True})
    reading = asyncio.create_task(before.read())
    await asyncio.sleep(0)
    reading.cancel()
    after.take_up(before.carry(), {"machine": "on"}, Packet("name", {}))
    after.show(Line("It is over.", tag=Tag("ohell", 7)))

    assert after.takes_picture
    assert {"line": "It is over.", "kind": "answer", "room": "ohell", "number": 7} == printed(wire)[-1]


async def test_list_of_tables_is_followed_until_the_program_ends_that_also_in_the_next_process(terminal_of):
    (before, _), (after, _) = terminal_of(), terminal_of()
    told = []
    before.prefer({"machine": "on"})
    before.attach(Sitting(get=lambda *_: None, follow_tables=lambda *, on: told.append(on)))
    asks(before, {"id": 1, "get": "tables"}, {"id": 2, "get": "tables", "follow": True})
    reading = asyncio.create_task(before.read())
    await asyncio.sleep(0)
    reading.cancel()
    after.take_up(before.carry(), {"machine": "on"}, Packet("name", {}))
    assert (after.follows_tables, told) == (True, [True])

    asks(before, {"id": 3, "get": "tables", "follow": False}, "/who")
    await before.read()
    assert (before.follows_tables, told) == (False, [True, False])


async def test_list_of_tables_that_is_refused_is_not_followed(machine):
    terminal, _ = machine
    terminal.attach(Sitting(get=lambda *_: Line("Refused: later.", problem=Problem("refused"))))
    asks(terminal, {"id": 1, "get": "tables", "follow": True}, "/who")
    await terminal.read()

    assert not terminal.follows_tables


async def test_request_that_ends_machine_mode_is_ended_before(machine):
    terminal, wire = machine
    asks(terminal, {"id": 5, "line": "/set machine off"})
    await terminal.read()
    terminal.prefer({"machine": "off"})
    terminal.show(Line("plain"))

    assert b'{"done":5,"error":null}\r\nplain\r\n' == wire.sent


def test_every_code_of_an_error_is_in_the_schema():
    def kinds(of):
        return {of, *(one for sub in of.__subclasses__() for one in kinds(sub))}

    assert set() == {kind.code for kind in kinds(UserError)} - {*SCHEMA["$defs"]["code"]["enum"]}
