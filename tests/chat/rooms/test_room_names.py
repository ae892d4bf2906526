"""Renaming a room: everything about it follows, and its old name leads to it."""

import json

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY


def sentence(rows):
    """Return rows that the screen has wrapped as one."""
    return " ".join(row.strip() for row in rows)


@pytest.fixture
async def cafe(stage):
    await stage.type("ann", '/create cafe "coffee and cards"')
    await stage.type("bob", "/join cafe")
    for screen in stage.screens.values():
        screen.take()
    return stage


async def test_rename_is_announced_to_everyone(cafe):
    cafe.enter("cat")
    cafe.screens["bob"].take()
    assert ["(the room cafe is now called den)"] == await cafe.type("ann", "/drename cafe den")

    assert ["*** ann has renamed the room cafe to den ***"] == cafe.screens["bob"].take()
    assert "*** ann has renamed the room cafe to den ***" in cafe.screens["cat"].take()


async def test_rename_of_a_private_room_is_told_only_to_those_who_may_see_it(cafe):
    await cafe.type("ann", "/create nook private")
    cafe.screens["bob"].take()
    await cafe.type("ann", "/drename nook corner")

    assert [] == cafe.screens["bob"].take()
    assert await cafe.type("bob", "-zzz;hi") == [
        line.replace("nook", "zzz") for line in await cafe.type("bob", "-nook;hi")
    ]


async def test_members_and_their_talk_stay(cafe):
    await cafe.type("ann", "/drename cafe den")
    await cafe.type("bob", "hello")

    assert " -> From bob, to den:" in cafe.screens["ann"].take()


async def test_old_name_leads_to_the_room(cafe):
    await cafe.type("ann", "/drename cafe den")

    assert ["(message sent to den)"] == await cafe.type("bob", "-cafe;hello")
    assert "den: coffee and cards" == (await cafe.type("bob", "/what cafe"))[0]


async def test_review_has_what_was_said_under_both_names(cafe):
    await cafe.type("bob", "before")
    await cafe.type("ann", "/drename cafe den")
    await cafe.type("bob", "afterwards")
    rows = await cafe.type("bob", "/review den")

    assert "#  - before" in rows
    assert "#  - afterwards" in rows
    assert any("has renamed the room cafe to den" in row for row in rows)


async def test_rights_follow(cafe):
    await cafe.type("ann", "/appoint cafe bob moderator")
    await cafe.type("ann", "/drename cafe den")

    assert "  Moderators: bob" in await cafe.type("bob", "/what den")


async def test_memberships_groups_and_rules_follow(cafe):
    for line in ("/group us add -cafe", "/notify join cafe off", "/send -cafe", "/block cafe", "/ignore ann cafe"):
        await cafe.type("bob", line)
    await cafe.type("ann", "/drename cafe den")
    own = cafe.people["bob"].profile

    assert ("den",) == own.rooms
    assert {"us": ("-den",)} == own.groups
    assert {"join den": False} == own.noise["notify"]
    assert "-den" == own.sends_to
    assert ("den",) == own.blocked
    assert {"ann": ("den",)} == own.ignored


async def test_member_who_was_away_is_still_one(cafe):
    cafe.drop("bob")
    await cafe.host.profiles.finish()
    await cafe.type("ann", "/drename cafe den")
    cafe.enter("bob")

    assert "bob" in cafe.rooms["den"].people


async def test_names_are_stored():
    store = MemoryStore()
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    for line in ("/create cafe", "hello", "/drename cafe den", "/drename den nook"):
        await stage.type("ann", line)
    await stage.host.profiles.finish()
    await stage.history.finish()

    again = await Stage.open(TALLY, store=store)
    again.enter("ann")
    owned = await again.host.owned("ann")
    room = again.rooms["nook"]
    assert ("cafe", ("cafe", "den")) == (room.key, room.former)
    assert room is again.rooms.called("den")
    assert ("nook",) == owned.rooms
    await again.type("ann", "/join cafe")
    assert "#  - hello" in await again.type("ann", "/review cafe")
    assert ["cafe"] == [*await store.every("discussion")]


