"""One test for each repair of the telnet library, and one that shows the library's own defect.

If a test named `upstream_...` fails after an upgrade, its repair can be removed.
"""

import asyncio
import encodings
import logging

import pytest
from telnetlib3 import TelnetReader, TelnetServer
from telnetlib3.telopt import (
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    MCCP2_COMPRESS,
    MCCP3_COMPRESS,
    NAWS,
    NEW_ENVIRON,
    NOP,
    SB,
    SE,
    TTYPE,
    WILL,
    WONT,
)  # fmt: skip

from lilygames.edge.connections.options import STRIKES
from lilygames.edge.screens.line import HEAD
from lilygames.edge.terminal.terminal import INBOX
from lilygames.edge.wire.limits import Limits

UNTERMINATED = Limits().option_bytes


def sub(option, data):
    return IAC + SB + option + data + IAC + SE


def accepted(charset):
    return IAC + WILL + CHARSET + sub(CHARSET, b"\x02" + charset)


async def sent(transport):
    """Return the bytes sent since the last call."""
    await asyncio.sleep(0)
    data = transport.sent
    transport.writes.clear()
    return data


@pytest.fixture
async def upstream(transport):
    """The library's own server connection, without changes."""
    protocol = TelnetServer(encoding=False, timeout=0)
    protocol.connection_made(transport)
    await asyncio.sleep(0)
    yield protocol
    protocol.connection_lost(None)


# Defect 1, a task waiting in drain() isn't woken when the peer resets: nothing of ours waits there.


async def test_peer_that_is_gone_at_once_does_no_harm(connect):
    """A port scan. The library goes on to negotiate with nobody, and raises."""
    harm = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: harm.append(context))
    wire, transport = connect()
    wire.connection_lost(None)
    for _ in range(4):
        await asyncio.sleep(0)

    assert (harm, transport.sent) == ([], b"")


# Defect 2: unread input is buffered without bound.


async def test_2_no_more_is_read_than_the_terminal_takes(telnet, transport, arrive):
    await arrive(telnet, b"x\n" * 100_000)

    assert not transport.reading
    assert len(telnet.terminal._lines.typed) < INBOX + 4096


async def test_2_held_back_input_comes_when_there_is_room(telnet, transport):
    telnet.data_received(b"".join(b"%d\n" % number for number in range(10_000)))

    assert [await telnet.terminal.read() for _ in range(10_000)] == [str(number) for number in range(10_000)]
    assert transport.reading


async def test_2_upstream_reads_on_for_ever(upstream, transport):
    for _ in range(64):
        upstream.data_received(b"x" * 65536)

    assert transport.reading
    assert len(upstream.reader._buffer) == 64 * 65536


# Defect 3: lines have no maximum length, and CR LF in two packets is two lines.


async def test_3_line_of_ten_megabytes_takes_no_memory(telnet, arrive):
    for _ in range(160):
        await arrive(telnet, b"x" * 65536)

    assert (len(telnet.intake.held), len(telnet.terminal._screen._splitter._begun)) == (0, HEAD)


async def test_3_line_end_in_two_packets_is_one_line_end(telnet):
    telnet.data_received(b"one\r")
    telnet.data_received(b"\ntwo\r\n")

    assert [await telnet.terminal.read(), await telnet.terminal.read()] == ["one", "two"]


async def test_3_upstream_makes_two_lines_of_it():
    reader = TelnetReader()
    reader.feed_data(b"one\r")
    first = await reader.readline()
    reader.feed_data(b"\ntwo\r\n")

    assert (first, await reader.readline()) == (b"one\r", b"\n")


# Defect 4: a client may choose any codec of Python's.


@pytest.mark.parametrize("codec", [b"rot13", b"undefined", b"idna", b"UTF-16", b"cp037", b"no such", b"\xff\xff"])
async def test_4_unsupported_codec_is_not_used(telnet, codec):
    telnet.data_received(IAC + WILL + TTYPE + sub(TTYPE, b"\0XTERM") + accepted(codec))

    assert (telnet.peer.charset, telnet.peer.look.charset) == (None, "utf-8")


