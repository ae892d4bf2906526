"""Machine mode and GMCP: each line is one JSON object, and packets go only to clients that asked."""

import asyncio
import json

import pytest
from telnetlib3.telopt import DO, GMCP, IAC, SB, SE, TTYPE, WILL, WONT

from lilygames.chat.people.events import ChatEvent, worded
from lilygames.edge.screens.machine import MachineScreen
from lilygames.edge.terminal.gmcp import PACKAGES, Gmcp
from lilygames.edge.terminal.lines_by_gmcp import DONE, LINE
from lilygames.edge.wire.capabilities import Peer
from lilygames.limits.quota import COMPLETIONS
from lilygames.tables.sight.packets import NAMES as ABOUT_TABLES
from lilygames.text import Line, Packet, Prompt, Tag
from tests.schemas import GMCP as GMCP_SCHEMA
from tests.schemas import misfits
from tests.sitting import Sitting

XTERM = Peer(negotiates=True, names=("XTERM",), columns=80, records=False, settled=True)
MOVES = Packet(
    "moves", {"table": "tally", "number": 7, "seq": 4, "seat": 0, "turn": True, "count": 1, "moves": ["bid 0"]}
)
NAME = Packet("name", {"name": "Zoë", "guest": True})


TABLE = Packet(
    "table",
    {
        "table": "tally-2",
        "number": 7,
        "seq": 4,
        "game": "tally",
        "state": "playing",
        "counted": True,
        "names": ["ann", "bob", "cat"],
        "seat": 0,
        "turn": [1, 2],
        "rows": [],
    },
)
PLAYERS = Packet("players", [{"name": "bob", "channels": ["lobby"]}])


def package(message):
    """Return the name of a GMCP message."""
    return message.partition(" ")[0]


def printed(wire):
    """Return the lines sent so far as objects, and clear them."""
    rows, wire.sent = wire.sent.decode("ascii").splitlines(), b""
    return [json.loads(row) for row in rows]


@pytest.fixture
async def machine(terminal_of):
    """A terminal in machine mode, and its wire."""
    terminal, wire = terminal_of()
    terminal.prefer({"machine": "on"})
    return terminal, wire


async def test_line_is_one_object_however_long(machine):
    terminal, wire = machine
    terminal.show(Line("", "talk"), Line("é " * 100 + "\x1b[2J", "game", tag=Tag("tally", 1)))
    rows = printed(wire)

    assert [{"line": "[tally] " + "é " * 100, "kind": "game"}] == rows
    assert [] == [*misfits(rows[0])]


async def test_line_of_user_text_names_its_author(machine):
    terminal, wire = machine
    terminal.show(*worded(ChatEvent("public", "bob", rooms=("lobby",), text="Your turn: bid 0.")))
    rows = printed(wire)

    assert {"line": " - Your turn: bid 0.", "kind": "talk", "by": "bob"} == rows[-1]
    assert [] == [misfit for row in rows for misfit in misfits(row)]


async def test_question_is_one_object_and_is_asked_once(machine):
    terminal, wire = machine
    terminal.ask(Prompt("password: ", secret=True))
    terminal.show(Line("*** bob has entered lily ***", "notice"))
    rows = printed(wire)

    assert [{"prompt": "password:", "secret": True}] == rows[:1]
    assert (2, []) == (len(rows), [*misfits(rows[0])])
    assert [] == wire.concealed


async def test_packet_is_one_object_under_its_name(machine):
    terminal, wire = machine
    terminal.packet(MOVES)

    assert [{"moves": MOVES.value}] == printed(wire)


async def test_program_types_lines_in_utf_8(machine):
    terminal, _ = machine
    terminal.feed("Zoë;hällo\n".encode())

    assert "Zoë;hällo" == await terminal.read()


async def test_machine_mode_begins_and_ends_between_two_lines(terminal_of):
    terminal, wire = terminal_of()
    terminal.packet(NAME)
    terminal.show(Line("one"))
    assert b"one\r\n" == wire.sent
    terminal.prefer({"machine": "on"})
    terminal.show(Line("two"))
    terminal.prefer({})
    terminal.show(Line("three"))

    assert b'{"name":{"name":"Zo\\u00eb","guest":true}}\r\n{"line":"two","kind":"answer"}\r\nthree\r\n' == wire.sent[5:]


