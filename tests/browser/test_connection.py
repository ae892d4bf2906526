"""Connections that break: whatever is cut when, the page shows every event of a game once, and in order."""

import json
import os
import random
import re

import pytest

from tests.browser.player import ByMouse, types, until
from tests.browser.servers import served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

COLUMNS = re.compile(r"\S {2,}\S")
"""Words in columns, as on a wide terminal."""
CUTS = int(os.environ.get("CUTS", "100"))
WATCH_ROWS = """
  window.shown = [];
  addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const one of addedNodes)
        if (one.matches?.(".game")) window.shown.push((one.querySelector(":scope > [aria-hidden]") ?? one).textContent);
  }).observe(document.querySelector("#log"), { childList: true }));
"""
"""A script that keeps each row about a game that the page adds to its log."""
AGAIN = "/quick ohell"
STANDS = """(line) => {
  if (document.querySelector("#act h2").textContent !== "Game over") return "begun";
  const connected = document.querySelector("#connection").dataset.state === "connected";
  return connected && document.querySelector("#line").value === line && "given back";
}"""
"""Whether another game has begun, or the line for it is in the field again; false while neither is known."""


class Events:
    """The entries of tables' logs that a page has received: the first of each counts."""

    def __init__(self, page):
        self.tables = {}
        self.first = {}
        self.lines = []
        self.sockets = 0
        page.on("websocket", self._opened)

    def _opened(self, socket):
        self.sockets += 1
        socket.on("framereceived", self._received)

    def _received(self, frame):
        for line in filter(None, frame.split("\r\n")):
            packet = json.loads(line)
            self.lines += [packet["line"]] if packet.get("kind") == "game" else []
            if "table" in packet:
                self.first.setdefault(packet["table"]["number"], packet["table"]["seq"])
            if update := packet.get("update"):
                self.tables.setdefault(update["number"], {}).setdefault(update["seq"], update["events"])

    def rows(self):
        """Return the rows that the page should have shown, in order; in words if a text is in columns."""
        entries = [entry for seqs in self.tables.values() for _, entry in sorted(seqs.items())]
        texts = [
            event["say"] if COLUMNS.search(event["text"]) and event["say"] else event["text"]
            for entry in entries
            for event in entry
        ]
        return [row for text in texts for row in text.split("\n") if row]

    async def shown(self, page):
        """Return the rows about events that the page has shown."""
        return [row for row in await page.evaluate("() => window.shown") if row not in self.lines]


class Hasty(ByMouse):
    """Clicks at once, and misses a move that is gone by then."""

    async def choose(self, choice):
        """Click a move if it's still there."""
        click = "(move) => document.querySelector(`#act [data-move='${move}']:not([aria-disabled])`)?.click()"
        await self.page.evaluate(click, choice["move"])


async def watched(visit, url):
    """Return a page, and what it receives."""
    page = await visit("about:blank")
    await page.add_init_script(WATCH_ROWS)
    events = Events(page)
    await page.goto(url)
    return page, events


async def begin_another(page):
    """Type the line for another game. If it was lost in a cut, the page gives it back, and it's sent again."""
    await types(page, AGAIN)
    while await until(page, STANDS, AGAIN) == "given back":
        await page.locator("#line").press("Enter")


def missing(events):
    """Return the entries that a page wasn't sent, by table: the whole table stands for the first ones."""
    return {
        number: gaps
        for number, known in events.tables.items()
        if (gaps := set(range(events.first[number] + 1, max(known) + 1)) - set(known))
    }


async def test_game_with_many_cuts_shows_every_event_once(cable, visit):
    page, events = await watched(visit, cable.url)
    pick = random.Random(11)
    cuts = 0

    async def cut(_):
        nonlocal cuts
        chance = pick.random()
        if chance < 0.5:
            cable.cut_after(pick.randrange(1, 3000))
        elif chance < 0.7:
            cable.cut()
        cuts += chance < 0.7  # a cut at every turn would lose every move

    player = Hasty(page, seed=5, look=cut)
    await player.play("Ohell")
    while cuts < CUTS:
        await begin_another(page)
        await player.go_on()

    assert CUTS <= cuts < events.sockets * 2
    assert {} == missing(events)
    assert events.rows() == await events.shown(page)


async def test_game_goes_on_across_reloads_without_losing_an_event(tmp_path, visit):
    async with served(tmp_path) as place:
        page, events = await watched(visit, place.url)
        reloads = 0

        async def reload(_):
            nonlocal reloads
            if player.turns % 5 == 2 and reloads < 4:
                reloads += 1
                await place.reload()

        player = Hasty(page, seed=6, look=reload)
        await player.play("Ohell")

        assert 2 < reloads
        assert reloads < events.sockets
        assert {} == missing(events)
        assert events.rows() == await events.shown(page)


async def test_phone_that_slept_comes_back_to_its_turn(cable, visit):
    page, events = await watched(visit, cable.url)
    player = Hasty(page, seed=8)
    await player.play("Ohell", most=2)
    before = await player.asked()
    await page.context.set_offline(True)
    cable.plugged = False
    cable.cut()
    await until(page, "() => document.querySelector('#connection').textContent.startsWith('Connection lost')")
    await page.locator("#line").fill("half a sentence")
    cable.plugged = True
    await page.context.set_offline(False)

    assert before == await player.asked()
    assert "half a sentence" == await page.locator("#line").input_value()
    assert 0 < await player.go_on()
    assert {} == missing(events)
    assert events.rows() == await events.shown(page)
