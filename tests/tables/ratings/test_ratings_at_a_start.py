"""Logins, lists, seeks and games right after a start: nobody waits until everyone's ratings are read."""

import asyncio

import pytest

from lilygames.gametest.stage import Stage
from tests.deadline import DEADLINE

LISTS = ("/standings tally", "/rank tally", "/rank tally week", "/rank tally last week")


@pytest.fixture
async def played(stage, table, finish):
    """A rated game that ann and bob have finished, and the rows about them and of lists."""
    await finish()
    own = {(name, "/finger me"): (await stage.type(name, "/finger me"))[-1:] for name in ("ann", "bob")}
    return own | {("ann", line): await stage.type("ann", line) for line in LISTS}


@pytest.fixture
async def starting(played, store, tally, monkeypatch):
    """The place after a start, with ann and bob; its store never returns everyone's ratings."""

    async def every(kind, first="", limit=None, reads=store.every):
        if kind == "rating":
            await asyncio.Event().wait()
        return await reads(kind, first, limit)

    monkeypatch.setattr(store, "every", every)
    stage = await Stage.open(tally, store=store, at_once=False)
    async with asyncio.timeout(DEADLINE):
        for name in ("ann", "bob"):
            await stage.host.tables.ready_for(name)
            stage.enter(name)
        yield stage


async def test_login_does_not_wait_and_reads_the_own_ratings(starting, played):
    for name in ("ann", "bob"):
        rows = await starting.type(name, "/finger me")

        assert "tally 2: " in rows[-1]
        assert played[name, "/finger me"] == rows[-1:]


@pytest.mark.parametrize("line", LISTS)
async def test_list_is_the_same_as_before_the_start(starting, played, line):
    rows = await starting.type("ann", line)

    assert played["ann", line] == rows
    assert not any("Refused" in row for row in rows)


async def test_someone_who_is_not_here_has_their_ratings(starting, played):
    starting.people["bob"].disconnect()

    assert played["bob", "/finger me"] == (await starting.type("ann", "/finger bob"))[-1:]
    assert any(row.startswith("Rating") for row in await starting.type("ann", "/stats bob tally"))


async def test_condition_of_a_seek_goes_by_the_ratings_before_the_start(starting):
    ratings = starting.tables.results.ratings
    best, other = sorted(("ann", "bob"), key=lambda name: -ratings.one("tally 2", name).mu)
    await starting.type(other, "/seek tally rating>26 max=3")

    assert f"*** {other} is looking for 1 player" in " ".join(starting.screens[best].take())
    await starting.type(best, "/sit tally")
    assert starting.table(2).table.started


async def test_chances_at_a_table_go_by_the_ratings_before_the_start(starting):
    ratings = starting.tables.results.ratings
    expected = [round(100 * chance) for chance in ratings.expected("tally 2", ["ann", "bob"])]
    await starting.type("ann", "/new tally max=3")
    await starting.type("bob", "/sit tally")

    assert [f"wins {chance} %" for chance in expected] == [
        row.rpartition(", ")[2].partition(" among")[0] for row in await starting.type("ann", "/assess")
    ]


async def test_finished_game_is_told_and_rated_at_once(starting):
    await starting.type("ann", "/new tally max=3 first-dealer=host")
    await starting.type("bob", "/sit tally")
    await starting.type("ann", "/start")
    await to_the_end(starting)

    assert not starting.open_tables
    assert 2 == len([row for row in await starting.type("ann", "/played") if row.startswith("#")])
    assert "(2 games)" in (await starting.type("ann", "/finger me"))[-1]
    assert 0 == await starting.tables.results.ratings.waiting()


async def to_the_end(stage, number=2):
    """Play a table to its end: everyone makes the first move of their list."""
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")


async def test_condition_of_a_seek_goes_by_ratings_of_people_at_other_nodes(starting):
    """Nobody has read theirs here."""
    ratings = starting.tables.results.ratings
    best, other = sorted(("ann", "bob"), key=lambda name: -ratings.one("tally 2", name).mu)
    ratings._known.keep_only([other])
    assert 0 == ratings.one("tally 2", best).games
    await starting.type(other, "/seek tally rating>26 max=3")

    assert f"*** {other} is looking for 1 player" in " ".join(starting.screens[best].take())
