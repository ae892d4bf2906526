"""Nobody can flood one quiet person with private messages or invitations; people who answer can go on as they like."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.limits.quota import INVITATION, MESSAGE
from tests.toys import TALLY

MOST = MESSAGE.limits[1].most


@pytest.fixture
async def stage():
    """Ann, Bob and the guest Cat in the lobby."""
    stage = await Stage.open(TALLY)
    for name in ("Ann", "Bob", "Cat"):
        stage.enter(name)
    stage.people["Cat"].set_guest(guest=True)
    for screen in stage.screens.values():
        screen.take()
    return stage


def heard(stage, name, text):
    return sum(text in row for row in stage.screens[name].take())


async def say(stage, name, line, times=1):
    rows = []
    for _ in range(times):
        rows = await stage.type(name, line)
    return " ".join(rows)


async def test_stranger_has_a_budget_of_messages_until_they_are_answered(stage):
    refused = await say(stage, "Cat", "Bob;psst", MOST + 10)

    assert MOST == heard(stage, "Bob", "psst")
    assert "Refused: Bob has had 20 messages from you without an answer. Wait for one," in refused


async def test_people_who_have_answered_can_be_written_to_without_a_limit(stage):
    await say(stage, "Cat", "Bob;psst")
    await say(stage, "Bob", "cat;yes?")
    await say(stage, "Cat", "bob;psst", 3 * MOST)

    assert 3 * MOST == heard(stage, "Bob", "psst")


async def test_answer_of_someone_else_gives_nothing_back(stage):
    await say(stage, "Ann", "Cat;stop it")
    await say(stage, "Cat", "Bob;psst", MOST + 1)

    assert MOST == heard(stage, "Bob", "psst")


async def test_budget_holds_for_messages_to_several_and_for_the_short_forms(stage):
    """Otherwise the same message would go on with another spelling."""
    await say(stage, "Cat", "Bob,Ann;psst", MOST)
    for line in (";psst", "bob;psst", "=psst", "/also Bob", "~Bob;psst"):
        await say(stage, "Cat", line)

    assert (MOST, MOST) == (heard(stage, "Bob", "psst"), heard(stage, "Ann", "psst"))


async def test_renamed_person_keeps_their_budget(stage):
    await stage.create_account("Ann", "a long password")
    await say(stage, "Ann", "Bob;psst", MOST)
    await say(stage, "Ann", "/rename Beatrice")
    await say(stage, "Ann", "Bob;psst")

    assert MOST == heard(stage, "Bob", "psst")


async def test_message_to_yourself_needs_no_answer(stage):
    assert "Refused" not in await say(stage, "Ann", "me;note", 3 * MOST)


async def test_open_invitation_cannot_be_repeated(stage):
    await say(stage, "Ann", "/new tally")
    await say(stage, "Ann", "/invite Bob")
    refused = await say(stage, "Ann", "/invite Bob", 30)

    assert "Refused: Bob already has an invitation to tally. Please wait for the answer." in refused
    assert 1 == heard(stage, "Bob", "invites you")


async def test_invitation_of_a_new_table_cannot_be_repeated_before_the_start(stage):
    await say(stage, "Ann", "/new tally Bob")
    await say(stage, "Ann", "/invite BOB")

    assert 1 == heard(stage, "Bob", "invites you")


async def test_three_tables_for_the_same_person_are_the_most(stage):
    for _ in range(5):
        refused = await say(stage, "Ann", "/new tally Bob")
        await say(stage, "Ann", "/close")

    assert INVITATION.limits[2].most == heard(stage, "Bob", "invites you")
    assert "Refused: Bob has had 3 invitations from you lately. Wait for an answer," in refused


async def test_declined_invitations_count(stage):
    """A no isn't an invitation to ask again and again."""
    await say(stage, "Ann", "/new tally")
    told = 0
    for _ in range(5):
        await say(stage, "Ann", "/invite Bob")
        told += heard(stage, "Bob", "invites you")
        await say(stage, "Bob", "/decline tally")

    assert INVITATION.limits[2].most == told


async def test_accepted_invitation_lets_the_same_people_play_on(stage):
    """Two friends who play one short game after the other never meet the limit."""
    for number in range(1, 6):
        refused = await say(stage, "Ann", "/new tally Bob max=3")
        await say(stage, "Bob", f"/sit {number}")
        await say(stage, "Ann", f"/at {number} resign")
        await say(stage, "Bob", f"/at {number} leave")

    assert "Refused" not in refused
