"""Push messages to browsers, against a push service of our own: it checks signatures, and decrypts what it gets.

No real push service was tried.
"""

import asyncio
import base64
import json
import ssl
from ipaddress import ip_address

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import jwt

from lilygames.edge.connections.certificate import make_certificate
from lilygames.mailing import browser_push, push_address
from lilygames.mailing.browser_push import BrowserPush, Message, Sender, text_of
from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.push_address import LONGEST, NotPublic, host_of, is_public
from lilygames.mailing.subscription import BROWSERS, RETRIES, Browser
from lilygames.mailing.subscriptions import KIND, PUSH_KEY
from tests.mailing.conftest import DAY, HOUR, MINUTE, HttpServer, World

HOST = "push.example.com"
CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


class Endpoint:
    """A browser as its push service knows it."""

    def __init__(self, name):
        self.private = ec.generate_private_key(ec.SECP256R1())
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.auth = name.encode().ljust(16, b".")
        self.path = f"/send/{name}"
        self.words = f"https://{HOST}{self.path} {text_of(point)} {text_of(self.auth)}"
        self.browser = Browser(*self.words.split())

    def read(self, body):
        """Return the decrypted message."""
        return json.loads(http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth))


@pytest.fixture
async def service(tmp_path, monkeypatch):
    """A push service at push.example.com, which is this machine here, and whose certificate is trusted here."""
    files = make_certificate(tmp_path, [HOST])
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*files)
    service = HttpServer(CREATED)

    async def here(host):
        return "127.0.0.1", service.port

    monkeypatch.setattr(push_address, "resolved", here)
    monkeypatch.setattr(browser_push, "trusted", lambda: ssl.create_default_context(cafile=str(files[0])))
    async with service.listening(context):
        yield service


SENDER = Sender(Sender.fresh_key(), "mailto:games@games.example")
MESSAGE = Message("lilygames: It's your turn", "It's your turn at Ohell, table 12.", "/t/12")


async def sent(browser, message=MESSAGE):
    await BrowserPush().send(message, browser, SENDER)


# one message


async def test_message_is_encrypted_for_the_browser_and_signed_by_us(service):
    one = Endpoint("one")
    await sent(one.browser)
    ((path, headers, body),) = service.take()

    assert (one.path, HOST, "aes128gcm") == (path, headers["host"], headers["content-encoding"])
    assert {"title": MESSAGE.title, "text": MESSAGE.text, "path": "/t/12"} == one.read(body)
    assert MESSAGE.text.encode() not in body
    scheme, rest = headers["authorization"].split(" ", 1)
    token, key = (part.split("=", 1)[1] for part in rest.split(","))
    claims = jwt.decode(token, key)
    assert ("vapid", SENDER.public_key) == (scheme, key)
    assert (f"https://{HOST}", SENDER.contact) == (claims["aud"], claims["sub"])
    with pytest.raises(jwt.InvalidSignature):
        jwt.decode(f"{token[:-4]}AAAA", key)


async def test_another_browser_can_not_read_it(service):
    await sent(Endpoint("one").browser)
    ((_, _, body),) = service.take()
    with pytest.raises(http_ece.ECEException):
        Endpoint("two").read(body)


async def test_long_message_is_cut_to_what_services_take(service):
    one = Endpoint("one")
    await sent(one.browser, Message("t" * 200, "ü🂡" * 5000))
    ((_, _, body),) = service.take()

    assert len(body) <= 4096
    assert one.read(body)["text"].endswith("…")


@pytest.mark.parametrize(
    ("status", "error"),
    [(404, Bounced), (410, Bounced), (400, NotSent), (403, NotSent), (413, NotSent), (429, NotSent), (500, NotSent)],
)
async def test_only_404_and_410_end_a_browser(service, status, error):
    one = Endpoint("one")
    service.answers[one.path] = f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(error):
        await sent(one.browser)


async def test_redirect_is_not_followed(service):
    one = Endpoint("one")
    service.answers[one.path] = f"HTTP/1.1 307 No\r\nLocation: https://{HOST}/x\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(NotSent):
        await sent(one.browser)
    assert 1 == len(service.take())


async def hang(writer):
    await asyncio.Event().wait()


async def drip(writer):
    """Send a byte now and then, which would keep a timeout of single reads from running out."""
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("answer", [hang, drip, b""])
async def test_service_that_never_answers_is_given_up(service, monkeypatch, answer):
    monkeypatch.setattr(browser_push, "SECONDS", 0.3)
    one = Endpoint("one")
    service.answers[one.path] = answer
    with pytest.raises(ServerDown):
        await sent(one.browser)


async def test_service_needs_a_certificate_for_its_own_name(service):
    one = Endpoint("one")
    other = Browser(one.browser.endpoint.replace(HOST, "other.example.com"), one.browser.key, one.browser.secret)
    with pytest.raises(ServerDown):
        await sent(other)
    assert [] == service.take()


# which addresses

