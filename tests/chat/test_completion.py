"""What Tab offers: only what is there, and only what may be done now."""

import pytest

from lilygames.chat.completion import completions


@pytest.fixture
def offered(stage):
    """Return what a person is offered for a line begun."""
    return lambda name, text: completions(stage.place.host, stage.people[name], text)


def test_the_beginning_of_a_command_becomes_each_that_begins_so(offered):
    assert ["/games"] == [one for one in offered("ann", "/ga") if one.startswith("/ga")]


def test_a_dot_leads_as_well_as_a_slash_and_case_does_not_matter(offered):
    """Some clients keep the slash for themselves."""
    assert [".games"] == offered("ann", ".GAM")


def test_a_command_without_a_group_is_not_offered(offered):
    """Moves of games one does not sit at are commands only to say so."""
    assert [] == offered("ann", "/challeng")


def test_the_last_word_becomes_a_person_or_a_discussion(offered):
    assert ["/tell bob"] == offered("ann", "/tell b")
    assert ["/join lobby"] == offered("ann", "/join lob")


def test_a_bare_word_becomes_the_beginning_of_a_send(offered):
    assert ["bob;"] == offered("ann", "bo")


def test_nothing_typed_offers_no_names(offered):
    assert [] == offered("ann", "")


async def test_one_is_not_offered_oneself_nor_who_is_gone(stage, offered):
    stage.drop("cat")

    assert [] == offered("ann", "an")
    assert [] == offered("ann", "ca")


async def test_at_a_table_the_moves_that_are_legal_now_are_offered_and_no_others(stage, offered):
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


async def test_a_watcher_is_offered_no_moves(stage, offered):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 3")
    await stage.type("ann", "/start")
    await stage.type("bob", "/watch tally")

    assert [] == [one for one in offered("bob", "bi") if one.startswith("bid")]


async def test_the_terminal_one_comes_with_can_complete(come, place):
    terminal = await come("dora", "", stay=True)

    assert ["/games"] == list(terminal.user.complete("/gam"))


async def test_a_private_discussion_is_offered_to_nobody_who_may_not_know_of_it(stage, offered):
    """What one may not see looks exactly like nothing."""
    await stage.type("ann", "/create cellar private")

    assert ["/join cellar"] == offered("ann", "/join cel")
    assert [] == offered("bob", "/join cel")
