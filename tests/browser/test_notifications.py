"""Push messages in a real browser, as far as that goes without a real push service: its part is made up here."""

import json

import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lilygames.mailing.browser_push import text_of
from tests.browser.player import until
from tests.browser.servers import served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
OPTIONS = ("--web-push", "1", "--web-address", "https://play.example.com")
PUBLIC = ec.generate_private_key(ec.SECP256R1()).public_key()
POINT = text_of(PUBLIC.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
SUBSCRIBES = """
let now = null;
PushManager.prototype.getSubscription = async () => now;
PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => (now = {
  endpoint: "https://push.example.com/send/one",
  toJSON() { return { endpoint: this.endpoint, keys: { p256dh: "%s", auth: "AAAAAAAAAAAAAAAAAAAAAA" } }; },
  async unsubscribe() { now = null; },
  fits: applicationServerKey.length === 65 && userVisibleOnly,
});
"""
NOTICED = """(title) => {
  navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((found) => {
    window.noticed = found.map((one) => [one.title, one.body, one.data.path]);
  });
  return window.noticed?.some(([one]) => one === title);
}"""
"""Whether a notification with a title is shown; `window.noticed` are all that are."""
INSECURE = 'Object.defineProperty(window, "isSecureContext", { value: false });'


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pushing(tmp_path_factory):
    """A server that sends messages to browsers."""
    async with served(tmp_path_factory.mktemp("pushing"), *OPTIONS) as one:
        yield one


async def opened(visit, place, script="", **settings):
    """Return a page, after a script has run in it."""
    page = await visit("about:blank", **settings)
    await page.add_init_script(script)
    await page.goto(place.url)
    return page


async def registered(page, name):
    """Register with a name."""
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("button", name="I have no account yet").click()
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill("blue-heron-sings")
    await page.get_by_role("button", name="Register", exact=True).click()
    await until(page, "(name) => !document.querySelector('dialog') && document.body.innerText.includes(name)", name)


async def dialog(page):
    """Open the dialog about messages."""
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("button", name="Messages when the page is closed").click()


async def shows(page, text):
    """Return when the dialog shows a text."""
    await until(page, "(text) => document.querySelector('dialog')?.innerText.includes(text)", text)


async def test_page_without_a_secure_context_says_why_there_are_no_messages(pushing, visit):
    page = await opened(visit, pushing, INSECURE)
    await dialog(page)
    await shows(page, "Browsers allow messages only on a page with https://")


async def test_guest_is_asked_to_register(pushing, visit):
    page = await opened(visit, pushing)
    await page.get_by_role("button", name="Play Ohell").click()
    await until(page, "() => document.body.innerText.includes('guest')")
    await dialog(page)
    await shows(page, "Guests can't get messages. Type /register to keep your name first.")


async def test_server_without_messages_says_so(place, visit):
    page = await opened(visit, place)
    await registered(page, "Norason")
    await dialog(page)
    await shows(page, "This server doesn't send messages to browsers.")


async def test_browser_is_subscribed_listed_and_forgotten(pushing, visit):
    page = await opened(visit, pushing, SUBSCRIBES % POINT)
    await registered(page, "Olgason")
    await dialog(page)
    await page.get_by_role("button", name="Notify me in this browser").click()
    await shows(page, "This browser gets your messages.")
    await shows(page, "1. Chrome, Linux")
    await page.get_by_role("button", name="Close").click()
    await dialog(page)
    await shows(page, "This browser gets your messages.")
    await page.get_by_role("button", name="Stop in this browser").click()
    await shows(page, "This browser doesn't get your messages.")
    await shows(page, "No browser gets messages.")


async def test_browser_whose_subscription_has_changed_is_subscribed_again(pushing, visit):
    count = "localStorage.count = 1 + Number(localStorage.count ?? 0)"
    page = await opened(visit, pushing, (SUBSCRIBES % POINT).replace('send/one"', f'send/" + ({count})'))
    await registered(page, "Pavoson")
    await dialog(page)
    await page.get_by_role("button", name="Notify me in this browser").click()
    await shows(page, "This browser gets your messages.")
    await page.reload()  # which ends the subscription that is made up here
    await until(page, "() => JSON.parse(localStorage.getItem('push')).endpoint.endsWith('/2')")
    await dialog(page)
    await shows(page, "This browser gets your messages.")
    await shows(page, "1. Chrome, Linux")
    assert "2. Chrome" not in await page.get_by_role("dialog").inner_text()


async def test_service_worker_shows_a_message_and_keeps_no_copies(pushing, visit):
    page = await opened(visit, pushing)
    await page.context.grant_permissions(["notifications"], origin=pushing.url)
    worker = await page.context.new_cdp_session(page)
    found = []
    worker.on("ServiceWorker.workerRegistrationUpdated", lambda said: found.extend(said["registrations"]))
    await worker.send("ServiceWorker.enable")
    await until(page, "() => navigator.serviceWorker.ready.then((one) => Boolean(one.active))")
    message = {"title": "lilygames: It's your turn", "text": "It's your turn at Ohell, table 12.", "path": "/t/12"}
    for data in (json.dumps(message), "not JSON"):
        await worker.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": pushing.url, "registrationId": found[0]["registrationId"], "data": data},
        )
        expected = [*message.values()] if data.startswith("{") else ["lilygames", "Something waits for you.", "/"]
        await until(page, NOTICED, expected[0])
        assert [expected] == await page.evaluate("() => window.noticed")
    assert [] == await page.evaluate("() => caches.keys()")


async def test_page_can_be_installed(pushing, visit):
    page = await opened(visit, pushing)
    worker = await page.context.new_cdp_session(page)
    found = await worker.send("Page.getAppManifest")

    assert [] == found["errors"]
    assert "lilygames" == json.loads(found["data"])["name"]
    errors = (await worker.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert {"in-incognito"} >= {one["errorId"] for one in errors}  # the window of the test is a private one
