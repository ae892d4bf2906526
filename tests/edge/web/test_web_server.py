"""The web server: files, websockets, and what strangers send."""

import asyncio
import gzip
import ipaddress
from contextlib import suppress

import aiohttp
import attrs
import pytest
from structlog.testing import capture_logs

from lilygames.chat.people.terminal import Gone
from lilygames.edge.connections.admission import Admission
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.web import http, websocket
from lilygames.edge.web import server as web_server
from lilygames.edge.web.address import Proxies
from lilygames.edge.web.frames import FrameReader, frame
from lilygames.edge.web.host_names import HostNames
from lilygames.edge.web.pages import PageAnswer
from lilygames.edge.web.server import WebConfig, WebServer
from lilygames.edge.wire.limits import Limits
from lilygames.limits.addresses import networks
from lilygames.limits.quota import Limit, Quota
from lilygames.text import Line
from tests.deadline import DEADLINE

MANY = Limits(connects_per_minute=10_000, connections_per_address=500)


async def echo(terminal):
    """Repeat each line until `bye`; a line `name` says whom the address belongs to."""
    terminal.show(Line("welcome"))
    while (line := await terminal.read()) != "bye":
        terminal.show(Line(terminal.address if line == "address" else f"you said {line}"))
    terminal.close()


@pytest.fixture
def serve(web_servers):
    async def start(visit=echo, limits=MANY, **more):
        server = WebServer(WebConfig(Admission(limits), TelnetTerminal, **more), visit)
        await server.listen("127.0.0.1", 0)
        web_servers.append(server)
        return server

    return start


def at(server, path="/"):
    return f"http://127.0.0.1:{server.port}{path}"


def connect(browser, server, **headers):
    return browser.ws_connect(at(server, "/ws"), origin=at(server, ""), headers=headers)


async def lines(socket, count):
    """Return the next lines that a websocket gets."""
    found = []
    while len(found) < count:
        found += [line for line in (await socket.receive_str(timeout=DEADLINE)).split("\r\n") if line]
    return found


