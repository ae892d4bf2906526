"""Packets that are lost, repeated or out of order, moves that come too late, and keys that are held down."""

import asyncio
import re

import pytest

from tests.browser.player import FOCUS, ByKeyboard, ByMouse, until
from tests.browser.test_connection import Hasty, watched

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ALERTS = """
  window.alerts = [];
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const text = document.querySelector("#alert").textContent;
    if (text) window.alerts.push(text);
  }).observe(document.querySelector("#alert"), { childList: true, characterData: true, subtree: true }));
"""
TRICKS = """
  window.tricks = {};
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const heads = [...document.querySelectorAll(".facts li")].map((one) => one.textContent);
    const [round, middle] = [".facts h2", ".middle"].map((part) => document.querySelector(part)?.textContent);
    if (heads.includes("bidding")) (window.tricks[round] ??= []).push(middle);
  }).observe(document.querySelector("#main"), { childList: true, characterData: true, subtree: true }));
"""
"""A script that keeps, by round, what stands in the middle of the table while it is bid for."""


def moves(relay):
    """Return the requests that make a move."""
    return [one for one in relay.sent if "move" in one]


def is_followed(packet):
    """Whether a packet is an update that others will follow, because it isn't this player's turn."""
    update = packet.get("update")
    return update is not None and update["state"] == "playing" and update["turn"] not in ([], [update["seat"]])


async def test_page_that_misses_an_update_asks_for_the_table_and_plays_on(relay, visit):
    updates = []

    def change(packet):
        updates.extend([packet] * is_followed(packet))
        return [] if is_followed(packet) and len(updates) % 7 == 6 else [packet]

    relay.change = change
    assert 0 < await ByMouse(await visit(relay.url), seed=1).play("Ohell")
    assert any(one.get("get") == "table" for one in relay.sent)


async def test_page_shows_a_repeated_update_once(relay, visit):
    relay.change = lambda packet: [packet, packet] if "update" in packet else [packet]
    page, events = await watched(visit, relay.url)
    await ByMouse(page, seed=2).play("Ohell")

    assert events.rows() == await events.shown(page)


async def test_page_plays_on_when_updates_change_places(relay, visit):
    held = []

    def change(packet):
        if "update" not in packet:
            return [packet]
        if is_followed(packet) and not held:
            held.append(packet)
            return []
        swapped = [packet, *held]
        held.clear()
        return swapped

    relay.change = change

    assert 0 < await ByMouse(await visit(relay.url), seed=3).play("Ohell")


async def test_game_that_ended_while_the_page_was_away_is_over_when_it_comes_back(relay, visit):
    page = await visit(relay.url)
    await ByMouse(page, seed=4).play("Ohell", most=1)
    name = "() => document.querySelector('header').innerText.match(/guest\\d+/)?.[0]"
    before = await page.evaluate(name)
    left = asyncio.Event()
    relay.change = lambda packet: left.set() or [] if "done" in packet else []
    await page.locator("#line").fill("/leave")
    await page.locator("#line").press("Enter")
    await left.wait()
    await asyncio.sleep(3)  # bots play on to the end; if they take longer, the page sees it
    relay.change = lambda packet: [packet]
    relay.cut()

    await until(page, "() => document.querySelector('#act h2').textContent === 'Game over'")
    assert before == await page.evaluate(name)


async def test_move_with_an_old_seq_changes_nothing_and_can_be_made_again(relay, visit):
    page = await visit(relay.url)
    player = ByMouse(page, seed=4)
    await player.play("Ohell", most=1)
    before = await player.asked()
    relay.change_sent = lambda one: {**one, "seq": one["seq"] - 1} if "move" in one else one
    await player.choose(before["choices"][0])
    await until(page, "() => document.querySelector('#act .why').textContent")
    assert before == await player.asked()
    relay.change_sent = lambda one: one

    assert 1 < await player.go_on()


