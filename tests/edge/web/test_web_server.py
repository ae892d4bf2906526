"""The web server: files, websockets, and what strangers send."""

import asyncio
import ipaddress
from contextlib import suppress

import aiohttp
import attrs
import pytest

from lilygames.chat.terminal import Gone
from lilygames.edge.admission import Admission
from lilygames.edge.limits import Limits
from lilygames.edge.terminal import TelnetTerminal
from lilygames.edge.web import server as web_server
from lilygames.edge.web.address import Proxies, networks
from lilygames.edge.web.frames import frame
from lilygames.edge.web.server import WebConfig, WebServer
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
async def serve():
    opened = []

    async def start(visit=echo, limits=MANY, **more):
        server = WebServer(WebConfig(Admission(limits), TelnetTerminal, **more), visit)
        await server.listen("127.0.0.1", 0)
        opened.append(server)
        return server

    yield start
    for server in opened:
        await server.close(1)


@pytest.fixture
async def browser():
    async with aiohttp.ClientSession() as session:
        yield session


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


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "TRACE", "BREW"])
async def test_odd_methods_are_not_allowed(serve, method):
    said = await raw(await serve(), f"{method} / HTTP/1.0\r\n\r\n".encode())
    assert said.split(b"\r\n")[0].split()[1] in {b"400", b"405"}


async def test_too_many_files_are_refused_without_refusing_the_websocket(serve, browser, monkeypatch):
    monkeypatch.setattr(web_server, "FILES_AT_ONCE", 2)
    server = await serve()
    answers = []
    for _ in range(4):
        async with browser.get(at(server)) as answer:
            answers.append(answer.status)
    assert [200, 200, 429, 429] == answers
    async with connect(browser, server) as socket:
        assert ["welcome"] == await lines(socket, 1)


async def test_headers_that_never_end_are_cut(serve, monkeypatch):
    monkeypatch.setattr("lilygames.edge.web.http.IDLE", 0.05)
    server = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nX-More: 1\r\n")
    async with asyncio.timeout(DEADLINE):
        with suppress(ConnectionResetError):
            assert b"" == await reader.read()
    writer.close()


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


async def test_binary_messages_end_the_websocket_with_a_sentence(serve, browser):
    async with connect(browser, await serve()) as socket:
        await socket.send_bytes(b"\x00\xff")
        assert "(disconnected: binary messages aren't read here; send text)" in await lines(socket, 2)
        assert aiohttp.WSMsgType.CLOSE == (await socket.receive(timeout=DEADLINE)).type


async def test_oversized_messages_end_the_websocket(serve, browser):
    server = await serve(limits=attrs.evolve(MANY, line_bytes=100))
    async with connect(browser, server) as socket:
        await lines(socket, 1)
        await socket.send_str("x" * 5000)
        assert (await socket.receive(timeout=DEADLINE)).type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}


async def test_text_that_is_not_utf8_ends_the_websocket(serve, browser):
    server = await serve()
    async with connect(browser, server) as socket:
        await lines(socket, 1)
        writer = socket._writer
        await writer.send_frame(b"\xff\xfe", aiohttp.WSMsgType.TEXT)
        assert (await socket.receive(timeout=DEADLINE)).type in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}


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
        server.restart()
        closed = await socket.receive(timeout=DEADLINE)
        assert (aiohttp.WSMsgType.CLOSE, 1012) == (closed.type, closed.data)


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
    assert head + b"x" * size == frame(0x81, b"x" * size)
