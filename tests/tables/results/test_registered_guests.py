"""Games that a guest has finished count once they register: in their statistics and achievements, each once."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage

WORD = "plums and pears"


@pytest.fixture
async def stage():
    stage = await Stage.open({"liedie": games()["liedie"]})
    stage.enter("Wren", guest=True)
    stage.enter("ann")
    return stage


async def played(stage, name, line="/quick liedie"):
    """Let someone play a game to its end, and return its number."""
    await stage.type(name, line)
    await stage.quiet()
    number = max(stage.open_tables)
    while number in stage.open_tables:
        await stage.type(name, f"/at {number} {stage.table(number).words(stage.people[name])[0]}")
        await stage.quiet()
    return number


async def register(stage, name):
    await stage.accounts.create(name, WORD, guest=False)
    await stage.place.records.registered(stage.people[name])


async def test_game_of_a_guest_counts_after_registering(stage):
    number = await played(stage, "Wren")
    assert {} == await stage.tables.statistics.of("Wren")
    await register(stage, "Wren")
    totals = (await stage.tables.statistics.of("Wren"))["liedie"]

    assert 1 == totals.games
    assert [number] == [one.table for one in totals.recent]


async def test_game_counts_once_for_everyone(stage):
    """Ann, who has an account, played at the same table: her games stay as they are."""
    await stage.accounts.create("ann", WORD, guest=False)
    await played(stage, "Wren")
    await played(stage, "ann")
    before = await stage.tables.statistics.of("ann")
    await register(stage, "Wren")
    await stage.place.records.registered(stage.people["Wren"])

    assert before == await stage.tables.statistics.of("ann")
    assert 1 == (await stage.tables.statistics.of("Wren"))["liedie"].games


async def test_game_of_a_guest_who_was_renamed_counts_too(stage):
    """The page lets a guest choose a name, and registers it."""
    stage.enter("guest1", guest=True)
    await played(stage, "guest1")
    await stage.type("guest1", "/rename Kingfisher")
    await stage.accounts.create("Kingfisher", WORD, guest=False)
    await stage.place.records.registered(stage.people["guest1"])

    assert 1 == (await stage.tables.statistics.of("Kingfisher"))["liedie"].games


async def test_game_counts_if_the_guest_had_a_key_of_their_own(stage):
    """A server gives each guest one, so that an earlier guest's data isn't theirs. The log has the old name."""
    stage.enter("guest1", guest=True)
    stage.accounts.known_by("guest1", "guest1~7")
    number = await played(stage, "guest1")
    await stage.type("guest1", "/rename Kingfisher")
    await stage.accounts.create("Kingfisher", WORD, guest=False)
    await stage.place.records.registered(stage.people["guest1"])
    totals = await stage.tables.statistics.of("Kingfisher")

    assert "guest1~7" == stage.accounts.key("Kingfisher")
    assert [number] == [one.table for one in totals["liedie"].recent]


async def test_private_game_still_counts_for_nothing(stage):
    await played(stage, "Wren", "/quick liedie private=on")
    await register(stage, "Wren")

    assert {} == await stage.tables.statistics.of("Wren")


async def test_games_of_an_earlier_guest_with_the_same_name_are_not_theirs(stage):
    await played(stage, "Wren")
    stage.people["Wren"].activity.since += 3600
    await register(stage, "Wren")

    assert {} == await stage.tables.statistics.of("Wren")
