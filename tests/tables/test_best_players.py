"""The best players by the lower bound of their ratings, without looking at everyone."""

import random

import pytest

from lilygames.tables.best_players import BestPlayers
from lilygames.tables.rating_model import Rating

DAY = 86400


def sorted_at(ratings, now, most):
    """Return the best by looking at everyone."""
    return sorted(ratings, key=lambda key: (-ratings[key].sure_at(now), key))[:most]


def some_rating(luck, now):
    return Rating(luck.uniform(15, 35), luck.uniform(0.8, 5), luck.randrange(1, 40), at=now - luck.randrange(400) * DAY)


@pytest.mark.parametrize("seed", range(5))
def test_order_stays_that_of_everyone_as_days_pass_and_games_end(seed):
    luck, now, ratings = random.Random(seed), 1e9, {}
    best = BestPlayers(ratings)
    for _ in range(300):
        for _ in range(luck.randrange(3)):
            key = f"p{luck.randrange(60)}"
            ratings[key] = some_rating(luck, now)
            best.put(key, now)
        now += luck.choice((0, 3600, 3 * DAY))

        assert sorted_at(ratings, now, 15) == best.first(15, now)


def test_player_whose_rating_returns_to_an_earlier_value_is_listed_once():
    ratings = {"ann": Rating(30, 1), "bob": Rating(29, 1)}
    best = BestPlayers(ratings)
    for key in ratings:
        best.put(key, 0)
    for mu in (31, 30):
        ratings["ann"] = Rating(mu, 1)
        best.put("ann", 0)

    assert ["ann", "bob"] == best.first(5, 0)
    assert ["ann", "bob"] == best.first(5, 0)


def test_dropped_player_is_not_listed():
    ratings = {"ann": Rating(30, 1), "bob": Rating(29, 1)}
    best = BestPlayers(ratings)
    for key in ratings:
        best.put(key, 0)
    del ratings["ann"]
    best.drop("ann")

    assert ["bob"] == best.first(5, 0)
