"""Ladders in a place: `/ladder`, duels with the same cards, time, restarts and several nodes."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.ladders.ladder import Ladder, Midnight
from lilygames.ladders.ladder_store import Ladders
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.room import seating
from tests.clock import Clock
from tests.toys import TALLY, TOYS

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()


@pytest.fixture
def clock():
    return Clock(NOON)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store, clock):
    """Ann, bob and cat on the ladder of Tally, in this order."""
    stage = await Stage.open(TALLY, store=store, clock=clock)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
        await stage.type(name, "/ladder join tally")
    return stage


async def places(stage):
    return [rung.key for rung in (await stage.ladders.find(TALLY["tally"])).rungs]


async def played_out(stage, name, number, move=0):
    """Play a person's game: each time the same choice of their legal moves."""
    while number in stage.open_tables:
        bot = stage.table(number)
        moves = bot.table.moves(bot.seat_of(name))
        await stage.type(name, f"/at {number} {bot.table.game.spell(moves[min(move, len(moves) - 1)])}")


async def duel(stage, challenger, defender):
    """Return the numbers of the tables of a duel that both have begun."""
    await stage.type(challenger, f"/ladder challenge {defender}")
    await stage.type(defender, "/ladder accept")
    for name in (challenger, defender):
        await stage.type(name, "/ladder play")
    return sorted(stage.open_tables)[-2:]


async def test_people_join_at_the_bottom(stage):
    assert ["ann", "bob", "cat"] == await places(stage)
    assert [
        "Tally ladder, October to December 2026:",
        "   1. ann              0-0",
        "   2. bob              0-0",
        "   3. cat              0-0",
    ] == await stage.type("cat", "/ladder tally")


async def test_duel_gives_both_the_same_cards_and_bots_and_the_higher_total_wins(stage):
    numbers = await duel(stage, "cat", "ann")
    tables = [stage.table(number).table for number in numbers]
    assert 1 == len({table.header.duplicate for table in tables})
    assert 1 == len({str(table.view(0).round.hand) for table in tables})
    assert [who.name for who in tables[0].seats][1:] == [who.name for who in tables[1].seats][1:]
    await played_out(stage, "cat", numbers[0])
    await played_out(stage, "ann", numbers[1], move=1)
    await stage.look("ladder_watch")
    one = await stage.ladders.find(TALLY["tally"])
    points = [sum(done.finished.seats[0].deals) for done in await done_tables(stage)]

    assert points[0] != points[1]
    expected = ["cat", "ann", "bob"] if points[0] > points[1] else ["ann", "bob", "cat"]
    assert expected == [rung.key for rung in one.rungs]
    assert () == one.duels


async def done_tables(stage):
    found = await stage.tables.duplicates.find("ladder-tally-1")
    return [*found.tables.values()]


async def test_secret_of_a_duel_is_published_after_it(stage):
    for name, number in zip(("cat", "ann"), await duel(stage, "cat", "ann"), strict=True):
        await played_out(stage, name, number)
    await stage.look("ladder_watch")
    await stage.tables.duplicates.look()

    assert (await stage.tables.duplicates.find("ladder-tally-1")).opened


async def test_nobody_else_sees_a_duel_and_the_opponent_only_after_their_own_game(stage):
    await stage.type("cat", "/ladder challenge ann")
    await stage.type("ann", "/ladder accept")
    await stage.type("cat", "/ladder play")
    await played_out(stage, "cat", 1)

    assert "once your own game with these cards is over" in " ".join(await stage.type("ann", "/replay 1"))
    assert "once your own game with these cards is over" in " ".join(await stage.type("bob", "/replay 1"))
    assert "Refused: " in " ".join(await stage.type("bob", "/new tally duplicate=ladder-tally-1"))


