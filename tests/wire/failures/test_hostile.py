"""Test hostile input to a whole server, byte by byte: in every field, and on the screens of others."""

import asyncio
import json
import re
import unicodedata
from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.wire.limits import Limits
from lilygames.games import games
from lilygames.server.place.place import furnish
from lilygames.server.settings.config import Settings
from lilygames.store.memory import MemoryStore

MARK = b"zqx"
TRICKS = (
    b"\x1b[2J\x1b[1;1H", b"\x1b]0;title\x07", b"\x1bP+q\x1b\\", b"\x9b2J", b"\xc2\x9b2J", b"\x1bc", b"\a\a", b"\0",
    b"\b" * 90, b"\x7f" * 90, b"\x0e", b"\x0c", b"\x0b", b"\xff\xff", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xc2\x85",
    b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xc2\xad", b"\xf3\xa0\x81\x81",
    b"\xed\xa0\x80", b"e" + b"\xcc\x81" * 40, b" " * 200, b"\x1b[5m", b"\x1b[41m", b"\xe3\x80\x80" * 60, b"\t" * 40,
)  # fmt: skip
STARTS = (b"Your turn: ", b"Game over: ", b"*** ", b"(", b" >> ", b" -> ", b"> ", b"# ", b"Refused: ")
FIELDS = (
    b"%s", b"'%s", b"bob;%s", b"-ohell;%s", b"/emote %s", b"/tell bob %s", b"/blurb %s", b"/away %s", b"/here",
    b"/memo set plan %s", b"/memo set %s plan", b"/memo bob %s", b"/info add %s", b"/create %s", b"/create cafe %s",
    b"/retitle cafe %s", b"-cafe;%s", b"/permit cafe %s", b"/group team %s bob", b"/group %s add bob", b"team;hello %s",
    b"/cut %s", b"/note %s", b"/new ohell %s", b"/new ohell max=%s", b"/rename %s", b"/at ohell %s", b"/queue %s",
    b"/also bob %s", b"/oops bob", b"/pa %s", b"/set width %s", b"/vacation %s", b"/%s", b"bid %s",
)  # fmt: skip
SEEN_AFTERWARDS = (
    "/who;/what;/what cafe;/where;/finger mallory;/info mallory;/memo mallory;/review;/table;/history".split(";")
)
_OURS = re.compile(r"\x1b(?:\[J|\[\d*C|\[\?2004[hl]|\[(?:(?:1;)?(?:38;5;\d+|31)|0|1)m)|\r|\n|\a")
"""The server's own control codes: colours, cursor left, erase the rest, cursor right, bracketed paste."""
IAC, SB, SE, WILL = b"\xff", b"\xfa", b"\xf0", b"\xfb"
GENEROUS = {"lines_per_second": 1e6, "bytes_per_second": 10**9, "option_bytes": 10**9}


@pytest.fixture
async def opened():
    """Return a function that opens a server in memory with limits; it is closed at the end."""
    servers = []

    async def open_place(sysop="", **limits):
        settings = Settings(hash_time=1, hash_memory=8192, house_workers=0, sysops=sysop, talk_lines_per_second=1000)
        place = await furnish(MemoryStore(), settings, games())
        if sysop:
            await place.host.accounts.create(sysop, "plums and pears", guest=False)
        servers.append(
            await listen(
                "127.0.0.1", 0, partial(visit, place.host, place.dispatcher), admission=Admission(Limits(**limits))
            )
        )
        return servers[-1].port

    yield open_place
    for server in servers:
        await server.close(grace=0.5)


async def entered(client, name, word=""):
    """Log someone in."""
    await client.expect("login: ")
    client.type(name)
    await client.expect("as a guest: ")
    client.type(word)
    if word:
        await client.expect("once more: ")
        client.type(word)
    await client.expect("You're in the lobby")
    return client


def harm(shown):
    """Return characters that move a cursor, hide, or reorder text, except the editor's own."""
    return {one for one in _OURS.sub("", shown) if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}


def forged(shown):
    """Return rows that look like the server's own but contain someone's words."""
    starts = tuple((start + MARK).decode() for start in STARTS)
    return [row for row in shown.splitlines() if row.startswith(starts)]


@pytest.mark.parametrize("begun", [False, True])
async def test_typed_text_never_moves_a_cursor_or_fakes_a_line(opened, dial, begun):
    """Each trick in each field, on the screens of a MUD client, a key-by-key terminal and a program."""
    port = await opened(sysop="mallory", **GENEROUS)
    names = {"bob": ("MUDDY", "XTERM", "MTTS 13"), "eve": ("XTERM",), "robot": ("MUDDY", "XTERM", "MTTS 13")}
    others = [
        await entered(await dial(port, "keyed" if name == "eve" else "terminal", names[name]), name) for name in names
    ]
    others[2].type("/set machine on")
    mallory = await dial(port, "silent")
    mallory.type("mallory plums and pears")
    await mallory.expect("You're in the lobby")
    mallory.type("/new ohell max=3 first-dealer=host")
    await mallory.expect("ohell")
    if begun:
        mallory.type("/house")
        mallory.type("/start")
        await mallory.expect("Round 1")
    for other in others:
        other.type("mallory;hello")  # a stranger could send only some messages
        other.type("/watch ohell")
    seen = ["", "", ""]
    for number, trick in enumerate(TRICKS):
        for field in FIELDS:
            start = STARTS[(number + FIELDS.index(field)) % len(STARTS)]
            mallory.press(field.replace(b"%s", trick + start + MARK + trick) + b"\r\n")
        mallory.type("/rename mallory")
        mallory.type(f"bob,eve,robot;round {number} is over")
        for place, other in enumerate(others):
            seen[place] += await other.expect(f"round {number} is over")
            for line in (*SEEN_AFTERWARDS, f"me;round {number} is seen"):
                other.type(line)
            seen[place] += await other.expect(f"round {number} is seen")

    assert [set(), set()] == [harm(shown) for shown in seen[:2]]
    assert [[], []] == [forged(shown) for shown in seen[:2]]
    assert all(MARK.decode() in shown for shown in seen)
    rows = seen[2].rsplit("\n", 1)[0].partition("{")[2]
    assert all(
        json.loads(row) is not None and row.isascii() for row in ("{" + rows).splitlines() if row.startswith("{")
    )
    assert not harm(seen[2])


