"""Test how different kinds of clients are served, over real sockets."""

import asyncio

import pytest

from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.wire.limits import Limits
from lilygames.edge.wire.render import renderings
from lilygames.text import Line, Prompt
from tests.deadline import DEADLINE

GREETING = "Welcome to lily.\n"
MANNERS = ("terminal", "stubborn", "silent")


@pytest.fixture
async def port():
    """The port of a small server: it asks for a name and a secret, then everyone reads what anyone types."""
    present = {}

    async def visit(terminal):
        terminal.show(Line(GREETING.strip()))
        terminal.ask(Prompt("login: "))
        name = await terminal.read()
        terminal.ask(Prompt("password: ", secret=True))
        await terminal.read()
        terminal.show(Line(f"(you are {name})"))
        present[terminal] = name
        try:
            while (line := await terminal.read()) != "/bye":
                said = Line(f"{name}: {line}", kind="talk")
                for reader in present:
                    reader.show(said)
        finally:
            del present[terminal]

    many = {"connections_per_address": 1000, "connects_per_minute": 1e6, "logins_at_once": 1000}
    fast = {"lines_per_second": 1e6, "bytes_per_second": 1e9}
    server = await listen("127.0.0.1", 0, visit, admission=Admission(Limits(**many, **fast)))
    yield server.port
    await server.close(grace=0.5)


async def enter(client, name):
    await client.expect("login: ")
    client.type(name)
    await client.expect("password: ")
    client.type("plum")
    await client.expect(f"(you are {name})\n")


@pytest.mark.parametrize("manner", MANNERS)
async def test_each_kind_of_client_gets_a_greeting_and_prompt_at_once(dial, port, manner):
    """Before they type anything; the silent client sends nothing at all."""
    client = await dial(port, manner)

    assert (await client.expect("login: ")).endswith(GREETING + "login: ")


async def test_silent_client_sees_only_three_odd_bytes(dial, port):
    """They follow the prompt, because lily's clients know it only at the start of a line."""
    client = await dial(port, "silent")

    assert await client.expect("login: ") == GREETING + "login: "
    assert await client.expect("\x18") == "\ufffd\ufffd\x18"


async def test_all_kinds_of_clients_hear_each_other(dial, port):
    clients = [await dial(port, manner) for manner in MANNERS]
    for client, manner in zip(clients, MANNERS, strict=True):
        await enter(client, manner)
    for client, manner in zip(clients, MANNERS, strict=True):
        client.type(f"hi from {manner}")
        for reader in clients:
            await reader.expect(f"{manner}: hi from {manner}\n")


async def test_secret_is_hidden_if_the_client_can(dial, port):
    client = await dial(port)
    await client.expect("login: ")
    client.type("bob")
    await client.expect("password: ")
    hidden = client.hides
    client.type("plum")
    await client.expect("(you are bob)\n")
    async with asyncio.timeout(DEADLINE):
        while client.hides:  # noqa: ASYNC110 - the option may come in another packet than the row
            await asyncio.sleep(0.01)

    assert (hidden, client.hides) == (True, False)


async def test_warning_is_shown_if_a_secret_cannot_be_hidden(dial, port):
    client = await dial(port, "silent")
    await client.expect("login: ")
    client.type("bob")

    await client.expect("\x18")  # the probe

    assert await client.expect(") ") == "password: (your screen will show what you type) "


async def test_lines_fit_the_screen_after_a_resize(dial, port):
    client = await dial(port, columns=40)
    await enter(client, "bob")
    client.resize(30)
    client.type("word " * 20 + "end")
    shown = await client.expect("end\n")

    assert max(map(len, shown.splitlines())) <= 28


async def test_file_sent_by_netcat_is_answered_completely(dial, port):
    client = await dial(port, "silent")
    for line in ("bob", "plum", "one", "two"):
        client.type(line)
    client.finish()

    assert (await client.until_gone()).endswith("(you are bob)\nbob: one\nbob: two\n")


async def test_bye_closes_the_connection(dial, port):
    client = await dial(port)
    await enter(client, "bob")
    client.type("/bye")

    assert await client.until_gone() == ""


