"""Discussions that people create: their owners, who may join or speak, and that they are stored."""

import pytest

from lilygames.chat.host import discussions
from lilygames.gametest.stage import Stage
from lilygames.limits.quota import Limit, Quota
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY


@pytest.fixture
async def cafe(stage):
    await stage.type("ann", '/create cafe "coffee and cards"')
    for screen in stage.screens.values():
        screen.take()
    return stage


async def test_new_discussion_is_announced_with_its_title(stage):
    await stage.type("ann", '/create cafe "coffee and cards"')

    assert ["*** ann has created the room cafe “coffee and cards” ***"] == stage.screens["bob"].take()


@pytest.mark.parametrize("line", ['/create cafe connect "The Café"', "/create cafe CONNECT “The Café”"])
async def test_room_of_lilys_ordinary_kind_has_the_title_as_typed(stage, line):
    await stage.type("ann", line)
    room = stage.rooms["cafe"]

    assert ("The Café", False, False) == (room.title, room.charter.emote, room.charter.private)


async def test_discussion_and_its_members_are_stored():
    """A restart or a disconnect changes nothing."""
    store = MemoryStore()
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    await stage.type("ann", "/create cafe moderated tea")
    await stage.host.profiles.finish()

    again = await Stage.open(TALLY, store=store)
    owned = await again.host.profiles.load("ann")

    assert ("tea", True, "ann") == (
        again.rooms["cafe"].title,
        again.rooms["cafe"].charter.moderated,
        again.rooms["cafe"].charter.owner,
    )
    assert ("cafe",) == owned.rooms


async def test_member_who_logs_in_again_is_still_a_member_and_nobody_is_told(cafe):
    await cafe.type("bob", "/join cafe")
    cafe.drop("bob")
    cafe.screens["ann"].take()
    cafe.enter("bob")

    assert "bob" in cafe.rooms["cafe"].people
    assert ["*** bob has entered lily ***"] == cafe.screens["ann"].take()


@pytest.mark.parametrize("line", ["/destroy cafe", "/retitle cafe mine", "/permit cafe cat", "/appoint cafe bob owner"])
async def test_only_owner_and_moderators_change_a_discussion(cafe, line):
    await cafe.type("bob", "/join cafe")

    assert "Refused: " in " ".join(await cafe.type("bob", line))
    assert "coffee and cards" == cafe.rooms["cafe"].title


@pytest.mark.parametrize(
    "line",
    (
        "den;hi -den;hi den:hi bob,-den;hi ~den;hi -de;hi de;hi -en;hi /join·den /join·d /quit·den /what·den /what·d "
        "/who·den /where·den /finger·den /info·den /review·den /review·clear·den /destroy·den /retitle·den·mine "
        "/permit·den·bob /depermit·den·ann /appoint·den·bob·owner /unappoint·den·ann·owner /ask·den /allow·den·bob "
        "/allow·den /tell·den·hi /send·den /send·-den /also·-den /oops·-den /group·x·add·den /group·x·add·-den "
        "/notify·public·den·off /signal·den·on /timestamp·den·on /ignore·ann·den /ignore·den /block·den /block·-den "
        "/create·d3n /rename·d3n /how /rooms /what /where·ann /who /finger·ann /at·den /watch·den /sit·den"
    ).split(),
)
async def test_private_discussion_looks_like_none(line):
    """Every answer is the same, byte for byte, for people who may not see it."""
    answers = []
    for created in ("/away", "/create den private"):
        stage = await Stage.open({})
        for name in ("ann", "bob"):
            stage.enter(name)
        await stage.type("bob", "ann;hi")
        await stage.type("ann", created)
        await stage.type("ann", "/join lobby")
        await stage.type("ann", "/here")
        await stage.type("ann", "-den;between us")
        answers.append(await stage.type("bob", line.replace("·", " ")))

    assert answers[0] == answers[1]