async def raw(server, data):
    """Return what the server answers to bytes, until it closes or a second passes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    try:
        async with asyncio.timeout(DEADLINE):
            return await reader.read()
    except TimeoutError:
        return b""
    finally:
        writer.close()


# the files


async def test_page_is_at_the_root_and_at_an_invitation(serve, browser):
    server = await serve()
    async with browser.get(at(server)) as root, browser.get(at(server, "/t/12")) as table:
        assert (200, 200) == (root.status, table.status)
        assert "text/html; charset=utf-8" == root.headers["Content-Type"]
        assert await root.text() == await table.text()


async def test_page_may_only_load_from_its_own_place(serve, browser):
    async with browser.get(at(await serve())) as answer:
        assert "default-src 'self'; frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert "nosniff" == answer.headers["X-Content-Type-Options"]


async def test_file_that_the_browser_has_is_not_sent_again(serve, browser):
    server = await serve()
    async with browser.get(at(server)) as first:
        tag = first.headers["ETag"]
    async with browser.get(at(server), headers={"If-None-Match": tag}) as again:
        assert (304, b"") == (again.status, await again.read())


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "/t/x", "/t/", "/nothing", "//etc"]
)
async def test_paths_that_are_not_there_get_a_sentence(serve, path):
    said = await raw(await serve(), f"GET {path} HTTP/1.0\r\n\r\n".encode())
    assert b" 404 " in said.split(b"\r\n")[0]
    assert b"The page is at /" in said


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_odd_methods_get_a_sentence(serve, method):
    said = await raw(await serve(), f"{method} / HTTP/1.0\r\n\r\n".encode())
    assert b" 405 " in said.split(b"\r\n")[0]
    assert said.endswith(b"\r\n\r\nOnly GET and HEAD work here. The page is at /\n")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS to a port without it
        b"hello there\r\n\r\n",
        b"BREW / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n",
        b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-More: 1\r\n" * 200 + b"\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
async def test_unreadable_request_gets_a_sentence_and_no_traceback(serve, caplog, sent):
    said = await raw(await serve(), sent)
    assert b" 400 " in said.split(b"\r\n")[0]
    assert said.endswith(b"No browser sends such a request. The page is at /\n")
    assert [] == caplog.records


async def test_page_that_may_be_kept_is_sent_compressed_once_and_not_again(web_servers, browser):
    async def page(request):
        answer = PageAnswer(200, f"below: {request.rest}", keep=30.0, headers={"X-More": "yes"})
        return attrs.evolve(answer, text="", packed=gzip.compress(answer.text.encode()), tag='W/"1"')

    server = WebServer(WebConfig(Admission(MANY), TelnetTerminal), echo, {"/u/{rest}": page})
    await server.listen("127.0.0.1", 0)
    web_servers.append(server)
    for reads in ("gzip", "identity"):
        async with browser.get(at(server, "/u/a/b"), headers={"Accept-Encoding": reads}) as first:
            told = [first.headers.get(name) for name in ("Cache-Control", "Vary", "X-More", "Content-Encoding")]
            assert ["public, max-age=30", "Accept-Encoding", "yes", "gzip" if reads == "gzip" else None] == told
            assert "below: a/b" == await first.text()
    async with browser.get(at(server, "/u/a/b"), headers={"If-None-Match": first.headers["ETag"]}) as again:
        assert (304, b"") == (again.status, await again.read())


async def test_head_has_the_headers_of_get_without_the_file(serve, browser):
    server = await serve()
    async with browser.get(at(server), headers={"Accept-Encoding": "identity"}) as get:
        body = await get.read()
    async with browser.head(at(server), headers={"Accept-Encoding": "identity"}) as head:
        assert (200, b"", str(len(body))) == (head.status, await head.read(), head.headers["Content-Length"])
        assert get.headers["ETag"] == head.headers["ETag"]


async def test_range_gets_the_whole_file(serve, browser):
    server = await serve()
    async with browser.get(at(server), headers={"Range": "bytes=0-9"}) as answer:
        assert (200, "none") == (answer.status, answer.headers["Accept-Ranges"])
        assert len(await answer.read()) > 10


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [("gzip, br", "gzip"), ("br;q=1, gzip;q=0.5", "gzip"), ("gzip;q=0", None), ("br", None), ("", None)],
)
async def test_file_is_compressed_only_for_browsers_that_read_it(serve, accepts, encoding):
    async with aiohttp.ClientSession(auto_decompress=False) as browser:
        answer = await browser.get(at(await serve()), headers={"Accept-Encoding": accepts})
        assert encoding == answer.headers.get("Content-Encoding")
        assert (b"\x1f\x8b" if encoding else b"<!") == (await answer.read())[:2]
        assert "Accept-Encoding" == answer.headers["Vary"]


async def test_body_that_nobody_reads_ends_the_connection(serve):
    server = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
    async with asyncio.timeout(DEADLINE):
        assert b" 405 " in await reader.read()
    writer.close()


async def test_too_many_files_are_refused_without_refusing_the_websocket(serve, browser, monkeypatch):
    monkeypatch.setattr(web_server, "FILES", Quota("files", (Limit("address", 2, 1000),), {}))
    server = await serve()
    answers = []
    for _ in range(4):
        async with browser.get(at(server)) as answer:
            answers.append(answer.status)
    assert [200, 200, 429, 429] == answers
    async with connect(browser, server) as socket:
        assert ["welcome"] == await lines(socket, 1)


async def test_headers_that_never_end_get_a_sentence(serve, monkeypatch):
    monkeypatch.setattr("lilygames.edge.web.http.IDLE", 0.05)
    said = await raw(await serve(), b"GET / HTTP/1.1\r\nX-More: 1\r\n")
    assert b" 408 " in said.split(b"\r\n")[0]
    assert said.endswith(b"Your request took too long. Please reload the page.\n")


async def test_idle_connection_is_closed_without_an_answer(serve, monkeypatch):
    monkeypatch.setattr("lilygames.edge.web.http.IDLE", 0.05)
    server = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
    async with asyncio.timeout(DEADLINE):
        said = await reader.read()
    writer.close()
    assert (1, True) == (said.count(b"HTTP/1.1"), said.endswith(b"There is nothing here. The page is at /\n"))


async def test_connection_over_the_limit_gets_a_sentence(serve):
    server = await serve(limits=attrs.evolve(MANY, connections=1))
    first = await asyncio.open_connection("127.0.0.1", server.port)
    await asyncio.sleep(0.1)
    made = [await asyncio.open_connection("127.0.0.1", server.port)]
    async with asyncio.timeout(DEADLINE):
        said = await first[0].read()  # the older one makes room
    assert b" 503 " in said.split(b"\r\n")[0]
    assert said.endswith(b"Others are waiting for your connection. Please try again.\n")
    for _, writer in (first, *made):
        writer.close()


async def test_half_open_handshakes_of_one_address_leave_room_for_others(serve, browser):
    """Only so many connections wait at a time; the rest are told to come back."""
    server = await serve(limits=Limits())
    half = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(100)]
    for _, writer in half:
        writer.write(b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n")
    async with asyncio.timeout(DEADLINE):
        said = [await reader.read() for reader, _ in half[40:]]
    for _, writer in half:
        writer.close()
    assert all(one.endswith(b"Close one, then connect again.\n") or not one for one in said)
    assert any(one.startswith(b"HTTP/1.1 503") for one in said)


# websockets


async def test_websocket_has_a_session_like_any_connection(serve, browser):
    server = await serve()
    async with connect(browser, server) as socket:
        await socket.send_str("hello")
        assert ["welcome", "you said hello"] == await lines(socket, 2)
        assert 1 == server.connected


async def test_long_text_arrives_in_one_frame(serve, browser):
    async def tell(terminal):
        terminal.show(*(Line("x" * 60) for _ in range(2000)))
        await terminal.read()

    async with connect(browser, await serve(tell)) as socket:
        assert ["x" * 60] * 2000 == await lines(socket, 2000)


async def test_several_lines_may_come_in_one_message(serve, browser):
    async with connect(browser, await serve()) as socket:
        await socket.send_str("one\ntwo")
        assert ["welcome", "you said one", "you said two"] == await lines(socket, 3)


async def test_end_of_the_session_closes_the_websocket(serve, browser):
    server = await serve()
    async with connect(browser, server) as socket:
        await socket.send_str("bye")
        await lines(socket, 1)
        assert aiohttp.WSMsgType.CLOSE == (await socket.receive(timeout=DEADLINE)).type
    for _ in range(100):
        if not server.connected:
            break
        await asyncio.sleep(0.01)
    assert 0 == server.connected


async def test_browser_that_leaves_ends_the_session(serve, browser):
    ended = asyncio.Event()

    async def wait(terminal):
        try:
            await terminal.read()
        except Gone:
            ended.set()

    async with connect(browser, await serve(wait)):
        pass
    async with asyncio.timeout(DEADLINE):
        await ended.wait()


@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        ("", "evil.example", 421),
        ("", "evil.example:8080", 421),
        ("", "127.0.0.1.evil.example", 421),
        ("", "localhost.evil.example", 421),
        ("", "localhost", 200),
        ("", "LOCALHOST:8080", 200),
        ("", "games.localhost:8080", 200),
        ("", "127.0.0.1:8080", 200),
        ("", "192.0.2.7", 200),
        ("", "[2001:db8::1]:8080", 200),
        ("https://Games.Example:8443/", "games.example:8443", 200),
        ("https://games.example", "GAMES.example.", 200),
        ("https://games.example", "192.0.2.7", 200),
        ("https://games.example", "evil.example", 421),
        ("https://games.example", "games.example.evil.example", 421),
        ("https://games.example", "evilgames.example", 421),
    ],
)
async def test_page_is_served_under_its_own_names_only(serve, browser, address, host, status):
    server = await serve(names=HostNames(address))
    for path in ("/", "/main.js", "/nothing"):
        async with browser.get(at(server, path), headers={"Host": host}) as answer:
            assert (421 if status == 421 else {"/nothing": 404}.get(path, 200)) == answer.status


async def test_websocket_of_a_page_under_another_name_is_refused(serve, browser):
    """The name that a browser says is the attacker's, although its address is ours."""
    server = await serve(names=HostNames("https://games.example"))
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await browser.ws_connect(at(server, "/ws"), origin="http://evil.example", headers={"Host": "evil.example"})
    assert 421 == refused.value.status
    assert 0 == server.connected


