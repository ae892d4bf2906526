"""`/achievements`: found in the logs of finished games, once each, also for games that ended before."""

import attrs
import pytest

from lilygames.game import Achievement
from lilygames.games.families.tricks.achievements import FLAWLESS, SLAM, made_with
from lilygames.gametest.stage import Stage
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.tables.archive.archive import Archive
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.results.achievements import Achievements, Earned
from lilygames_rules.cards import Card
from lilygames_rules.kit import Event
from lilygames_rules.tricks.exactbid import HandDealt, RoundScored
from tests.toys import TALLY


def _winners(events: list[Event], _):
    yield from (event.winners[0] for event in events if hasattr(event, "winners"))


WON = Achievement("First", "finished first", _winners)
GAMES = {"tally": attrs.evolve(TALLY["tally"], achievements=(WON, SLAM))}


@pytest.fixture
async def stage(store):
    stage = await Stage.open(GAMES, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


@pytest.fixture
def play(stage, finish):
    async def played(options=""):
        await stage.type("ann", f"/new tally max=3 first-dealer=host {options}")
        number = max(stage.open_tables)
        await stage.type("bob", f"/sit {number}")
        if "private" in options:
            await stage.type("ann", "/invite bob")
            await stage.type("bob", f"/sit {number}")
        await stage.type("ann", f"/at {number} start")
        await finish(number)
        return number

    return played


async def earned(place, *names):
    return [(await place.tables.achievements.of(name)).games.get("tally", {}) for name in names]


async def test_player_is_told_and_the_game_is_named(stage, play):
    await play()
    found = await earned(stage.place, "ann", "bob")
    winner = ("ann", "bob")[not found[0]]

    assert sorted(map(len, found)) == [0, 1]
    assert {"First": Earned(1, 1)} in found
    assert any("Achievement: First. You finished first." in row for row in stage.screens[winner].rows)
    assert [f"Achievements of {winner}:", "  Tally: First, finished first (first in game #1)."] == await stage.type(
        winner, "/achievements"
    )
    assert "* First: finished first (first in game #1, 1 time)." in " ".join(
        await stage.type(winner, "/achievements tally")
    )


async def test_table_that_ends_again_adds_nothing(stage, play):
    number = await play()
    before = await earned(stage.place, "ann", "bob")
    table, _ = await stage.tables.finished.replayed(number)
    await stage.tables.achievements.finished(table)

    assert before == await earned(stage.place, "ann", "bob")


async def test_private_games_and_guests_have_none(stage, play):
    await play("private=on bob")
    assert [{}, {}] == await earned(stage.place, "ann", "bob")
    del stage.accounts.names["ann"]
    del stage.accounts.names["bob"]
    await play()

    assert [{}, {}] == await earned(stage.place, "ann", "bob")
    assert "guests don't have achievements" in " ".join(await stage.type("ann", "/achievements"))


async def test_unreadable_record_is_set_aside(stage, store):
    store.records["achievements"]["ann"] = "{"
    logged = UnreadableRows()
    known = Achievements(store, stage.accounts, FinishedTables(Archive(store), GAMES), stage.host.people, logged)

    assert 0 == (await known.of("ann")).number
    assert 1 == len(logged)


# the trick games' own


def hands(*cards):
    return [HandDealt(seat, tuple(map(Card.parse, hand.split()))) for seat, hand in enumerate(cards)]


def scored(bids, taken):
    return RoundScored(1, bids, taken, (0,) * len(bids), (0,) * len(bids))


def test_null_bid_counts_only_if_it_was_made_with_those_cards():
    aces = made_with(lambda hand: sum(card.rank == 14 for card in hand) >= 4, 0)
    dealt = hands("AC AD AH AS 2C", "2D 3D 4D 5D 6D")
    assert [0] == [*aces([*dealt, scored((0, 0), (0, 0))], None)]
    assert [] == [*aces([*dealt, scored((0, 5), (1, 4))], None)]
    assert [] == [*aces([*dealt, scored((1, 0), (1, 0))], None)]


def test_slam_takes_every_trick_as_bid():
    assert [1] == [*SLAM.seats([scored((0, 5), (0, 5))], None)]
    assert [] == [*SLAM.seats([scored((0, 4), (0, 4))], None)]
    assert [] == [*SLAM.seats([scored((1, 5), (0, 6)), scored((0, 4), (1, 5))], None)]


def test_flawless_makes_every_bid_of_a_long_game():
    rounds = [scored((1, 0), (1, 1))] * 8
    assert [0] == [*FLAWLESS.seats(rounds, None)]
    assert [] == [*FLAWLESS.seats(rounds[1:], None)]
