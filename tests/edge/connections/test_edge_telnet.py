"""Telnet options: what is negotiated, and its effects."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telnetlib3.telopt import (
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    EOR,
    GMCP,
    IAC,
    MSDP,
    MSSP,
    NAWS,
    NEW_ENVIRON,
    NOP,
    SB,
    SE,
    SGA,
    TM,
    TTYPE,
    WILL,
    WONT,
)  # fmt: skip

from lilygames.edge.connections import options

PROBE = IAC + DO + TTYPE
OFFERS = IAC + DO + NAWS + IAC + DO + CHARSET + IAC + WILL + EOR + IAC + WILL + MSSP + IAC + WILL + GMCP


def sub(option, data):
    return IAC + SB + option + data + IAC + SE


async def sent(transport):
    """Return the bytes sent since the last call."""
    await asyncio.sleep(0)
    data = transport.sent
    transport.writes.clear()
    return data


async def test_only_the_probe_is_sent_first(telnet, transport):
    """Netcat shows every option byte as garbage: three bytes are the minimum."""
    assert await sent(transport) == PROBE


async def test_answer_brings_the_offers_that_we_use(telnet, transport):
    await sent(transport)
    telnet.data_received(IAC + WILL + TTYPE)

    assert await sent(transport) == sub(TTYPE, b"\x01") + OFFERS


async def test_refusal_is_an_answer_too(telnet, transport):
    await sent(transport)
    telnet.data_received(IAC + WONT + TTYPE)

    assert await sent(transport) == OFFERS
    assert telnet.peer.negotiates


async def test_offers_are_made_once(telnet, transport):
    telnet.data_received(IAC + WONT + TTYPE)
    await sent(transport)
    telnet.data_received(IAC + WONT + NAWS + IAC + WONT + CHARSET + IAC + DONT + EOR)

    assert await sent(transport) == b""


async def test_terminal_types_are_asked_for_until_they_repeat(telnet):
    """RFC 1091."""
    telnet.data_received(IAC + WILL + TTYPE + sub(TTYPE, b"\0XTERM") + sub(TTYPE, b"\0ANSI") + sub(TTYPE, b"\0XTERM"))

    assert telnet.peer.names == ("XTERM", "ANSI")


async def test_no_more_than_four_terminal_types_are_kept(telnet):
    telnet.data_received(IAC + WILL + TTYPE + b"".join(sub(TTYPE, b"\0T%d" % number) for number in range(99)))

    assert telnet.peer.names == ("T0", "T1", "T2", "T3")


async def test_client_that_agrees_to_end_of_record_gets_it(telnet):
    telnet.data_received(IAC + WILL + TTYPE + IAC + DO + EOR)

    assert telnet.peer.records


async def test_doubled_iac_is_a_letter(telnet):
    telnet.data_received(b"a" + IAC + IAC + b"b\r\n")

    assert await telnet.terminal.read() == "a\ufffdb"


async def test_options_in_the_middle_of_a_line_do_not_touch_it(telnet):
    telnet.data_received(b"bid" + IAC + NOP + IAC + DO + TM + b" 3\r" + IAC + NOP + b"\n")

    assert await telnet.terminal.read() == "bid 3"


async def test_peer_that_finished_typing_still_gets_its_answers(telnet, transport):
    """This is netcat after the last of a file; the library closes at once."""
    telnet.data_received(b"bob\n")

    assert telnet.eof_received()
    assert (await telnet.terminal.read(), transport.is_closing()) == ("bob", False)


async def test_peer_that_asks_us_to_echo_is_refused(telnet, transport):
    """PuTTY opens with DO ECHO and DO SGA. If we agreed, nobody would echo and the client would stop editing lines."""
    await sent(transport)
    telnet.data_received(IAC + DO + ECHO + IAC + DO + SGA)

    assert (await sent(transport)).startswith(IAC + WONT + ECHO + IAC + WONT + SGA)


async def test_typing_is_concealed_and_shown_again(telnet, transport):
    telnet.data_received(IAC + WONT + TTYPE)
    await sent(transport)
    for _ in range(2):
        telnet.conceal(typing=True)
        assert await sent(transport) == IAC + WILL + ECHO
        telnet.data_received(IAC + DO + ECHO)
        telnet.conceal(typing=False)
        assert await sent(transport) == IAC + WONT + ECHO
        telnet.data_received(IAC + DONT + ECHO)


async def test_typing_is_concealed_again_though_the_first_answer_is_late(telnet, transport):
    telnet.data_received(IAC + WONT + TTYPE)
    telnet.conceal(typing=True)
    telnet.conceal(typing=False)
    await sent(transport)
    telnet.conceal(typing=True)

    assert await sent(transport) == IAC + WILL + ECHO


@pytest.mark.parametrize(("told", "columns"), [(90, 90), (0, None), (1, 20), (65535, 500)])
async def test_width_has_sensible_limits(telnet, told, columns):
    """RFC 1073: 0 means unknown."""
    telnet.data_received(IAC + WILL + NAWS + sub(NAWS, told.to_bytes(2, "big").replace(IAC, IAC + IAC) + b"\0\x18"))

    assert telnet.peer.columns == columns


async def test_binary_is_granted_to_a_client_that_asks_for_it(telnet, transport):
    """RFC 856; `telnet -8` asks."""
    await sent(transport)
    telnet.data_received(IAC + WILL + BINARY + IAC + DO + BINARY)

    assert (await sent(transport)).startswith(IAC + DO + BINARY + IAC + WILL + BINARY)


async def test_unused_option_is_refused(telnet, transport):
    telnet.data_received(IAC + WONT + TTYPE)
    await sent(transport)
    telnet.data_received(IAC + DO + MSDP + IAC + WILL + MSDP)

    assert await sent(transport) == IAC + WONT + MSDP + IAC + DONT + MSDP


soup = st.lists(
    st.one_of(
        st.sampled_from([IAC, SB, SE, DO, DONT, WILL, WONT, TTYPE, NAWS, CHARSET, EOR, ECHO, NEW_ENVIRON, GMCP, TM]),
        st.binary(max_size=4),
    ),
    max_size=60,
).map(b"".join)


@settings(max_examples=150)
@given(packets=st.lists(soup, max_size=4))
def test_no_mixture_of_options_does_harm(connect, packets):
    """Nothing is raised for any bytes, and a peer that is still connected can type a line afterwards."""

    async def survives():
        wire, transport = connect()
        for packet in packets:
            wire.data_received(packet)
        wire.data_received(IAC + SE + b"\r\n" + IAC + SE + b"\r\nstill here\r\n")
        alive = transport.is_closing() or "still here" in [line.text for line in wire.terminal._lines.typed]
        wire.connection_lost(None)
        for _ in range(4):
            await asyncio.sleep(0)
        return alive

    assert asyncio.run(survives())


@pytest.mark.parametrize(("seconds", "first"), [(-1.0, "hello"), (1e6, "after it")])
async def test_subnegotiation_without_an_end_swallows_only_what_comes_soon(telnet, monkeypatch, seconds, first):
    """It ends after a few seconds; until then, it may be one that comes in pieces."""
    monkeypatch.setattr(options, "COMMAND_LASTS", seconds)
    telnet.data_received(IAC + WILL + TTYPE)
    telnet.data_received(IAC + SB + TTYPE + b"\0xte")
    await asyncio.sleep(0)
    telnet.data_received(b"hello\r\n")
    telnet.data_received(IAC + SE)
    telnet.data_received(b"after it\r\n")

    assert first == await telnet.terminal.read()