async def test_program_in_a_terminal_has_no_editor(terminal_of):
    terminal, wire = terminal_of()
    terminal.prefer({"machine": "on"})
    terminal.learned(XTERM)

    assert [] == wire.keyed
    assert isinstance(terminal._screen, MachineScreen)


async def test_client_that_has_not_asked_gets_no_packet(terminal_of):
    terminal, wire = terminal_of(Peer(negotiates=True, names=("MUDLET",), settled=True))
    terminal.packet(NAME, MOVES)

    assert (False, b"", []) == (terminal.takes_packets, wire.sent, wire.messages)


# GMCP.


async def test_client_gets_the_modules_that_it_supports(terminal_of):
    terminal, wire = terminal_of()
    terminal.packet(NAME)
    terminal.gmcp(b'Core.Hello {"client": "Mudlet", "version": "4.17"}')
    terminal.gmcp(b'Core.Supports.Set ["Char 1", "Lily.Moves 1"]')
    terminal.packet(MOVES, Packet("hand", {"table": "tally", "seat": 0, "rows": []}))

    assert terminal.takes_packets
    assert ["Char.Name", "Char.StatusVars", "Lily.Moves"] == [*map(package, wire.messages)]
    assert MOVES.value == json.loads(wire.messages[2].partition(" ")[2])


@pytest.mark.parametrize(
    ("module", "resumes"), [("Lily 1", True), ("Lily.Resume 1", True), ("Lily.Moves 1", False), ("Char 1", False)]
)
async def test_only_a_client_that_takes_tokens_resumes_a_session(terminal_of, module, resumes):
    """No session is stored for other clients."""
    terminal, _ = terminal_of()
    terminal.gmcp(f'Core.Supports.Set ["{module}"]'.encode())

    assert resumes == terminal.supports("resume")


@pytest.mark.parametrize(
    ("module", "follows"),
    [
        *(
            (module, True)
            for module in ("Lily 1", "Lily.Table 1", "Lily.Hand", "Lily.Moves", "Lily.Turn", "Lily.View", "Lily.Event")
        ),
        *((module, False) for module in ("Lily.Resume 1", "Lily.Commands 1", "Char 1", "Comm.Channel 1", "Room 1")),
    ],
)
async def test_client_that_takes_packets_about_tables_follows_them(terminal_of, module, follows):
    """A client that only shows who is to move, as many do by default, is read by a person."""
    terminal, _ = terminal_of()
    assert not any(map(terminal.supports, ABOUT_TABLES))

    terminal.gmcp(f'Core.Supports.Set ["{module}"]'.encode())
    assert follows == any(map(terminal.supports, ABOUT_TABLES))


async def test_position_of_a_table_is_sent_as_status_too(terminal_of):
    """Char.StatusVars has the captions, Char.Status the values, as strings."""
    terminal, wire = terminal_of()
    terminal.gmcp(b'Core.Supports.Set ["Char.Status 1", "Char.StatusVars 1"]')
    terminal.packet(NAME, TABLE)
    captions, status = (json.loads(message.partition(" ")[2]) for message in wire.messages)

    assert {"table": "tally-2", "game": "tally", "state": "playing", "turn": "bob and cat"} == status
    assert captions.keys() == status.keys()


async def test_every_packet_fits_the_published_schema(terminal_of):
    terminal, wire = terminal_of()
    terminal.gmcp(b'Core.Supports.Set ["Char 1", "Comm 1", "Lily 1"]')
    terminal.packet(NAME, TABLE, MOVES, PLAYERS)
    terminal.close()
    said = [{package(message): json.loads(message.partition(" ")[2])} for message in wire.messages]

    assert [] == [wrong for message in said for wrong in misfits(message, GMCP_SCHEMA)]
    assert {"Char.Status", "Comm.Channel.Players", "Core.Goodbye"} <= {name for message in said for name in message}


def test_every_package_has_a_schema():
    others = {"Char.Status", "Char.StatusVars", "Core.Goodbye", LINE, DONE}
    assert {*PACKAGES.values(), *others} == {*GMCP_SCHEMA["properties"]}


async def test_goodbye_is_sent_to_clients_that_speak_gmcp(terminal_of):
    terminal, wire = terminal_of()
    terminal.close()

    assert [] == wire.messages


