"""The first rows after a login: who is here, and a short menu of games to play at once."""

import attrs
import pytest

from lilygames.gametest.stage import Screen, Stage
from lilygames.store.memory import MemoryStore
from lilygames.text import Voice
from tests.toys import TALLY, TOYS

TAUGHT = {"high": attrs.evolve(TOYS["high"], title="High", minutes=2), **TALLY}
LAST = "Type a number, or just talk. /help has the rest."


@pytest.fixture
async def stage(store):
    return await Stage.open(TAUGHT, store=store)


async def test_first_rows_name_the_people_and_offer_the_shortest_game_with_bots(stage):
    alone = stage.enter("ann").take()
    both = stage.enter("bob").take()

    assert ["You're in the lobby; nobody else is here.", " 1. High with bots, 2 min   2. more games", LAST] == alone
    assert "You're in the lobby with ann." == both[0]


async def test_crowd_is_counted_after_the_first_names(stage):
    for number in range(10):
        stage.enter(f"p{number}")

    assert stage.enter("ann").take()[0].endswith("p6, p7 and 2 others.")


async def test_number_plays_at_once(stage):
    stage.enter("ann")
    await stage.type("ann", "1")

    assert stage.table(1).table.started
    assert "high" == stage.table(1).table.game.name


async def test_number_counts_for_one_line_only(stage):
    stage.enter("ann")
    bob = stage.enter("bob")
    await stage.type("ann", "hello")
    await stage.type("ann", "1")

    assert {} == stage.open_tables
    assert " - 1" in bob.take()


async def test_table_that_waits_for_players_is_on_the_menu(stage):
    stage.enter("bob")
    await stage.type("bob", "/new tally max=3")
    rows = stage.enter("ann").take()

    assert " 1. High with bots, 2 min   2. Tally with bob   3. more games" == rows[1]
    await stage.type("ann", "2")
    assert stage.table(1).seat_of("ann") is not None


async def test_game_with_a_waiting_player_is_not_offered_with_bots(stage):
    """Its number would join them."""
    stage.enter("bob")
    await stage.type("bob", "/new high")

    assert " 1. Tally with bots, 5 min   2. High with bob   3. more games" == stage.enter("ann").take()[1]


async def test_invitation_is_on_the_menu(stage):
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("bob", "/new tally max=3 ann")
    stage.drop("ann")
    rows = stage.enter("ann").take()

    assert " 1. High with bots, 2 min   2. Tally with bob (invited)   3. more games" == rows[1]
    await stage.type("ann", "2")
    assert stage.table(1).table.started


async def test_player_who_comes_back_to_a_table_sees_the_table_instead(stage):
    stage.enter("ann")
    await stage.type("ann", "1")
    stage.drop("ann")
    rows = stage.enter("ann").take()

    assert LAST not in rows
    assert rows[0].startswith("You're in high")


async def test_client_that_resumes_gets_no_menu(stage):
    stage.enter("ann")
    stage.drop("ann")

    assert LAST not in stage.enter("ann", seen={}).take()


async def test_program_gets_no_menu(stage):
    stage.enter("ann")
    await stage.type("ann", "/set machine on")
    stage.drop("ann")

    assert ["You're in the lobby; nobody else is here."] == stage.enter("ann").take()


async def test_screen_reader_hears_one_sentence(stage):
    rows = stage.enter("ann", Voice(spoken=True)).take()

    assert ["You're in the lobby; nobody else is here.", "Type 1 for High with bots or 2 for more games."] == rows


async def test_narrow_screen_gets_short_rows(stage):
    stage.enter("ann")
    await stage.type("ann", "/set width 39")
    stage.drop("ann")

    assert [" 1. High with bots   2. more games", "Type a number, or just talk."] == stage.enter("ann").take()[-2:]


async def test_place_without_games_has_no_menu():
    stage = await Stage.open({}, store=MemoryStore())

    assert ["You're in the lobby; nobody else is here."] == stage.enter("ann").take()


QUESTION = "Do you see four suits? ♠♥♦♣  Type n if you don't."


async def test_person_whose_suits_were_guessed_is_asked_once(stage, monkeypatch):
    monkeypatch.setattr(Screen, "suits_guessed", True)
    first = stage.enter("ann").take()
    stage.drop("ann")

    assert QUESTION == first[-1]
    assert QUESTION not in stage.enter("ann").take()


async def test_n_shows_letters_from_then_on(stage, monkeypatch):
    monkeypatch.setattr(Screen, "suits_guessed", True)
    stage.enter("ann")

    assert ["(ascii is on)"] == await stage.type("ann", "n")
    assert "on" == stage.screens["ann"].settings["ascii"]


async def test_number_still_picks_a_game_beside_the_question(stage, monkeypatch):
    monkeypatch.setattr(Screen, "suits_guessed", True)
    stage.enter("ann")
    await stage.type("ann", "1")

    assert stage.table(1).table.started


BY_COMMAND = "Do you see four suits? ♠♥♦♣  Type /set ascii on if you don't."


@pytest.fixture
async def playing(stage, monkeypatch):
    """Ann, whose suits nobody has asked about, is asked for a move and loses her connection."""
    stage.enter("ann")
    await stage.type("ann", "1")
    stage.drop("ann")
    monkeypatch.setattr(Screen, "suits_guessed", True)
    return stage


async def test_person_who_comes_back_to_a_table_is_asked_once_before_the_table_s_question(playing):
    first = playing.enter("ann").take()
    playing.drop("ann")

    assert 1 == first.count(BY_COMMAND)
    assert BY_COMMAND != first[-1]
    assert any("Your turn" in row for row in first[first.index(BY_COMMAND) :])
    assert BY_COMMAND not in playing.enter("ann").take()


async def test_question_about_suits_takes_no_number_from_a_table(playing):
    """Her only move ends the game."""
    playing.enter("ann")
    rows = await playing.type("ann", "1")

    assert any(row.startswith("Game over") for row in rows)


async def test_program_at_a_table_is_not_asked_about_suits(playing):
    playing.people["ann"].update_profile(settings={"machine": "on"})

    assert BY_COMMAND not in playing.enter("ann").take()


async def test_n_is_talk_where_nothing_was_asked(stage):
    stage.enter("ann")
    bob = stage.enter("bob")
    await stage.type("ann", "n")

    assert " - n" in bob.take()
