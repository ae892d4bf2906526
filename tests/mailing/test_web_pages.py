"""The web page that ends someone's mails, and the key for messages to browsers, as the web server answers them."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.web.server import WebConfig, WebServer
from lilygames.edge.wire.limits import Limits
from lilygames.limits.quota import FILES
from lilygames.mailing.subscriptions import PUSH_KEY
from lilygames.mailing.web_pages import WebPages
from tests.mailing.conftest import MINUTE, World

ENDED = "This link has ended"


@pytest.fixture
def serve(web_servers):
    """Return a function that serves the pages of a place, and returns their address."""

    async def start(place, **limits):
        config = WebConfig(Admission(Limits(connects_per_minute=1000, **limits)), TelnetTerminal)
        server = WebServer(
            config, lambda terminal: visit(place.host, place.dispatcher, terminal), WebPages(place.mailing).pages
        )
        await server.listen("127.0.0.1", 0)
        web_servers.append(server)
        return f"http://127.0.0.1:{server.port}"

    return start


@pytest.fixture
async def mailed(opened, w):
    """A place at https://play.example, bob's newest mail, and the words after `?` in its link."""
    stage = await opened(web_port=1, web_address="https://play.example")
    stage.enter("ann")
    stage.enter("bob")
    world = World(stage, w.inbox, w.clock, w.store, opened)
    await world.slow_game()
    await world.subscribe("bob", "bob@example.org")
    await world.bob_goes()
    world.forward(15 * MINUTE)
    await world.look()
    (mail,) = world.take()
    return world, mail, urlsplit(link_of(mail)).query


def link_of(mail):
    """Return the link in a mail's header."""
    return re.search(r"<(https://[^>]+)>", mail["List-Unsubscribe"])[1]


async def is_on(world):
    return (await world.stage.mailing.subscriptions.find("bob")).mail.on


async def test_mail_has_the_one_click_headers_and_the_link_for_people(mailed):
    _, mail, query = mailed

    assert link_of(mail).startswith("https://play.example/unsubscribe?token=")
    assert "List-Unsubscribe=One-Click" == mail["List-Unsubscribe-Post"]
    assert "mailto:" in mail["List-Unsubscribe"]
    assert f"or open {link_of(mail)}" in mail.get_content()
    assert ["token"] == [*parse_qs(query)]


async def test_looking_at_the_page_changes_nothing(mailed, serve, browser):
    """Programs follow links in mails, too."""
    world, _, query = mailed
    address = await serve(world.stage.place)
    for method in ("GET", "HEAD"):
        async with browser.request(method, f"{address}/unsubscribe?{query}") as answer:
            assert 200 == answer.status
            assert "no-store" == answer.headers["Cache-Control"]
            text = await answer.text()
            assert method == "HEAD" or 1 == text.count("<button")
    assert await is_on(world)


async def test_one_post_ends_the_mails_without_a_login_or_an_origin(mailed, serve, browser):
    world, _, query = mailed
    address = await serve(world.stage.place)
    one_click = {"List-Unsubscribe": "One-Click"}
    async with browser.post(f"{address}/unsubscribe?{query}", data=one_click, allow_redirects=False) as answer:
        assert 200 == answer.status
        assert "The mails have ended" in await answer.text()
    assert not await is_on(world)

    async with (
        browser.post(f"{address}/unsubscribe?{query}") as again,
        browser.get(f"{address}/unsubscribe?{query}") as seen,
    ):
        assert (400, 400) == (again.status, seen.status)
        assert ENDED in await seen.text()


async def test_link_ends_when_mail_is_turned_on_again(mailed, serve, browser):
    world, _, query = mailed
    address = await serve(world.stage.place)
    await world.come("bob")
    for word in ("off", "on"):
        await world.type("bob", f"/mail {word}")
    async with browser.post(f"{address}/unsubscribe?{query}") as answer:
        assert 400 == answer.status
    assert await is_on(world)


@pytest.mark.parametrize(
    "forge", [lambda q: q[:-1], lambda q: f"{q}x", lambda q: "", lambda q: "token=%00%3Cscript%3E"]
)
async def test_other_token_changes_nothing_and_nothing_of_it_is_shown(mailed, serve, browser, forge):
    world, _, query = mailed
    address = await serve(world.stage.place)
    async with browser.post(f"{address}/unsubscribe?{forge(query)}") as answer:
        text = await answer.text()
    assert (400, True) == (answer.status, ENDED in text)
    assert "script" not in text
    assert await is_on(world)


async def test_name_of_the_place_can_not_become_markup(opened, serve, browser):
    stage = await opened(web_port=1, web_address="https://play.example", name="<b>x</b>")
    signer = await stage.mailing.subscriptions.signer()
    address = await serve(stage.place)
    async with browser.post(f"{address}/unsubscribe?token={signer.token('nobody', 1)}") as answer:
        assert "<b>" not in await answer.text()


async def test_tokens_can_not_be_tried_out_fast(mailed, serve, browser):
    world, _, _ = mailed
    address = await serve(world.stage.place)
    answers = []
    for number in range(2 * FILES.limits[0].most):
        async with browser.post(f"{address}/unsubscribe?token={number}") as answer:
            answers.append(answer.status)

    assert {400, 429} == {*answers}


async def test_key_for_messages_to_browsers_is_public_and_its_other_half_is_not(opened, serve, browser):
    stage = await opened(web_port=1, web_push=1, web_address="https://play.example")
    address = await serve(stage.place)
    async with browser.get(f"{address}/push-key") as answer:
        key = await answer.text()

    assert (200, 87) == (answer.status, len(key))
    assert bytes.fromhex(await stage.mailing.subscriptions._store.find(PUSH_KEY, "")) not in key.encode()


async def test_place_without_web_push_has_no_key(w, serve, browser):
    address = await serve(w.stage.place)
    async with browser.get(f"{address}/push-key") as answer:
        assert 404 == answer.status
    assert await w.store.find(PUSH_KEY, "") is None
