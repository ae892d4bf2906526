"""Liar's Lair in the browser: contradictions side by side, and notes that only their owner sees."""

import re

import pytest

from tests.browser.looks import faults_in_each_look, misfits, overlaps
from tests.browser.people import program
from tests.browser.player import ByMouse, log_in, types, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAIRS = """() => [...document.querySelectorAll(".pairs li")].map((pair) =>
  [...pair.querySelectorAll(".statement")].map((one) => ["b", ".mark [aria-hidden]"]
    .map((part) => one.querySelector(part)?.textContent ?? "")))"""
"""The numbers and marks of the cards that stand side by side."""
GAMES = 8
"""Most games that are played until one has a contradiction."""


async def contradictions(page, player):
    """Play until a contradiction is told, or the game is over; return the numbers of its lie and truth."""
    await player.begin("Play Liar's Lair")
    while True:
        log = await page.locator("#log").inner_text()
        told = re.findall(r"(\d+) contradicts .*?(\d+), which is true", log)
        if told or (await player.asked())["over"]:
            return told
        await player.go_on(player.turns + 1)


async def test_settled_contradictions_stand_side_by_side_with_their_marks(place, visit):
    for seed in range(GAMES):
        page = await visit(place.url)
        if told := await contradictions(page, ByMouse(page, seed=seed)):
            break
    pairs = await page.evaluate(PAIRS)

    assert told
    assert {*told} <= {(lie, truth) for (truth, yes), (lie, no) in pairs if (yes, no) == ("✓", "✗")}
    assert [] == [*await faults_in_each_look(page), *await misfits(page), *await overlaps(page)]


async def test_note_is_written_in_a_dialog_and_stands_beside_its_card(relay, visit):
    page = await visit(relay.url)
    await log_in(page, "notary", "")
    await types(page, "/quick liarslair")
    paper = page.locator("#act button.paper").first
    await paper.wait_for()
    number = await paper.locator("b").inner_text()
    await page.get_by_role("button", name="Notes").click()
    await page.get_by_label("About, such as").fill(number)
    await page.get_by_label("Note", exact=True).fill("ask <b>ida</b> first")
    await page.get_by_role("button", name="Save the note").click()
    await page.get_by_role("button", name=f"Delete the note on {number}").wait_for()
    assert [] == [*await faults_in_each_look(page), *await misfits(page)]
    await page.keyboard.press("Escape")
    assert "Note: ask <b>ida</b> first" == await paper.locator(".own").inner_text()
    relay.cut()
    await until(page, "() => document.querySelector('#connection').textContent.startsWith(\"You're back\")")
    await types(page, f"/note {number} a lie", "/note ida is bold")
    await until(page, "() => document.querySelector('.texts').innerText.includes('Note on ida: is bold')")

    assert "Note: a lie" == await paper.locator(".own").inner_text()


async def test_notes_of_another_player_reach_no_other_page(place, relay, visit):
    heard = []
    relay.change = lambda packet: heard.append(str(packet)) or [packet]
    async with program(place, "scribe") as player:
        await player.do("/new liarslair")
        number = next(packet["table"]["number"] for packet in player.heard if "table" in packet)
        page = await visit(relay.url)
        await log_in(page, "reader2", "")
        await types(page, f"/sit {number}")
        await until(page, "() => document.querySelector('.seat.mine')")
        await player.do(f"/at {number} house", f"/at {number} start", f"/at {number} note 3 plums are secret")
        await types(page, "/note 3 mine")
        await until(page, "() => document.querySelector('main').innerText.includes('mine')")

    assert any("mine" in packet for packet in heard)
    assert [] == [packet for packet in heard if "plums are secret" in packet]
