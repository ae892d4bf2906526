"""Menus live until another one is shown, the person goes to a table or is asked by one, or talks."""

import json

import pytest

from lilygames import codec
from lilygames.chat.visits.handover_state import PersonState, carry, take_up
from lilygames.gametest.stage import Screen, Stage
from tests.toys import TOYS

MENU = "Type a number, or just talk. /help has the rest."


@pytest.fixture
async def stage(monkeypatch):
    """A stage on which Ann is asked whether she sees suits, with Bob in the same lobby."""
    monkeypatch.setattr(Screen, "suits_guessed", True)
    stage = await Stage.open(TOYS)
    stage.enter("Bob").take()
    stage.enter("Ann")
    return stage


@pytest.mark.parametrize("line", ["", "  ", "?", "/help", "help", "y", "n", "/who", "/tables", "/nosuch", "99"])
async def test_number_still_picks_after_a_line_that_is_no_talk(stage, line):
    await stage.type("Ann", line)
    stage.screens["Bob"].take()

    await stage.type("Ann", "1")

    assert stage.table(1).table.started
    assert " - 1" not in stage.screens["Bob"].take()


async def test_question_mark_shows_the_menu_again(stage):
    shown = [row for row in stage.screens["Ann"].take() if "1. " in row or row == MENU]
    await stage.type("Ann", "/help")

    assert shown == await stage.type("Ann", "?")


async def test_question_mark_without_a_menu_shows_the_help(stage):
    await stage.type("Ann", "hello")

    assert "HELP" in (await stage.type("Ann", "?"))[0]


@pytest.mark.parametrize("line", ["hello", "'y", "Bob;psst", ";again?"])
async def test_talk_ends_the_menu(stage, line):
    await stage.type("Ann", "Bob;first")
    stage.enter("Ann")
    await stage.type("Ann", line)
    await stage.type("Ann", "1")

    assert {} == stage.open_tables
    assert " - 1" in stage.screens["Bob"].take()


async def test_another_menu_replaces_it(stage):
    rows = await stage.type("Ann", "/quick")
    await stage.type("Ann", "2")

    assert any("2. Tally" in row for row in rows)
    assert "tally" == stage.table(1).table.game.name


async def test_table_that_one_goes_to_ends_it(stage):
    await stage.type("Ann", "/new tally")

    rows = await stage.type("Ann", "1")

    assert rows[0].startswith("Refused: the game hasn't started")
    assert [1] == [*stage.open_tables]


async def test_question_has_one_answer(stage):
    """After it, a number means what it meant before."""
    await stage.type("Ann", "set bell on")

    assert ["(bell is on)"] == await stage.type("Ann", "1")
    await stage.type("Ann", "1")
    assert " - 1" in stage.screens["Bob"].take()


async def test_menu_stays_open_in_a_reload(stage):
    """Its numbers, its keys and its rows; a handover of release 0.2 has none."""
    kept = codec.to_text(carry(stage.host, stage.people["Ann"]))
    again = await Stage.open(TOYS)
    ann = await take_up(again.host, codec.from_text(kept, PersonState))
    shown = stage.people["Ann"].focus.choices
    before = {name: value for name, value in json.loads(kept).items() if name != "menu"}

    assert shown.lines
    assert shown == ann.focus.choices
    assert codec.from_text(json.dumps(before), PersonState).menu is None


# Invitations.


@pytest.fixture
async def invited(stage):
    """Bob has just invited Ann."""
    await stage.type("Bob", "/new tally max=3 Ann")
    return stage


@pytest.mark.parametrize("line", ["yes", "Yes", "YES!", "yes."])
async def test_yes_accepts_the_invitation(invited, line):
    await invited.type("Ann", line)

    assert invited.table(1).table.started
    assert not any(row.startswith(" - ") for row in invited.screens["Bob"].take())


async def test_no_declines_it(invited):
    assert ["(you declined the invitation to tally)"] == await invited.type("Ann", "no")
    assert [] == [row for row in invited.screens["Bob"].take() if row.startswith(" - ")]


async def test_yes_is_asked_about_after_other_talk(invited):
    """It may answer someone else."""
    await invited.type("Ann", "hi Bob")

    (row,) = await invited.type("Ann", "yes")

    assert "Did you mean /sit 1? Type 1 for that, or ' first to say it." == row
    await invited.type("Ann", "1")
    assert invited.table(1).table.started


async def test_yes_after_several_invitations_answers_the_last_one(invited):
    invited.enter("Cat")
    await invited.type("Cat", "/new high Ann")

    await invited.type("Ann", "yes")

    assert invited.table(2).keeps_seat("Ann")
    assert not invited.table(1).keeps_seat("Ann")


async def test_yes_without_an_invitation_is_talk(stage):
    await stage.type("Ann", "yes")

    assert " - yes" in stage.screens["Bob"].take()


# Abbreviations.


async def test_abbreviation_of_adjourn_asks_and_1_does_it(stage):
    await stage.type("Bob", "/new tally max=3 Ann")
    await stage.type("Ann", "yes")

    (row,) = await stage.type("Ann", "/adj")

    assert "Did you mean /adjourn? Type 1 for that, or type the whole word." == row
    rows = await stage.type("Ann", "1")
    assert any("adjourn" in row for row in rows), rows