async def test_lists_leave_a_private_discussion_out(stage):
    await stage.type("ann", "/create den private")

    assert "den" not in " ".join([*await stage.type("bob", "/what"), *await stage.type("bob", "/rooms")])


async def test_permitted_person_may_join(stage):
    await stage.type("ann", "/create den private")
    await stage.type("ann", "/permit den bob")

    assert "*** ann has allowed bob to join den ***" in stage.screens["bob"].take()
    assert ["(you are in den with ann)"] == await stage.type("bob", "/join den")


async def test_depermitted_person_is_out_and_stays_out(cafe):
    await cafe.type("bob", "/join cafe")
    await cafe.type("ann", "/depermit cafe bob")

    assert "bob" not in cafe.rooms["cafe"].people
    assert "Refused: you can't join cafe" in (await cafe.type("bob", "/join cafe"))[0]
    assert "Refused: you can't join cafe or speak" in (await cafe.type("bob", "-cafe;but"))[0]
    await cafe.type("ann", "/permit cafe bob")
    assert ["(you are in cafe with ann)"] == await cafe.type("bob", "/join cafe")


async def test_person_removed_for_a_time_may_join_again_after_it(cafe, monkeypatch):
    answer = await cafe.type("ann", "/depermit cafe bob 2h")
    assert ["(bob can't join cafe for 2h)"] == answer
    assert "Refused: you can't join cafe" in (await cafe.type("bob", "/join cafe"))[0]

    room, now = cafe.rooms["cafe"], cafe.host.clock()
    monkeypatch.setattr(room, "now", lambda: now + 7201)
    assert ["(you are in cafe with ann)"] == await cafe.type("bob", "/join cafe")


async def test_time_that_is_none_removes_nobody(cafe):
    assert "type a time like 30m" in (await cafe.type("ann", "/depermit cafe bob soon"))[0]
    assert frozenset() == cafe.rooms["cafe"].charter.barred


async def test_offered_room_changes_its_owner_when_it_is_accepted(cafe):
    await cafe.type("bob", "/join cafe")
    cafe.screens["ann"].take()
    await cafe.type("ann", "/appoint cafe bob owner")
    assert "ann" == cafe.rooms["cafe"].charter.owner
    offer = " ".join(cafe.screens["bob"].take())
    assert "*** ann has offered you the room cafe; to accept: /appoint cafe me owner ***" in offer

    assert ["(you are now the owner of cafe)"] == await cafe.type("bob", "/appoint cafe me owner")
    assert ("bob", "") == (cafe.rooms["cafe"].charter.owner, cafe.rooms["cafe"].charter.offered)
    assert "*** bob is now the owner of cafe ***" in cafe.screens["ann"].take()


async def test_offer_can_be_taken_back(cafe):
    await cafe.type("ann", "/appoint cafe bob owner")
    cafe.screens["bob"].take()
    await cafe.type("ann", "/unappoint cafe bob owner")

    assert ["*** ann no longer offers you the room cafe ***"] == cafe.screens["bob"].take()
    assert "nobody has offered you cafe" in (await cafe.type("bob", "/appoint cafe me owner"))[0]


async def test_private_room_can_be_taken_over_by_someone_who_was_not_in_it(stage):
    await stage.type("ann", "/create den private")
    await stage.type("ann", "/appoint den bob owner")

    assert ["(you are now the owner of den)"] == await stage.type("bob", "/appoint den me owner")


async def test_author_is_another_word_for_speaker(cafe):
    assert ["(bob is now speaker of cafe)"] == await cafe.type("ann", "/appoint cafe bob author")
    assert frozenset({"bob"}) == cafe.rooms["cafe"].charter.speakers


async def test_only_speakers_are_heard_in_a_moderated_discussion(stage):
    await stage.type("ann", "/create talk moderated")
    await stage.type("bob", "/join talk")

    assert ["Refused: talk is moderated. Type /ask talk to ask if you can speak."] == await stage.type("bob", "hello")
    await stage.type("bob", "/ask talk")
    assert "*** bob asks to speak in talk: type /allow talk bob ***" in stage.screens["ann"].take()
    await stage.type("ann", "/allow talk bob")
    assert ["(message sent to talk)"] == await stage.type("bob", "hello")
    await stage.type("ann", "/allow talk off")
    assert "moderated" in (await stage.type("bob", "hello"))[0]


