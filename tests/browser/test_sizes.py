"""Tables of 2 to 10 seats and hands of 20 cards, on a phone and on a desk: nothing is too wide or overlaps."""

import pytest

from tests.browser.looks import misfits, overlaps, touches
from tests.browser.player import ByMouse, log_in, types, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

HAND = [f"{rank}{suit}" for suit in "♠♥♦♣" for rank in ("10", "Q", "K", "A", "7")]
"""The texts of 20 cards, among them the widest."""


async def looked_at(page):
    """Return what is wrong with the table in each width."""
    return [*await misfits(page), *await overlaps(page), *await touches(page)]


@pytest.mark.parametrize("game", ["ohell", "liarsdice", "lilypoker"])
@pytest.mark.parametrize("seats", range(2, 11))
async def test_table_of_any_size_fits(place, visit, seats, game):
    if game == "lilypoker" and seats > 8:
        pytest.skip("this game has at most 8 seats")
    page, found = await visit(place.url, reduced_motion="reduce"), []
    await log_in(page, f"sizes{game[:6]}{seats}", "")
    await types(page, f"/quick {game} seats={seats}")
    await until(page, "(seats) => document.querySelectorAll('.seat').length === seats", seats)

    async def look(_):
        found.extend(await looked_at(page))

    await ByMouse(page, seed=seats, look=look).go_on(most=2)
    assert [] == sorted({*found})


FULL = [*(("ohell", seats) for seats in range(2, 11)), *(("liarslair", seats) for seats in range(3, 9))]


@pytest.mark.parametrize(("game", "seats"), FULL)
async def test_table_with_a_card_before_each_seat_fits(relay, visit, seats, game):
    before = {"ohell": with_a_full_trick, "liarslair": with_a_sentence_each}[game]
    relay.change = lambda packet: [{kind: with_parts(value, before) for kind, value in packet.items()}]
    page = await visit(relay.url, reduced_motion="reduce")
    await log_in(page, f"full{game[:6]}{seats}", "")
    await types(page, f"/quick {game} seats={seats}")
    await until(page, "(seats) => document.querySelectorAll('.slot [data-id]').length === seats", seats)

    assert [] == await looked_at(page)


def with_parts(value, change):
    """Return a packet's value with a changed picture, if it has one with seats."""
    picture = value.get("picture") if isinstance(value, dict) else None
    return {**value, "picture": {**picture, **change(picture)}} if picture and "seats" in picture else value


def with_a_full_trick(picture):
    """Return the parts of a picture in which everyone has played a card."""
    seats = [{**one, "note": "led", "pieces": [piece("card", "10♥", f"10H@{one['seat']}")]} for one in picture["seats"]]
    return {"seats": seats, "middle": ["diamonds led", f"{len(seats)} bid for 6 tricks"]}


def with_a_sentence_each(picture):
    """Return the parts of a picture in which everyone has played a card with a long sentence."""
    text = "A walrus can hold its breath for more than half an hour under the ice."
    about = {"text": text, "mark": "unknown", "played": True}
    cards = [piece("statement", str(n + 1), str(n + 1)) | about | {"owner": n} for n in range(len(picture["seats"]))]
    seats = [{**one, "pieces": [card]} for one, card in zip(picture["seats"], cards, strict=True)]
    return {"seats": seats, "listed": cards}


def piece(kind, face, name):
    return {"is": "Piece", "kind": kind, "face": face, "id": name}


@pytest.mark.parametrize("seats", [4, 10])
async def test_hand_of_20_cards_fits(relay, visit, seats):
    relay.change = lambda packet: [{kind: with_a_large_hand(value) for kind, value in packet.items()}]
    page, found = await visit(relay.url, reduced_motion="reduce"), []
    await log_in(page, f"cards{seats}", "")
    await types(page, f"/quick ohell seats={seats}")
    turns = set()

    async def look(stands):
        turns.add(stands["title"])
        assert len(HAND) == await page.locator("#act .held").count()
        found.extend(await looked_at(page))

    await ByMouse(page, seed=1, look=look).go_on(most=4)  # a press that comes too soon counts for none
    assert "How many tricks will you take?" in turns, "a bid"
    assert len(turns) > 1, "and a card"
    assert [] == sorted({*found})


def with_a_large_hand(value):
    """Return a packet's value with 20 cards for each hand, all of which may be played if it's time to play one."""
    picture = value.get("picture") if isinstance(value, dict) else None
    if not picture or not picture.get("mine"):
        return value
    more = [piece("card", card, f"more.{number}") for number, card in enumerate(HAND)]
    cards = [*picture["mine"]["pieces"], *more][: len(HAND)]
    ids = [card["id"] for card in cards]
    larger = {**value, "picture": {**picture, "mine": {**picture["mine"], "pieces": cards}}}
    listed = (value.get("moves") or {}).get("list", [])
    if listed and listed[0]["move"].startswith("play "):
        larger["moves"] = {**value["moves"], "list": [{**listed[0], "on": one} for one in ids]}
    return larger
