"""Links to tables: `/invite` shows one, and the word in it lets someone sit down at a private table."""

import pytest

from lilygames.gametest.stage import Stage
from tests.schemas import misfits
from tests.toys import TALLY

ADDRESS = "https://play.example.org"


@pytest.fixture
async def stage(store):
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    stage.host.web_address = ADDRESS
    return stage


async def word_of(stage, line="/invite"):
    """Return the word that a link of ann's table ends with."""
    _, link = await stage.type("ann", line)
    return link.partition("#")[2]


async def test_invite_shows_the_link_of_a_public_table_without_a_word(stage):
    await stage.type("ann", "/new tally")

    assert ["(send this link to those you want to invite:)", f"{ADDRESS}/t/1"] == await stage.type("ann", "/invite")


async def test_invite_with_a_name_adds_the_link(stage):
    await stage.type("ann", "/new tally")

    assert [
        "(you invited bob to tally)",
        "(others can follow this link:)",
        f"{ADDRESS}/t/1",
    ] == await stage.type("ann", "/invite bob")


async def test_no_link_is_shown_without_a_page(stage):
    stage.host.web_address = ""
    await stage.type("ann", "/new tally")

    assert ["(you invited bob to tally)"] == await stage.type("ann", "/invite bob")
    assert ["Refused: type /invite and the names of the people you want to invite."] == await stage.type(
        "ann", "/invite"
    )


async def test_word_of_a_private_table_lets_someone_sit_down(stage):
    await stage.type("ann", "/new tally private=on")
    word = await word_of(stage)
    assert 16 == len(word)
    await stage.type("bob", f"/sit 1 {word}")

    assert ["ann", "bob"] == [who.name for who in stage.table(1).table.seats]


@pytest.mark.parametrize("word", ["", "x", "a" * 16, "é"])
async def test_wrong_word_is_refused_as_if_there_were_no_table(stage, word):
    await stage.type("ann", "/new tally private=on")

    assert ["Refused: there is no table “1” now. Type /tables to list the open tables."] == await stage.type(
        "bob", f"/sit 1 {word}"
    )
    assert (await stage.type("bob", f"/sit 7 {word}"))[0].startswith("Refused: there is no table “7” now.")


async def test_word_of_one_table_does_not_open_another(stage):
    await stage.type("ann", "/new tally private=on")
    word = await word_of(stage)
    await stage.type("cat", "/new tally private=on")

    assert (await stage.type("bob", f"/sit 2 {word}"))[0].startswith("Refused: there is no table “2” now.")


async def test_word_is_the_same_after_a_restart(stage, store):
    await stage.type("ann", "/new tally private=on")
    word = await word_of(stage)
    again = await Stage.open(TALLY, store=store)
    again.host.web_address = ADDRESS
    again.enter("ann")

    assert word == await word_of(again, "/at 1 invite")


async def test_only_players_are_told_the_word(stage):
    await stage.type("ann", "/new tally private=on bob")

    assert ["Refused: only players at tally-2 can invite people. Type /sit to take a seat."] == await stage.type(
        "bob", "/at 1 invite"
    )


async def test_program_is_sent_what_the_link_consists_of(stage):
    stage.host.web_address = ""
    stage.screens["ann"].takes_packets = True
    await stage.type("ann", "/new tally private=on")
    await stage.type("ann", "/invite")

    (invitation,) = [one.value for one in stage.screens["ann"].packets if one.name == "invitation"]
    assert (1, 16) == (invitation["number"], len(invitation["word"]))
    assert [] == [*misfits({"invitation": invitation})]