BAD = [
    "http://push.example.com/x",
    "ftp://push.example.com/x",
    "push.example.com/x",
    "https://user@push.example.com/x",
    "https://user:pw@push.example.com/x",
    "https://push.example.com:8443/x",
    "https://push.example.com:99999/x",
    "https://push.example.com/x#y",
    "https://push.example.com\\@127.0.0.1/x",
    "https://push.example.com%2f@127.0.0.1/x",
    *(f"https://{host}/x" for host in ("127.0.0.1", "10.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254")),
    *(
        f"https://{host}/x"
        for host in ("localhost", "a.localhost", "printer.local", "db.internal", "intranet", "2130706433")
    ),
    *(
        f"https://{host}/x"
        for host in ("0x7f.1", "0177.0.0.1", "127.1", "1.2.3.4.", "push.example.com.", "PUSH.example.com")
    ),
    *(f"https://{host}/x" for host in ("", "-a.example", "a..example", "ü.example", "a_b.example")),
    f"https://push.example.com/{'x' * LONGEST}",
    "https://push.example.com/a b",
    "https://push.example.com/a\r\nX-Evil: 1",
    "",
]


@pytest.mark.parametrize("address", BAD)
def test_address_of_anything_but_a_public_push_service_is_refused(address):
    with pytest.raises(NotPublic):
        host_of(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc:APA91b-_x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA-_=",
        "https://db5p.notify.windows.com/w/?token=BQ%2fY%3d",
        "https://web.push.apple.com/QGx",
        "https://push.example.com:443/x",
    ],
)
def test_addresses_of_the_known_services_are_taken(address):
    assert address.split("/")[2].removesuffix(":443") == host_of(address)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *(
            "255.255.255.255",
            "192.0.2.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "2001:db8::1",
        ),
        *("64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "fec0::1", "240.0.0.1"),
    ],
)
def test_address_that_is_not_public_is_not_used(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450:4001::1"])
def test_public_address_is_used(address):
    assert is_public(ip_address(address))


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"], []])
async def test_host_is_checked_again_when_it_is_resolved(found, monkeypatch):
    """One of its addresses is enough, because the next lookup may give only that one."""
    monkeypatch.setattr(push_address, "_looked_up", lambda host: found)
    with pytest.raises(NotSent, match="isn't at a public address"):
        await sent(Endpoint("one").browser)


async def test_message_goes_to_the_address_that_was_checked(service, monkeypatch):
    """The name isn't looked up a second time, when it might give another address."""
    asked = []
    before = push_address.resolved

    async def once(host):
        asked.append(host)
        return await before(host)

    def never(*_, **__):
        pytest.fail("a second lookup")

    monkeypatch.setattr(push_address, "resolved", once)
    monkeypatch.setattr("socket.getaddrinfo", never)
    await sent(Endpoint("one").browser)

    assert [HOST] == asked


# a place that sends them


@pytest.fixture
async def pushing(opened, inbox, clock, store, service):
    """A place with mail that sends messages to browsers."""
    stage = await opened(web_port=1, web_push=1, web_address="https://play.example.com")
    for name in ("ann", "bob"):
        await stage.create_account(name, "a password")
        stage.enter(name)
    return World(stage, inbox, clock, store, opened)


async def waits(w, *endpoints):
    """Let a slow game wait for bob, who has these browsers."""
    await w.slow_game()
    for one in endpoints:
        await w.type("bob", f"/browser add {one.words} Firefox, Linux")
    await w.bob_goes()
    w.forward(15 * MINUTE)


async def looked(w):
    """Look once, and wait for what is sent to browsers."""
    await w.look()
    await asyncio.gather(*w.stage.mailing._delivering._browsing.values())


async def test_turn_reaches_all_browsers_once_and_opens_its_table(pushing, service):
    one, two = Endpoint("one"), Endpoint("two")
    await waits(pushing, one, two)
    for _ in range(20):
        await looked(pushing)
        pushing.forward(HOUR)
    found = {path: body for path, _, body in service.take()}

    assert {one.path, two.path} == {*found}
    message = two.read(found[two.path])
    assert "/t/1" == message["path"]
    assert "It's your turn at Tally, table 1, with ann. You have 3 days left. (/at 1)" == message["text"]


async def test_browser_whose_service_answers_410_is_forgotten(pushing, service):
    one, two = Endpoint("one"), Endpoint("two")
    service.answers[one.path] = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
    await waits(pushing, one, two)
    await looked(pushing)
    found = await pushing.stage.mailing.subscriptions.find("bob")

    assert [two.browser.endpoint] == [browser.endpoint for browser in found.browsers]
    assert "/send/one" not in await pushing.store.find(KIND, "bob")


async def test_last_browser_that_is_gone_leaves_nothing_behind(pushing, service):
    one = Endpoint("one")
    service.answers[one.path] = b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"
    await waits(pushing, one)
    await looked(pushing)

    assert await pushing.store.find(KIND, "bob") is None


async def test_message_that_no_browser_got_is_tried_again(pushing, service):
    one = Endpoint("one")
    service.answers[one.path] = b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"
    await waits(pushing, one)
    await looked(pushing)
    assert 1 == len(service.take())
    service.answers.clear()
    pushing.forward(RETRIES[0])
    await looked(pushing)
    pushing.forward(RETRIES[-1])
    await looked(pushing)

    assert 1 == len(service.take())


async def test_hanging_service_delays_neither_mail_nor_the_place(pushing, service):
    """The look that sends mail ends while the push service still hangs."""
    one = Endpoint("one")
    service.answers[one.path] = hang
    await waits(pushing, one)
    await pushing.come("bob")
    await pushing.subscribe("bob", "bob@example.org")
    pushing.drop("bob")
    pushing.forward(DAY)
    await pushing.look()
    (mail,) = pushing.take()

    assert "It's your turn at Tally" in mail["Subject"]
    assert await pushing.type("ann", "/who")
    await service.asked.wait()
    assert 1 == len(pushing.stage.mailing._delivering._browsing)


async def test_key_is_made_once_and_never_shown(pushing, service, opened, capsys):
    mailing = pushing.stage.mailing
    key = await mailing.browsers.public_key()
    again = await opened(web_port=1, web_push=1, web_address="https://play.example.com")

    assert key == await again.mailing.browsers.public_key()
    secret = await pushing.store.find(PUSH_KEY, "")
    assert 64 == len(secret)
    assert secret not in repr(Sender(bytes.fromhex(secret), "x")) + "".join(capsys.readouterr())
    raw = base64.urlsafe_b64decode(f"{key}==")
    assert (65, 4) == (len(raw), raw[0])


# the command


async def test_browsers_are_listed_switched_and_forgotten(pushing):
    one, two = Endpoint("one"), Endpoint("two")
    on, off = (
        "(Messages to your browsers are on. Type /browser off to turn them off.)",
        "Type /browser on to turn them on.)",
    )
    assert [on, "  1. Firefox, Linux"] == await pushing.type("bob", f"/browser add {one.words} Firefox, Linux")
    assert [on, "  1. Firefox, Linux", "  2. a browser"] == await pushing.type("bob", f"/browser add {two.words}")
    assert (await pushing.type("bob", "/browser off"))[0].endswith(off)
    assert on == (await pushing.type("bob", "/browser on"))[0]
    assert [on, "  1. a browser"] == await pushing.type("bob", "/browser forget 1")
    assert [on, "  1. a browser"] == await pushing.type("bob", f"/browser check {two.browser.endpoint}")
    assert (await pushing.type("bob", f"/browser check {one.browser.endpoint}"))[0].startswith("Refused: you have no")
    assert (await pushing.type("ann", f"/browser check {two.browser.endpoint}"))[0].startswith("Refused: you have no")
    said = await pushing.type("bob", f"/browser forget {two.browser.endpoint}")
    assert ["(No browser gets messages. To begin, open Settings on the page.)"] == said
    assert await pushing.store.find(KIND, "bob") is None
    assert ["Refused: no browser gets messages yet. To begin, open Settings on the page."] == await pushing.type(
        "bob", "/browser on"
    )


async def test_same_browser_counts_once_and_a_sixth_is_refused(pushing):
    for number in range(BROWSERS):
        await pushing.type("bob", f"/browser add {Endpoint(str(number)).words} B{number}")
    again = Endpoint("0")
    assert BROWSERS + 1 == len(await pushing.type("bob", f"/browser add {again.words} again"))
    assert ["Refused: 5 browsers get your messages already. Type /browser to see them."] == await pushing.type(
        "bob", f"/browser add {Endpoint('sixth').words}"
    )


@pytest.mark.parametrize("address", ["http://push.example.com/x", "https://127.0.0.1/x", "https://a.internal/x"])
async def test_address_in_the_place_itself_is_refused(pushing, address):
    _, key, secret = Endpoint("one").words.split()
    said = " ".join(await pushing.type("bob", f"/browser add {address} {key} {secret}"))

    assert said.startswith("Refused: this browser's push service can't be used: it")


@pytest.mark.parametrize(
    ("key", "secret"), [("AAAA", "AAAA"), ("!", "!"), (text_of(b"\4" + b"x" * 64), text_of(b"x" * 16))]
)
async def test_keys_that_are_none_are_refused(pushing, key, secret):
    assert ["Refused: your browser's keys aren't valid. Reload the page and try again."] == await pushing.type(
        "bob", f"/browser add https://{HOST}/x {key} {secret}"
    )


async def test_place_without_web_push_says_so(w):
    assert ["Refused: this server doesn't send messages to browsers."] == await w.type("bob", "/browser")


async def test_browsers_are_exported_and_deleted_with_the_account(pushing):
    from lilygames.privacy.personal_data import RECORDS  # noqa: PLC0415 - one test needs it

    assert {KIND, PUSH_KEY} <= {kind.name for kind in RECORDS}
    await pushing.type("bob", f"/browser add {Endpoint('one').words} Firefox")
    rows = "\n".join(await pushing.type("bob", "/export me"))

    assert f"https://{HOST}/send/one" in rows