async def test_opponent_cannot_join_the_table_of_a_duel(stage):
    """They would see the cards of their own game, or play a bot's seat for the other player."""
    await stage.type("cat", "/ladder challenge ann")
    await stage.type("ann", "/ladder accept")
    await stage.type("cat", "/ladder play")
    refused = " ".join(await stage.type("cat", "/invite ann"))
    rows = [*await stage.type("ann", "/sit 1"), *await stage.type("ann", "/watch 1")]

    assert "everyone plays these cards alone" in refused
    assert 2 == " ".join(rows).count("there is no table “1” now")
    assert ["cat"] == [who.name for who in stage.table(1).table.seats.people]


async def test_earlier_invitation_to_the_table_of_a_duel_is_void(stage):
    """Earlier releases let people invite others to a duel."""
    await stage.type("cat", "/ladder challenge ann")
    await stage.type("ann", "/ladder accept")
    await stage.type("cat", "/ladder play")
    bot = stage.table(1)
    await bot.room.do(partial(seating.note, bot, "invited", "ann", "cat"))
    refused = " ".join(await stage.type("ann", "/sit 1"))

    assert "these cards are for one player" in refused
    assert ["cat"] == [who.name for who in bot.table.seats.people]


@pytest.mark.parametrize("line", ["/ladder tally", "/ladder", "/ladder play"])
async def test_game_of_a_duel_counts_as_soon_as_it_is_over(stage, line):
    """Nobody reads that it still waits for them."""
    await duel(stage, "cat", "ann")
    for name in ("cat", "ann"):
        await stage.type(name, "/leave")
    rows = " ".join(await stage.type("ann", line))

    assert "Your duel with cat" not in rows.replace("Your duel with cat has no winner", "")
    assert () == (await stage.ladders.find(TALLY["tally"])).duels


async def test_nobody_is_told_to_play_whose_game_is_over(stage):
    """Both games end between two looks."""
    await duel(stage, "cat", "ann")
    for name in ("cat", "ann"):
        await stage.type(name, "/leave")
        stage.screens[name].take()
    await stage.look("ladder_watch")

    assert [["[Tally ladder] Your duel with cat has no winner. You're number 1."]] == [stage.screens["ann"].take()]


async def test_game_is_named_by_its_title_in_several_words():
    stage = await Stage.open(games())
    stage.enter("ann")

    assert "number 1 of 1 on the Liar's Poker ladder" in " ".join(await stage.type("ann", "/ladder join liar's poker"))
    assert "Lie Die ladder, " in " ".join(await stage.type("ann", "/ladder lie die"))
    assert "there is no game called" in " ".join(await stage.type("ann", "/ladder chess foo"))


async def test_duel_is_played_once(stage):
    numbers = await duel(stage, "cat", "ann")
    await stage.type("cat", "/join lobby")
    again = await stage.type("cat", "/ladder play")
    assert numbers == sorted(stage.open_tables)
    assert any("Your turn" in row or "bid" in row for row in again)
    await played_out(stage, "cat", numbers[0])

    for line in ("/ladder play", "/ladder play tally"):
        assert "you've already played this duel. The result counts once ann has" in " ".join(
            await stage.type("cat", line)
        )


async def test_challenged_player_is_told_at_once_and_again_at_the_next_login(stage, clock):
    stage.screens["bob"].take()
    await stage.type("cat", "/ladder challenge bob")
    assert "[Tally ladder] cat challenges you: /ladder accept tally, or decline. You have 36 hours." == " ".join(
        row.strip() for row in stage.screens["bob"].rows
    )
    stage.drop("bob")
    clock.passes(hours=6)
    screen = await stage.come("bob")

    assert "cat challenges you" in " ".join(screen.rows)
    assert "You have 30 hours." in " ".join(row.strip() for row in screen.rows)


async def test_challenge_is_lost_after_36_hours(stage, clock):
    await stage.type("cat", "/ladder challenge ann")
    clock.passes(hours=35, minutes=59)
    await stage.look("ladder_watch")
    assert ["ann", "bob", "cat"] == await places(stage)
    clock.passes(minutes=1)
    stage.screens["cat"].take()
    await stage.look("ladder_watch")

    assert ["cat", "ann", "bob"] == await places(stage)
    rows = " ".join(row.strip() for row in stage.screens["cat"].rows)
    assert "You won your duel with ann: ann didn't answer. You're number 1." in rows


