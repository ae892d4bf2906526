"""Ratings: the model's figures, idle time, and games that wait."""

import itertools
import random
from datetime import UTC

import pytest
from openskill.models import PlackettLuce

from lilygames import codec
from lilygames.gametest.stage import Stage
from lilygames.store import Draft
from lilygames.store.memory import MemoryStore
from lilygames.tables.ratings.rating_model import NEW, Period, Rating, after_game, week_of
from lilygames.tables.ratings.ratings import RatedGame, RatedPlayer, Ratings
from tests.toys import TALLY

DAY = 86400
BOTH = tuple(RatedPlayer(name, name, place) for place, name in enumerate(("ann", "bob"), 1))


def rated(*places, before=None, at=0.0):
    """Return the ratings after a game with these places, in their order."""
    after = after_game(before or {}, {str(n): place for n, place in enumerate(places)}, at, UTC, titled=True)
    return [*after.values()]


# the model (section 7 of the rules for ratings)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ((1, 1, 3, 4), [26.76, 26.76, 24.12, 22.36]),
        ((1, 2, 2, 4), [27.64, 25.00, 25.00, 22.36]),
        ((1, 2, 3, 4), [27.64, 25.88, 24.12, 22.36]),
        ((1, 1, 1, 1), [25.00, 25.00, 25.00, 25.00]),
    ],
)
def test_tied_players_gain_the_same_and_the_next_one_less(places, expected):
    assert expected == [round(one.mu, 2) for one in rated(*places)]


def test_earlier_model_gave_the_third_as_much_as_the_tied_winners():
    """This is why the model was changed."""
    model = PlackettLuce()
    after = model.rate([[model.rating()] for _ in range(4)], ranks=[1.0, 1.0, 3.0, 4.0])

    assert [25.93, 25.93, 25.93, 22.20] == [round(one.mu, 2) for [one] in after]


def test_seat_order_never_matters_even_at_large_tables_with_ties():
    chance = random.Random(1)
    places = dict(zip("abcdefgh", (1, 2, 2, 2, 5, 5, 7, 7), strict=True))
    before = {key: Rating(chance.gauss(25, 5), chance.uniform(2, 8), 20) for key in places}
    expected = after_game(before, places, 0.0, UTC, titled=True)
    for order in itertools.islice(itertools.permutations(places), 0, 40320, 997):
        after = after_game(before, {key: places[key] for key in order}, 0.0, UTC, titled=True)
        assert {key: round(one.mu, 9) for key, one in expected.items()} == {
            key: round(after[key].mu, 9) for key in expected
        }
        assert {key: round(one.sigma, 9) for key, one in expected.items()} == {
            key: round(after[key].sigma, 9) for key in expected
        }


# idle time, and provisional ratings


@pytest.mark.parametrize(("days", "expected"), [(0, 2.0), (90, 2.59), (365, 3.87), (10**6, 8.33)])
def test_rating_gets_less_certain_while_its_owner_is_away(days, expected):
    assert expected == round(Rating(30.0, 2.0, 40, at=DAY).idle_until((days + 1) * DAY).sigma, 2)


def test_idle_time_before_a_game_counts_in_that_game():
    """Someone who was away for a year moves more than someone who played yesterday."""
    before = {"0": Rating(30.0, 2.0, 40, at=0.0), "1": Rating(30.0, 2.0, 40, at=364 * DAY)}
    away, active = rated(2, 1, before=before, at=365 * DAY)

    assert 30 - away.mu > active.mu - 30 > 0


@pytest.mark.parametrize(
    ("sigma", "games", "expected"), [(5.0, 10, False), (5.01, 10, True), (5.0, 9, True), (2.0, 100, False)]
)
def test_rating_is_provisional_while_it_is_uncertain_or_has_few_games(sigma, games, expected):
    rating = Rating(30.0, sigma, games)

    assert expected == rating.provisional
    assert ("30.0?" in str(rating)) == expected


# weeks and months


def test_week_counts_the_opponents_beaten_and_a_tie_as_half():
    week = rated(1, 1, 3, 4, at=5 * DAY)[0].week

    assert Period("1970-W02", 1, beaten=5, opponents=3, met=("1", "2", "3")) == week
    assert 5 / 6 == week.share


def test_new_week_begins_empty_and_the_month_goes_on():
    first = dict(enumerate(rated(1, 2, at=3.9 * DAY)))
    again = rated(1, 2, before={str(n): one for n, one in first.items()}, at=4 * DAY)[0]

    assert ("1970-W01", "1970-W02") == (first[0].week.name, again.week.name)
    assert (1, 2) == (again.week.games, again.month.games)


def test_last_days_of_december_can_belong_to_the_first_week_of_the_next_year():
    assert "2025-W01" == week_of(1735560000, UTC)  # Monday, 30 December 2024


# in a place


async def test_game_that_ended_while_the_store_was_away_is_rated_later(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    ratings = stage.tables.results.ratings
    await ratings.rate("tally 2", 1, {"ann": 1, "bob": 2})
    await store.append("ratings", None, [Draft("table", codec.to_text(RatedGame("tally 2", 2, BOTH)))], cmd="table/2")

    assert "(1 game still being rated)" == (await stage.type("ann", "/standings tally"))[-1]
    await ratings.rate_waiting()
    assert 0 == await ratings.waiting()
    assert 2 == ratings.one("tally 2", "ann").games


async def test_lists_and_ratings_of_players_are_there_after_a_start_without_reading_games(store):
    ratings = (await Stage.open(TALLY, store=store)).tables.results.ratings
    for table in range(30):
        await ratings.rate("tally 2", table, {"ann": 1, "bob": 2})
    counting = _Counting(store)
    accounts = (await Stage.open(TALLY)).accounts
    later = Ratings(counting, accounts, now=lambda: 0.0, zone=UTC, games=["tally"])
    await later.read_of("ann")

    assert 30 == later.known["tally 2"]["ann"].games
    assert [30, 30] == [rating.games for _, rating in (await later.standings("tally"))["tally 2"]]
    assert 0 == counting.entries


class _Counting:
    """A store that counts the entries read."""

    def __init__(self, store: MemoryStore):
        self._store = store
        self.entries = 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def read(self, *args):
        page = await self._store.read(*args)
        self.entries += len(page.entries)
        return page


def test_new_player_has_the_widest_rating():
    assert "25.0? +- 16.7" == str(NEW)