async def test_old_name_is_reserved_until_the_room_is_closed(cafe):
    await cafe.type("ann", "/drename cafe den")
    assert ["Refused: cafe is taken. Please choose another name."] == await cafe.type("ann", "/create cafe")

    await cafe.type("ann", "/destroy den")
    assert cafe.rooms.called("cafe") is None
    assert "(you've created the room cafe" in (await cafe.type("ann", "/create cafe"))[0]
    assert "#  - " not in " ".join(await cafe.type("ann", "/review cafe"))


async def test_room_can_have_its_old_name_again(cafe):
    await cafe.type("ann", "/drename cafe den")
    await cafe.type("ann", "/drename den cafe")

    assert "cafe" == cafe.rooms["cafe"].name
    assert cafe.rooms["cafe"] is cafe.rooms.called("den")


async def test_spelling_of_a_name_can_change(cafe):
    await cafe.type("ann", "/drename cafe Cafe")

    assert "Cafe" == cafe.rooms["cafe"].name


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/drename cafe cafe", "that room is already called cafe. Type /drename cafe and another name."),
        ("/drename cafe bob", "bob is taken. Please choose another name."),
        ("/drename cafe lobby", "“lobby” is a reserved name. Please choose another."),
        ("/drename cafe tally-7", "“tally-7” is a reserved name. Please choose another."),
        ("/drename cafe x", "a name has 2 to 16 letters, digits, - or _, and starts with a letter."),
        ("/drename lobby den", "lobby belongs to the server. Type /create NAME to open a room of your own."),
    ],
)
async def test_some_names_are_refused(cafe, line, why):
    assert f"Refused: {why}" == sentence(await cafe.type("ann", line))


async def test_only_the_owner_renames_a_room(cafe):
    assert "Refused: cafe belongs to ann. Type /create NAME to open a room of your own." == sentence(
        await cafe.type("bob", "/drename cafe den")
    )


async def test_room_of_a_table_can_not_be_renamed(stage):
    await stage.type("ann", "/new tally")

    assert "Refused: tally belongs to the server. Type /create NAME to open a room of your own." == sentence(
        await stage.type("ann", "/drename tally den")
    )


async def test_sixth_name_must_be_an_old_one(cafe):
    for name in ("den", "nook", "corner", "attic", "cellar"):
        await cafe.type("ann", f"/drename cafe {name}")

    assert (
        "Refused: cellar has already had 5 other names. To change it again, pick one of them: cafe, den, nook, corner"
        " or attic."
    ) == sentence(await cafe.type("ann", "/drename cafe garden"))
    assert ["(the room cellar is now called nook)"] == await cafe.type("ann", "/drename cafe nook")


async def test_name_stays_if_it_can_not_be_stored(cafe, monkeypatch):
    async def fail(*_):
        raise StoreUnavailable("gone")

    monkeypatch.setattr(cafe.discussions._store, "keep", fail)
    await cafe.type("ann", "/drename cafe den")

    assert ("cafe", ()) == (cafe.rooms["cafe"].name, cafe.rooms["cafe"].former)
    assert cafe.rooms.called("den") is None


async def test_closed_room_is_announced_to_everyone(cafe):
    cafe.enter("cat")
    await cafe.type("ann", "/destroy cafe")

    assert "*** ann has closed the room cafe ***" in cafe.screens["cat"].take()


async def test_room_of_a_release_without_former_names_is_read():
    store = MemoryStore()
    charter = {"owner": "ann", "moderators": [], "speakers": [], "permitted": [], "barred": [], "floor": ""}
    charter |= {"cleared": 0.0, "private": False, "moderated": False, "emote": False, "is": "Charter"}
    await store.keep("discussion", "cafe", json.dumps({"name": "cafe", "title": "coffee", "charter": charter}))
    stage = await Stage.open({}, store=store)
    stage.enter("ann")

    assert "cafe: coffee" == (await stage.type("ann", "/what cafe"))[0]
