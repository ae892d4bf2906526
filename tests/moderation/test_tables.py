"""Freeze a game and decide it: every act is in the table's log, which replay, ratings and /verify obey."""

import pytest

from tests.moderation.conftest import staffed
from tests.toys import installed


@pytest.fixture
async def table(stage, says):
    """A Tally between ann and Bob."""
    for name, line in (("ann", "/new tally max=3 first-dealer=host"), ("Bob", "/sit tally"), ("ann", "/start")):
        await says(name, line)
    return stage.table(1)


async def move(says, bot):
    seat = bot.table.to_move[0]
    line = bot.table.game.spell(bot.questions.offered(seat)[0])
    return await says(bot.table.seats[seat].name, f"/at {bot.table.header.number} {line}")


async def places(stage):
    """The places of ann and Bob in their history, and whether the game was rated."""
    found = [await stage.tables.results.played(name) for name in ("ann", "Bob")]
    return [(played[0].place, played[0].rated) for played in found if played]


async def test_frozen_table_takes_no_move_until_it_goes_on(stage, says, table):
    assert "(table 1 is frozen)" in await says("Mo", "/freeze 1 Someone complained.")
    assert "this table is frozen" in await says("Bob", "/bid 0")
    assert "is frozen already" in await says("Mo", "/freeze 1 Again.")
    assert "(table 1 continues)" in await says("Mo", "/unfreeze 1 It was nothing.")
    await says("Bob", "/bid 0")

    assert 1 == table.table.made
    assert "isn't frozen" in await says("Mo", "/unfreeze 1 Again.")


async def test_void_game_counts_for_nobody(stage, says, reads, table):
    await says("Mo", "/adjudicate 1 void A bug.")
    await stage.quiet()

    assert "Mo ended this game: A bug." in reads("ann")
    assert [] == await places(stage)
    assert "Match" in await says("Cat", "/verify 1")


async def test_decided_winner_is_rated_and_replayed_and_verified(stage, says, table):
    await says("Mo", "/adjudicate 1 win bob Ann shared her cards.")
    await stage.quiet()

    assert [(2, True), (1, True)] == await places(stage)
    assert "Match" in await says("Cat", "/verify 1")
    assert "Ann shared her cards" in await says("Cat", "/replay 1 999")
    assert "Mo decided #1 (win). Ann shared her cards." in await says("whammy", "/audit")


async def test_standings_take_the_scores_of_the_deals_that_are_done(store, clock):
    stage = await staffed(store, clock, games=installed("ohell"))

    async def says(name, line):
        return "\n".join(await stage.type(name, line))

    for name, line in (("ann", "/new ohell max=3"), ("Bob", "/sit ohell"), ("Cat", "/sit ohell"), ("ann", "/start")):
        await says(name, line)
    table = stage.table(1)
    assert "no deal has been finished there" in await says("Mo", "/adjudicate 1 standings because")
    while not (deals := table.table.game.deals(table.table.view(None))):
        await move(says, table)
    await says("Mo", "/adjudicate 1 standings It is late.")
    await stage.quiet()

    assert tuple(deals[0]) == table.table.outcome.scores
    assert 2 == len(await places(stage))
    assert "Match" in await says("Mo", "/verify 1")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/adjudicate 1 draw because", "void WHY, standings WHY, or win NAME WHY"),
        ("/adjudicate 1 win cat because", "cat doesn't play there"),
        ("/adjudicate 1 win bob", "add the reason"),
        ("/adjudicate 9 void because", "there is no table"),
        ("/freeze 1", "Usage: "),
    ],
)
async def test_bad_decisions_are_refused_in_a_sentence(says, table, line, expected):
    assert expected in await says("Mo", line)


async def test_nobody_decides_at_their_own_table(stage, says):
    for name, line in (("Mo", "/new tally max=3"), ("Bob", "/sit tally"), ("Mo", "/start")):
        await says(name, line)

    assert "you play there" in await says("Mo", "/adjudicate 1 win mo I was better.")
    assert "you play there" in await says("Mo", "/freeze 1 I need time.")


async def test_players_cannot_decide(says, table):
    assert "only moderators and sysops" in await says("ann", "/adjudicate 1 win ann because")
    assert "only moderators and sysops" in await says("Cat", "/freeze 1 because")


async def test_game_that_has_not_started_cannot_be_frozen(says):
    await says("ann", "/new tally max=3")

    assert "hasn't started" in await says("Mo", "/freeze 1 because")
