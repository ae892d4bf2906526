"""A click belongs to the position that someone saw: the second of two quick clicks plays no other card."""

import asyncio
import json

import pytest

from tests.browser.player import ByMouse, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GAP = 0.17
"""Seconds between two clicks of the same person."""
CARD = "#act .hand [data-move]:not([aria-disabled])"


class Requests:
    """The moves that a page sends, and how each has ended."""

    def __init__(self, page):
        self.moves = []
        self.errors = {}
        page.on("websocket", self._opened)

    def _opened(self, socket):
        socket.on("framesent", lambda frame: self._sent(json.loads(frame)))
        socket.on("framereceived", self._received)

    def _sent(self, request):
        if "move" in request:
            self.moves.append(request)

    def _received(self, frame):
        for packet in map(json.loads, filter(None, frame.split("\r\n"))):
            if "done" in packet:
                self.errors[packet["done"]] = (packet["error"] or {}).get("code")

    def played(self):
        """Return the moves that were made."""
        return [move for move in self.moves if move["id"] in self.errors and self.errors[move["id"]] is None]

    def refused(self):
        """Return the codes of the refusals."""
        return [self.errors[move["id"]] for move in self.moves if self.errors.get(move["id"])]


async def at_cards(page):
    """Play until the page asks for a card."""
    player = ByMouse(page, seed=4)
    await player.begin("Play Wizard")
    while True:
        stands = await player.asked()
        if await page.locator(CARD).count():
            await asyncio.sleep(0.3)
            return player
        await player.choose(stands["choices"][0])


async def settled(page):
    """Return when it's the page's turn again, or the round is over, and every request has been answered."""
    await asyncio.sleep(0.6)
    await until(page, "() => document.querySelector('#act h2').textContent !== 'Sent…'")


@pytest.mark.parametrize("rounds", [6])
async def test_two_clicks_at_one_place_play_one_card(place, visit, rounds):
    page = await visit("about:blank")
    requests = Requests(page)
    await page.goto(place.url)
    player = await at_cards(page)
    plays = 0
    for _ in range(rounds):
        before = len(requests.played())
        box = await page.locator(CARD).first.bounding_box()
        at = (box["x"] + 8, box["y"] + box["height"] / 2)
        await page.mouse.click(*at)
        await asyncio.sleep(GAP)
        await page.mouse.click(*at)
        await settled(page)
        plays += len(requests.played()) - before
        assert 1 >= len(requests.played()) - before
        while not await page.locator(CARD).count():
            await player.choose((await player.asked())["choices"][0])
        await asyncio.sleep(0.3)

    assert rounds == plays


@pytest.mark.parametrize("how", ["double click", "double tap", "digits"])
async def test_double_choice_plays_once(place, visit, how):
    page = await visit("about:blank", has_touch=how == "double tap", viewport={"width": 390, "height": 844})
    requests = Requests(page)
    await page.goto(place.url)
    await at_cards(page)
    before = len(requests.played())
    card = page.locator(CARD).first
    if how == "double click":
        await card.dblclick(delay=30)
    elif how == "double tap":
        box = await card.bounding_box()
        for _ in range(2):
            await page.touchscreen.tap(box["x"] + 8, box["y"] + 30)
            await asyncio.sleep(GAP)
    else:
        await card.focus()
        await page.keyboard.press("1")
        await asyncio.sleep(GAP)
        await page.keyboard.press("1")
    await settled(page)

    assert 1 == len(requests.played()) - before
    assert {"stale"} >= {*requests.refused()}


async def test_every_move_carries_the_position_and_a_text_of_its_own(place, visit):
    page = await visit("about:blank")
    requests = Requests(page)
    await page.goto(place.url)
    await at_cards(page)

    assert {("id", "move", "once", "seq", "table")} == {tuple(sorted(one)) for one in requests.moves}
    assert len(requests.moves) == len({one["once"] for one in requests.moves})