async def test_4_supported_charset_is_used(telnet):
    telnet.data_received(accepted(b"ISO-8859-1"))
    telnet.data_received(b"Zo\xeb\n")

    assert await telnet.terminal.read() == "Zoë"


async def test_4_peer_may_offer_charsets_itself(telnet, transport):
    """RFC 2066 lets either end ask. The first supported one is used; an offer without one is rejected."""
    telnet.data_received(IAC + WILL + CHARSET + IAC + DO + CHARSET)
    await sent(transport)
    telnet.data_received(sub(CHARSET, b"\x01 rot13 UTF-8"))
    telnet.data_received(sub(CHARSET, b"\x01 rot13"))

    assert await sent(transport) == sub(CHARSET, b"\x02UTF-8") + sub(CHARSET, b"\x03")


async def test_4_names_of_codecs_are_not_remembered(telnet):
    """Python keeps every codec name that it failed to find, for ever: a leak that any peer could feed."""
    before = len(encodings._cache)
    for number in range(50):
        telnet.data_received(accepted(b"x-%d" % number) + sub(CHARSET, b"\x01 y-%d" % number))

    assert before == len(encodings._cache)


async def test_4_upstream_takes_any_name(transport):
    protocol = TelnetServer(timeout=0, force_binary=True)
    protocol.connection_made(transport)
    await asyncio.sleep(0)
    protocol.data_received(accepted(b"rot13"))
    protocol.data_received(b"hello")

    assert protocol.encoding(outgoing=True) == "rot13"
    with pytest.raises(LookupError):
        protocol.writer.write("hello")
    protocol.connection_lost(None)


# Defect 5: NEW-ENVIRON asks for private data and stores any answer.


VARIABLES = sub(NEW_ENVIRON, b"\0" + b"".join(b"\0V%d\1x" % number for number in range(1000)))


async def test_5_variables_are_neither_asked_for_nor_kept(telnet, transport, arrive):
    await sent(transport)
    await arrive(telnet, IAC + WILL + TTYPE + IAC + WILL + NEW_ENVIRON + VARIABLES)

    assert IAC + DONT + NEW_ENVIRON in await sent(transport)
    assert "V1" not in f"{telnet.peer} {telnet.options.known}"


async def test_5_upstream_keeps_them_all(upstream):
    upstream.data_received(VARIABLES)

    assert len([name for name in upstream._extra if name.startswith("V")]) == 1000


# Defect 6: a sub-negotiation may be a megabyte long.


async def test_6_endless_sub_negotiation_is_disconnected(telnet, transport, arrive):
    await arrive(telnet, IAC + SB + TTYPE + b"x" * (UNTERMINATED + 4096))

    assert transport.aborted


async def test_6_endless_sub_negotiation_in_small_packets_is_disconnected(telnet, transport, arrive):
    await arrive(telnet, IAC + SB + TTYPE)
    for _ in range(UNTERMINATED // 1000 + 1):
        await arrive(telnet, b"x" * 1000)

    assert transport.aborted


async def test_6_flood_of_options_is_disconnected(telnet, transport, arrive):
    await arrive(telnet, (IAC + NOP) * UNTERMINATED)

    assert transport.aborted


async def test_6_slow_flood_of_options_is_disconnected(connect, monkeypatch):
    """Three hundred commands per second are read for half a minute, far more than any client negotiates."""
    wire, transport = connect(Limits())
    clock = asyncio.get_running_loop().time()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock)
    seconds = 0
    while not transport.aborted:
        wire._interpret((IAC + DO + ECHO) * 300)
        seconds, clock = seconds + 1, clock + 1
    wire.connection_lost(None)

    assert 60 > seconds > 20


async def test_6_window_that_is_dragged_wider_counts_as_no_flood(connect, monkeypatch):
    """The client sends ten new sizes per second for half a minute."""
    wire, transport = connect(Limits())
    clock = asyncio.get_running_loop().time()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock)
    wire._interpret(IAC + WILL + NAWS)
    for step in range(300):
        wire._interpret(sub(NAWS, bytes([0, 40 + step % 100, 0, 24])))
        clock += 0.1
    wire.connection_lost(None)

    assert not transport.aborted


