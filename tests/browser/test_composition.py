"""Text from an input method: the Enter that ends a composition takes its words, and sends nothing."""

import json

import pytest

from tests.browser.player import log_in, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SAFARI = """(field) => {
  const init = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
  field.dispatchEvent(new CompositionEvent("compositionend", { data: "日本", bubbles: true }));
  return field.dispatchEvent(new KeyboardEvent("keydown", init));
}"""
"""Safari ends a composition before the Enter that did it, so only its key code tells."""


class Sent:
    """The lines that a page has sent."""

    def __init__(self, page):
        self.lines = []
        page.on("websocket", lambda socket: socket.on("framesent", self._take))

    def _take(self, frame):
        request = json.loads(frame)
        if "once" in request:
            self.lines.append(request["line"])


async def typing(place, visit, name):
    """Return a page whose guest is in the lobby with the line focused, the lines it sends, and its input method."""
    page = await visit("about:blank")
    sent = Sent(page)
    await page.goto(place.url)
    await log_in(page, name, "")
    await page.locator("#line").focus()
    return page, sent, await page.context.new_cdp_session(page)


async def composes(method, text):
    """Show a text that isn't taken yet, as an input method does."""
    await method.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


async def takes(method, text):
    """Press Enter to take what is shown: the input method keeps the key for itself, and the page hears of it."""
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    await method.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
    await method.send("Input.insertText", {"text": text})
    await method.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})


async def test_enter_that_ends_a_composition_sends_nothing(place, visit):
    page, sent, method = await typing(place, visit, "Hana")
    await composes(method, "にほん")
    await takes(method, "日本")

    assert "日本" == await page.locator("#line").input_value()
    assert [] == sent.lines
    await page.keyboard.press("Enter")
    assert await until(page, "() => document.querySelector('#line').value === ''")
    assert ["日本"] == sent.lines


async def test_enter_that_has_ended_a_composition_sends_nothing_in_safari(place, visit):
    page, sent, _ = await typing(place, visit, "Yuki")
    await page.locator("#line").fill("日本")
    was_left_alone = await page.locator("#line").evaluate(SAFARI)

    assert was_left_alone
    assert "日本" == await page.locator("#line").input_value()
    assert [] == sent.lines
