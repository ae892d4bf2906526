"""Liar's Lair in the browser: contradictions side by side, and notes that only their owner sees."""

import re

import pytest

from tests.browser.looks import faults_in_each_look, misfits, overlaps
from tests.browser.people import program
from tests.browser.player import ByMouse, log_in, types, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SETTLED = """() => {
  const sides = (pair) => [...pair.querySelectorAll(".statement")].map((one) => ["b", ".mark [aria-hidden]", ".text"]
    .map((part) => one.querySelector(part)?.textContent ?? ""));
  const found = [...document.querySelectorAll(".pairs li")].map(sides);
  return document.querySelector("#log").innerText.includes(" contradicts ") && found;
}"""
"""The number, the mark and the text of each card beside its opposite, once a contradiction has been told."""
LOG = "() => document.querySelector('#log').innerText"


async def plays_until(page, player, condition):
    """Play on until a function in the page returns something, and return it."""
    for most in range(1, 60):
        if found := await page.evaluate(condition):
            return found
        await player.go_on(most)
    return pytest.fail(f"it never came to {condition}")


async def test_settled_contradiction_stands_side_by_side_with_its_marks(place, visit):
    page = await visit(place.url)
    player = ByMouse(page, seed=5)
    await player.play("Liar's Lair", most=1)
    shown = await plays_until(page, player, SETTLED)
    said = re.findall(r"(\d+) contradicts .*?(\d+), which is true", await page.evaluate(LOG))
    marked = {(lie, truth) for (truth, yes, _), (lie, no, _) in shown if (yes, no) == ("✓", "✗")}

    assert said
    assert {*said} <= marked
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