@pytest.mark.parametrize(
    ("address", "host", "sentence"),
    [
        ("", "games.example", "Its sysop has to set web_address to https://games.example."),
        ("https://games.example", "evil.example", "The page isn't at evil.example. Open https://games.example "),
        ("", "<b>x</b>", "The page isn't served as that name yet."),
    ],
)
async def test_refusal_of_a_name_says_what_to_set(serve, address, host, sentence):
    server = await serve(names=HostNames(address))
    answer = await raw(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    assert sentence in answer.decode()
    assert "web_address" in answer.decode()
    assert "<b>" not in answer.decode()


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "https://127.0.0.1"])
async def test_pages_of_others_cannot_connect(serve, browser, origin):
    server = await serve()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await browser.ws_connect(at(server, "/ws"), origin=origin)
    assert 403 == refused.value.status
    assert 0 == server.connected


async def test_websocket_path_without_a_websocket_gets_a_sentence(serve, browser):
    server = await serve()
    async with browser.get(at(server, "/ws"), headers={"Origin": at(server, "")}) as answer:
        assert (400, "This is for the page's websocket. The page is at /\n") == (answer.status, await answer.text())


async def test_line_that_is_too_long_is_refused(serve, browser):
    server = await serve(limits=attrs.evolve(MANY, line_bytes=60))
    async with connect(browser, server) as socket:
        for text in ("x" * 60, "x" * 61, "short"):
            await socket.send_str(text)
        said = await lines(socket, 4)
    assert {
        *("welcome", f"you said {'x' * 60}", "you said short"),
        "(Your line was longer than 60 bytes, so it was ignored. Send it in parts.)",
    } == {*said}


