"""If the rules hide something for ever, the server keeps the secret and the whole log to itself."""

import json

import pytest


@pytest.fixture
async def over(stage, finish):
    """A finished Tally whose seal stays closed."""
    await stage.type("ann", "/new tally max=3 first-dealer=host seal=closed")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    secret = stage.table(1).table.secret.hex()
    await finish()
    return secret


async def test_secret_is_never_published(stage, over, store):
    """`/verify` says so."""
    rows = [*stage.screens["ann"].take(), *stage.screens["bob"].take()]
    page = await store.read("table/1")

    assert not any(over in text for text in [*rows, *(entry.body for entry in page.entries)])
    assert "Match: commitments of table #1 (tally) fit." in (await stage.type("ann", "/verify 1"))[0]
    assert over not in " ".join(await stage.type("ann", "/export 1"))


async def test_log_still_hides_what_the_rules_hide(stage, over):
    """`/log` after the end shows a player's view, or a stranger's, and no more."""
    stage.enter("cat")

    assert any("Your hand: " in row for row in await stage.type("ann", "/log 1"))
    assert not any("bob's hand" in row for row in await stage.type("ann", "/log 1"))
    assert not any(" hand: " in row for row in await stage.type("cat", "/log 1"))
    assert {0} == hands(await stage.type("ann", "/export 1"))
    assert set() == hands(await stage.type("cat", "/export 1"))


def hands(rows):
    """Return the seats whose hands an export shows."""
    events = [event for row in map(json.loads, rows) for event in row.get("seen", ())]
    return {event["seat"] for event in events if event["is"] == "HandDealt"}


async def test_open_log_shows_every_hand_after_the_end(stage, table, finish):
    await finish()

    assert any("bob's hand: " in row for row in await stage.type("ann", "/log 1"))