async def test_line_is_rendered_once_for_identical_screens(dial, port):
    clients = [await dial(port) for _ in range(10)]
    for number, client in enumerate(clients):
        await enter(client, f"p{number}")
    before = renderings()
    clients[0].type("said once in this whole run")
    for client in clients:
        await client.expect("p0: said once in this whole run\n")

    assert renderings() - before == 1


async def test_client_that_stops_reading_does_not_delay_others(dial, port):
    stuck, quick = await dial(port), await dial(port)
    await enter(stuck, "stuck")
    await enter(quick, "quick")
    stuck._reader._transport.pause_reading()
    for number in range(200):
        quick.type("x" * 4000 + f" {number}")
        await quick.expect(f" {number}\n")


async def test_many_logins_at_once_succeed(dial, port):
    """More connections than asyncio's default backlog."""
    clients = await asyncio.gather(*(dial(port, "silent") for _ in range(200)))
    for client in clients:
        await client.expect("login: ")


MUD = ("MUDDY", "XTERM", "MTTS 7")


@pytest.mark.parametrize(("manner", "mark"), [("terminal", b"\xff\xef"), ("stubborn", b"\xff\xf9")])
async def test_prompt_ends_as_negotiated(dial, port, manner, mark):
    """RFC 885 and 854; TinyFugue shows no question without one of them."""
    client = await dial(port, manner, MUD)
    await client.expect("login: ")
    client.type("bob")
    await client.expect("password: ")
    client.type("plum")
    await client.expect("(you are bob)\n")

    assert mark in client.commands
    assert ({b"\xff\xef", b"\xff\xf9"} - {mark}).isdisjoint(client.commands)


async def test_echo_is_off_only_while_a_secret_is_typed(dial, port):
    """RFC 857: WILL ECHO hides, WONT ECHO shows."""
    client = await dial(port, names=MUD)
    await enter(client, "bob")

    assert [b"\xff\xfb\x01", b"\xff\xfc\x01"] == [one for one in client.commands if one[2:] == b"\x01"]


@pytest.mark.parametrize(
    ("names", "charset", "shown"),
    [
        (MUD, None, "bob: Zoë says “naïve”\n"),
        (("TINYFUGUE", "ANSI-ATTR", "ANSI", "UNKNOWN"), None, 'bob: Zoe says "naive"\n'),
        (MUD, "iso8859-1", 'bob: Zoë says "naïve"\n'),
    ],
)
async def test_text_is_in_a_charset_that_the_client_can_show(dial, port, names, charset, shown):
    """TinyFugue's default setup destroys other characters; a negotiated charset (RFC 2066) is used both ways."""
    client, other = await dial(port, names=names, charset=charset), await dial(port, names=MUD)
    await enter(client, "ann")
    await enter(other, "bob")
    other.type("Zoë says “naïve”")

    assert shown == await client.expect("\n")
    client.type("é")
    assert "ann: é\n" == (await other.expect("\n") and await other.expect("\n"))


async def test_key_by_key_terminal_gets_echo_except_for_secrets(dial, port):
    client = await dial(port, "keyed")
    await client.expect("\x1b[Jlogin: ")
    client.press(b"bo")
    await client.expect("bo")
    client.press(b"b\r\0")
    await client.expect("password: ")
    client.press(b"plum\r\0")

    assert "plum" not in await client.expect("(you are bob)\n")


async def test_talk_appears_above_the_line_being_typed(dial, port):
    client, other = await dial(port, "keyed"), await dial(port, names=MUD)
    await client.expect("\x1b[Jlogin: ")
    for line in (b"bob\r", b"plum\r"):
        client.press(line)
    await client.expect("(you are bob)\n")
    await enter(other, "ann")
    client.press(b"half")
    await client.expect("half")
    other.type("hi")

    assert "\r\x1b[Jann: hi\nhalf" == await client.expect("half")


async def test_ctrl_d_logs_out(dial, port):
    client = await dial(port, "keyed")
    await client.expect("\x1b[Jlogin: ")
    for line in (b"bob\r", b"plum\r"):
        client.press(line)
    await client.expect("(you are bob)\n")
    client.press(b"\x04")

    assert "/bye\n" in await client.until_gone()