async def test_floor_goes_to_the_first_who_asked(stage):
    """A moderator or a speaker gives it, and the next person takes it over."""
    await stage.type("ann", "/create talk moderated")
    for name in ("bob", "cat"):
        await stage.type(name, "/join talk")
        await stage.type(name, "/ask talk")

    assert ["(bob can speak in talk now)"] == await stage.type("ann", "/allow talk")
    assert "you aren't a speaker there" in (await stage.type("bob", "/allow talk cat"))[0]
    assert ["(cat can speak in talk now)"] == await stage.type("ann", "/allow talk")
    assert "moderated" in (await stage.type("bob", "hello"))[0]
    assert "nobody has asked to speak" in (await stage.type("ann", "/allow talk"))[0]


async def test_giving_the_floor_leaves_speakers_unchanged(stage):
    await stage.type("ann", "/create talk moderated")
    for name in ("bob", "cat"):
        await stage.type(name, "/join talk")
    await stage.type("ann", "/appoint talk bob speaker")
    await stage.type("bob", "/allow talk cat")
    await stage.type("bob", "/allow talk off")

    assert ["(message sent to talk)"] == await stage.type("bob", "hello")
    assert "moderated" in (await stage.type("cat", "hello"))[0]


async def test_change_that_cannot_be_stored_is_not_made(stage):
    """The store is full: titles, charters and discussions stay as they were."""
    await stage.type("ann", "/create cafe tea")
    full = StoreUnavailable("full")
    for line in ("/retitle cafe coffee", "/depermit cafe bob", "/create den"):
        await stage.host.profiles.finish()
        stage.tables.store.store.fail_next(full, call="keep")  # behind the archive
        assert "Refused: nothing can be saved right now" in (await stage.type("ann", line))[0]

    assert "tea" == stage.rooms["cafe"].title
    assert frozenset() == stage.rooms["cafe"].charter.barred
    assert "den" not in stage.rooms


async def test_rooms_of_an_earlier_release_stay(stage, monkeypatch):
    """Release 0.2 let everyone own ten. They can be changed and closed, and no others are made until two are left."""
    with monkeypatch.context() as earlier:
        earlier.setattr(discussions, "ROOMS", Quota("rooms", (Limit("person", 10),)))
        for n in range(5):
            await stage.type("ann", f"/create cafe{n}")
    refused = (await stage.type("ann", "/create den"))[0]
    for n in range(3):
        await stage.type("ann", f"/retitle cafe{n} tea")
        await stage.type("ann", f"/destroy cafe{n}")
    await stage.type("ann", "/create den")

    assert "Refused: ann already owns 5 rooms, which is the limit." in refused
    assert {"cafe3", "cafe4", "den"} == {room.name for room in stage.rooms.values() if room.charter.owner}


UNLIKE = "abcdefghkmnprstx"
"""Letters that don't look like each other."""


async def opened_at(stage, address, names, number=3):
    """Let people at an address open rooms, and return the refusals."""
    refused = []
    for name in names:
        stage.enter(name).address = address
        for n in range(number):
            said = " ".join(" ".join(await stage.type(name, f"/create {name}{n}")).split())
            refused += [said] if said.startswith("Refused") else []
    return refused


async def test_accounts_at_an_address_have_twelve_rooms_between_them(stage):
    assert [] == await opened_at(stage, "192.0.2.7", ["Dan", "Eve", "Fay", "Guy"])
    (refused,) = await opened_at(stage, "192.0.2.7", ["Hal"], 1)
    assert "Refused: 12 rooms were opened from your address, which is the limit. Type /rooms to join one." == refused
    assert [] == await opened_at(stage, "192.0.2.8", ["Ida"], 1)

    await stage.type("Dan", "/destroy Dan0")
    stage.enter("Hal").address = "192.0.2.7"
    await stage.type("Hal", "/create Hal0")
    assert "hal0" in stage.rooms


