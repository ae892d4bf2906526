"""A game whose seal stays closed has a page with its result, and nothing else: no replay, rounds or cards."""

import gzip

import attrs
import pytest

from lilygames.edge.web.pages import PageRequest
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import Who
from tests.sites.conftest import finish


@pytest.fixture
async def stage(store, clock):
    """A poker between Ann and bob that is over."""
    found = {"lilypoker": games()["lilypoker"]}
    stage = await Stage.open(found, store=store, clock=clock, settings=attrs.evolve(SETTINGS, embed_sites="*"))
    for name in ("Ann", "bob"):
        await stage.create_account(name, "plums and pears")
        stage.enter(name)
    await stage.type("Ann", "/new lilypoker hands=1")
    await stage.type("bob", "/sit 1")
    await stage.type("Ann", "/at 1 start")
    await finish(stage, 1)
    return stage


async def page(stage, path, rest):
    request = PageRequest(posts=False, rest=rest, who=Who(address="203.0.113.9", exempt=True))
    return await stage.place.sites.pages[path](request)


@pytest.mark.parametrize("path", ["/g/{rest}", "/embed/g/{rest}"])
async def test_page_has_the_result_and_no_replay(stage, path):
    answer = await page(stage, path, "1")
    text = gzip.decompress(answer.packed).decode()
    assert 200 == answer.status
    assert "<h2>Result</h2>" in text
    assert 'id="replay"' not in text
    assert "game.js" not in text
    assert "<h2>Rounds</h2>" not in text


async def test_positions_answer_like_those_of_a_game_that_never_was(stage):
    assert await page(stage, "/g/{rest}", "1.json") == await page(stage, "/g/{rest}", "999.json")