async def test_declining_loses_and_the_player_is_told(stage):
    await stage.type("cat", "/ladder challenge ann")
    rows = await stage.type("ann", "/ladder decline")

    assert ["cat", "ann", "bob"] == await places(stage)
    assert "You lost your duel with cat: you declined." in rows[0]


async def test_unfinished_game_of_a_duel_is_broken_off_when_its_time_is_up(stage, clock):
    numbers = await duel(stage, "cat", "ann")
    await played_out(stage, "ann", numbers[1])
    clock.passes(days=7)
    await stage.look("ladder_watch")
    await stage.quiet()

    assert ["ann", "bob", "cat"] == await places(stage)
    assert {} == stage.open_tables


async def test_ladder_and_its_duels_survive_a_restart(stage, store, clock):
    numbers = await duel(stage, "cat", "ann")
    await played_out(stage, "cat", numbers[0], move=1)
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter("ann")
    await again.type("ann", "/ladder play tally")
    await played_out(again, "ann", numbers[1])
    await again.look("ladder_watch")
    ladder = await again.ladders.find(TALLY["tally"])

    assert (1, ()) == (sum(rung.wins for rung in ladder.rungs), ladder.duels)


# time


def seconds(text, zone):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


async def test_drop_is_applied_at_the_first_midnight_after_three_weeks(stage, clock):
    clock.now = datetime(2026, 12, 13, 23, 59, tzinfo=UTC).timestamp()
    assert ["ann", "bob", "cat"] == await places(stage)
    clock.passes(minutes=1)
    assert ["cat", "ann", "bob"] == await places(stage)


async def test_ladder_that_cannot_be_read_stops_no_other_one(stage, store, clock):
    store.entries["ladder/high/2026-4"] = [attrs.evolve(store.entries["ladder/tally/2026-4"][0], body="{")]
    again = await Stage.open(TOYS, store=store, clock=clock)
    assert {"high", "tally"} == {*again.ladders.games}
    clock.passes(days=1)
    await again.look("ladder_watch")

    assert {"tally": "2026-11-23"} == {name: ladder.day for name, ladder in again.ladders.known.items()}


async def test_several_nodes_apply_each_midnight_once(stage, store, clock):
    others = [await Stage.open(TALLY, store=store, clock=clock) for _ in range(2)]
    nodes = [one.ladders for one in (stage, *others)]
    clock.passes(days=25)
    found = await asyncio.gather(*(node.find(TALLY["tally"]) for node in nodes))
    midnights = [entry for entry in store.entries["ladder/tally/2026-4"] if '"Midnight"' in entry.body]

    assert {found[0].rungs} == {ladder.rungs for ladder in found}
    assert 25 == len(midnights)


async def test_midnight_is_applied_once_if_the_answer_of_the_store_is_lost(stage, store, clock):
    clock.passes(days=1)
    store.fail_next(StoreUnavailable("away"), call="append", landed=True)
    with pytest.raises(StoreUnavailable):
        await stage.ladders.find(TALLY["tally"])
    ladder = await stage.ladders.find(TALLY["tally"])

    assert ("2026-11-23", [0, 0, 0]) == (ladder.day, [rung.idle for rung in ladder.rungs])


@pytest.mark.parametrize(
    ("before", "after"),
    [("2026-03-28T23:30", "2026-03-30T00:30"), ("2026-10-24T23:30", "2026-10-26T00:30")],
)
async def test_clock_change_neither_skips_nor_repeats_a_midnight(store, stage, before, after):
    """In Berlin a day has 23 hours in March and 25 in October."""
    zone, clock = ZoneInfo("Europe/Berlin"), Clock(seconds(before, "Europe/Berlin"))
    stage.tables.duplicates.now = clock
    told = []
    ladders = Ladders(MemoryStore(), stage.ladders.duels, TALLY, zone, told=told.append)
    await ladders.find(TALLY["tally"])
    while clock.now < seconds(after, "Europe/Berlin"):
        clock.passes(minutes=30)
        await ladders.find(TALLY["tally"])
    first = date.fromisoformat(before[:10])

    assert [Midnight((first + timedelta(days=n)).isoformat()) for n in (1, 2)] == [news.act for news in told]


