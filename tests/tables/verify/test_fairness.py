"""The total of all draws: kept now and then, so that it takes as long however many games have been played."""

import json

import pytest

from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Draft
from lilygames.tables.verify.fairness import Fairness

GAMES = 600


async def draw(store, game):
    draft = Draft("table", json.dumps({"roll of 6": {str(game % 6): 2}, "shuffle of 52": {"7": 1}}))
    await store.append("draws", None, [draft], cmd=f"table/{game}")


@pytest.fixture
async def many(store):
    for game in range(GAMES):
        await draw(store, game)
    return store


def expected(games):
    return {"roll of 6": {face: 2 * len(range(face, games, 6)) for face in range(6)}, "shuffle of 52": {7: games}}


async def test_total_counts_each_game_once(many):
    fairness = Fairness(many)

    assert expected(GAMES) == await fairness.total()
    await draw(many, GAMES)
    assert expected(GAMES + 1) == await fairness.total()


async def test_next_process_reads_only_the_games_after_the_total_that_was_kept(many, monkeypatch):
    await Fairness(many).total()
    await draw(many, GAMES)
    read, asked = many.read, []

    async def noted(log, after=0, limit=1000):
        asked.append(after)
        return await read(log, after, limit)

    monkeypatch.setattr(many, "read", noted)

    assert expected(GAMES + 1) == await Fairness(many).total()
    assert GAMES == asked[0]


async def test_unreadable_total_is_reported_and_counted_again(many):
    await Fairness(many).total()
    await many.keep("fairness", "total", "{")
    unreadable = UnreadableRows()

    assert expected(GAMES) == await Fairness(many, unreadable).total()
    assert 1 == len(unreadable)