async def hear_the_end(socket):
    """Return the last line that a websocket gets, and the code that it is closed with."""
    said = await lines(socket, 2)
    return said[-1], (await socket.receive(timeout=DEADLINE)).data


TEXT, BINARY, CLOSE, PING = 0x81, 0x82, 0x88, 0x89


def masked(first, payload, mask=b"abcd"):
    """Return a frame as a browser sends it."""
    size = len(payload)
    head = bytes([first, 0x80 | size]) if size < 126 else bytes([first, 0xFE]) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


@pytest.mark.parametrize(
    ("sent", "why", "code"),
    [
        (masked(BINARY, b"\x00\xff"), "binary messages aren't read here; send text", 1003),
        (masked(TEXT, b"caf\xe9"), "text must be in UTF-8", 1007),
        (masked(TEXT, b"caf\xc3"), "text must be in UTF-8", 1007),
        (b"\x81\xff" + (1 << 40).to_bytes(8), "a message has at most 65536 bytes; send it in parts", 1009),
        (frame(1, b"not masked"), "frames must be masked, and not compressed", 1002),
        (masked(0xC1, b"x"), "frames must be masked, and not compressed", 1002),
        (masked(0x80, b"x"), "send text, one message after another", 1002),
        (masked(0x01, b"x") + masked(TEXT, b"y"), "send text, one message after another", 1002),
        (masked(0x83, b"x"), "send text, one message after another", 1002),
        (masked(0x09, b"x"), "a control frame has at most 125 bytes, in one part", 1002),
        (masked(PING, b"x" * 126), "a control frame has at most 125 bytes, in one part", 1002),
    ],
)
async def test_bad_frame_closes_the_websocket_with_a_sentence(serve, browser, sent, why, code):
    server = await serve()
    async with connect(browser, server) as socket:
        socket._writer.transport.write(sent)
        said, closed = await hear_the_end(socket)
    assert (True, code) == (said.startswith(f"(disconnected: {why}"), closed)


