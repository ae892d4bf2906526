"""`help`, `?`, `quit`, `who` and `rules` work without a slash: in a room, at a table, and at the login prompt."""

import pytest

from lilygames.gametest.stage import Stage
from tests.toys import TOYS

TITLES = {"help": "HELP", "?": "HELP", "rules": "RULES", "HELP": "HELP"}


@pytest.mark.parametrize("word", TITLES)
async def test_bare_word_shows_its_page_and_is_not_said(stage, word):
    await stage.type("ann", "hello")  # which ends the first menu: `?` would show it again
    stage.screens["bob"].take()

    rows = await stage.type("ann", word)

    assert TITLES[word] == rows[0].split()[0]
    assert [] == stage.screens["bob"].take()


async def test_bare_who_lists_the_people_here_and_is_not_said(stage):
    assert "(3 people are here)" == (await stage.type("ann", "who"))[-1]
    assert [] == stage.screens["bob"].take()


@pytest.mark.parametrize("word", ["quit", "exit", "logout"])
async def test_quit_disconnects_in_a_room(stage, word):
    assert ["Goodbye."] == await stage.type("ann", word)
    assert stage.screens["ann"].closed


async def test_quit_disconnects_at_a_table_and_keeps_the_seat(stage):
    await stage.type("ann", "/new tally")

    assert ["Goodbye. Your seat at tally is kept. Come back with your name."] == await stage.type("ann", "quit")
    assert stage.table(1).keeps_seat("ann")


@pytest.mark.parametrize("word", ["quit", "EXIT"])
async def test_quit_says_what_happens_to_the_seat_of_a_game_in_progress(stage, word):
    await stage.type("ann", "/quick tally")

    assert [
        "Goodbye. Your seat at tally is kept. While you're away, a bot may play for",
        "  you. Come back with your name.",
    ] == await stage.type("ann", word)
    assert stage.table(1).keeps_seat("ann")


@pytest.mark.parametrize("word", ["help", "rules", "who"])
async def test_bare_word_works_on_your_turn(word):
    stage = await Stage.open(TOYS)
    stage.enter("ann")
    await stage.type("ann", "/quick tally")

    assert "Refused" not in " ".join(await stage.type("ann", word))


async def test_page_name_may_follow_help(stage):
    assert "SEAL" in (await stage.type("ann", "help seal"))[0].upper()
    assert [] == stage.screens["bob"].take()


@pytest.mark.parametrize("line", ["help me with this", "who dares wins", "rules are rules"])
async def test_sentence_that_begins_with_a_bare_word_is_said(stage, line):
    await stage.type("ann", line)

    assert f" - {line}" in stage.screens["bob"].take()


async def test_quotation_mark_says_the_word(stage):
    await stage.type("ann", "'who")

    assert " - who" in stage.screens["bob"].take()


# At the login prompt.


@pytest.mark.parametrize("word", ["help", "?", "/help"])
async def test_help_at_the_login_prompt_lists_possible_input(come, word):
    terminal = await come(word, "quit")

    assert any(row.startswith("LOGIN") for row in terminal.rows)
    assert "login: " == terminal.rows[-1]


async def test_bare_who_at_the_login_prompt_names_the_people_here(come):
    assert "Nobody is here yet." in (await come("who")).rows
    await come("bob", "", stay=True)

    assert "Here now: bob." in (await come("who")).rows


async def test_rules_at_the_login_prompt_list_the_games(come, place):
    terminal = await come("rules", "rules nonsense", "help seal")

    assert any(", ".join(place.tables.games) in row for row in terminal.rows)
    assert "there's no help page “nonsense”" in " ".join(terminal.rows)
    assert any("SEAL" in row.upper() for row in terminal.rows)


@pytest.mark.parametrize("word", ["help", "quit", "who", "rules", "logout", "exit"])
async def test_newcomer_cannot_be_called_like_a_bare_word(stage, word):
    with pytest.raises(Exception, match="reserved name"):
        stage.host.check_allowed(word)


@pytest.mark.parametrize("word", ["rules", "Who"])
async def test_older_account_keeps_such_a_name(come, place, word):
    await place.host.accounts.create(word, "plums and pears", guest=False, origin="")

    terminal = await come(word, "plums and pears")

    assert any(row.startswith("You're in the lobby") for row in terminal.rows)
