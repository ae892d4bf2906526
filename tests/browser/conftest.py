"""A real Chromium, and servers for its pages. The tests are skipped where Chromium isn't installed.

The browser, the driver and the servers live as long as the session, so each module runs in the session's loop:
`pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]`.
"""

import pytest
import pytest_asyncio

from tests.browser.chromium import NoChromium, started
from tests.browser.servers import Cable, Relay, served
from tests.deadline import DEADLINE

shared = pytest_asyncio.fixture(scope="session", loop_scope="session")
each = pytest_asyncio.fixture(loop_scope="session")


@shared
async def chromium():
    """A Chromium without a window."""
    try:
        async with started() as browser:
            yield browser
    except NoChromium as missing:
        pytest.skip(str(missing))


@each
async def visit(chromium):
    """Return a function that opens a page in a window of its own; an error in a page's script fails the test."""
    opened, errors = [], []

    async def open_page(url, **settings):
        context = await chromium.new_context(**settings)
        context.set_default_timeout(DEADLINE * 1000)
        opened.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{error}"))
        page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        await page.goto(url)
        return page

    yield open_page
    for context in opened:
        await context.close()
    assert [] == errors


@shared
async def place(tmp_path_factory):
    """A server with its page, which the tests share."""
    async with served(tmp_path_factory.mktemp("place")) as one:
        yield one


@each
async def cable(place):
    """A cable to the server, which can be cut."""
    one = Cable(place.ports["web"])
    await one.lay()
    yield one
    await one.roll_up()


@each
async def relay(place):
    """A relay to the server, which changes nothing at first."""
    one = Relay(place.url)
    await one.begin()
    yield one
    await one.end()