@pytest.mark.parametrize("trick", TRICKS)
async def test_client_input_before_login_never_shows_on_another_screen(opened, dial, trick):
    """Before login: name, password, return word, terminal type, charset, window, GMCP; by keys or by lines."""
    port = await opened(**GENEROUS)
    bob = await entered(await dial(port, names=("MUDDY", "XTERM", "MTTS 13")), "bob")
    stranger = await dial(port, "silent")
    evil = trick.replace(IAC, IAC + IAC) + b"[ohell] " + MARK
    for data in (
        b"\x18\0" + evil,
        b"\x2a\x02" + evil,
        b"\x1f\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\xc9Core.Hello " + evil,
    ):
        stranger.press(IAC + WILL + data[:1] + IAC + SB + data + IAC + SE)
    for line in (evil, b"mallory " + evil, evil, evil, b"mal" + evil + b"lory", b"", b"mallory", b"", b"'I have come"):
        stranger.press(line + b"\r\n")
    bob.type("/who")
    bob.type("/finger mallory")
    shown = await bob.expect("I have come")

    assert (set(), []) == (harm(shown), forged(shown))


async def test_many_silent_connections_do_not_block_logins(opened, dial):
    """Half-open connections fill the places for logins, and lose theirs first."""
    port = await opened(logins_at_once=10, connects_per_minute=10**6, connections_per_address=1000)
    bob = await entered(await dial(port), "bob")
    silent = [await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.9.{n}", 0)) for n in range(1, 60)]
    ann = await entered(await dial(port), "ann")
    ann.type("hello")

    assert " - hello" in await bob.expect("hello\n")
    for _, writer in silent:
        writer.transport.abort()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "This is a telnet server for games, not a web server"),
        (b"SSH-2.0-OpenSSH_9\r\n", "This is a telnet server for games, not an SSH server"),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"x" * 500, ""),
        (b"\x03\0\0\x13\x0e\xe0\0\0", ""),
        ((IAC + b"\xfd\x46") * 20_000, ""),
        (IAC + SB + b"\x18" + b"x" * 40_000, ""),
    ],
)
async def test_other_protocols_and_option_floods_are_disconnected_silently(opened, dial, sent, told):
    port = await opened(bytes_per_second=10**9)
    bob = await entered(await dial(port), "bob")
    stranger = await dial(port, "silent")
    stranger.press(sent)
    try:
        shown = await stranger.until_gone()
    except ConnectionError:
        shown = ""
    bob.type("/who")

    assert told in shown
    assert "stranger" not in await bob.expect("is here")


@pytest.mark.parametrize("window", [b"\0\0\0\0", b"\0\1\0\1", b"\xff\xff\xff\xff\xff\xff\xff\xff"])
async def test_absurd_window_size_is_tolerated(opened, dial, window):
    """RFC 1073: 0 means unknown; nobody has one column, or 65535."""
    port = await opened()
    client = await entered(await dial(port, names=("MUDDY", "XTERM", "MTTS 13")), "bob")
    client.press(IAC + SB + b"\x1f" + window + IAC + SE)
    client.type("/help")
    client.type("/who")
    shown = await client.expect("here)")

    assert 20 - 2 <= max(map(len, shown.splitlines())) <= 500


@pytest.mark.parametrize(
    "codec", [b"rot13", b"undefined", b"idna", b"utf-16", b"utf-7", b"cp037", b"punycode", b"\xc3"]
)
async def test_charset_that_breaks_lines_is_never_used(opened, dial, codec):
    """RFC 2066: the peer may accept a charset that was never offered."""
    port = await opened()
    bob = await entered(await dial(port), "bob")
    client = await dial(port, "silent")
    client.press(IAC + WILL + b"\x2a" + IAC + SB + b"\x2a\x02" + codec + IAC + SE)
    await entered(client, "mallory")
    client.type("caf\N{LATIN SMALL LETTER E WITH ACUTE}")
    bob.type("hello")

    assert " - hello" in await client.expect("hello")
    assert " - caf" in await bob.expect("caf")


async def test_endless_line_is_refused_and_does_not_affect_others(opened, dial):
    port = await opened(bytes_per_second=10**9)
    bob, mallory = await entered(await dial(port), "bob"), await entered(await dial(port, "silent"), "mallory")
    for _ in range(100):
        mallory.press(b"x" * 65536)
        bob.type("/who")
        await bob.expect("are here")
    mallory.press(b"\r\nhello\r\n")

    assert "longer than 4096 bytes" in " ".join((await mallory.expect("(message sent")).split())
    assert "xxx" not in await bob.expect("hello")
