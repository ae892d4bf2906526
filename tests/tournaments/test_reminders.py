"""Reminders before a tournament, and the greeting."""

import asyncio

import pytest

from lilygames.bus.local import LocalBus
from lilygames.games import games
from lilygames.gametest.stage import Stage


@pytest.fixture
async def planned(club):
    """A tournament in 30 minutes, which ann and bob have joined. Ann is in its room."""
    await club.new()
    for name in ("ann", "bob"):
        await club.type(name, "/tournament join")
    await club.type("bob", "/join lobby")
    return club


async def reminded(club, *names):
    """Return what these people are told when the clock's work is done."""
    for name in names:
        club.stage.screens[name].take()
    await club.stage.look("tournament_reminders")
    await club.stage.quiet()
    return [[row for row in club.stage.screens[name].take() if "begins" in row] for name in names]


async def test_those_who_joined_are_reminded_15_and_2_minutes_before(planned):
    told = []
    for _ in range(30):
        told += await reminded(planned, "bob")
        planned.time.now += 60

    assert [
        "*** The tournament ohell-swiss begins in 15 minutes. Go to its room with /join",
        "*** The tournament ohell-swiss begins in 2 minutes. Go to its room with /join",
    ] == [row.partition(" ohell-swiss,")[0] for rows in told for row in rows]


async def test_those_who_have_checked_in_arent_asked_to(planned):
    await planned.look(16 * 60)

    assert [["*** The tournament ohell-swiss begins in 14 minutes. ***"], []] == await reminded(planned, "ann", "cat")


async def test_reminder_is_not_repeated_after_a_restart(planned):
    await planned.look(16 * 60)
    await reminded(planned, "bob")
    await planned.open()
    planned.enter("bob")

    assert [[]] == await reminded(planned, "bob")


async def test_delayed_start_is_reminded_of_once_more(planned):
    await planned.look(29 * 60)
    await reminded(planned, "bob")
    await planned.look(2 * 60)
    assert [[]] == await reminded(planned, "bob")
    planned.time.now = planned.now_in.starts - 2 * 60

    [[row]] = await reminded(planned, "bob")
    assert "ohell-swiss begins in 2 minutes." in row


async def test_reminder_is_sent_once_by_several_nodes(planned, time):
    """Both look at once, and each has one of the people."""
    bus = LocalBus()
    nodes = [await Stage.open(games(), store=planned.store, clock=time, bus=bus) for _ in range(2)]
    for stage, name in zip(nodes, ("ann", "bob"), strict=True):
        stage.enter(name)
    await settled(nodes)
    time.now += 15 * 60
    for stage, name in zip(nodes, ("ann", "bob"), strict=True):
        stage.screens[name].take()
    await asyncio.gather(*(stage.look("tournament_reminders") for stage in nodes))
    await settled(nodes)
    rows = [*nodes[0].screens["ann"].take(), *nodes[1].screens["bob"].take()]

    assert 2 == " ".join(rows).count("The tournament ohell-swiss begins in 15 minutes.")
    for stage in nodes:
        await stage.node.end()


async def settled(stages):
    """Return when no node has anything left to announce."""
    for _ in range(40):
        await asyncio.sleep(0)
        for stage in stages:
            await stage.quiet()
            await stage.node.roster.finish()


async def test_record_of_a_reminder_is_deleted_after_the_tournament(planned):
    await planned.look(16 * 60)
    await reminded(planned, "bob")
    await planned.type("ann", "/tournament cancel")
    await planned.look()
    await reminded(planned, "bob")

    assert {} == await planned.store.every("tournament-reminder")


async def test_greeting_tells_of_a_tournament_and_how_many_have_joined(planned):
    planned.time.now += 5 * 60
    planned.stage.drop("bob")

    assert (
        "Tournament ohell-swiss begins in 25 minutes. 2 people have joined." in (await planned.stage.come("bob")).rows
    )
