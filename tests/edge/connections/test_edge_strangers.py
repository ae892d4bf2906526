"""Clients of other protocols, and MSSP crawlers."""

import asyncio

import pytest
from structlog.testing import capture_logs
from telnetlib3.mud import mssp_decode
from telnetlib3.telopt import DO, IAC, MSSP, SB, SE, TTYPE, WILL, WONT

from lilygames.edge.connections.mssp import encoded, plainly
from lilygames.edge.connections.protocol_sniff import foreign_protocol
from lilygames.edge.connections.telnet import listen
from lilygames.text import Line, Prompt
from tests.deadline import DEADLINE

FACTS = {"NAME": ["the cellar"], "PLAYERS": ["3"], "PORT": ["7777", "4000"]}
HELLO = bytes.fromhex("16030100f8010000f40303") + bytes(range(256)) * 2


async def greet(terminal):
    terminal.show(Line("Welcome."))
    terminal.ask(Prompt("login: "))
    while True:
        terminal.show(Line(f"heard {await terminal.read()}"))


@pytest.fixture
async def answer():
    """Return a function that sends bytes to a listener, and returns the reply until it closes or falls silent."""
    server = await listen("127.0.0.1", 0, greet, facts=lambda: FACTS)

    async def answered(*packets, until=None):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await reader.readuntil(b"login: ")
        await reader.readexactly(3)  # the probe
        for packet in packets:
            writer.write(packet)
            await asyncio.sleep(0.01 if len(packets) > 1 else 0)
        async with asyncio.timeout(DEADLINE):
            got = await (reader.readuntil(until) if until else reader.read())
        writer.close()
        return got

    yield answered
    await server.close(grace=0.1)


@pytest.mark.parametrize(
    ("first", "speaks"),
    [
        (b"GET / HTTP/1.1\r\n", "HTTP"),
        (b"POST /x HTTP/1.0\r\n", "HTTP"),
        (b"PRI * HTTP/2.0\r\n", "HTTP"),
        (HELLO, "TLS"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "SSH"),
        (b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n", "PROXY"),
        (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c", "PROXY"),
        (b"\x03\0\0\x13\x0e\xe0", "RDP"),
        (b"MSSP-REQUEST\r\n", "MSSP"),
        (b"mssp-request\n", "MSSP"),
        (b"mssp-requests\r\n", ""),
        (b"get real\r\n", ""),
        (b"GET\r\n", ""),
        (b"proxy\r\n", ""),
        (b"\x16\x16", ""),
        (b"\r\n\r\n", ""),
        (b"", ""),
    ],
)
def test_other_protocol_is_recognized_by_its_first_bytes(first, speaks):
    assert speaks == foreign_protocol(first)


@pytest.mark.parametrize(
    ("packets", "told"),
    [
        ([b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], b"This is a telnet server for games, not a web server"),
        ([b"GET ", b"/ HT", b"TP/1.1\r\n"], b"This is a telnet server for games, not a web server"),
        ([IAC + WONT + TTYPE, b"GET / HTTP/1.1\r\n"], b"This is a telnet server for games, not a web server"),
        ([b"SSH-2.0-x\r\n"], b"This is a telnet server for games, not an SSH server"),
        ([b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nann\r\n"], b"This port doesn't accept the PROXY protocol"),
    ],
)
async def test_client_of_another_protocol_reads_a_sentence_and_is_disconnected(answer, packets, told):
    """The network may cut the bytes into any packets; the log has one line."""
    with capture_logs() as logs:
        got = await answer(*packets)

    assert told in got
    assert b"heard" not in got
    assert ["closed a connection of another protocol"] == [entry["event"] for entry in logs]


async def test_tls_hello_gets_no_reply_and_ends(answer):
    with capture_logs() as logs:
        got = await answer(HELLO)

    assert (b"", ["TLS"]) == (got, [entry["speaks"] for entry in logs])


async def test_only_the_first_line_is_checked(answer):
    """A person may talk about HTTP later."""
    assert await answer(b"ann\r\nGET / HTTP/1.1\r\n", until=b"heard GET / HTTP/1.1\r\n")


async def test_ctrl_v_as_the_first_key_is_a_key(answer):
    """The library takes the byte 22 for TLS, disconnects and writes to stderr."""
    assert await answer(b"\x16ann\r\n", until=b"heard ann\r\n")


# MSSP.


async def test_typed_request_is_answered_and_closed(answer):
    """The plain form of the standard: one variable per line, values after tabs, between two marks."""
    got = await answer(b"mssp-request\r\n")

    assert got.endswith(
        b"\r\nMSSP-REPLY-START\r\nNAME\tthe cellar\r\nPLAYERS\t3\r\nPORT\t7777\t4000\r\nMSSP-REPLY-END\r\n"
    )
    assert b"heard" not in got


async def test_option_is_offered_to_a_client_that_answers_and_sent_once(answer):
    told = IAC + SB + MSSP + encoded(FACTS) + IAC + SE
    got = await answer(IAC + WONT + TTYPE, (IAC + DO + MSSP) * 50 + b"ann\r\n", until=b"heard ann\r\n")

    assert (1, 1) == (got.count(IAC + WILL + MSSP), got.count(told))


async def test_client_that_asks_before_the_offer_is_answered(answer):
    got = await answer(IAC + DO + MSSP, until=IAC + SE)

    assert IAC + SB + MSSP + encoded(FACTS) + IAC + SE in got


def test_option_is_read_by_a_library_as_it_was_meant():
    assert {"NAME": "the cellar", "PLAYERS": "3", "PORT": ["7777", "4000"]} == mssp_decode(encoded(FACTS))


def test_no_value_forges_another_variable():
    """The value is a sysop's name for the server, with any characters in it."""
    facts = {"NAME": ["a\0b\1PLAYERS\x02999\r\nPLAYERS\t999"]}

    assert {"NAME": "a b PLAYERS 999  PLAYERS 999"} == mssp_decode(encoded(facts))
    assert [b"NAME\ta b PLAYERS 999  PLAYERS 999"] == plainly(facts).split(b"\r\n")[2:-2]
