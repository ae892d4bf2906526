"""/tables: what is going on at each table, who leads there, and how many watch; public facts only."""

import re

import attrs
import pytest

from lilygames.games import games
from lilygames.games.families.tricks import screens
from lilygames.gametest.stage import Stage
from lilygames.tables.commands.joining import table_list
from lilygames.text import Voice, columns
from tests.tables.sight.test_replay import steps
from tests.toys import TALLY

DRAWN = {"tally": attrs.evolve(TALLY["tally"], picture=screens.picture, glance=screens.glance)}


@pytest.fixture
async def stage(store):
    stage = await Stage.open(DRAWN, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


@pytest.fixture
async def playing(stage):
    """The shortest Tally between ann and bob, watched by cat."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("cat", "/watch tally")
    return stage


async def row_of(stage, number=1):
    rows = await stage.type("cat", "/tables")
    return next(row for row in rows if row.startswith(f"{number:>3} "))


async def test_list_shows_the_round_the_bids_and_the_spectators(playing):
    assert "  1  Tally         round 1 of 5, bidding                                    1" == await row_of(playing)
    await playing.type("bob", "bid 0")
    await playing.type("ann", "bid 0")

    assert "round 1 of 5, bids 0 for 1 trick" in await row_of(playing)


async def test_nobody_leads_before_scores_differ(playing):
    await playing.type("bob", "bid 0")
    await playing.type("ann", "bid 0")
    for name in ("bob", "ann"):
        await playing.type(name, "1")

    row = await row_of(playing)
    assert "round 2 of 5" in row
    assert re.search(r"  (ann|bob) 11, (ann|bob) -1 ", row)


async def test_tables_with_spectators_come_first_and_those_that_wait_last(playing):
    await playing.type("cat", "/new tally")
    for name in ("dan", "eve"):
        playing.enter(name)
    await playing.type("dan", "/new tally max=3")
    await playing.type("dan", "/house")
    await playing.type("dan", "/start")
    await playing.type("eve", "/watch 3")
    await playing.type("cat", "/watch 3")
    rows = await playing.type("eve", "/tables")

    assert [3, 1, 2] == [int(row[:3]) for row in rows[1:4]]
    assert "Type /watch 3 to watch, /sit 2 to join or /quick to play." == rows[4]


async def test_games_whose_players_are_away_say_so_come_last_and_are_not_offered(stage):
    for name in ("Dan", "eve", "fay"):
        stage.enter(name)
    await stage.type("Dan", "/new tally max=3")
    await stage.type("eve", "/sit tally")
    await stage.type("Dan", "/start")
    await stage.type("fay", "/watch 1")
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 2")
    await stage.type("ann", "/start")
    await stage.type("eve", "/new tally")
    assert [1, 2, 3] == numbers(await stage.type("cat", "/tables"))
    stage.drop("Dan")

    rows = await stage.type("cat", "/tables")
    assert [2, 3, 1] == numbers(rows)
    assert "  1  Tally         Dan is away, round 1 of 5, bidding                       1" in rows
    assert "Type /watch 2 to watch, /sit 3 to join or /quick to play." == rows[-1]
    for name in ("eve", "ann"):
        stage.drop(name)
    rows = await stage.type("cat", "/tables")
    assert [1, 2, 3] == numbers(rows)
    assert "everyone is away, round 1 of 5" in " ".join(rows)
    assert "Type /quick to play." == rows[-1]
    await stage.come("ann")
    assert 2 == numbers(await stage.type("cat", "/tables"))[0]


async def test_player_with_days_for_a_move_is_not_away(stage):
    await stage.type("ann", "/new tally max=3 clock=3d")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    stage.drop("bob")

    assert "away" not in await row_of(stage)


def numbers(rows):
    """Return the numbers of the tables in a list."""
    return [int(row[:3]) for row in rows if row[:3].strip().isdigit()]


async def test_adjourned_table_says_so(playing):
    await playing.type("ann", "/adjourn")
    await playing.type("bob", "/adjourn")

    assert "adjourned, round 1 of 5" in await row_of(playing)


async def test_long_list_has_pages(stage):
    for number in range(20):
        stage.enter(f"p{number}")
        await stage.type(f"p{number}", "/new tally")
    rows, rest = await stage.type("ann", "/tables"), await stage.type("ann", "/tables 2")

    assert "(2 more tables: /tables 2)" in rows
    assert len(rows) <= 24
    assert 2 == sum("waiting: " in row for row in rest)


async def test_narrow_screen_gets_two_rows_a_table(playing):
    await playing.type("bob", "/set width 39")
    playing.screens["bob"].voice = Voice(narrow=True)

    assert ["  1 Tally", "    round 1 of 5, bidding"] == (await playing.type("bob", "/tables"))[:2]


async def test_screen_reader_hears_a_sentence_a_table(playing):
    playing.enter("bob", Voice(spoken=True))

    assert "Table 1, Tally: round 1 of 5, bidding. 1 watching." == (await playing.type("bob", "/tables"))[0]


@pytest.mark.parametrize("name", sorted(games()))
def test_facts_of_a_table_fit_their_columns_in_every_game(name):
    for seats in (games()[name].rules.SEATS[0], min(6, games()[name].rules.SEATS[-1])):
        for step in steps(games()[name], seats):
            for voice, width in ((Voice(suits="symbols"), 78), (Voice(narrow=True), 39)):
                now, leading = table_list._facts(step.table, voice)
                row = table_list.Row(123, step.table.game.title, now, leading, 12)
                assert now
                lines = [*table_list._narrow(row)] if voice.narrow else [table_list._HEAD, table_list._wide(row)]
                assert max(columns(line.text) for line in lines) <= width
