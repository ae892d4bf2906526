"""Seeks with conditions, formulas of accepted games, and bells for seeks that were asked for."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.ratings.rating_model import Rating
from tests.toys import TOYS


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    """Ann, bob, cat and dan. Cat is rated 35 at tally for two, after 12 games; the others are new."""
    stage = await Stage.open(TOYS, store=store)
    await entered(stage)
    return stage


async def entered(stage):
    for name in ("ann", "bob", "cat", "dan"):
        stage.enter(name)
    stage.tables.results.ratings.known["tally 2"] = {"cat": Rating(35.0, 2.0, 12)}
    for screen in stage.screens.values():
        screen.take()


def told(stage, name):
    return " ".join(stage.screens[name].take())


# Conditions of a seek.


async def test_seek_with_a_condition_is_told_to_those_who_meet_it(stage):
    assert [
        "(everyone who fits has been told; the game starts when 2 players have joined",
        "  tally)",
    ] == (await stage.type("ann", "/seek tally rating > 30 registered max=3"))[-2:]
    assert [
        "*** ann is looking for 1 player for Tally (max=3; only rating>30 registered):",
        " - /sit tally ***",
    ] == stage.screens["cat"].take()
    assert "" == told(stage, "bob")


async def test_player_who_does_not_meet_the_condition_cannot_sit_down(stage):
    await stage.type("ann", "/seek tally rating>30")

    assert "Refused: tally is only for rating>30 (you: rating 25, 0 games). Type /seeks to find another table." == (
        " ".join(row.strip() for row in await stage.type("bob", "/sit tally"))
    )
    await stage.type("cat", "/sit tally")
    assert stage.table(1).table.started


async def test_guest_is_told_that_a_seek_is_for_registered_players(stage):
    stage.people["bob"].set_guest(guest=True)
    await stage.type("ann", "/seek tally registered")

    assert "tally is only for registered (you: guest)" in " ".join(await stage.type("bob", "/sit tally"))


async def test_quick_does_not_seat_someone_at_a_seek_they_do_not_fit(stage):
    await stage.type("ann", "/seek tally rating>30")
    await stage.type("bob", "/quick tally")

    assert stage.table(1).seat_of("bob") is None


async def test_invited_player_sits_down_whatever_the_condition_is(stage):
    await stage.type("ann", "/seek tally rating>30")
    await stage.type("ann", "/invite bob")
    await stage.type("bob", "/sit tally")

    assert stage.table(1).table.started


async def test_condition_of_a_seek_is_listed_and_holds_after_a_restart(stage, store):
    await stage.type("ann", "/seek tally rating>30")
    after = await Stage.open(TOYS, store=store)
    await entered(after)

    assert ["#1 tally: Tally, ann; waiting for players, starts with 1 more, only rating>30."] == await after.type(
        "bob", "/seeks"
    )
    assert "tally is only for rating>30" in " ".join(await after.type("bob", "/sit tally"))


async def test_seek_for_new_players_compares_their_games(stage):
    await stage.type("ann", "/seek tally games=0")

    assert "tally is only for games=0 (you: rating 35, 12 games)" in " ".join(await stage.type("cat", "/sit tally"))


async def test_friend_of_the_seeker_meets_the_condition_friend(stage):
    await stage.type("ann", "/friend add bob")
    await stage.type("ann", "/seek tally friend or rating>30")
    await stage.type("bob", "/sit tally")

    assert stage.table(1).table.started


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/seek tally rating>", "“rating>” needs a number after it"),
        ("/seek tally ratng>30", "a formula can't compare “ratng”"),
        ("/seek tally (registered", "a “(” is never closed"),
        ("/seek tally bob registered", "/new GAME bob"),
    ],
)
async def test_wrong_condition_opens_no_table(stage, line, said):
    assert said in " ".join(await stage.type("ann", line))
    assert {} == stage.open_tables


# A person's formula.


async def test_formula_hides_seeks_that_it_does_not_accept(stage):
    assert ["(you accept only: rating>30 !guest)"] == await stage.type("bob", "/formula Rating > 30 !guest")
    stage.screens["bob"].take()
    await stage.type("ann", "/seek tally")
    assert "" == told(stage, "bob")
    await stage.type("cat", "/seek tally")
    assert "cat is looking for 1 player" in told(stage, "bob")


async def test_formula_declines_invitations_that_it_does_not_accept_and_says_so(stage):
    await stage.type("bob", "/formula rating>30")
    rows = await stage.type("ann", "/new tally bob")

    assert "(bob's /formula declined your invitation: it accepts only rating>30)" in rows
    await stage.type("cat", "/new tally bob")
    assert "cat invites you to Tally" in told(stage, "bob")


async def test_formula_is_kept_cleared_and_combined_with_what_is_declined(stage):
    await stage.type("bob", "/formula decline rated")
    assert ["(you accept only: registered)", "(you automatically decline: rated)"] == await stage.type(
        "bob", "/formula registered"
    )
    assert ["(you automatically decline: nothing)"] == await stage.type("bob", "/formula clear")


async def test_wrong_formula_changes_nothing(stage):
    await stage.type("bob", "/formula registered")

    assert "Refused: a formula can't contain “chess”" in " ".join(await stage.type("bob", "/formula chess"))
    assert "registered" == stage.people["bob"].profile.accepts


# Bells for seeks.


async def test_seek_rings_for_those_who_asked_for_it(stage):
    assert ["(your bell rings for seeks of tally; /seeks notify GAME off stops it)"] == await stage.type(
        "bob", "/seeks notify tally"
    )
    stage.screens["bob"].take()
    await stage.type("ann", "/seek tally")

    assert ["*** ann is looking for 1 player for Tally: /sit tally ***", "(bell)"] == stage.screens["bob"].take()
    assert ["*** ann is looking for 1 player for Tally: /sit tally ***"] == stage.screens["dan"].take()


async def test_seek_rings_only_if_it_matches(stage):
    await stage.type("bob", "/seeks notify tally rating>30")
    stage.screens["bob"].take()
    await stage.type("ann", "/seek tally")
    assert "(bell)" not in stage.screens["bob"].take()
    await stage.type("cat", "/seek tally")
    assert "(bell)" in stage.screens["bob"].take()


async def test_seek_that_was_asked_for_is_shown_though_news_of_games_are_off(stage):
    await stage.type("bob", "/seeks notify tally")
    await stage.type("bob", "/notify game off")
    stage.screens["bob"].take()
    await stage.type("ann", "/seek tally")

    assert "ann is looking" in told(stage, "bob")


@pytest.mark.parametrize("line", ["/block ann", "/ignore ann all"])
async def test_seek_of_someone_who_is_blocked_does_not_ring(stage, line):
    await stage.type("bob", "/seeks notify tally")
    await stage.type("bob", line)
    stage.screens["bob"].take()
    await stage.type("ann", "/seek tally")

    assert "(bell)" not in stage.screens["bob"].take()


async def test_wishes_are_listed_and_taken_back(stage):
    assert ["(your bell doesn't ring for seeks; /seeks notify GAME changes that)"] == await stage.type(
        "bob", "/seeks notify"
    )
    await stage.type("bob", "/seeks notify tally rating>30")
    assert "tally rating>30" in " ".join(await stage.type("bob", "/seeks notify"))
    assert ["(your bell doesn't ring for seeks; /seeks notify GAME changes that)"] == await stage.type(
        "bob", "/seeks notify tally off"
    )
    assert "Refused: type /seeks to list" in (await stage.type("bob", "/seeks tally"))[0]
