"""Tab completion: it offers only names that exist and commands that are possible now."""

import pytest

from lilygames.chat.host.completion import completions


@pytest.fixture
def offered(stage):
    """Return the completions that a person is offered for the beginning of a line."""
    return lambda name, text: completions(stage.host, stage.people[name], text)


def test_beginning_of_a_command_is_completed_to_each_match(offered):
    assert ["/games"] == [one for one in offered("ann", "/ga") if one.startswith("/ga")]


def test_dot_works_like_a_slash_and_case_does_not_matter(offered):
    """Some clients keep the slash for themselves."""
    assert [".games"] == offered("ann", ".GAM")


def test_command_without_a_group_is_not_offered(offered):
    """Moves of other games are commands only to explain where they work."""
    assert [] == offered("ann", "/challeng")


def test_last_word_is_completed_to_a_person_or_a_discussion(offered):
    assert ["/tell bob"] == offered("ann", "/tell b")
    assert ["/join lobby"] == offered("ann", "/join lob")


def test_bare_word_is_completed_to_the_beginning_of_a_send(offered):
    assert ["bob;"] == offered("ann", "bo")


def test_empty_line_offers_no_names(offered):
    assert [] == offered("ann", "")


async def test_your_own_name_and_absent_people_are_not_offered(stage, offered):
    stage.drop("cat")

    assert [] == offered("ann", "an")
    assert [] == offered("ann", "ca")


async def test_at_a_table_only_moves_that_are_legal_now_are_offered(stage, offered):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 3")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    moves = list(bot.words(stage.people["ann"]))

    assert moves
    assert all(move.startswith("bid ") for move in moves)
    assert moves == offered("ann", "bid ")
    assert [f"/{move}" for move in moves] == offered("ann", "/bid ")
    assert [] == offered("ann", "/play ")


async def test_spectator_is_offered_no_moves(stage, offered):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 3")
    await stage.type("ann", "/start")
    await stage.type("bob", "/watch tally")

    assert [] == [one for one in offered("bob", "bi") if one.startswith("bid")]


async def test_terminal_of_a_person_can_complete(come, place):
    terminal = await come("dora", "", stay=True)

    assert ["/games"] == list(terminal.user.complete("/gam"))


async def test_private_discussion_is_offered_only_to_those_who_may_see_it(stage, offered):
    """For everyone else it looks exactly like one that doesn't exist."""
    await stage.type("ann", "/create cellar private")

    assert ["/join cellar"] == offered("ann", "/join cel")
    assert [] == offered("bob", "/join cel")