async def test_message_may_come_in_parts_with_a_ping_between(serve, browser):
    async with connect(browser, await serve()) as socket:
        wire = masked(0x01, b"caf\xc3") + masked(PING, b"?") + masked(0x00, b"") + masked(0x80, b"\xa9 noir")
        for at in range(len(wire)):
            socket._writer.transport.write(wire[at : at + 1])
            await asyncio.sleep(0)
        assert ["welcome", "you said caf\xe9 noir"] == await lines(socket, 2)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 4000, 65535])
def test_reader_gives_back_what_a_browser_writes(size):
    text = (b"0123456789" * 6554)[:size]
    reader, sent = FrameReader(), masked(TEXT, text)
    for pieces in ([sent], [sent[at : at + 7] for at in range(0, len(sent), 7)]):
        found = [one for piece in pieces for one in reader.feed(piece)]
        assert text == b"".join(one.data for one in found)
        assert [False] * (len(found) - 1) + [True] == [one.last for one in found]


async def test_browser_that_answers_no_ping_is_disconnected(serve, monkeypatch):
    monkeypatch.setattr("lilygames.edge.web.websocket.HEARTBEAT", 0.05)
    server = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    async with asyncio.timeout(DEADLINE):
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in await reader.readuntil(b"\r\n\r\n")  # RFC 6455, section 1.3
        with suppress(ConnectionResetError):
            assert bytes([PING, 0]) in await reader.read()
    writer.close()


async def test_browser_that_answers_pings_stays(serve, browser, monkeypatch):
    monkeypatch.setattr("lilygames.edge.web.websocket.HEARTBEAT", 0.05)
    async with connect(browser, await serve()) as socket:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):  # the client answers pings while it reads
                await lines(socket, 2)
        await socket.send_str("still here")
        assert ["you said still here"] == await lines(socket, 1)


async def test_frame_right_behind_the_handshake_is_read(serve):
    server = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" + masked(TEXT, b"hasty")
    )
    async with asyncio.timeout(DEADLINE):
        assert b"you said hasty" in await reader.readuntil(b"hasty")
    writer.close()


async def test_close_is_confirmed(serve, browser):
    async with connect(browser, await serve()) as socket:
        await lines(socket, 1)
        await socket.close()
        assert 1000 == socket.close_code


async def test_only_websockets_count_as_connections(serve, browser):
    server = await serve(limits=attrs.evolve(MANY, connections_per_address=1))
    for _ in range(3):
        async with browser.get(at(server)) as answer:
            assert 200 == answer.status
    async with connect(browser, server) as socket:
        await lines(socket, 1)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await connect(browser, server)
    assert 429 == refused.value.status


async def test_restart_closes_websockets_after_their_last_line(serve, browser):
    server = await serve()
    async with connect(browser, server) as socket:
        await socket.send_str("last")
        await lines(socket, 2)
        restarted = asyncio.create_task(server.restart())
        closed = await socket.receive(timeout=DEADLINE)
        assert (aiohttp.WSMsgType.CLOSE, 1012) == (closed.type, closed.data)
    await restarted


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
async def test_header_of_a_stranger_does_not_change_whose_limit_counts(serve, browser, header):
    server = await serve(limits=attrs.evolve(MANY, connections_per_address=1))
    with capture_logs() as logged:
        async with connect(browser, server, **{header: "198.51.100.1"}) as socket:
            await lines(socket, 1)
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await connect(browser, server, **{header: "198.51.100.2"})
    assert 429 == refused.value.status
    assert ["127.0.0.1"] == [one["address"] for one in logged if one["event"] == "limit"]


