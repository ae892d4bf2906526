"""Team matches: 2, 1 or 0 points a deal against the other team's player with the same cards."""

from datetime import UTC, datetime

import pytest

from lilygames.gametest.stage import Stage
from lilygames.ladders.team_match import BoardResult, total
from lilygames.store.memory import MemoryStore
from tests.clock import Clock
from tests.toys import TALLY

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ((10, 5, 21), (10, 8, 1), (3, 3)),
        ((10, 11, 12), (1, 1, 1), (6, 0)),
        ((1, 1), (1, 1), (2, 2)),
        ((7,), None, (2, 0)),
        (None, (7, 3, -2), (0, 6)),
        (None, None, (0, 0)),
    ],
)
def test_each_deal_gives_two_points_or_one_each(mine, theirs, expected):
    assert expected == BoardResult((mine, theirs), final=True).points


def test_board_gives_nothing_before_it_is_final_and_boards_add_up():
    boards = [BoardResult(((5,), None), final=False), BoardResult(((5, 6), (4, 7)), final=True)]

    assert (2, 2) == total(boards)


@pytest.fixture
def clock():
    return Clock(NOON)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store, clock):
    stage = await Stage.open(TALLY, store=store, clock=clock)
    for name in ("ann", "bob", "cat", "dan", "eve"):
        stage.enter(name)
    return stage


async def played_out(stage, name):
    """Play a person's game of match 1: each time the first legal move."""
    await stage.type(name, "/match 1 play")
    number = next(number for number, bot in stage.open_tables.items() if bot.seat_of(name) is not None)
    while number in stage.open_tables:
        bot = stage.table(number)
        await stage.type(name, f"/at {number} {bot.table.game.spell(bot.table.moves(bot.seat_of(name))[0])}")


async def test_match_compares_players_with_the_same_cards(stage):
    """All play alike, so each deal is a tie, and the boards have different cards."""
    stage.screens["dan"].take()
    assert ["Match #1: everyone can type /match 1 play within 7 days."] == await stage.type(
        "ann", "/match tally ann bob vs cat dan"
    )
    assert "/match 1 play" in " ".join(stage.screens["dan"].rows)
    for name in ("ann", "cat", "bob"):
        await played_out(stage, name)
    rows = await stage.type("eve", "/match 1")

    assert "Match #1: Tally, ann and bob against cat and dan, 7 days left." == rows[0]
    assert rows[1].startswith("  ann ")
    one, other = (int(word) for word in rows[1].replace(",", "").split() if word.isdigit())
    assert one == other > 0
    assert ["  bob and dan: bob has played", f"Total: {one} to {one} so far."] == rows[2:]
    names = {f"team-1-{n}": await stage.tables.duplicates.find(f"team-1-{n}") for n in (1, 2)}
    assert names["team-1-1"].header.seal != names["team-1-2"].header.seal


async def test_player_who_has_not_played_in_time_loses_the_board(stage, clock):
    await stage.type("ann", "/match tally ann vs cat")
    await played_out(stage, "ann")
    await stage.type("cat", "/match 1 play")
    clock.passes(days=7)
    await stage.look("ladder_watch")
    await stage.quiet()
    rows = await stage.type("ann", "/match 1")

    assert {} == stage.open_tables
    assert rows[1].endswith(", cat 0")
    assert "so far" not in rows[-1]
    assert "the time of match #1 is up" in " ".join(await stage.type("cat", "/match 1 play"))


async def test_match_survives_a_restart(stage, store, clock):
    await stage.type("ann", "/match tally ann vs cat")
    await played_out(stage, "ann")
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter("ann")
    again.enter("cat")
    await played_out(again, "cat")
    rows = await again.type("ann", "/match")

    assert 1 == len(rows)
    assert rows[0].startswith("#1 Tally, ann against cat: ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/match tally ann bob", "then two teams of the same size"),
        ("/match tally ann bob vs cat", "both teams need the same number"),
        ("/match tally ann vs ann", "nobody can play for both teams"),
        ("/match tally bob vs cat", "Add your own name"),
        ("/match tally ann vs zoe", "no account is called “zoe”"),
        ("/match 7", "there is no team match #7"),
        ("/match", "you haven't played a team match"),
    ],
)
async def test_refusal_says_what_to_type_instead(stage, line, expected):
    assert expected in " ".join(row.strip() for row in await stage.type("ann", line))


async def test_only_its_players_play_a_match(stage):
    await stage.type("ann", "/match tally ann vs cat")

    assert "you don't play in match #1" in " ".join(await stage.type("bob", "/match 1 play"))
    assert "you can see table #1 once" in " ".join(
        [*await stage.type("cat", "/match 1 play"), *await stage.type("ann", "/replay 1")]
    )


async def test_player_who_left_a_match_is_named(stage):
    await stage.type("ann", "/match tally ann vs cat")
    await stage.type("ann", "/match 1 play")
    await stage.type("ann", "/leave")

    assert "  ann and cat: ann left" == (await stage.type("cat", "/match 1"))[1]
