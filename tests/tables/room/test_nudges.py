"""A player who types nothing on their turn is reminded twice: by the bell, and by the window's title."""

import asyncio

import pytest

from lilygames.tables.room import nudges
from lilygames.text import Voice


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(nudges, "AFTER", 0.0)


async def begin(stage, more=""):
    """Start a game of ann, who deals, and bob, who is asked for the first bid."""
    await stage.type("ann", f"/new tally max=3 first-dealer=host {more}")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")


async def reminders(stage, name):
    """Let every timer that is due run, and return how often this player's bell has rung."""
    for _ in range(10):
        await asyncio.sleep(0)
    return stage.screens[name].take().count("(bell)")


async def test_player_who_types_nothing_is_reminded_twice(stage):
    await begin(stage)

    assert 2 == await reminders(stage, "bob")
    assert 0 == await reminders(stage, "bob")
    assert "Your turn: tally" == stage.screens["bob"].window


async def test_only_the_player_to_move_is_reminded(stage):
    await begin(stage)

    assert 0 == await reminders(stage, "ann")


async def test_title_goes_and_the_next_player_is_reminded_after_a_move(stage):
    await begin(stage)
    await reminders(stage, "bob")
    await stage.type("bob", "/bid 1")

    assert "" == stage.screens["bob"].window
    assert 2 == await reminders(stage, "ann")


async def test_player_who_has_just_typed_something_is_reminded_later(stage, monkeypatch):
    monkeypatch.setattr(nudges, "AFTER", 3600.0)
    await begin(stage)

    assert 0 == await reminders(stage, "bob")
    assert {1} == stage.table(1).nudges._watches.keys()


async def test_setting_turns_reminders_off(stage):
    await stage.type("bob", "/set nudge off")
    await begin(stage)

    assert 0 == await reminders(stage, "bob")
    assert "" == stage.screens["bob"].window


async def test_program_is_not_reminded(stage):
    stage.screens["bob"].voice = Voice(each=True)
    await begin(stage)

    assert 0 == await reminders(stage, "bob")


async def test_player_is_not_reminded_in_a_game_by_mail(stage):
    await begin(stage, "clock=3d")

    assert (0, 0) == (await reminders(stage, "ann"), await reminders(stage, "bob"))


async def test_player_who_comes_back_is_reminded_from_then_on(stage):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    stage.drop("bob")
    await stage.type("ann", "/start")
    await reminders(stage, "ann")
    await stage.come("bob")

    assert 2 == await reminders(stage, "bob")
