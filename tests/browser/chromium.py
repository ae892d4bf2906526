"""The Chromium of this machine. None is downloaded."""

import os
import shutil
from contextlib import asynccontextmanager

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""The names of the program in Debian and elsewhere."""


class NoChromium(Exception):
    """There is no Chromium here. The text says how to install it."""


@asynccontextmanager
async def started():
    """Start a Chromium without a window, and end it. Raises `NoChromium`."""
    from playwright.async_api import async_playwright  # noqa: PLC0415 - other tests run without its dependency group

    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise NoChromium("no Chromium here: apt-get install chromium")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=program, args=["--no-sandbox"] * (os.getuid() == 0))
        yield browser
        await browser.close()