async def test_6_sub_negotiation_of_common_length_is_read(telnet, transport, arrive):
    await arrive(telnet, IAC + SB + TTYPE + b"\0" + b"x" * 1000)
    await arrive(telnet, IAC + SE)

    assert (telnet.peer.names, transport.aborted) == (("X" * 40,), False)


async def test_6_upstream_keeps_it(upstream, transport):
    upstream.data_received(IAC + SB + TTYPE + b"x" * (UNTERMINATED + 4096))

    assert not transport.aborted
    assert len(upstream.writer._sb_buffer) > UNTERMINATED


# Defect 7: compression breaks streams, and MCCP3 is accepted although nobody asked.


@pytest.mark.parametrize("option", [MCCP2_COMPRESS, MCCP3_COMPRESS])
async def test_7_compression_is_refused(telnet, transport, option):
    await sent(transport)
    telnet.data_received(IAC + WONT + TTYPE)
    await sent(transport)
    telnet.data_received(IAC + DO + option + IAC + WILL + option)

    assert await sent(transport) == IAC + WONT + option + IAC + DONT + option


async def test_7_server_never_inflates_input(telnet):
    telnet.data_received(sub(MCCP3_COMPRESS, b"") + b"plain\n")

    assert await telnet.terminal.read() == "plain"


async def test_7_upstream_inflates_unasked(upstream):
    upstream.data_received(sub(MCCP3_COMPRESS, b""))

    assert upstream.writer.mccp3_active


# Defect 8, a thousand dead connections kept by the library's listener: see test_edge_server.py.


# Defect 9: GMCP text is read as Latin-1.


async def test_9_option_text_is_utf8_whatever_the_peer_says(telnet):
    telnet.data_received(accepted(b"rot13"))

    assert telnet.options._writer().environ_encoding == "utf-8"


async def test_9_upstream_reads_option_text_as_ascii(upstream):
    assert upstream.writer.environ_encoding == "ascii"


# Defect 10: every malformed option is logged with a traceback.


async def test_10_malformed_options_are_not_logged(telnet, transport, caplog):
    caplog.set_level(logging.WARNING)
    telnet.data_received(IAC + WILL + TTYPE + sub(NAWS, b"\0") + sub(TTYPE, b"\0\x80") + sub(CHARSET, b"\x04x"))
    telnet.data_received(IAC + SB + IAC + SE + IAC + SB + TTYPE + IAC + NOP + IAC + WILL + ECHO)

    assert (caplog.records, transport.aborted) == ([], False)


async def test_10_peer_that_keeps_sending_them_is_disconnected(telnet, transport):
    telnet.data_received(sub(NAWS, b"\0") * (STRIKES + 1))

    assert transport.aborted


async def test_10_upstream_logs_each(upstream, caplog):
    caplog.set_level(logging.WARNING, logger="telnetlib3")
    upstream.data_received(sub(NAWS, b"\0") * 3)

    assert sum("struct.error" in record.getMessage() for record in caplog.records) == 3


# Not in the list of ten: a first Ctrl-V is taken for TLS, and the connection is closed.


async def test_11_ctrl_v_is_a_key(telnet, transport):
    telnet.data_received(b"\x16hi\r\n")

    assert (await telnet.terminal.read(), transport.closed) == ("hi", False)


async def test_11_upstream_disconnects(upstream, transport, caplog):
    upstream.data_received(b"\x16")

    assert transport.closed


# Not in the list either: a peer that sends before the first probe ends the negotiation, which then ends twice.


async def harm_of_a_word_before_the_probe(protocol):
    """Return the errors of the event loop when a peer's first packet arrives together with the connection."""
    harm = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: harm.append(type(context["exception"])))
    protocol.data_received(IAC + NOP)
    for _ in range(4):
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    return harm


async def test_12_peer_that_sends_before_the_probe_does_no_harm(connect):
    wire, _ = connect()

    assert [] == await harm_of_a_word_before_the_probe(wire)


async def test_12_upstream_ends_a_negotiation_twice(transport):
    protocol = TelnetServer(encoding=False, timeout=0, connect_maxwait=0)
    protocol.connection_made(transport)

    assert [asyncio.InvalidStateError] == await harm_of_a_word_before_the_probe(protocol)
