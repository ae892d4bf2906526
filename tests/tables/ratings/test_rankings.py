"""`/rank` and titles: who is listed, in which order, and who holds a title."""

from datetime import UTC

import attrs
import pytest

from lilygames.tables.ratings import rank_index, titles
from lilygames.tables.ratings.known_ratings import PlayerRating
from lilygames.tables.ratings.rankings import Calendar, missing, ranked
from lilygames.tables.ratings.rating_model import Period, Rating, week_of
from lilygames.tables.ratings.titles import Held, after_game

DAY = 86400
NOW = 20_000 * DAY
MET = tuple("abcdefgh")


def calendar(now=NOW):
    return Calendar(now, "2024-W40", "2024-10")


def rated(**changed):
    """Return a rating that just qualifies for the list of all time."""
    return attrs.evolve(Rating(30.0, 2.0, 30, at=NOW, met=MET), **changed)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ""),
        ({"games": 29}, "1 more rated game"),
        ({"met": MET[:6]}, "2 more opponents"),
        ({"games": 10, "met": ()}, "20 more rated games and 8 more opponents"),
        ({"at": NOW - 30 * DAY}, ""),
        ({"at": NOW - 31 * DAY}, "a game in the last 30 days"),
        ({"sigma": 5.1}, "a rating without a question mark"),
    ],
)
def test_list_of_all_time_takes_games_opponents_and_a_recent_game(changed, expected):
    assert expected == missing(rated(**changed), "all", calendar())


def test_week_takes_five_games_against_three_people_of_this_week():
    week = Period("2024-W40", 5, 6, 10, ("a", "b", "c"))
    assert not missing(rated(week=week), "week", calendar())
    assert "1 more rated game" == missing(rated(week=attrs.evolve(week, games=4)), "week", calendar())
    last = attrs.evolve(week, name="2024-W39")
    assert "5 more rated games and 3 more opponents" == missing(rated(week=last), "week", calendar())


def test_month_takes_ten_games_against_five_people():
    month = Period("2024-10", 10, 6, 20, tuple("abcde"))
    assert not missing(rated(month=month), "month", calendar())
    assert "1 more opponent" == missing(rated(month=attrs.evolve(month, met=tuple("abcd"))), "month", calendar())


def test_order_of_all_time_is_by_the_lower_bound_at_this_time():
    """Someone sure at 28 is ahead of someone unsure at 30."""
    known = {"unsure": rated(mu=30.0, sigma=4.0), "sure": rated(mu=28.0, sigma=1.0), "new": rated(games=3)}
    assert ["sure", "unsure"] == ranked(known, "all", calendar(), 10)
    assert ["sure"] == ranked(known, "all", calendar(), 1)


def test_order_of_the_week_is_by_the_share_of_opponents_beaten_not_by_games():
    few = Period("2024-W40", 5, 16, 10, tuple("abc"))
    many = Period("2024-W40", 50, 120, 100, tuple("abc"))

    assert ["few", "many"] == ranked({"many": rated(week=many), "few": rated(week=few)}, "week", calendar(), 10)


# titles


def climbed(*bounds, games=100, opponents=15, year=2026, before=None):
    held = before or Held()
    for bound in bounds:
        held = after_game(held, bound, games, opponents, year)
    return held


def test_title_takes_twenty_games_in_a_row_at_its_bound():
    assert "" == climbed(*[21.0] * 19).title
    assert "Expert" == climbed(*[21.0] * 20).title
    assert "" == climbed(*[21.0] * 19, 20.9, *[21.0] * 19).title
    assert "Expert" == climbed(*[24.0] * 19, 23.9).title
    assert "Master" == climbed(*[24.0] * 20).title
    assert "Grandmaster (2026)" == str(climbed(*[27.0] * 20))


@pytest.mark.parametrize(("games", "opponents", "expected"), [(49, 15, ""), (50, 14, ""), (50, 15, "Expert")])
def test_title_takes_fifty_games_and_fifteen_opponents(games, opponents, expected):
    assert expected == climbed(*[22.0] * 20, games=games, opponents=opponents).title


def test_title_is_for_life_and_a_higher_one_replaces_it():
    held = climbed(*[21.0] * 20, year=2026)
    assert "Expert (2026)" == str(climbed(*[5.0] * 40, before=held, year=2027))
    assert "Master (2028)" == str(climbed(*[25.0] * 20, before=held, year=2028))
    assert "Expert (2026)" == str(climbed(*[21.0] * 20, before=held, year=2029))


def test_rating_counts_enough_opponents_for_a_title():
    assert titles.OPPONENTS == len(attrs.evolve(rated(), met=tuple(map(str, range(titles.OPPONENTS)))).met)


# the command


@pytest.fixture
async def game(stage, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()
    return stage


async def test_rank_says_what_is_missing(game):
    assert [
        "Tally, 2 seats:",
        "      (nobody is listed yet)",
        "      To be listed, you need 29 more rated games and 7 more opponents.",
    ] == await game.type("ann", "/rank tally")


async def has(store, game, name, rating):
    """Give a player a rating, as a game does."""
    one = PlayerRating("tally 2", name, name, rating)
    lists = rank_index.after_game({}, [one], rating.at)
    await store.append("game", None, (), cmd=name, effects=[one.effect, *lists])
    game.tables.results.ratings._known.learn([one])


async def test_rank_lists_the_best_with_games_and_titles(game, store):
    now, held = game.host.now(), Held("Expert", 2026)
    for name, mu in (("ann", 33.0), ("bob", 35.0)):
        await has(store, game, name, Rating(mu, 2.0, 60, at=now, met=MET, held=held))

    assert [
        "Tally, 2 seats:",
        "   1. bob              35.0 +- 4.0  60 games, Expert (2026)",
        "   2. ann              33.0 +- 4.0  60 games, Expert (2026)",
    ] == await game.type("ann", "/rank tally")
    assert "Expert (2026)" in " ".join(await game.type("ann", "/finger bob"))
    assert "Expert (2026)" in " ".join(await game.type("ann", "/standings tally"))


async def test_rank_of_the_week(game, store):
    now = game.host.now()
    week = Period(week_of(now, UTC), 6, 9, 6, tuple("abc"))
    await has(store, game, "ann", rated(at=now, week=week))

    assert [
        "Tally, 2 seats, this week:",
        "   1. ann              beat 75 % of 6 opponents, 6 games",
    ] == await game.type("ann", "/rank week tally")


async def test_rank_of_every_game(game):
    assert "Tally, 2 seats, this month:" in await game.type("ann", "/rank month")


async def test_rank_refuses_two_lists_and_unknown_games(game):
    assert "one list at a time" in " ".join(await game.type("ann", "/rank week month"))
    assert "no game" in " ".join(await game.type("ann", "/rank chess"))


async def test_rank_before_any_game(stage):
    assert ["(nobody has played a rated game of Tally with other people yet)"] == await stage.type("ann", "/rank tally")
    assert ["(nobody has played a rated game with other people yet)"] == await stage.type("ann", "/rank")
