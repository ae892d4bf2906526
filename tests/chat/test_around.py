"""Listing people and rooms, the login timeout, and Enter alone."""

import asyncio

import pytest

from lilygames.chat.session import visit
from tests.deadline import DEADLINE


async def test_list_of_people_shows_everyone_here(stage):
    """It shows name, login time, idle time, state and rooms."""
    await stage.type("bob", "/join tally")
    stage.drop("cat")
    stage.people["bob"].activity.last -= 125 * 60

    rows = await stage.type("ann", "/who")

    assert ["Name", "On", "since", "Idle", "State", "In"] == rows[0].split()
    told = [row.split() for row in rows[1:-1]]
    assert [["ann", "here", "lobby"], ["bob", "2h05", "here", "tally"]] == [[name, *rest] for name, _, *rest in told]
    assert "(2 people are here)" == rows[-1]


async def test_rooms_marks_your_room(stage):
    await stage.type("ann", "/join tally")
    rows = await stage.type("ann", "/rooms")

    assert "* tally              1  Tally tables" in rows
    assert any(row.startswith("* lobby              3  ") for row in rows)
    assert any(row.startswith("  high               0  ") for row in rows)
    assert "(* marks the rooms you've joined; type /join NAME to enter one)" == rows[-1]


async def test_enter_alone_says_where_you_are(stage):
    """It always answers, and never says anything to others."""
    assert ["(you are in lobby; type /help to see what you can do)"] == await stage.type("ann", "")
    assert [] == stage.screens["bob"].take()


async def test_message_to_a_person_who_is_away_is_stored(stage):
    stage.drop("bob")

    assert ["(bob is offline and will see it later)"] == await stage.type("ann", "bob;hello")


async def test_send_to_several_names_reaches_each_person_once(stage):
    """This holds even if several of the names are theirs."""
    await stage.type("ann", "bob,lobby,bob,-lobby;hello")

    assert 1 == sum(row == " - hello" for row in stage.screens["bob"].take())


async def test_login_timeout_disconnects_with_a_sentence(typist, place):
    place.host.login_seconds = 0
    terminal = typist()
    await asyncio.wait_for(visit(place.host, terminal), DEADLINE)

    assert "(disconnected: you didn't log in in time; you can connect again)" in terminal.rows
    assert terminal.closed
    assert {} == place.host.people


@pytest.mark.parametrize("line", ["quit", "/quit", "bye", "/bye", "exit"])
async def test_quit_at_the_login_prompt_disconnects(typist, place, line):
    terminal = typist(line)
    await asyncio.wait_for(visit(place.host, terminal), DEADLINE)

    assert terminal.closed


async def test_bug_in_a_line_is_one_sentence_with_a_case_number(stage, monkeypatch):
    """Nobody sees a traceback, and the next line works."""
    monkeypatch.setattr(type(stage.place.host), "room", lambda *_: 1 / 0)
    (answer,) = await stage.type("ann", "/join tally")

    assert answer.startswith("(That's a bug: case ")
    assert ["(message sent to lobby)"] == await stage.type("ann", "hello")


async def test_help_on_a_command_is_the_same_with_a_slash(stage):
    answer = await stage.type("ann", "/help where")

    assert "Usage: /where [NAME]" == answer[0]
    assert answer == await stage.type("ann", "/help /where")