async def test_subnet_has_48_rooms(stage):
    for number in range(16):
        assert [] == await opened_at(stage, f"192.0.2.{number}", [f"Nat{UNLIKE[number]}"])
    (refused,) = await opened_at(stage, "192.0.2.99", ["Zoe"], 1)

    assert "48 rooms were opened from your network" in refused


async def test_renamed_room_still_counts_for_its_address_and_a_given_one_too(stage):
    await opened_at(stage, "192.0.2.7", ["Dan"])
    await stage.type("Dan", "/drename Dan0 parlour")
    await stage.type("Dan", "/appoint Dan1 bob owner")
    await stage.type("bob", "/appoint Dan1 me owner")

    assert 3 == stage.rooms.number("rooms", "address", "192.0.2.7")
    assert 1 == stage.rooms.number("rooms", "person", "bob")


async def test_rooms_opened_before_a_start_count_for_the_address_from_which_their_owner_comes_back(stage):
    store = MemoryStore()
    before = await Stage.open(TALLY, store=store)
    await opened_at(before, "192.0.2.7", ["Dan"])
    after = await Stage.open(TALLY, store=store)
    assert 0 == after.rooms.number("rooms", "address", "stage")
    after.enter("Dan")

    assert 3 == after.rooms.number("rooms", "address", "stage")
    assert "already owns 3 rooms" in " ".join(await after.type("Dan", "/create den"))


async def test_nobody_is_given_more_discussions_than_they_may_own(stage):
    for n in range(3):
        await stage.type("bob", f"/create tea{n}")
    await stage.type("ann", "/create cafe")

    assert "Refused: bob already owns 3 rooms" in (await stage.type("ann", "/appoint cafe bob owner"))[0]


async def test_talk_in_an_emote_discussion_is_acted_out(stage):
    await stage.type("ann", "/create stage emote")
    await stage.type("bob", "/join stage")
    await stage.type("bob", "yawns")
    await stage.type("bob", '"ready?')

    assert ["> (to stage) bob yawns", '> (to stage) bob asks, "ready?"'] == stage.screens["ann"].take()[-2:]


async def test_members_of_a_destroyed_discussion_do_not_keep_it(cafe):
    await cafe.type("bob", "/join cafe")
    await cafe.type("ann", "/destroy cafe")

    assert ["lobby"] == [room.name for room in cafe.people["bob"].rooms]


async def test_destroyed_discussion_is_gone_and_its_members_are_in_the_lobby(cafe):
    await cafe.type("bob", "/join cafe")
    await cafe.type("ann", "/destroy cafe")

    assert "*** ann has closed the room cafe ***" in cafe.screens["bob"].take()
    assert cafe.people["bob"].room is cafe.host.lobby
    assert () == cafe.people["bob"].profile.rooms


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/create lobby", "is a reserved name"),
        ("/create bob", "is taken"),
        ("/create tally", "is a reserved name"),
        ("/create x", "a name has 2 to 16 letters"),
        ("/create cafe2 " + "long " * 20, "that title has 99 characters. Use at most 60."),
        ("/destroy lobby", "belongs to the server"),
        ("/appoint cafe bob king", "the role must be owner, moderator or speaker"),
        ("/depermit cafe ann", "you can't remove yourself or the owner"),
    ],
)
async def test_invalid_discussion_is_refused_in_one_sentence(cafe, line, said):
    answer = " ".join(await cafe.type("ann", line))

    assert answer.startswith("Refused: ")
    assert said in answer


async def test_nobody_owns_more_than_three(stage):
    for n in range(3):
        await stage.type("ann", f"/create cafe{n}")

    assert "Refused: ann already owns 3 rooms" in (await stage.type("ann", "/create cafe10"))[0]