async def test_header_of_a_proxy_says_whose_limit_counts(serve, browser):
    limits = attrs.evolve(MANY, connections_per_address=1)
    server = await serve(limits=limits, proxies=Proxies(networks("127.0.0.1")))
    with capture_logs() as logged:
        one = await connect(browser, server, **{"X-Forwarded-For": "198.51.100.1"})
        other = await connect(browser, server, **{"X-Forwarded-For": "198.51.100.2"})
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await connect(browser, server, **{"X-Forwarded-For": "198.51.100.1"})
    assert 429 == refused.value.status
    assert ["198.51.100.1"] == [one["address"] for one in logged if one["event"] == "limit"]
    for socket in (one, other):
        await socket.close()


@pytest.mark.parametrize(("proxies", "allowed"), [("", [200, 200, 429]), ("127.0.0.1", [200, 200, 200])])
async def test_limit_of_files_counts_what_a_proxy_says(serve, browser, monkeypatch, proxies, allowed):
    monkeypatch.setattr(web_server, "FILES", Quota("files", (Limit("address", 2, 1000),), {}))
    server = await serve(proxies=Proxies(networks(proxies)))
    answers = []
    for number in range(3):
        async with browser.get(at(server), headers={"X-Forwarded-For": f"198.51.100.{number}"}) as answer:
            answers.append(answer.status)
    assert allowed == answers


# proxies


async def test_forwarded_address_is_believed_from_a_listed_proxy_only(serve, browser):
    plain, behind = await serve(), await serve(proxies=Proxies(networks("127.0.0.0/8")))
    said = []
    for server in (plain, behind):
        async with connect(browser, server, **{"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}) as socket:
            await socket.send_str("address")
            said.append((await lines(socket, 2))[-1])
    assert ["127.0.0.1", "203.0.113.9"] == said


async def test_https_in_front_of_a_proxy_is_an_origin_of_its_own(serve, browser):
    server = await serve(proxies=Proxies(networks("127.0.0.1")))
    origin = f"https://127.0.0.1:{server.port}"
    async with browser.ws_connect(at(server, "/ws"), origin=origin, headers={"X-Forwarded-Proto": "https"}) as socket:
        assert ["welcome"] == await lines(socket, 1)


def test_network_that_is_none_is_refused():
    with pytest.raises(ValueError, match="does not appear to be"):
        networks("10.0.0.0/8, example.org")
    assert [ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1/128")] == networks("10.0.0.0/8, ::1")


# frames


@pytest.mark.parametrize(
    ("size", "head"),
    [(0, b"\x81\x00"), (125, b"\x81\x7d"), (126, b"\x81\x7e\x00\x7e"), (65536, b"\x81\x7f" + (65536).to_bytes(8))],
)
def test_frame_says_its_length(size, head):
    assert head + b"x" * size == frame(1, b"x" * size)


async def test_page_without_javascript_names_the_public_address_for_telnet(serve, browser):
    server = await serve(address="games.example 7780", telnet_port=7777)
    async with browser.get(at(server)) as answer:
        page = await answer.text()

    assert "In a terminal, type <code>telnet games.example 7780</code>." in page


# bugs


async def test_websocket_that_cannot_be_set_up_is_answered_logged_and_not_counted(serve, browser, monkeypatch):
    """A bug in what it is made of must not use up the connections of its address."""
    server = await serve(limits=Limits(connections_per_address=1))
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(websocket, "Outbox", _broken)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await connect(browser, server)
    async with connect(browser, server) as socket:
        greeting = await socket.receive_str(timeout=DEADLINE)

    assert 500 == refused.value.status
    assert "welcome" in greeting
    assert ["a web request failed"] == [entry["event"] for entry in logs if entry["log_level"] == "error"]


async def test_browser_whose_connection_cannot_be_set_up_is_disconnected_and_not_counted(serve, browser, monkeypatch):
    server = await serve()
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(http.HttpConnection, "rest", _broken)
        answer = await raw(server, b"")
    async with browser.get(at(server)) as page:
        status = page.status

    assert (b"", 200) == (answer, status)
    assert ["a connection can't be set up"] == [entry["event"] for entry in logs if entry["log_level"] == "error"]


def _broken(*_):
    raise RuntimeError("a bug")