async def test_season_ends_with_its_quarter_and_its_table_is_kept(stage, clock):
    await stage.type("cat", "/ladder challenge ann")
    await stage.type("ann", "/ladder decline")
    for name in ("ann", "bob", "cat"):
        await stage.type(name, "/ladder away")
    clock.now = datetime(2027, 1, 1, 0, 0, tzinfo=UTC).timestamp()
    now = await stage.ladders.find(TALLY["tally"])
    past = await stage.type("ann", "/ladder tally season 2026-4")

    assert ("2027-1", "2027-01-01") == (now.season, now.day)
    assert {(0, 0)} == {(rung.wins, rung.losses) for rung in now.rungs}
    assert "Tally ladder, October to December 2026, final:" == past[0]
    assert " 1-0" in " ".join(past)
    assert "Tally ladder, January to March 2027:" == (await stage.type("ann", "/ladder tally"))[0]


async def test_server_that_was_down_for_two_seasons_opens_them_in_order(stage, store, clock):
    clock.now = datetime(2027, 5, 5, tzinfo=UTC).timestamp()
    again = await Stage.open(TALLY, store=store, clock=clock)
    ladder = await again.ladders.find(TALLY["tally"])

    assert ("2027-2", "2027-05-05") == (ladder.season, ladder.day)
    assert ["2027-1", "2027-2"] == [
        season for season in ("2027-1", "2027-2") if await again.ladders.season(TALLY["tally"], season)
    ]


async def test_place_without_members_opens_a_season_only_once(store, clock):
    stages = [await Stage.open(TALLY, store=store, clock=clock) for _ in range(3)]
    found = await asyncio.gather(*(stage.ladders.find(TALLY["tally"]) for stage in stages))

    assert {Ladder("2026-4", "2026-11-22", 1)} == {*found}


# words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/ladder join tally", "you're already on the Tally ladder"),
        ("/ladder chess", "no game"),
        ("/ladder challenge", "type /ladder challenge NAME"),
        ("/ladder challenge zoe", "“zoe” isn't on the Tally ladder"),
        ("/ladder challenge cat", "you can only challenge people above you"),
        ("/ladder accept", "nobody has challenged you"),
        ("/ladder play", "you have no duel to play"),
        ("/ladder back", "you aren't away"),
        ("/ladder tally season 2031-1", "there was no Tally ladder from January to March 2031"),
        ("/ladder tally season soon", "type /ladder tally"),
    ],
)
async def test_refusal_says_what_to_type_instead(stage, line, expected):
    assert expected in " ".join(await stage.type("bob", line))


async def test_guest_cannot_join(stage):
    del stage.accounts.names["cat"]

    assert "only registered players can join" in " ".join(await stage.type("cat", "/ladder join tally"))


async def test_overview_lists_the_ladders_and_the_own_duels(stage):
    await stage.type("cat", "/ladder challenge bob")

    assert [
        "Ladders:",
        "  tally        3 players, ann leads, you're number 2",
        "    cat challenges you: /ladder accept, or decline. You have 36 hours.",
        "Type /ladder GAME to see one, or /ladder join GAME.",
    ] == await stage.type("bob", "/ladder")


async def test_leaving_during_a_duel_asks_first(stage):
    await stage.type("cat", "/ladder challenge ann")
    assert "To leave all the same" in " ".join(await stage.type("ann", "/ladder leave"))
    await stage.type("ann", "/ladder leave tally yes")

    assert ["cat", "bob"] == await places(stage)
