"""The client's side of telnet, byte by byte: options that it accepts, data that it sends, and input that it ignores."""

import asyncio
import json
import zlib

import pytest
from telnetlib3.telopt import (
    CHARSET,
    DO,
    DONT,
    ECHO,
    EOR,
    GMCP,
    IAC,
    LINEMODE,
    MCCP2_COMPRESS,
    MCCP3_COMPRESS,
    MSDP,
    MSSP,
    MXP,
    NAWS,
    NEW_ENVIRON,
    SB,
    SE,
    SGA,
    STATUS,
    TSPEED,
    TTYPE,
    WILL,
    WONT,
    XDISPLOC,
    ZMP,
)

from lilygames.client.wire import MODULES, Wire

SEND = b"\x01"


class Transport(asyncio.Transport):
    """A transport that records writes."""

    def __init__(self):
        super().__init__()
        self.sent = b""
        self.closed = False

    def write(self, data):
        self.sent += data

    def is_closing(self):
        return self.closed

    def close(self):
        self.closed = True


class Ear:
    """A listener that records what it hears."""

    def __init__(self):
        self.text = b""
        self.messages = []
        self.hidden = []
        self.questions = []

    def heard(self, data):
        self.text += data

    def asked(self):
        self.questions.append(self.text)

    def told(self, package, value):
        self.messages.append((package, value))

    def hides(self, typing):
        self.hidden.append(typing)


@pytest.fixture
async def line():
    """Return a function that feeds bytes to a new wire and gives its replies; it has `ear`, `wire` and `size`."""

    def hear(data):
        transport.sent = b""
        wire.data_received(data)
        return transport.sent

    hear.ear, hear.size, transport = Ear(), (24, 80), Transport()
    hear.wire = wire = Wire(hear.ear, lambda: hear.size)
    wire.connection_made(transport)
    await asyncio.sleep(0)
    yield hear
    wire.hang_up()
    await asyncio.sleep(0)


async def test_terminal_types_are_name_then_kind_then_capabilities(line):
    """The MUD Terminal Type Standard: ANSI is 1, UTF-8 is 4; no VT100, since a server moves no cursor here."""
    assert IAC + WILL + TTYPE == line(IAC + DO + TTYPE)
    told = [line(IAC + SB + TTYPE + SEND + IAC + SE)[4:-2].decode() for _ in range(4)]

    assert ["LILYGAMES", "ANSI", "MTTS 5", "MTTS 5"] == told


async def test_size_is_sent_at_first_and_at_each_change(line):
    assert IAC + WILL + NAWS + IAC + SB + NAWS + b"\0\x50\0\x18" + IAC + SE == line(IAC + DO + NAWS)
    line.size = (10, 255)
    line(b"")
    line.wire.resized()

    assert IAC + SB + NAWS + b"\0\xff\xff\0\x0a" + IAC + SE == line.wire.writer.transport.sent


async def test_typing_is_hidden_while_the_server_promises_to_echo(line):
    line(IAC + WILL + ECHO + b"password: ")
    line(IAC + WONT + ECHO)

    assert [True, False] == line.ear.hidden


async def test_mark_ends_a_question(line):
    line(IAC + WILL + EOR + b"login: " + IAC + b"\xef" + b"x")

    assert [b"login: "] == line.ear.questions


async def test_gmcp_tells_the_clients_name_and_its_modules(line):
    said = line(IAC + WILL + GMCP)

    assert said.startswith(IAC + DO + GMCP + IAC + SB + GMCP + b"Core.Hello ")
    assert json.dumps([*MODULES]).replace(" ", "") in said.decode("latin-1").replace(" ", "")
    line(IAC + SB + GMCP + 'Char.Name {"name": "Zoë"}'.encode() + IAC + SE)
    assert [("Char.Name", {"name": "Zoë"})] == line.ear.messages


@pytest.mark.parametrize("option", [SGA, LINEMODE, MCCP2_COMPRESS, MCCP3_COMPRESS, MSDP, MSSP, MXP, ZMP, NAWS, STATUS])
async def test_useless_options_are_declined(line, option):
    """A server that edits lines itself, as with SGA, learns that it cannot; and nothing is ever inflated."""
    assert IAC + DONT + option == line(IAC + WILL + option)


@pytest.mark.parametrize("option", [ECHO, SGA, NEW_ENVIRON, LINEMODE, TSPEED, XDISPLOC, STATUS, GMCP, MCCP2_COMPRESS])
async def test_only_the_terminal_and_its_size_are_sent(line, option):
    """No user name, no environment and no display are sent."""
    assert IAC + WONT + option == line(IAC + DO + option)


async def test_unnegotiated_request_is_not_answered(line):
    for option in (NEW_ENVIRON, TSPEED, XDISPLOC, STATUS):
        assert b"" == line(IAC + SB + option + SEND + IAC + SE)
    line(IAC + SB + MCCP2_COMPRESS + IAC + SE + zlib.compress(b"x"))

    assert b"" != line.ear.text


@pytest.mark.parametrize(("offered", "answer"), [(b";UTF-8;ASCII", b"\x02UTF-8"), (b";rot13;undefined", b"\x03")])
async def test_client_speaks_utf_8_and_no_codec_that_a_server_names(line, offered, answer):
    line(IAC + DO + CHARSET)

    assert IAC + SB + CHARSET + answer + IAC + SE == line(IAC + SB + CHARSET + SEND + offered + IAC + SE)


async def test_garbage_is_ignored(line, caplog):
    for body in (b"", b"[", b"Char.Name {", b"Char.Name " + b"[" * 100_000, b"\xfe\xfe"):
        line(IAC + SB + GMCP + body + IAC + SE)
    line(IAC + WILL + b"\xc8" + IAC + SB + b"\x00" + IAC + SE + IAC + b"\x01text")

    assert line.ear.text.endswith(b"text")
    assert [] == caplog.records


async def test_last_words_before_a_disconnect_are_heard(line):
    """The library drops bytes that arrive together with the end, even a goodbye, and the client would reconnect."""
    line(b"see you\r\n")
    line.wire.eof_received()

    assert b"see you\r\n" == line.ear.text
    assert line.wire.lost.done()