async def test_card_that_may_not_be_played_says_which_rule_forbids_it(place, visit):
    said = []

    async def look(_):
        forbidden = page.locator("#act .choosing .held:not([data-move])")
        if not said and await forbidden.count():
            await forbidden.first.click(force=True)  # it can be pressed, although it's aria-disabled
            said.append(await until(page, "() => document.querySelector('#act .why').textContent"))

    for seed in range(4, 8):  # there are games in which every card may be played
        page = await visit(place.url)
        await ByMouse(page, seed=seed, look=look).play("Ohell")
        if said:
            break

    assert re.fullmatch(r"Refused: you must follow (spades|hearts|diamonds|clubs).*", said[0])


async def test_last_trick_of_a_round_stays_on_the_table_while_the_next_one_is_dealt(place, visit):
    page = await visit("about:blank")
    await page.add_init_script(TRICKS)
    await page.goto(place.url)
    await ByMouse(page, seed=2).play("Ohell")
    first, *later = (await page.evaluate("() => window.tricks")).values()

    assert not any("took the trick" in text for text in first)
    assert later
    assert [] == [texts for texts in later if not any("took the trick" in text for text in texts)]


async def test_key_that_is_held_down_plays_once(relay, visit):
    page = await visit(relay.url)
    player = ByKeyboard(page, seed=5)
    await player.begin("Play Ohell")
    stands = await player.asked()
    key = next(one["key"] for one in stands["choices"] if one["key"])
    before = len(moves(relay))
    for _ in range(20):
        await page.keyboard.down(key)
    await page.keyboard.up(key)
    await player.asked()
    for _ in range(20):
        await page.keyboard.down("Enter")
    await page.keyboard.up("Enter")

    assert len(moves(relay)) - before <= 2


async def test_digits_in_a_field_are_text(relay, visit):
    page = await visit(relay.url)
    player = ByMouse(page, seed=6)
    await player.begin("Play Ohell")
    before = await player.asked()
    await page.locator("#line").press_sequentially("0123456789")

    assert "0123456789" == await page.locator("#line").input_value()
    assert [] == moves(relay)
    assert before == await player.asked()


async def test_slash_goes_to_the_line_and_escape_goes_back(place, visit):
    page = await visit(place.url)
    await ByKeyboard(page, seed=6).begin("Play Ohell")
    await page.keyboard.press("/")
    assert "line" == (await page.evaluate(FOCUS))["id"]
    await page.keyboard.press("Escape")

    assert (await page.evaluate(FOCUS))["act"]


@pytest.mark.parametrize("game", ["Ohell", "Liars Dice"])
async def test_no_turn_is_announced_twice(place, visit, game):
    page = await visit("about:blank")
    await page.add_init_script(ALERTS)
    await page.goto(place.url)
    turns = await ByMouse(page, seed=7).play(game)
    alerts = await page.evaluate("() => window.alerts")

    assert 0 < len(alerts) <= turns
    assert all(one.startswith("Your turn.") for one in alerts)


class Restless(ByKeyboard):
    """Moves the focus to any element among the moves before each move."""

    async def choose(self, choice):
        """Press arrows at random, and then the move's number if it has one."""
        for _ in range(self.pick.randrange(12)):
            await self.page.keyboard.press(self.pick.choice(["ArrowRight", "ArrowLeft", "Home", "End"]))
        await super().choose(choice)


@pytest.mark.parametrize("game", ["Ohell", "Liars Dice", "lily-poker"])
async def test_focus_stays_with_the_moves_from_each_element(place, visit, game):
    assert 0 < await Restless(await visit(place.url), seed=9).play(game, most=40)


async def test_page_comes_back_when_its_new_token_was_lost_on_the_way(relay, visit):
    lost = []
    player = Hasty(await visit(relay.url), seed=10)
    await player.play("Ohell", most=2)

    def change(packet):
        if "resume" not in packet or len(lost) == 3:
            return [packet]
        lost.append(packet)
        relay.cut()
        return []

    relay.change = change
    relay.cut()

    assert 2 < await player.go_on()
    assert 3 == len(lost)
