"""Final rankings of weeks and months: what people type, when a list is final, and which games count."""

import asyncio
import itertools
from datetime import UTC, date, datetime

import pytest

from lilygames.errors import UserError
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.ratings.periods import Asked, read, shown
from lilygames.tables.ratings.ratings import Ratings
from tests.toys import TALLY

TODAY = date(2026, 11, 23)
"""The Monday of week 48."""


@pytest.mark.parametrize(
    ("words", "expected", "rest"),
    [
        ("", Asked("all"), []),
        ("ohell", Asked("all"), ["ohell"]),
        ("ohell week", Asked("week"), ["ohell"]),
        ("last week ohell", Asked("week", "2026-W47"), ["ohell"]),
        ("ohell last month", Asked("month", "2026-10"), ["ohell"]),
        ("ohell week 46", Asked("week", "2026-W46"), ["ohell"]),
        ("week 50", Asked("week", "2025-W50"), []),
        ("ohell week 2026-W46", Asked("week", "2026-W46"), ["ohell"]),
        ("w46", Asked("week", "2026-W46"), []),
        ("2025w01", Asked("week", "2025-W01"), []),
        ("week 2026-11-15", Asked("week", "2026-W46"), []),
        ("october", Asked("month", "2026-10"), []),
        ("Oct 2025 lie die", Asked("month", "2025-10"), ["lie", "die"]),
        ("december", Asked("month", "2025-12"), []),
        ("month october", Asked("month", "2026-10"), []),
        ("month 10", Asked("month", "2026-10"), []),
        ("2026-10", Asked("month", "2026-10"), []),
        ("week 48", Asked("week"), []),
        ("november", Asked("month"), []),
    ],
)
def test_words_name_a_list(words, expected, rest):
    assert (expected, rest) == read(words.split(), TODAY)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("week month", "one list at a time"),
        ("october september", "one list at a time"),
        ("last october", "one list at a time"),
        ("last", "/rank last week or /rank last month"),
        ("week october", "that isn't a week"),
        ("2026-W60", "weeks have numbers from 1 to 53"),
        ("2025-W53", "2025 has no week 53"),
        ("2026-W50", r"week 50 \(7 to 13 December 2026\) hasn't begun"),
        ("december 2026", "December 2026 hasn't begun"),
        ("2026-13", "months from 1 to 12"),
        ("week 2026-02-30", "isn't a date"),
    ],
)
def test_refusal_gives_examples(words, expected):
    with pytest.raises(UserError, match=expected):
        read(words.split(), TODAY)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (Asked("week", "2026-W46"), "week 46 (9 to 15 November 2026)"),
        (Asked("week", "2026-W44"), "week 44 (26 October to 1 November 2026)"),
        (Asked("week", "2026-W53"), "week 53 (28 December 2026 to 3 January 2027)"),
        (Asked("month", "2026-10"), "October 2026"),
    ],
)
def test_list_is_headed_by_its_days(asked, expected):
    assert expected == shown(asked)


# a place


class Clock:
    def __init__(self, *day):
        self.at(*day)

    def __call__(self):
        return self.now

    def at(self, *day):
        self.now = datetime(2026, *day, 12, tzinfo=UTC).timestamp()


@pytest.fixture
def clock():
    return Clock(11, 10)


@pytest.fixture
def store(clock):
    return MemoryStore(clock)


@pytest.fixture
async def stage(store, clock):
    return await Stage.open(TALLY, store=store, clock=clock)


PEOPLE = ("ann", "bob", "cat", "dan")
TABLE = itertools.count(1)


async def played(stage, *order, games=5, kind="tally 3-4"):
    """Let people finish games in this order."""
    for _ in range(games):
        places = {name: place for place, name in enumerate(order, 1)}
        await stage.tables.results.ratings.rate(kind, next(TABLE), places)


@pytest.fixture
async def in_week_46(stage):
    for name in PEOPLE:
        stage.enter(name)
    await played(stage, *PEOPLE)
    return stage


FINAL = [
    "Tally, 3-4 seats, week 46 (9 to 15 November 2026):",
    "   1. ann              beat 100 % of 15 opponents, 5 games",
    "   2. bob              beat 67 % of 15 opponents, 5 games",
    "   3. cat              beat 33 % of 15 opponents, 5 games",
    "   4. dan              beat 0 % of 15 opponents, 5 games",
]


async def test_list_of_a_past_week_is_kept_after_games_of_the_next(in_week_46, clock):
    clock.at(11, 17)
    assert FINAL == await in_week_46.type("ann", "/rank tally last week")
    await played(in_week_46, "dan", "cat", "bob", "ann")
    clock.at(11, 25)

    assert FINAL == await in_week_46.type("ann", "/rank tally week 46")
    assert "   1. dan " in " ".join(await in_week_46.type("ann", "/rank tally last week"))


async def test_list_of_a_past_month_is_kept(in_week_46, clock):
    await played(in_week_46, *PEOPLE, "eva", "fay", games=10, kind="tally 5+")
    clock.at(12, 2)
    await played(in_week_46, "fay", "eva", *PEOPLE, games=1, kind="tally 5+")
    rows = await in_week_46.type("ann", "/rank november")

    assert ["Tally, 5+ seats, November 2026:", "   1. ann              beat 100 % of 50 opponents, 10 games"] == rows[
        :2
    ]
    assert 4 == len(rows)


async def test_list_survives_a_restart(in_week_46, store, clock):
    clock.at(11, 17)
    await played(in_week_46, "dan", "cat", "bob", "ann", games=1)
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter("ann")

    assert FINAL == await again.type("ann", "/rank tally last week")


async def test_two_nodes_write_the_same_list_once(in_week_46, store, clock):
    """Both rate the first games of a new week at the same time."""
    accounts = in_week_46.accounts
    nodes = [Ratings(store, accounts, now=clock, zone=UTC) for _ in range(2)]
    for node in nodes:
        await node.follow()
    clock.at(11, 17)
    await asyncio.gather(
        *(node.rate("tally 3-4", next(TABLE), {"dan": 1, "ann": 2}) for node in nodes for _ in range(5))
    )
    found = [await node.past("tally 3-4", "2026-W46") for node in nodes]

    assert found[0] == found[1]
    assert ["ann", "bob", "cat", "dan"] == [one.key for one in found[0].places]
    assert 10 == len((await store.read("ratings/2", 5)).entries)


async def test_words_that_name_nothing_are_refused(in_week_46):
    for line in ("/rank tally lastweek", "/rank tally week foo"):
        assert "I don't understand" in " ".join(await in_week_46.type("ann", line))


async def test_week_without_a_list_says_so(in_week_46):
    refused = " ".join(await in_week_46.type("ann", "/rank tally week 40"))
    assert "(nobody played enough rated games of Tally to be listed in week 40" in refused


async def test_deleted_player_is_a_former_player(in_week_46, clock, store):
    clock.at(11, 17)
    await played(in_week_46, "dan", "cat", "bob", games=1)
    del store.records["rating"]["tally 3-4/ann"]
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter("bob")

    assert "   1. former player    beat 100 %" in " ".join(await again.type("bob", "/rank tally last week"))
