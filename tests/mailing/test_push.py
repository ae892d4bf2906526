"""Test push messages: only to servers that the sysop lists, without redirects, and quickly over."""

import asyncio
import json

import pytest

from lilygames.mailing import push
from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.push import ANSWER, publish
from lilygames.mailing.subscription import RETRIES
from tests.mailing.conftest import DAY, HOUR, MINUTE, HttpServer, World, code_in

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture
async def ntfy():
    async with HttpServer(OK).listening() as server:
        yield server


def messages(ntfy):
    """Return the messages that came since the last call."""
    return [json.loads(body) for _, _, body in ntfy.take()]


@pytest.fixture
async def pushing(opened, ntfy, inbox, clock, store):
    """A place with mail and with this one push server."""
    stage = await opened(push_servers=ntfy.url)
    stage.enter("ann")
    stage.enter("bob")
    return World(stage, inbox, clock, store, opened)


async def test_title_and_message_are_json_and_no_headers(ntfy):
    await publish(ntfy.url, "topic", "Ohell\r\nX-Evil: 1", "line\nline")

    ((_, headers, body),) = ntfy.take()
    assert {"topic": "topic", "title": "Ohell\r\nX-Evil: 1", "message": "line\nline"} == json.loads(body)
    assert "evil" not in str(headers).lower()


async def test_redirect_is_not_followed(ntfy):
    ntfy.answer = f"HTTP/1.1 302 Found\r\nLocation: {ntfy.url}/other\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(NotSent):
        await publish(ntfy.url, "topic", "t", "m")

    assert len(messages(ntfy)) == 1


async def test_server_that_does_not_answer_is_given_up(ntfy, monkeypatch):
    async def hang(writer):
        await asyncio.sleep(60)

    monkeypatch.setattr(push, "SECONDS", 0.1)
    ntfy.answer = hang
    with pytest.raises(ServerDown):
        await publish(ntfy.url, "topic", "t", "m")


async def test_answer_that_never_ends_is_cut_off(ntfy, monkeypatch):
    """A byte now and then would keep a timeout of single reads from running out."""

    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    monkeypatch.setattr(push, "SECONDS", 0.2)
    ntfy.answer = drip
    with pytest.raises(ServerDown):
        await publish(ntfy.url, "topic", "t", "m")


async def test_long_answer_is_not_read_to_its_end(ntfy):
    sent = 0

    async def flood(writer):
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while sent < 100_000_000:
            writer.write(b"x" * 65536)
            sent += 65536
            await writer.drain()

    ntfy.answer = flood
    with pytest.raises(ServerDown):
        await publish(ntfy.url, "topic", "t", "m")

    assert sent < 100_000_000
    assert ANSWER < sent


@pytest.mark.parametrize(
    ("status", "error"), [(403, Bounced), (404, Bounced), (429, NotSent), (500, NotSent), (507, NotSent)]
)
async def test_status_says_whether_to_try_again(ntfy, status, error):
    ntfy.answer = f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(error):
        await publish(ntfy.url, "topic", "t", "m")


async def test_only_listed_servers_can_be_chosen(pushing, ntfy):
    mine = ntfy.url.removeprefix("http://")
    for server in ("evil.example", "http://169.254.169.254", f"{mine}@evil.example", f"{mine}/x", "http://", "::1"):
        rows = await pushing.type("bob", f"/push {server} topic")
        assert rows == [f"Refused: push messages can go to {mine}: type /push SERVER TOPIC."], server
    await pushing.look()

    assert [] == messages(ntfy)


@pytest.mark.parametrize("topic", ["a/b", "../x", "a?b", "a%20b", "x" * 65, "ü", "a;b"])
async def test_topic_is_a_plain_word(pushing, ntfy, topic):
    rows = await pushing.type("bob", f"/push {ntfy.url.removeprefix('http://')} {topic}")

    assert rows == ["Refused: a topic has 1 to 64 letters, digits, - or _. Please choose another."]


async def subscribed(w, ntfy):
    """Let bob subscribe to a topic and leave, when a slow game waits for him."""
    await w.slow_game()
    mine = ntfy.url.removeprefix("http://")
    rows = await w.type("bob", f"/push {mine} my-topic")
    assert rows[0].startswith(f"(We're sending a code to {mine} my-topic.")
    await w.look()
    (code,) = messages(ntfy)
    assert code["topic"] == "my-topic"
    await w.type("bob", f"/push code {code['title'].rpartition(' ')[2]}")
    await w.bob_goes()
    w.forward(15 * MINUTE)


async def test_turn_is_pushed_after_15_minutes_once(pushing, ntfy):
    await subscribed(pushing, ntfy)
    for _ in range(100):
        await pushing.look()
        pushing.forward(HOUR)
    (message,) = messages(ntfy)

    assert message["message"] == "It's your turn at Tally, table 1, with ann. You have 3 days left. (/at 1)"
    assert message["title"] == "lilygames: It's your turn at Tally, table 1, with ann"
    assert [] == pushing.take()


async def test_mail_goes_on_while_the_push_server_is_down(pushing, ntfy):
    await subscribed(pushing, ntfy)
    await pushing.come("bob")
    await pushing.subscribe("bob", "bob@example.org")
    pushing.drop("bob")
    pushing.forward(DAY)
    ntfy.answer = b""
    await pushing.look()
    assert len(pushing.take()) == 1

    messages(ntfy)
    ntfy.answer = OK
    for _ in range(4):
        pushing.forward(RETRIES[0])
        await pushing.look()
    assert len(messages(ntfy)) == 1


async def test_server_that_is_not_listed_any_more_is_not_used(pushing, ntfy, opened):
    await subscribed(pushing, ntfy)
    await pushing.look()
    messages(ntfy)
    again = await opened(push_servers="https://other.example")
    pushing.forward(DAY)
    await again.look("mailing")

    assert [] == messages(ntfy)


async def test_code_by_mail_does_not_confirm_a_topic(pushing, ntfy):
    await pushing.type("bob", "/mail bob@example.org")
    await pushing.type("bob", f"/push {ntfy.url.removeprefix('http://')} my-topic")
    await pushing.look()
    by_mail = code_in(pushing.take()[0])

    assert ["Refused: that isn't the code. Please look at it again."] == await pushing.type(
        "bob", f"/push code {by_mail}"
    )