@pytest.mark.parametrize(
    ("message", "packets"),
    [
        (b"Comm.Channel.Players", ["players"]),
        (b"comm.channel.list", ["channels"]),
        (b"Lily.Commands ", ["commands"]),
        (b'Core.Supports.Set ["Comm 1"]', ["channels", "commands"]),
        (b"Lily.Hand", []),
        (b"Core.Hello {}", []),
    ],
)
async def test_client_asks_for_lists_by_their_names(terminal_of, message, packets):
    """An empty Comm.Channel.Players asks for the people here. A hand cannot be requested: it is sent to its seat."""
    terminal, _ = terminal_of()
    terminal.attach(Sitting(asked_for=(requests := []).append))
    terminal.gmcp(message)

    assert packets == requests


async def test_lists_are_not_made_faster_than_the_client_reads(terminal_of):
    terminal, _ = terminal_of()
    terminal.attach(Sitting(asked_for=(requests := []).append))
    terminal._now = lambda: 1.0
    for _ in range(100):
        terminal.gmcp(b"Comm.Channel.Players")

    assert len(requests) == COMPLETIONS.limits[0].most


async def test_ping_is_answered(terminal_of):
    terminal, wire = terminal_of()
    terminal.gmcp(b"Core.Ping 120")

    assert ["Core.Ping"] == wire.messages


def test_modules_are_added_and_removed():
    gmcp = Gmcp()
    gmcp.hear(b'Core.Supports.Add ["Comm.Channel 1", "Lily 1"]')
    gmcp.hear(b'core.supports.remove ["Lily"]')

    assert {"comm.channel"} == gmcp.supports
    assert [] == [*gmcp.messages(MOVES)]
    assert ["Comm.Channel.Text {}"] == [*gmcp.messages(Packet("talk", {}))]


@pytest.mark.parametrize("body", [b"", b"[", b"[" * 100_000, b"\xff\xfe"])
def test_invalid_list_is_reported_to_the_wire(body):
    with pytest.raises(ValueError, match=r"nested|Expecting"):
        Gmcp().hear(b"Core.Supports.Set " + body)


@pytest.mark.parametrize("body", [b"{}", b"[1, null, [[]]]", b'["' + b"x" * 5000 + b'"]', b'[""]'])
def test_invalid_modules_are_ignored(body):
    gmcp = Gmcp()
    gmcp.hear(b"Core.Supports.Set " + body)

    assert frozenset() == gmcp.supports


def test_client_cannot_fill_the_memory_with_modules():
    gmcp = Gmcp()
    for part in range(100):
        gmcp.hear(b"Core.Supports.Add " + json.dumps([f"m{part}.{n}" for n in range(1000)]).encode())

    assert len(gmcp.supports) <= 128


async def _after(transport, settle):
    del transport.writes[:]
    await settle()
    return transport.sent


@pytest.fixture
def settled():
    async def settle():
        for _ in range(4):
            await asyncio.sleep(0)

    return settle


async def test_gmcp_is_sent_to_a_client_that_agreed(telnet, transport, settled):
    telnet.data_received(IAC + WONT + TTYPE)
    await settled()
    assert IAC + WILL + GMCP in transport.sent
    telnet.data_received(IAC + DO + GMCP + IAC + SB + GMCP + b'Core.Supports.Set ["Lily 1"]' + IAC + SE)
    telnet.terminal.packet(MOVES)

    said = b'Lily.Moves {"table":"tally","number":7,"seq":4,"seat":0,"turn":true,"count":1,"moves":["bid 0"]}'
    assert IAC + SB + GMCP + said + IAC + SE == await _after(transport, settled)


async def test_gmcp_of_a_client_that_has_not_agreed_is_ignored(telnet, transport, settled):
    telnet.data_received(IAC + WONT + TTYPE)
    telnet.data_received(IAC + SB + GMCP + b'Core.Supports.Set ["Lily 1"]' + IAC + SE)
    telnet.terminal.packet(MOVES)

    assert not telnet.terminal.takes_packets
    assert b"Lily" not in await _after(transport, settled)


async def test_flood_of_invalid_messages_is_disconnected(telnet, transport, arrive):
    await arrive(telnet, IAC + WONT + TTYPE + IAC + DO + GMCP)
    await arrive(telnet, (IAC + SB + GMCP + b"Core.Supports.Set [" + IAC + SE) * 21)

    assert transport.aborted
